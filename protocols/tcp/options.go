package tcp

import (
	"bytes"
	"strconv"
	"strings"

	"remora/dissect"
)

// The options (RFC 9293 section 3.1 and IANA's list of TCP option kinds): RFC 7323 (window scale, timestamps), RFC 2018
// and RFC 2883 (selective acknowledgment), RFC 2385 (MD5), RFC 5482 (user timeout), RFC 5925 (authentication), RFC 7413
// (Fast Open), RFC 6994 (experiments), RFC 8684 (multipath), RFC 1072 (echo), RFC 1644 (connection count), RFC 4782
// (Quick-Start).
const (
	optEnd          = 0
	optNop          = 1
	optMSS          = 2
	optScale        = 3
	optSACKOK       = 4
	optSACK         = 5
	optEcho         = 6
	optEchoReply    = 7
	optTimestamps   = 8
	optCC           = 11
	optCCNew        = 12
	optCCEcho       = 13
	optMD5          = 19
	optQuickStart   = 27
	optTimeout      = 28
	optAuth         = 29
	optMultipath    = 30
	optFastOpen     = 34
	optExperiment   = 253
	optExperiment2  = 254
	experimentTFO   = 0xf989
	minHeaderOption = 20
)

var optionKinds = dissect.Values{0: "End of Option List", 1: "No-Operation", 2: "Maximum Segment Size",
	3: "Window Scale", 4: "SACK Permitted", 5: "SACK", 6: "Echo", 7: "Echo Reply", 8: "Time Stamp Option",
	11: "CC", 12: "CC.NEW", 13: "CC.ECHO", 19: "MD5 Signature Option", 27: "Quick-Start Response",
	28: "User Timeout Option", 29: "The TCP Authentication Option", 30: "Multipath TCP",
	34: "TCP Fast Open Cookie", 69: "TCP Encryption Negotiation", 253: "RFC3692-style Experiment 1",
	254: "RFC3692-style Experiment 2"}

var subtypes = dissect.Values{0: "Multipath Capable", 1: "Join Connection", 2: "Data Sequence Signal", 3: "Add Address",
	4: "Remove Address", 5: "Change Subflow Priority", 6: "TCP Fallback", 7: "Fast Close", 8: "TCP Reset"}

var (
	fOptions = proto.BytesNode("options", "Options", "What the ends agree on beyond the fixed header.").
			Summary("Options: ")
	fOptKind = proto.Uint8("option_kind", "Kind", "Which option it is.").Named(optionKinds)
	fOptLen  = proto.Uint8("option_len", "Length", "Length of the option.")
	fMSS     = proto.Uint16("options.mss_val", "MSS Value", "Longest segment that the sender takes.")
	fWScale  = proto.Uint8("options.wscale.shift", "Shift count", "By how many bits windows are shifted.")
	fWMult   = proto.Uint16("options.wscale.multiplier", "Multiplier", "What windows are multiplied with.").Derived()
	fTSVal   = proto.Uint32("options.timestamp.tsval", "Timestamp value", "Clock of the sender.")
	fTSEcr   = proto.Uint32("options.timestamp.tsecr", "Timestamp echo reply", "Clock of the receiver as last heard.")
	fSACKLe  = proto.Uint32("options.sack_le", "TCP SACK Left Edge", "First byte of a range that arrived.").
			In("   (relative)")
	fSACKRe = proto.Uint32("options.sack_re", "TCP SACK Right Edge", "Byte behind a range that arrived.").
		In("   (relative)")
	fDSACKLe = proto.Uint32("options.sack.dsack_le", "TCP D-SACK Left Edge", "First byte of a range that arrived twice.").
			In("   (relative)").Derived()
	fDSACKRe = proto.Uint32("options.sack.dsack_re", "TCP D-SACK Right Edge", "Byte behind a range that arrived twice.").
			In("   (relative)").Derived()
	fSACKs  = proto.Uint8("options.sack.count", "TCP SACK Count", "How many ranges there are.").Derived()
	fEcho   = proto.Uint32("options.echo_value", "TCP Echo Option", "A number that comes back.")
	fCC     = proto.Uint32("options.cc_value", "TCP CC Option", "Count of connections.")
	fMD5    = proto.Bytes("options.md5.digest", "MD5 digest", "Signature of the segment.")
	fQSRate = proto.Uint8("options.qs.rate", "QS Rate", "Rate that the routers on the way agreed to.").Masked(0x0f)
	fQSTTL  = proto.Uint8("options.qs.ttl_diff", "QS Rate", "Routers on the way that did not take part.")
	fQSRest = proto.Bytes("options.qs.nonce", "QS Nonce", "Proof that the rate is not invented.")
	fGran   = proto.Bool("options.user_to_granularity", "Granularity", "The unit of the timeout.").Wide(2).Masked(0x8000).
		TrueFalse("Minutes", "Seconds")
	fTimeout = proto.Uint16("options.user_to_val", "User Timeout", "How long data may stay unacknowledged.").Masked(0x7fff)
	fKeyID   = proto.Uint8("options.ao.keyid", "AO KeyID", "The key of the signature.")
	fNextKey = proto.Uint8("options.ao.rnextkeyid", "AO RNextKeyID", "The key that the other end should use.")
	fMAC     = proto.Bytes("options.ao.mac", "AO MAC", "The signature.")
	fSubtype = proto.Uint8("options.mptcp.subtype", "Multipath TCP subtype", "What the option says about the paths.").
			Masked(0xf0).Named(subtypes)
	fMPRest  = proto.Bytes("options.mptcp.data", "Multipath TCP data", "What the option has beyond its known fields.")
	fCookieQ = proto.Label("options.tfo.request", "Fast Open Cookie Request", "The client asks for a cookie.")
	fCookie  = proto.Bytes("options.tfo.cookie", "Fast Open Cookie", "The cookie with which data may come at once.")
	fExID    = proto.Uint16("options.experimental.exid", "Experiment Identifier", "Which experiment it is.").Hex().
			Named(dissect.Values{experimentTFO: "Fast Open"})
	fExData  = proto.Bytes("options.experimental.data", "Data", "Content of the experiment.")
	fOptData = proto.Bytes("options.unknown.payload", "Payload", "Content of the option.")
	fPadding = proto.Bytes("options.padding", "Padding", "Bytes behind the end of the options.")

	nOption  = proto.Expert("option.len.invalid", dissect.Hint, "Invalid length for option").About(dissect.AboutSequence)
	nShift   = proto.Expert("options.wscale.shift.invalid", dissect.Warn, "Window scale shift exceeds 14")
	nNoMSS   = proto.Expert("options.mss.absent", dissect.Hint, "The SYN packet does not contain a MSS option")
	nLateMSS = proto.Expert("options.mss.present", dissect.Warn, "The non-SYN packet does contain a MSS option")
	nNops    = proto.Expert("nop", dissect.Warn, "4 NOP in a row - a router may have removed some options")
	nPadding = proto.Expert("non_zero_bytes_after_eol", dissect.Error, "Non zero bytes in option space after EOL option")
	nDSACK   = proto.Expert("options.sack.dsack", dissect.Warn, "D-SACK Sequence").About(dissect.AboutSequence)
)

// optionNode declares the node of one kind of option, named as Wireshark's protocols of options are.
func optionNode(name, title, rest string) *dissect.Field {
	return proto.BytesNode("options."+name, "TCP Option - "+title, "The option "+title+".").
		Summary("TCP Option - " + title + rest)
}

// optionNodes are the nodes by kind; other kinds get unknownNode.
var (
	optionNodes = [256]*dissect.Field{
		optEnd: optionNode("eol", "End of Option List (EOL)", ""),
		optNop: optionNode("nop", "No-Operation (NOP)", ""),
		optMSS: optionNode("mss", "Maximum segment size", "[: {options.mss_val} bytes]"),
		optScale: optionNode("wscale", "Window scale",
			"[: {options.wscale.shift} (multiply by {options.wscale.multiplier})]"),
		optSACKOK:    optionNode("sack_perm", "SACK permitted", ""),
		optSACK:      optionNode("sack", "SACK", "[ {options.sack_le:raw}-{options.sack_re:raw}]"),
		optEcho:      optionNode("echo", "Echo", "[: {options.echo_value}]"),
		optEchoReply: optionNode("echoreply", "Echo reply", "[: {options.echo_value}]"),
		optTimestamps: optionNode("timestamp", "Timestamps",
			"[: TSval {options.timestamp.tsval}, TSecr {options.timestamp.tsecr}]"),
		optCC:          optionNode("cc", "CC", ""),
		optCCNew:       optionNode("ccnew", "CC.NEW", ""),
		optCCEcho:      optionNode("ccecho", "CC.ECHO", ""),
		optMD5:         optionNode("md5", "TCP MD5 signature", ""),
		optQuickStart:  optionNode("qs", "Quick-Start", ""),
		optTimeout:     optionNode("user_to", "User Timeout", ""),
		optAuth:        optionNode("ao", "TCP AO", ""),
		optMultipath:   optionNode("mptcp", "Multipath TCP", "[: {options.mptcp.subtype:name}]"),
		optFastOpen:    optionNode("tfo", "TCP Fast Open", ""),
		optExperiment:  experimentNode,
		optExperiment2: experimentNode,
	}
	experimentNode = optionNode("experimental", "Experimental", "[: {options.experimental.exid:name}]")
	unknownNode    = optionNode("unknown", "Unknown", "")
)

// timestamps begin the options of most segments, which have no others.
var timestamps = []byte{optNop, optNop, optTimestamps, 10}

// options reads the options up to the end of the header.
func options(d *dissect.D, h *header, n note) {
	if d.Left() == 12 && h.flags&syn == 0 && !d.WantedOf(proto) && !d.Info().Wanted() &&
		bytes.HasPrefix(d.Data(), timestamps) {
		d.Skip(12) // what most segments have, and nothing to say of it
		return
	}
	d.Put(fOptions, 0, d.Pos(), d.Left())
	if d.Labelling() {
		d.Suffix(fOptions, "("+strconv.Itoa(d.Left())+" bytes)")
	}
	d.Below(func() {
		mss, nops := false, 0
		for more := d.Elements(); more.Next(); {
			kind, size := d.Peek(0), 1
			if kind > optNop {
				if size = int(d.Peek(1)); d.Left() == 1 {
					size = 2 // its length is cut off: reading on finds the end
				}
				if size < 2 && d.Left() > 1 || size > d.Left() && !d.CutShort() {
					d.Expert(nOption)
					d.Rest(fPadding)
					return
				}
			}
			mss = mss || kind == optMSS
			if nops++; kind != optNop {
				nops = 0
			}
			node := optionNodes[kind]
			if node == nil {
				node = unknownNode
			}
			if d.Labelling() {
				d.Suffix(fOptions, ",")
				d.Suffix(fOptions, strings.TrimPrefix(node.Label(), "TCP Option -"))
			}
			d.In(node, func() { d.Within(size, func() { option(d, h, n, kind) }) })
			if nops == 4 {
				d.Expert(nNops)
			}
			if kind == optEnd {
				endOfOptions(d)
			}
		}
		if !mss && h.flags&syn != 0 && !d.CutShort() {
			d.Expert(nNoMSS)
		}
	})
}

// endOfOptions reads on where only zeros follow, each of which is an end, as in tshark.
func endOfOptions(d *dissect.D) {
	if d.More() && d.Peek(0) != optEnd {
		d.Expert(nPadding)
		d.Rest(fPadding)
	}
}

// option reads one option, which has the whole range.
func option(d *dissect.D, h *header, n note, kind byte) {
	d.Uint(fOptKind)
	if kind <= optNop {
		return
	}
	if size, want := d.Uint(fOptLen), uint64(lengths[kind]); want != 0 && size != want {
		d.Expert(nOption)
		d.Rest(fOptData)
		return
	}
	switch kind {
	case optMSS:
		if h.flags&syn == 0 {
			d.Expert(nLateMSS)
		}
		info(d, "MSS=%d", d.Uint(fMSS))
	case optScale:
		shift := d.Uint(fWScale)
		if shift > 14 {
			d.Expert(nShift)
			shift = 14
		}
		d.Put(fWMult, 1<<shift, d.Pos()-1, 1)
		info(d, "WS=%d", 1<<shift)
	case optSACKOK:
		info(d, "SACK_PERM")
	case optSACK:
		sack(d, h, n)
	case optTimestamps:
		val := d.Uint(fTSVal)
		info(d, "TSval=%d TSecr=%d", val, d.Uint(fTSEcr))
	default:
		rareOption(d, kind)
	}
}

// lengths are those of the options that have only one.
var lengths = [256]uint8{optMSS: 4, optScale: 3, optSACKOK: 2, optEcho: 6, optEchoReply: 6, optTimestamps: 10,
	optCC: 6, optCCNew: 6, optCCEcho: 6, optMD5: 18, optQuickStart: 8, optTimeout: 4}

func rareOption(d *dissect.D, kind byte) {
	switch kind {
	case optEcho, optEchoReply:
		info(d, "ECHO=%d", d.Uint(fEcho))
	case optCC, optCCNew, optCCEcho:
		info(d, "CC=%d", d.Uint(fCC))
	case optMD5:
		d.Rest(fMD5)
		info(d, "MD5")
	case optQuickStart:
		d.Uint(fQSRate)
		d.Uint(fQSTTL)
		d.Rest(fQSRest)
	case optTimeout:
		v := d.Bits(fGran, fTimeout)
		info(d, "USER_TO=%d", v&0x7fff)
	case optAuth:
		if d.Left() >= 2 {
			d.Uint(fKeyID)
			d.Uint(fNextKey)
		}
		d.Rest(fMAC)
		info(d, "TCP AO")
	case optMultipath:
		multipath(d)
	case optFastOpen:
		fastOpen(d)
	case optExperiment, optExperiment2:
		if d.Left() < 2 {
			break
		}
		switch id := d.Uint(fExID); id {
		case experimentTFO:
			fastOpen(d)
		default:
			d.Rest(fExData)
			if d.Info().Wanted() && !d.Short() {
				d.Info().Setf("ExID=%04x", id)
			}
		}
	}
	d.Rest(fOptData)
}

func fastOpen(d *dissect.D) {
	if d.Left() == 0 {
		d.Set(fCookieQ, 0)
		info(d, "TFO=R")
		return
	}
	d.Rest(fCookie)
	info(d, "TFO=C")
}

// sack reads the ranges, relative to the direction that they are about. A first range behind the acknowledgment, or
// within the second, arrived twice (RFC 2883 section 4).
func sack(d *dissect.D, h *header, n note) {
	count, at := uint64(d.Left()/8), d.Pos()
	twice := false
	if count > 0 {
		left, right := uint32(d.PeekUint(0, 4)), uint32(d.PeekUint(4, 4))
		twice = upTo(right, h.ack) ||
			count > 1 && upTo(uint32(d.PeekUint(8, 4)), left) && upTo(right, uint32(d.PeekUint(12, 4)))
	}
	for i := range count {
		left, right := uint32(d.PeekUint(0, 4))-n.Ack, uint32(d.PeekUint(4, 4))-n.Ack
		d.Put(fSACKLe, uint64(left), at, 4)
		d.Put(fSACKRe, uint64(right), at+4, 4)
		if i == 0 && twice {
			d.Set(fDSACKLe, uint64(left))
			d.Set(fDSACKRe, uint64(right))
			d.Expert(nDSACK)
		}
		d.Skip(8)
		at += 8
		info(d, "SLE=%d SRE=%d", uint64(left), uint64(right))
	}
	d.Set(fSACKs, count)
	if d.Left() > 0 {
		if !d.CutShort() {
			d.Expert(nOption)
		}
		d.Rest(fOptData)
	}
}

// info adds to the Info line when somebody reads it.
func info(d *dissect.D, format string, args ...uint64) {
	if d.Info().Wanted() && !d.Short() {
		d.Info().SetNumbers(format, args...)
	}
}

// readOptions finds what the analysis needs among the options: the shift of the window scale and the ranges of the
// selective acknowledgment.
func (h *header) readOptions(b []byte) {
	h.scale = -1
	end := min(h.length, len(b))
	h.unread = h.length > len(b)
	for i, p := minHeaderOption, (dissect.Progress{}); i+1 < end && p.Up(i); {
		kind, size := b[i], int(b[i+1])
		switch {
		case kind == optEnd:
			return
		case kind == optNop:
			i++
			continue
		case size < 2 || i+size > end:
			return
		case kind == optScale && size == 3:
			h.scale, h.unread = int(min(14, b[i+2])), false
		case kind == optSACK && size >= 10:
			h.sack = b[i+2 : i+size]
		}
		i += size
	}
}
