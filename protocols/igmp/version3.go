package igmp

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// query3 is a query of version 3 (RFC 3376 section 4.1).
func query3(d *dissect.D, whole []byte) {
	at := d.Pos()
	v := d.PeekUint(0, 1)
	d.Skip(1)
	d.Put(fMax3, expand(v), at, 1)
	if d.Labelling() {
		d.Suffix(fMax3, fmt.Sprintf(" (0x%02x)", v))
	}
	if v >= 128 && !d.Short() {
		d.Below(func() {
			d.Put(fMaxExp, v, at, 1)
			d.Put(fMaxMant, v, at, 1)
		})
	}
	checksum(d, whole)
	group := d.IPv4(fGroup)
	d.Bits(fS, fQRV)
	d.Uint(fQQIC)
	list := sources(d, d.Uint(fSources))
	if !d.Info().Wanted() {
		return
	}
	switch {
	case group.Uint64() == 0:
		d.Info().Setf("Membership Query, general")
	case len(list) > 0:
		d.Info().Setf("Membership Query, specific for group %s, source%s", group, braces(list))
	default:
		d.Info().Setf("Membership Query, specific for group %s", group)
	}
}

// report3 is a report of version 3 (RFC 3376 section 4.2).
func report3(d *dissect.D, whole []byte) {
	d.Bytes(fReserv, 1)
	checksum(d, whole)
	d.Bytes(fReserv, 2)
	n := d.Uint(fRecords)
	if d.Info().Wanted() {
		d.Info().Setf("Membership Report")
	}
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		d.In(fRecord, func() { record(d) })
	}
}

func record(d *dissect.D) {
	kind, aux, n := d.Uint(fRecType), d.Uint(fAuxLen), d.Uint(fSources)
	group := d.IPv4(fGroup)
	list := sources(d, n)
	if aux > 0 {
		d.Bytes(fAux, int(aux)*4)
	}
	if d.Info().Wanted() && !d.Short() {
		d.Info().Setf("/ %s", wish(kind, group, list))
	}
}

// sources reads the sources, of which those for the Info column come back.
func sources(d *dissect.D, n uint64) []string {
	var list []string
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		a := d.IPv4(fSource)
		if d.Info().Wanted() && !d.Short() {
			list = append(list, a.String())
		}
	}
	return list
}

// wish says in words what a record of a report means.
func wish(kind uint64, group dissect.Addr, list []string) string {
	exclude := kind == 2 || kind == 4
	switch {
	case (kind == 5 || kind == 6) && len(list) == 0:
		return fmt.Sprintf("Group %s, %s but no source specified (?)", group,
			[2]string{"ALLOW_NEW_SOURCES", "BLOCK_OLD_SOURCES"}[kind-5])
	case kind == 5 || kind == 6:
		return fmt.Sprintf("Group %s, %s source%s", group, [2]string{"new", "block"}[kind-5], braces(list))
	case (kind == 0 || kind > 6) && len(list) == 0:
		return fmt.Sprintf("Group %s, unknown record type (?)", group)
	case kind == 0 || kind > 6:
		return fmt.Sprintf("Group %s, unknown record type (?), sources {%s}", group, strings.Join(list, ", "))
	case exclude && len(list) == 0:
		return fmt.Sprintf("Join group %s for any sources", group)
	case exclude:
		return fmt.Sprintf("Join group %s, for source%s", group, among(list, " not", "s not in"))
	case len(list) == 0:
		return fmt.Sprintf("Leave group %s", group)
	}
	return fmt.Sprintf("Join group %s for source%s", group, among(list, "", "s in"))
}

// among lists sources behind what Wireshark writes for one and for several.
func among(list []string, one, several string) string {
	if len(list) > 1 {
		one = several
	}
	return one + " {" + strings.Join(list, ", ") + "}"
}

// braces lists sources behind the word "source", which several make a plural of.
func braces(list []string) string {
	plural := ""
	if len(list) > 1 {
		plural = "s"
	}
	return plural + " {" + strings.Join(list, ", ") + "}"
}
