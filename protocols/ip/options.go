package ip

import (
	"fmt"

	"remora/dissect"
)

// The options by their type byte: copy bit, class and number (RFC 791 section 3.1).
const (
	optEnd         = 0
	optNop         = 1
	optRecordRoute = 7
	optMTUProbe    = 11
	optMTUReply    = 12
	optQuickStart  = 25
	optTimestamp   = 68
	optTraceroute  = 82
	optSecurity    = 130
	optLooseRoute  = 131
	optExtended    = 133
	optCommercial  = 134
	optStreamID    = 136
	optStrictRoute = 137
	optRouterAlert = 148
	optBroadcast   = 149
)

// An option is how one type is shown: the field of its node, its name, and its content.
type option struct {
	field   *dissect.Field
	name    string
	content func(d *dissect.D, kind byte)
}

// known are the options with a dissection of their own.
var known = map[byte]option{
	optEnd:         {group("eol", "End of Options List (EOL)"), "", nil},
	optNop:         {group("nop", "No-Operation (NOP)"), "", nil},
	optRecordRoute: {group("record_route", "Record Route"), "Record Route", route},
	optMTUProbe:    {group("mtu_probe", "MTU Probe"), "MTU Probe", func(d *dissect.D, _ byte) { d.Uint(fOptMTU) }},
	optMTUReply:    {group("mtu_reply", "MTU Reply"), "MTU Reply", func(d *dissect.D, _ byte) { d.Uint(fOptMTU) }},
	optQuickStart:  {fQuickStart, "Quick-Start", quickStart},
	optTimestamp:   {group("timestamp", "Time Stamp"), "Time Stamp", timestamps},
	optTraceroute:  {group("traceroute", "Traceroute"), "Traceroute", traceroute},
	optSecurity:    {group("security", "Security"), "Security", security},
	optLooseRoute:  {group("route", "Loose Source Route"), "Loose Source Route", route},
	optExtended:    {group("ext_security", "Extended Security"), "Extended Security", extended},
	optCommercial:  {group("cipso", "Commercial Security"), "Commercial Security", commercial},
	optStreamID:    {group("sid", "Stream ID"), "Stream ID", func(d *dissect.D, _ byte) { d.Uint(fOptSID) }},
	optStrictRoute: {group("source_route", "Strict Source Route"), "Strict Source Route", route},
	optRouterAlert: {fAlert, "Router Alert", alert},
	optBroadcast:   {group("sdb", "Selective Directed Broadcast"), "Selective Directed Broadcast", broadcast},
}

func group(name, label string) *dissect.Field {
	return proto.Group("options."+name, "IP Option - "+label, "The option "+label+".")
}

var (
	fOptions = proto.Group("options", "Options", "The options of the header. Wireshark has no name for all together.")
	fOption  = proto.Group("option", "Unknown", "An option that is not known. Wireshark has no name for it.").
			Summary("Unknown (0x{opt.type:hex})[ ({opt.len} bytes)]")
	fOptType = proto.Uint8("opt.type", "Type", "Which option it is.")
	fOptCopy = proto.Bool("opt.type.copy", "Copy on fragmentation", "Every fragment has the option.").Masked(0x80).
			TrueFalse("Yes", "No")
	fOptCls = proto.Uint8("opt.type.class", "Class", "What sort of option it is.").Masked(0x60).
		Named(dissect.Values{0: "Control", 1: "Reserved for future use", 2: "Debugging and measurement",
			3: "Reserved for future use"})
	fOptNum = proto.Uint8("opt.type.number", "Number", "Which option of its class it is.").Masked(0x1f).
		Named(dissect.Values{0: "End of Option List (EOL)", 1: "No-Operation (NOP)", 2: "Security", 3: "Loose source route",
			4: "Time stamp", 5: "Extended security", 6: "Commercial IP security option", 7: "Record route",
			8: "Stream identifier", 9: "Strict source route",
			10: "Experimental Measurement", 11: "MTU probe", 12: "MTU Reply", 17: "Extended Internet Protocol", 18: "Traceroute",
			19: "Address Extension", 20: "Router Alert", 21: "Selective Directed Broadcast", 24: "Upstream Multicast Packet",
			25: "Quick-Start", 30: "RFC 3692-style experiment"})
	fOptLen  = proto.Uint8("opt.len", "Length", "Length of the option in bytes.")
	fOptPtr  = proto.Uint8("opt.ptr", "Pointer", "Where in the option the next entry goes, counted from 1.")
	fOptSID  = proto.Uint16("opt.sid", "Stream Identifier", "Number of a SATNET stream.")
	fOptMTU  = proto.Uint16("opt.mtu", "MTU", "How long packets may be on the way (RFC 1063).")
	fOptData = proto.Bytes("opt.data", "Option data", "Content that is not known. Wireshark has no name for it.")

	nOption = proto.Expert("opt.len.invalid", dissect.Warn, "The length of an option is wrong")
	nNop    = proto.Expert("nop", dissect.Warn, "4 NOP in a row - a router may have removed some options")
)

// options reads the options, n bytes up to the end of the header.
func options(d *dissect.D, n int) {
	d.In(fOptions, func() {
		names, nops := "", 0
		for more := d.Elements(); more.Next(); {
			kind := d.Peek(0)
			if nops++; kind != optNop {
				nops = 0
			}
			if kind > optNop && !fits(d) {
				d.Rest(fOptData)
				break
			}
			if o := one(d, kind); o.name != "" && d.Labelling() {
				names += ", " + o.name
			}
			if nops == 4 {
				d.Expert(nNop)
			}
			if kind == optEnd {
				d.Rest(fOptPad)
				break
			}
		}
		if d.Labelling() {
			d.Suffix(fOptions, fmt.Sprintf(": (%d bytes)%s", n, names))
		}
	})
}

// fits checks the length of the option at the cursor.
func fits(d *dissect.D) bool {
	n := int(d.Peek(1))
	switch name := known[d.Peek(0)].name; {
	case d.CutShort() && (d.Left() < 2 || n > d.Left()): // reading on finds the end
		d.Skip(d.Left() + 1)
	case n < 2:
		d.ExpertText(nOption, fmt.Sprintf("%s (with too-short option length = %d bytes)", orUnknown(name), n))
	case n > d.Left():
		d.ExpertText(nOption,
			fmt.Sprintf("%s (option length = %d bytes says option goes past end of options)", orUnknown(name), n))
	default:
		return true
	}
	return false
}

func orUnknown(name string) string {
	if name == "" {
		return "Unknown"
	}
	return name
}

// one reads one option.
func one(d *dissect.D, kind byte) option {
	o, ok := known[kind]
	if !ok {
		o.field = fOption
	}
	n := 1
	if kind > optNop {
		n = int(d.Peek(1))
	}
	node := d.Open(o.field)
	if o.name != "" && d.Labelling() {
		d.Suffix(o.field, fmt.Sprintf(" (%d bytes)", n))
	}
	d.Within(n, func() {
		kindOf(d)
		if kind > optNop {
			d.Uint(fOptLen)
			if o.content != nil && d.More() {
				o.content(d, kind)
			}
		}
		d.Rest(fOptData)
	})
	d.Close(node)
	return o
}

// kindOf reads the type and its parts.
func kindOf(d *dissect.D) {
	at := d.Pos()
	v := d.Uint(fOptType)
	d.Below(func() {
		d.Put(fOptCopy, v, at, 1)
		d.Put(fOptCls, v, at, 1)
		d.Put(fOptNum, v, at, 1)
	})
}
