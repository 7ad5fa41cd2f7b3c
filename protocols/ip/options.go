package ip

import "remora/dissect"

var optionTypes = dissect.Values{0: "End of Options List (EOL)", 1: "No Operation (NOP)", 7: "Record Route", 68: "Time Stamp", 82: "Traceroute", 130: "Security", 131: "Loose Source Route", 134: "Commercial Security", 136: "Stream ID", 137: "Strict Source Route", 148: "Router Alert"}

var (
	fOption  = proto.Group("option", "IP Option", "One option of the header.").Summary("IP Option - {ip.opt.type:name}[ ({ip.opt.len} bytes)]")
	fOptType = proto.Uint8("opt.type", "Type", "Which option it is.").Named(optionTypes)
	fOptLen  = proto.Uint8("opt.len", "Length", "Length of the option.")
	fOptPtr  = proto.Uint8("opt.ptr", "Pointer", "Where in the option the next entry goes, counted from 1.")
	fOptAddr = proto.IPv4("opt.time_stamp_addr", "Address", "Who made the time stamp that follows.")
	fPassed  = proto.IPv4("rec_rt", "Recorded Route", "A router that the packet passed.")
	fCurrent = proto.IPv4("cur_rt", "Current Route", "The router that the packet goes to now.")
	fAhead   = proto.IPv4("src_rt", "Source Route", "A router that the packet has still to pass.")
	fEmpty   = proto.IPv4("empty_rt", "Empty Route", "A place for a router, not filled yet.")
	fOptFlow = proto.Uint8("opt.overflow", "Overflow", "Routers that found no place.").Masked(0xf0)
	fOptFlag = proto.Uint8("opt.flag", "Flag", "What the entries of a time stamp hold.").Masked(0x0f).Named(dissect.Values{0: "Time stamps only", 1: "Time stamp and address", 3: "Time stamps for prespecified addresses"})
	fOptTime = proto.Uint32("opt.time_stamp", "Time stamp", "Milliseconds since midnight UTC.").In("ms")
	fOptRA   = proto.Uint16("opt.ra", "Router Alert", "Why routers should look at the packet.").Named(dissect.Values{0: "Router shall examine packet (0)"})
	fOptData = proto.Bytes("opt.data", "Option data", "Content of the option.")
	fOptPad  = proto.Bytes("opt.padding", "Padding", "Fills the header up to a multiple of four bytes.")

	nOption = proto.Note("opt.len.invalid", dissect.Error, "The length of an IP option is impossible")
)

// options reads the options up to the end of the header.
func options(d *dissect.D) {
	for d.More() {
		kind, n := d.Peek(0), 1
		if kind > 1 {
			n = int(d.Peek(1))
			if n < 2 || n > d.Left() {
				d.Mark(nOption)
				d.Rest(fOptData)
				return
			}
		}
		d.In(fOption, func() { d.Within(n, func() { option(d, kind) }) })
		if kind == 0 {
			d.Rest(fOptPad)
			return
		}
	}
}

func option(d *dissect.D, kind byte) {
	d.Uint(fOptType)
	if kind <= 1 {
		return
	}
	d.Uint(fOptLen)
	switch kind {
	case 7, 131, 137:
		route(d, kind)
	case 68:
		d.Uint(fOptPtr)
		flags := d.Bits(fOptFlow, fOptFlag) & 15
		for d.Left() >= 4 && d.More() {
			if flags != 0 && d.Left() >= 8 {
				d.IPv4(fOptAddr)
			}
			d.Uint(fOptTime)
		}
	case 148:
		if d.Left() == 2 {
			d.Uint(fOptRA)
		}
	}
	d.Rest(fOptData)
}

// route reads the addresses of a route. The pointer counts from the option's first byte, which is 1: routers in front
// of it were passed; behind it are empty places, or for source routes the rest of the way.
func route(d *dissect.D, kind byte) {
	pointer := int(d.Uint(fOptPtr))
	for at := 4; d.Left() >= 4 && d.More(); at += 4 {
		switch {
		case at < pointer:
			d.IPv4(fPassed)
		case kind == 7:
			d.IPv4(fEmpty)
		case at == pointer:
			d.IPv4(fCurrent)
		default:
			d.IPv4(fAhead)
		}
	}
}
