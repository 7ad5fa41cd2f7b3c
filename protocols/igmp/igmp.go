// Package igmp dissects the Internet Group Management Protocol, versions 1 (RFC 1112), 2 (RFC 2236) and 3 (RFC 3376).
package igmp

import (
	"fmt"
	"strconv"

	"remora/dissect"
)

var proto = dissect.NewProtocol("igmp", "IGMP",
	"Internet Group Management Protocol: hosts tell routers which groups they listen to.").
	Summary("Internet Group Management Protocol").Color(dissect.HueMagenta)

var types = dissect.Values{0x01: "Create Group Request", 0x02: "Create Group Reply", 0x03: "Join Group Request",
	0x04: "Join Group Reply", 0x05: "Leave Group Request", 0x06: "Leave Group Reply", 0x07: "Confirm Group Request",
	0x08: "Confirm Group Reply",
	0x11: "Membership Query", 0x12: "Membership Report", 0x13: "DVMRP Protocol", 0x14: "PIM Routing Message",
	0x16: "Membership Report", 0x17: "Leave Group", 0x1e: "Traceroute Response", 0x1f: "Traceroute Query or Request",
	0x22: "Membership Report"}

var records = dissect.Values{1: "Mode Is Include", 2: "Mode Is Exclude", 3: "Change To Include Mode",
	4: "Change To Exclude Mode", 5: "Allow New Sources", 6: "Block Old Sources"}

var (
	fVersion = proto.Uint8("version", "IGMP Version", "Which version the message belongs to.").Derived()
	fType    = proto.Kind("type", "Type", types, "What the message asks or tells.").Hex().Wordless()
	fMax     = proto.Uint8("max_resp", "Max Resp Time", "How long hosts may wait with an answer, in tenths of seconds.").
			Format(func(v uint64) string { return tenths(v, v) })
	fMax3 = proto.Uint8("max_resp", "Max Resp Time", "The same in version 3: larger values have an exponent.").
		Format(func(v uint64) string { return fmt.Sprintf("%d.%d sec", v/10, v%10) })
	fMaxExp  = proto.Uint8("max_resp.exp", "Exponent", "Exponent of a long time.").Hex().Masked(0x70)
	fMaxMant = proto.Uint8("max_resp.mant", "Mantissa", "Mantissa of a long time.").Hex().Masked(0x0f)
	fReserv  = proto.Bytes("reserved", "Reserved", "Zero.")
	fSum     = proto.Uint16("checksum", "Checksum", "Checksum over the message.").Hex()
	fStatus  = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").
			Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}).Derived()
	fGroup = proto.IPv4("maddr", "Multicast Address", "The group.")
	fS     = proto.Bool("s", "S", "Routers shall not take this into account.").Masked(0x08).
		TrueFalse("SUPPRESS router side processing", "Do not suppress router side processing")
	fQRV  = proto.Uint8("qrv", "QRV", "Robustness of the asking router: how many packets may get lost.").Masked(0x07)
	fQQIC = proto.Uint8("qqic", "QQIC", "Seconds between queries, as a code.").
		Format(func(v uint64) string { return fmt.Sprint(expand(v)) })
	fSources = proto.Uint16("num_src", "Num Src", "Number of sources.")
	fSource  = proto.IPv4("saddr", "Source Address", "A source of the group.")
	fRecords = proto.Uint16("num_grp_recs", "Num Group Records", "Number of records.")
	fRecord  = proto.Group("record", "Group Record ", "What the host wants of one group.").
			Summary("{maddr}  {record_type:name}")
	fRecType = proto.Uint8("record_type", "Record Type", "How the host's wish changes.").Named(records)
	fAuxLen  = proto.Uint8("aux_data_len", "Aux Data Len", "Length of further data in units of 4 bytes.")
	fAux     = proto.Bytes("aux_data", "Aux Data", "Further data.")
	fData    = proto.Bytes("data", "Data", "Bytes that the version does not know.")

	nSum = proto.Expert("bad_checksum", dissect.Error, "Bad checksum").About(dissect.AboutChecksum)
)

const (
	kindQuery   = 0x11
	kindReport1 = 0x12
	kindReport2 = 0x16
	kindLeave   = 0x17
	kindReport3 = 0x22

	queryLength = 8 // of versions 1 and 2; longer queries are of version 3 (RFC 3376 section 7.1)
)

// Plugin attaches IGMP to its IP protocol number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, On: []dissect.Key{{Table: dissect.TableIP, Value: 2}}}
}

func message(d *dissect.D) {
	whole, version := d.Data(), versionOf(d)
	if version > 0 {
		d.Set(fVersion, version)
		d.Info().Protocol("IGMPv" + strconv.FormatUint(version, 10))
	}
	kind := d.Kind(fType)
	switch {
	case d.Short():
	case version == 3 && kind == kindQuery:
		query3(d, whole)
	case version == 3:
		report3(d, whole)
	case version > 0:
		simple(d, whole, version, kind)
	default:
		if d.Info().Wanted() {
			d.Info().Setf("%s", name(kind))
		}
	}
	d.Rest(fData)
}

func name(kind uint64) string {
	if n := types[kind]; n != "" {
		return n
	}
	return fmt.Sprintf("Unknown Type:0x%02x", kind)
}

// versionOf tells the version, or 0 for messages of other protocols that share the number.
func versionOf(d *dissect.D) uint64 {
	switch d.Peek(0) {
	case kindQuery:
		switch {
		case d.Left() > queryLength:
			return 3
		case d.Peek(1) == 0:
			return 1
		}
		return 2
	case kindReport1:
		return 1
	case kindReport2, kindLeave:
		return 2
	case kindReport3:
		return 3
	}
	return 0
}

// simple reads the messages of versions 1 and 2: a time, a checksum, a group.
func simple(d *dissect.D, whole []byte, version, kind uint64) {
	if version == 1 {
		d.Bytes(fReserv, 1)
	} else {
		d.Uint(fMax)
	}
	checksum(d, whole)
	group := d.IPv4(fGroup)
	switch {
	case version == 1:
		d.Info().Set("{type:name}")
	case kind == kindQuery && group.Uint64() == 0:
		d.Info().Set("Membership Query, general")
	case kind == kindQuery:
		d.Info().Set("Membership Query, specific for group {maddr}")
	case kind == kindLeave:
		d.Info().Set("Leave Group {maddr}")
	default:
		d.Info().Set("Membership Report group {maddr}")
	}
}

func checksum(d *dissect.D, whole []byte) {
	sum := d.Uint(fSum)
	if !d.Wanted(fStatus) && !d.Wanted(nSum) || d.Short() {
		return
	}
	if d.CutShort() || d.Quoted() {
		d.Suffix(fSum, " [unverified]")
		d.Set(fStatus, 2)
		return
	}
	if right := uint64(dissect.Checksum(whole[:2], whole[4:])); right != sum {
		d.Suffix(fSum, fmt.Sprintf(" incorrect, should be 0x%04x", right))
		d.Set(fStatus, 0)
		d.ExpertText(nSum, fmt.Sprintf("Bad checksum [should be 0x%04x]", right))
		return
	}
	d.Suffix(fSum, " [correct]")
	d.Set(fStatus, 1)
}

// expand makes a number of a code: values from 128 on have an exponent (RFC 3376 section 4.1.1).
func expand(v uint64) uint64 {
	if v < 128 {
		return v
	}
	return (v&15 | 16) << (v>>4&7 + 3)
}

func tenths(v, code uint64) string { return fmt.Sprintf("%d.%d sec (0x%02x)", v/10, v%10, code) }
