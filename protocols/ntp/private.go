package ntp

import "remora/dissect"

var (
	pItem   = proto.String("priv.mode7.item", "Mode7 item", "One item of the answer.")
	pAvg    = monitor("avgint", "Seconds between its packets, on average.")
	pLast   = monitor("lsint", "Seconds since its last packet.")
	pRestr  = monitor("restr", "What it may do.").Hex()
	pCount  = monitor("count", "How many packets came from it.")
	pRemote = proto.IPv4("priv.monlist.remote_address", "remote address", "Who it is.")
	pLocal  = proto.IPv4("priv.monlist.local_address", "local address", "The address that it asked.")
	pMonFl  = monitor("flags", "How it was met.").Hex()
	pMonPt  = proto.Uint16("priv.monlist.port", "port", "Its port.")
	pMonMd  = proto.Uint8("priv.monlist.mode", "mode", "Mode of its last packet.")
	pMonVer = proto.Uint8("priv.monlist.version", "version", "Version of its last packet.")
	pMon6   = monitor("ipv6", "Whether its address is one of IPv6.").Hex()
	pMonNo  = monitor("unused", "Always 0.").Hex()
	pMonR6  = proto.IPv6("priv.monlist.addr6", "ipv6 remote addr", "Who it is.")
	pMonL6  = proto.IPv6("priv.monlist.daddr6", "ipv6 local addr", "The address that it asked.")

	pAddr    = proto.IPv4("priv.mode7.address", "Address", "An address.")
	pMask    = proto.IPv4("priv.mode7.mask", "Mask", "Which bits of the address count.")
	pSrc     = proto.IPv4("priv.mode7.srcaddress", "Source address", "The peer.")
	pDst     = proto.IPv4("priv.mode7.dstaddress", "Destination address", "The address that the peer is met by.")
	pPort    = proto.Uint16("priv.mode7.port", "Port", "The peer's port.")
	pSrcPort = proto.Uint16("priv.mode7.srcport", "Source port", "The peer's port.")
	pHMode   = proto.Uint8("priv.mode7.hmode", "HMode", "Mode of packets to the peer.").Named(modes)
	pPMode   = proto.Uint8("priv.mode7.pmode", "Peer mode", "Mode of packets of the peer.").Named(modes)
	pLeap    = proto.Uint8("priv.mode7.leap", "Leap", "Whether a second is added to or left out of the day.")
	pHPoll   = proto.Int8("priv.mode7.hpoll", "Host polling interval",
		"Time between packets, as a power of two of seconds.")
	pReach   = proto.Uint8("priv.mode7.reach", "Reach", "Which of the last eight packets were answered.")
	pDelay   = proto.Int32("priv.mode7.delay", "Delay", "Round trip to the peer.")
	pOffset  = proto.Uint64("priv.mode7.offset", "Offset", "How far the clocks are apart.")
	pSpread  = proto.Uint32("priv.mode7.dispersion", "Dispersion", "How far that may be off.")
	pPoll    = proto.Uint32("priv.mode7.poll", "Poll", "Time between packets.")
	pBDelay  = proto.Int32("priv.mode7.bdelay", "Bdelay", "Delay of broadcasts.")
	pFreq    = proto.Int32("priv.mode7.freq", "Freq", "How fast the clock runs away.")
	pAuthDly = proto.Int64("priv.mode7.authdelay", "Auth delay", "How long signing takes.")
	pStable  = proto.Uint32("priv.mode7.stability", "Stability (ppm)", "How steady the clock is.")
	pHits    = proto.Uint32("priv.mode7.count", "Count", "How many packets the line was for.")
	pRFlags  = proto.Uint16("priv.mode7.rflags", "Rflags", "What is forbidden.")
	pMFlags  = proto.Uint16("priv.mode7.mflags", "Mflags", "What the line is for.")
	pIs6     = proto.Uint32("priv.mode7.ipv6_flag", "IPv6 Flag", "Whether the addresses are those of IPv6.")
	pUnused  = proto.Bytes("priv.mode7.unused", "Unused", "Always 0.")
	pAddr6   = proto.IPv6("priv.mode7.address6", "IPv6 addr", "An address.")
	pMask6   = proto.IPv6("priv.mode7.mask6", "IPv6 mask", "Which bits of the address count.")
	pSrc6    = proto.IPv6("priv.mode7.srcaddress6", "IPv6 source addr", "The peer.")
	pDst6    = proto.IPv6("priv.mode7.dstaddress6", "IPv6 destination addr", "The address that the peer is met by.")
	pFlags   = proto.Flags8("priv.mode7.peer.flags", "Flags", []dissect.Flag{
		{Name: "config", Label: "Config", Mask: 0x1, Doc: "The peer is configured."},
		{Name: "syspeer", Label: "Syspeer", Mask: 0x2, Doc: "The clock follows it."},
		{Name: "burst", Label: "Burst", Mask: 0x4, Doc: "It is asked in bursts."},
		{Name: "refclock", Label: "Refclock", Mask: 0x8, Doc: "It is a clock of this machine."},
		{Name: "prefer", Label: "Prefer", Mask: 0x10, Doc: "It is preferred."},
		{Name: "authenable", Label: "Auth enable", Mask: 0x20, Doc: "It must prove itself."},
		{Name: "sel_candidate", Label: "Sel Candidate", Mask: 0x40, Doc: "It may be chosen."},
		{Name: "shortlist", Label: "Shortlist", Mask: 0x80, Doc: "It is among the best."},
	}, "What the server makes of the peer.")
	pSystem = proto.Uint8("priv.mode7.sys.flags8", "Flags", "What the server does.").Hex()
	pDoes   = []*dissect.Field{
		does(0x01, "bclient", "Bclient", "It hears broadcasts."), does(0x02, "pps", "PPS", "It has a signal each second."),
		does(0x04, "ntp", "NTP", "It sets the clock."),
		does(0x08, "kernel", "Kernel", "The kernel steers the clock."),
		does(0x10, "monitor", "Monitor", "It notes who asks."),
		does(0x20, "filegen", "Filegen", "It writes files of statistics."),
		does(0x40, "auth", "Auth", "Peers must prove themselves."),
		does(0x80, "cal", "Cal", "The clock is calibrated."),
	}
)

func does(mask uint64, name, label, doc string) *dissect.Field {
	return proto.Bool("priv.mode7.sys.flags."+name, label, doc).Masked(mask)
}

func monitor(name, doc string) *dissect.Field { return proto.Uint32("priv.monlist."+name, name, doc) }

// A part is a field of an item; n is how many bytes it has where the field does not say.
type part struct {
	*dissect.Field
	n int
}

func parts(fields ...*dissect.Field) (all []part) {
	for _, f := range fields {
		all = append(all, part{f, 4})
	}
	return all
}

// privateItems are the items of answers, by request (ntpd's ntp_request.h).
var privateItems = map[uint64][]part{
	0: parts(pAddr, pPort, pHMode, pFlags, pIs6, pUnused, pAddr6),
	1: parts(pDst, pSrc, pSrcPort, fStratum, pHPoll, fPoll, pReach, pFlags, pHMode, pDelay, pOffset, pSpread, pIs6,
		pUnused, pDst6, pSrc6),
	4: append(parts(pAddr, pPMode, pLeap, fStratum, fPrecision, fDelay, fSpread, fRefID, fRefTime, pPoll, pSystem),
		append([]part{{pUnused, 3}}, parts(pBDelay, pFreq, pAuthDly, pStable, pIs6, pUnused, pAddr6)...)...),
	16: parts(pAddr, pMask, pHits, pRFlags, pMFlags, pIs6, pUnused, pAddr6, pMask6),
	20: parts(pAvg, pLast, pRestr, pCount, pRemote, pMonPt, pMonMd, pMonVer, pMon6, pMonNo, pMonR6),
	42: parts(pAvg, pLast, pRestr, pCount, pRemote, pLocal, pMonFl, pMonPt, pMonMd, pMonVer, pMon6, pMonNo, pMonR6,
		pMonL6),
}

// privateAnswer reads the items of an answer.
func privateAnswer(d *dissect.D, request uint64, number, size int) {
	layout := privateItems[request]
	if layout == nil || size == 0 {
		return
	}
	name := privateRequests[request]
	if request == 20 || request == 42 {
		name = "Monlist"
	}
	for more := d.Elements(); number > 0 && more.Next(); number-- {
		d.PutText(pItem, name+" Item", d.Pos(), min(size, d.Left()))
		d.Below(func() {
			d.Within(min(size, d.Left()), func() {
				privateParts(d, layout)
				d.Rest(fPrivData)
			})
		})
	}
}

// privateParts reads the fields of an item. Who asked by IPv4 has no address of IPv6.
func privateParts(d *dissect.D, layout []part) {
	four := false
	for _, p := range layout {
		four = four || p.Field == pMon6 && d.PeekUint(0, 4) == 0
		if !d.More() || four && p.Field == pMonR6 {
			return
		}
		privatePart(d, p)
	}
}

func privatePart(d *dissect.D, p part) {
	switch p.Type() {
	case dissect.TypeIPv4:
		d.IPv4(p.Field)
	case dissect.TypeIPv6:
		d.IPv6(p.Field)
	case dissect.TypeBytes:
		d.Bytes(p.Field, min(p.n, d.Left()))
	case dissect.TypeInt:
		d.Int(p.Field)
	case dissect.TypeTime:
		timestamp(d, p.Field)
	default:
		v := d.Uint(p.Field)
		if p.Field == pSystem && !d.Short() {
			d.Below(func() {
				for _, bit := range pDoes {
					d.Put(bit, v, d.Pos()-1, 1)
				}
			})
		}
	}
}
