package tcp

import (
	"fmt"
	"strings"

	"remora/dissect"
)

var optionKinds = dissect.Values{0: "End of Option List", 1: "No-Operation", 2: "Maximum Segment Size", 3: "Window Scale", 4: "SACK Permitted", 5: "SACK", 8: "Timestamps",
	19: "MD5 Signature", 28: "User Timeout", 29: "TCP Authentication Option", 30: "Multipath TCP", 34: "TCP Fast Open Cookie", 69: "TCP Encryption Negotiation", 253: "Experimental 1", 254: "Experimental 2"}

var (
	fOptions = proto.Group("options", "Options", "What the ends agree on beyond the fixed header.").Summary("Options")
	fOption  = proto.Group("option", "TCP Option", "One option.").Summary("TCP Option - {tcp.option_kind:name}[: {tcp.options.mss_val}][: {tcp.options.wscale.shift}][: TSval {tcp.options.timestamp.tsval}, TSecr {tcp.options.timestamp.tsecr}]")
	fOptKind = proto.Uint8("option_kind", "Kind", "Which option it is.").Named(optionKinds)
	fOptLen  = proto.Uint8("option_len", "Length", "Length of the option.")
	fMSS     = proto.Uint16("options.mss_val", "MSS Value", "Longest segment that the sender takes.").In("bytes")
	fWScale  = proto.Uint8("options.wscale.shift", "Shift count", "By how many bits windows are shifted.")
	fWMult   = proto.Uint32("options.wscale.multiplier", "Multiplier", "What windows are multiplied with.").Derived()
	fTSVal   = proto.Uint32("options.timestamp.tsval", "Timestamp value", "Clock of the sender.")
	fTSEcr   = proto.Uint32("options.timestamp.tsecr", "Timestamp echo reply", "Clock of the receiver as last heard.")
	fSACKLe  = proto.Uint32("options.sack_le", "TCP SACK Left Edge", "First byte of a range that arrived.")
	fSACKRe  = proto.Uint32("options.sack_re", "TCP SACK Right Edge", "Byte behind a range that arrived.")
	fSACKOK  = proto.Label("options.sack_perm", "SACK permitted", "The sender understands selective acknowledgments.").Derived()
	fOptData = proto.Bytes("options.data", "Option data", "Content of the option.")

	nOption = proto.Note("options.len.bad", dissect.Error, "The length of a TCP option is impossible")
)

// options reads the options up to the end of the header.
func options(d *dissect.D) {
	d.In(fOptions, func() {
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
				d.Rest(fOptData)
			}
		}
	})
}

func option(d *dissect.D, kind byte) {
	d.Uint(fOptKind)
	if kind <= 1 {
		return
	}
	d.Uint(fOptLen)
	switch {
	case kind == 2 && d.Left() == 2:
		d.Uint(fMSS)
	case kind == 3 && d.Left() == 1:
		d.Set(fWMult, 1<<min(14, d.Uint(fWScale)))
	case kind == 8 && d.Left() == 8:
		d.Uint(fTSVal)
		d.Uint(fTSEcr)
	case kind == 4:
		d.Set(fSACKOK, 1)
	case kind == 5:
		for d.Left() >= 8 && d.More() {
			d.Uint(fSACKLe)
			d.Uint(fSACKRe)
		}
	}
	d.Rest(fOptData)
}

// scaleOption finds the shift of the window scale option in a header, or -1.
func scaleOption(b []byte, length int) int {
	if length > len(b) {
		length = len(b)
	}
	for i := 20; i+1 < length; {
		switch kind := b[i]; {
		case kind == 0:
			return -1
		case kind == 1:
			i++
		case kind == 3 && b[i+1] == 3 && i+2 < length:
			return int(min(14, b[i+2]))
		case b[i+1] < 2:
			return -1
		default:
			i += int(b[i+1])
		}
	}
	return -1
}

var flagWords = [...]struct {
	bit  uint64
	word string
}{{fin, "FIN"}, {syn, "SYN"}, {rst, "RST"}, {psh, "PSH"}, {ack, "ACK"}, {urg, "URG"}, {0x40, "ECE"}, {0x80, "CWR"}, {0x100, "AE"}}

// summary writes Wireshark's Info line.
func summary(d *dissect.D, h *header, n note) {
	if !d.Texting() {
		return
	}
	var words []string
	for _, f := range flagWords {
		if h.flags&f.bit != 0 {
			words = append(words, f.word)
		}
	}
	if len(words) == 0 {
		words = []string{"<None>"}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d → %d [%s] Seq=%d", h.src, h.dst, strings.Join(words, ", "), h.seq-n.Seq)
	if h.flags&ack != 0 {
		fmt.Fprintf(&b, " Ack=%d", h.ack-n.Ack)
	}
	window := h.window
	if h.flags&syn == 0 && n.Scale > 0 {
		window <<= n.Scale
	}
	fmt.Fprintf(&b, " Win=%d Len=%d", window, h.payload)
	d.Infof("%s", b.String())
	d.Info("[MSS={options.mss_val:raw}]")
	if d.Has(fSACKOK) {
		d.Infof("SACK_PERM")
	}
	d.Info("[TSval={options.timestamp.tsval} TSecr={options.timestamp.tsecr}]")
	d.Info("[WS={options.wscale.multiplier}]")
}
