package ip

import (
	"fmt"

	"remora/dissect"
)

var (
	fPassed  = proto.IPv4("rec_rt", "Recorded Route", "A router that the packet passed.")
	fCurrent = proto.IPv4("cur_rt", "Current Route", "Where the packet goes now: the header's destination.")
	fAhead   = proto.IPv4("src_rt", "Source Route", "A router that the packet has still to pass.")
	fEmpty   = proto.IPv4("empty_rt", "Empty Route", "A place for a router, not filled yet.")
	fPassedH = proto.String("rec_rt_host", "Recorded Route Host", "A router that the packet passed, by its address.").
			Hidden()
	fAheadH = proto.String("src_rt_host", "Source Route Host",
		"A router that the packet has still to pass, by its address.").Hidden()
	fEmptyH   = proto.String("empty_rt_host", "Empty Route Host", "A place for a router, by its address.").Hidden()
	fCurrentH = proto.String("cur_rt_host", "Current Route Host", "Where the packet goes now, by its address.").Hidden()
	fOptAddr  = proto.IPv4("opt.time_stamp_addr", "Address", "Who made the time stamp that follows.")
	fOptFlow  = proto.Uint8("opt.overflow", "Overflow", "Routers that found no place.").Masked(0xf0)
	fOptFlag  = proto.Uint8("opt.flag", "Flag", "What the entries of a time stamp hold.").Hex().Masked(0x0f).
			Named(dissect.Values{0: "Time stamps only", 1: "Time stamp and address",
			3: "Time stamps for prespecified addresses"})
	fOptTime = proto.Uint32("opt.time_stamp", "Time stamp", "Milliseconds since midnight UTC.")
	fOptRA   = proto.Uint16("opt.ra", "Router Alert", "Why routers should look at the packet (RFC 2113).").
			Format(alertText)
	fOptID      = proto.Uint16("opt.id_number", "ID Number", "Number of the trace (RFC 1393).")
	fOptOut     = proto.Uint16("opt.ohc", "Outbound Hop Count", "Routers passed on the way out.")
	fOptBack    = proto.Uint16("opt.rhc", "Return Hop Count", "Routers passed on the way back.")
	fOptOrig    = proto.IPv4("opt.originator", "Originator IP Address", "Who traces.")
	fOptDest    = proto.IPv4("opt.addr", "IP Address", "A network that the packet is for (RFC 1770).")
	fOptPad     = proto.Bytes("opt.padding", "Padding", "Bytes that fill up.")
	fAlert      = group("routeralert", "Router Alert")
	fQuickStart = group("qs", "Quick-Start")
	fQSFunc     = proto.Uint8("opt.qs_func", "Function", "Asking for a rate or reporting one (RFC 4782).").Masked(0xf0).
			Named(dissect.Values{0: "Rate request", 8: "Rate report"})
	fQSRate = proto.Uint8("opt.qs_rate", "Rate", "The rate.").Masked(0x0f).Named(rates)
	fQSTTL  = proto.Uint8("opt.qs_ttl", "QS TTL", "Counted down by routers that know the option.")
	fQSDiff = proto.Uint8("opt.qs_ttl_diff", "TTL Diff",
		"Time to live minus QS TTL: the same at both ends if all routers know the option.").Derived()
	fQSUnused = proto.Uint8("opt.qs_unused", "Not Used", "Of no meaning in reports.")
	fQSNonce  = proto.Uint32("opt.qs_nonce", "QS Nonce", "Changed by routers that grant less.").Masked(0xfffffffc).Hex()
	fQSRes    = proto.Uint32("opt.qs_reserved", "Reserved", "Zero.").Masked(0x3).Hex()

	nBefore = proto.Expert("opt.ptr.before_address", dissect.Warn, "Pointer points before first address")
	nMiddle = proto.Expert("opt.ptr.middle_address", dissect.Warn, "Pointer points to middle of address")
)

// rates are those of RFC 4782 section 3.1: 40 kbit/s doubled n times.
var rates = dissect.Values{0: "0 bit/s", 1: "80 Kbit/s", 2: "160 Kbit/s", 3: "320 Kbit/s", 4: "640 Kbit/s",
	5: "1.28 Mbit/s", 6: "2.56 Mbit/s", 7: "5.12 Mbit/s", 8: "10.24 Mbit/s", 9: "20.48 Mbit/s",
	10: "40.96 Mbit/s", 11: "81.92 Mbit/s", 12: "163.84 Mbit/s", 13: "327.68 Mbit/s", 14: "655.36 Mbit/s",
	15: "1.31072 Gbit/s"}

// route reads the addresses of a route. The pointer counts from the option's first byte, which is 1: routers in front
// of it were passed; behind it are empty places, or for source routes the rest of the way, whose last is where the
// packet ends.
func route(d *dissect.D, kind byte) {
	pointer := int(d.Uint(fOptPtr))
	switch {
	case d.Short():
		return
	case pointer < 4:
		d.Expert(nBefore)
		return
	case pointer%4 != 0:
		d.Expert(nMiddle)
		return
	}
	for at, more := 4, d.Elements(); d.Left() >= 4 && more.Next(); at += 4 {
		f, host := fPassed, fPassedH
		switch {
		case at < pointer:
		case kind == optRecordRoute:
			f, host = fEmpty, fEmptyH
		case d.Left() < 8:
			f, host = fDst, fDstHost
		default:
			f, host = fAhead, fAheadH
		}
		address(d, f, host)
		if at == pointer && f != fDst {
			d.Suffix(f, " <- (next)")
		}
	}
}

// ahead is the last address of a source route that is not used up yet, among the options of a header.
func ahead(b []byte, header int) (dissect.Addr, bool) {
	b = b[min(20, len(b)):min(max(header, 20), len(b))]
	for p := (dissect.Progress{}); len(b) >= 2 && p.Down(len(b)); {
		n := int(b[1])
		switch {
		case b[0] == optEnd:
			return dissect.Addr{}, false
		case b[0] == optNop:
			b = b[1:]
			continue
		case n < 2 || n > len(b):
			return dissect.Addr{}, false
		case (b[0] == optLooseRoute || b[0] == optStrictRoute) && n >= 7 && b[2] >= 4 && b[2]%4 == 0 && int(b[2])+3 <= n:
			return dissect.IPv4Addr(b[3+(n-3)/4*4-4:]), true
		}
		b = b[n:]
	}
	return dissect.Addr{}, false
}

// timestamps reads a router's time stamps (RFC 791 section 3.1), with addresses where the flag says so.
func timestamps(d *dissect.D, _ byte) {
	d.Uint(fOptPtr)
	flag := d.Bits(fOptFlow, fOptFlag) & 15
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		if (flag == 1 || flag == 3) && d.Left() >= 8 {
			d.IPv4(fOptAddr)
		}
		d.Uint(fOptTime)
	}
}

func alertText(v uint64) string {
	if v == 0 {
		return "Router shall examine packet (0)"
	}
	return fmt.Sprintf("Reserved (%d)", v)
}

func alert(d *dissect.D, _ byte) {
	v := d.Uint(fOptRA)
	if d.Labelling() && !d.Short() {
		d.Suffix(fAlert, ": "+alertText(v))
	}
}

func traceroute(d *dissect.D, _ byte) {
	d.Uint(fOptID)
	d.Uint(fOptOut)
	d.Uint(fOptBack)
	d.IPv4(fOptOrig)
}

func broadcast(d *dissect.D, _ byte) {
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		d.IPv4(fOptDest)
	}
	d.Rest(fOptPad)
}

// quickStart reads a request for a rate or a report of one (RFC 4782 section 3.1).
func quickStart(d *dissect.D, _ byte) {
	both := d.Bits(fQSFunc, fQSRate)
	text := fmt.Sprintf(": %s (%d), %s", fQSFunc.ValueName(both>>4), both>>4, rates[both&15])
	if both>>4 == 0 {
		ttl := d.Uint(fQSTTL)
		diff := uint64(d.Hops-uint8(ttl)) % 256
		d.Set(fQSDiff, diff)
		text += fmt.Sprintf(", QS TTL %d, QS TTL diff %d", ttl, diff)
	} else {
		d.Uint(fQSUnused)
	}
	d.Bits(fQSNonce, fQSRes)
	d.Suffix(fQuickStart, text)
}
