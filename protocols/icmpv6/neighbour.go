package icmpv6

import (
	"fmt"

	"remora/dissect"
)

var (
	fAsked   = proto.IPv6("nd.ns.target_address", "Target Address", "The address asked for.")
	fTold    = proto.IPv6("nd.na.target_address", "Target Address", "The address announced.")
	fBetter  = proto.IPv6("nd.rd.target_address", "Target Address", "The better way.")
	fRedirTo = proto.IPv6("rd.na.destination_address", "Destination Address", "Where the redirected packets go.")
	fCurHops = proto.Uint8("nd.ra.cur_hop_limit", "Cur hop limit", "Hop limit that hosts should use.")
	fRAFlags = proto.Flags8("nd.ra.flag", "Flags",
		[]dissect.Flag{{Name: "m", Label: "Managed address configuration", Mask: 0x80, Doc: "Addresses come from DHCPv6."},
			{Name: "o", Label: "Other configuration", Mask: 0x40, Doc: "Other settings come from DHCPv6."},
			{Name: "h", Label: "Home Agent", Mask: 0x20, Doc: "The router is a home agent."}}, "What hosts should do.").
		Format(raFlags)
	fRAPref = proto.Uint8("nd.ra.flag.prf", "Prf (Default Router Preference)",
		"The router with the highest is to be used (RFC 4191).").Masked(0x18).Named(preferences)
	fRAProxy = proto.Bool("nd.ra.flag.p", "Proxy", "The message was passed on by a proxy (RFC 4389).").Masked(0x04)
	fRARes   = proto.Uint8("nd.ra.flag.rsv", "Reserved", "Zero.").Masked(0x03)
	fLife    = proto.Uint16("nd.ra.router_lifetime", "Router lifetime (s)", "How long the router may be used.")
	fReach   = proto.Uint32("nd.ra.reachable_time", "Reachable time (ms)", "How long a neighbour counts as reachable.")
	fRetrans = proto.Uint32("nd.ra.retrans_timer", "Retrans timer (ms)", "Time between solicitations.")
	fNAFlags = proto.Flags32("nd.na.flag", "Flags",
		[]dissect.Flag{{Name: "r", Label: "Router", Mask: 0x80000000, Doc: "The sender is a router."},
			{Name: "s", Label: "Solicited", Mask: 0x40000000, Doc: "Somebody asked."},
			{Name: "o", Label: "Override", Mask: 0x20000000, Doc: "Replace what is remembered."}},
		"What the announcement means.").Format(naFlags)
	fNARes    = proto.Uint32("nd.na.flag.rsv", "Reserved", "Zero.").Masked(0x1fffffff)
	fMIPIdent = proto.Uint16("mip6.identifier", "Identifier", "Which question of the asker's this is.").HexDec()
	fMIPHome  = proto.IPv6("mip6.home_agent_address", "Home Agent Address", "A home agent.")
	fMIPFlags = proto.Uint16("mip6.flag", "Flags", "Where a mobile host gets its addresses.").Hex()
	fInterval = proto.Uint16("mcast_ra.query_interval", "Query Interval", "Time between queries of groups.")
	fRobust   = proto.Uint16("mcast_ra.robustness_variable", "Robustness Variable",
		"How many lost messages are made up for.")
)

func raFlags(v uint64) string {
	text := fmt.Sprintf("0x%02x", v)
	for i, name := range [...]string{"Managed address configuration", "Other configuration", "Home Agent"} {
		if v&(0x80>>i) != 0 {
			text += ", " + name
		}
	}
	text += ", Prf (Default Router Preference): " + preferences[v>>3&3]
	if v&4 != 0 {
		text += ", Proxy"
	}
	if v&3 != 0 {
		text += fmt.Sprintf(", Reserved: %d", v&3)
	}
	return text
}

func naFlags(v uint64) string {
	text := fmt.Sprintf("0x%08x", v)
	for i, name := range [...]string{"Router", "Solicited", "Override"} {
		if v&(0x80000000>>i) != 0 {
			text += ", " + name
		}
	}
	return text
}

func routerSolicitation(d *dissect.D, _ uint64) {
	d.Bytes(fReserv, 4)
	options(d)
}

func routerAdvertisement(d *dissect.D, _ uint64) {
	d.Uint(fCurHops)
	at := d.Pos()
	v := d.Uint(fRAFlags)
	if !d.Short() {
		d.Below(func() {
			d.Put(fRAPref, v, at, 1)
			d.Put(fRAProxy, v, at, 1)
			d.Put(fRARes, v, at, 1)
		})
	}
	d.Uint(fLife)
	d.Uint(fReach)
	d.Uint(fRetrans)
	options(d)
}

func neighbour(d *dissect.D, kind uint64) {
	if kind == typeNeighbourSol {
		d.Bytes(fReserv, 4)
		d.IPv6(fAsked)
		d.Info().Set("for {nd.ns.target_address}")
		options(d)
		return
	}
	at := d.Pos()
	v := d.Uint(fNAFlags)
	if !d.Short() {
		d.Below(func() { d.Put(fNARes, v, at, 4) })
	}
	d.IPv6(fTold)
	d.Info().Set("{nd.na.target_address}")
	if d.Info().Wanted() && !d.Short() {
		d.Info().Setf("(%s)", announced(v))
	}
	options(d)
}

// announced are the flags of a neighbour advertisement as Wireshark's Info column has them: "rtr, sol, ovr".
func announced(flags uint64) string {
	text := ""
	for i, word := range [...]string{"rtr", "sol", "ovr"} {
		if flags&(0x80000000>>i) != 0 {
			if text != "" {
				text += ", "
			}
			text += word
		}
	}
	if text == "" {
		return "none"
	}
	return text
}

func redirect(d *dissect.D, _ uint64) {
	d.Bytes(fReserv, 4)
	d.IPv6(fBetter)
	d.IPv6(fRedirTo)
	options(d)
}

// mobile reads how mobile hosts find their home agent and its networks.
func mobile(d *dissect.D, kind uint64) {
	d.Uint(fMIPIdent)
	if kind == 147 {
		d.Uint(fMIPFlags)
		options(d)
		return
	}
	d.Bytes(fReserv, 2)
	for more := d.Elements(); kind == 145 && d.Left() >= 16 && more.Next(); {
		d.IPv6(fMIPHome)
	}
}

func multicastRouter(d *dissect.D, _ uint64) {
	d.Uint(fInterval)
	d.Uint(fRobust)
}
