package tcp

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// flowGraph draws an arrow for each header: the flags above it, the numbers beside it.
var flowGraph = &dissect.FlowGraph{Fields: []*dissect.Field{fStream, fSeq, fAck, fFlags, fLen, fSrcPort, fDstPort},
	Arrows: arrows}

// An arrowText is what an arrow tells of a header.
type arrowText struct{ seq, ack, flags, length uint64 }

func arrows(t *dissect.Tree, put func(dissect.FlowArrow)) {
	var a dissect.FlowArrow
	var h arrowText
	any := false
	done := func() {
		if any {
			a.Label, a.Comment = h.text()
			put(a)
		}
		a, h, any = dissect.FlowArrow{}, arrowText{}, false
	}
	for i := range t.Nodes {
		if t.IsQuoted(i) {
			continue
		}
		v := t.Nodes[i].Val
		switch t.Field(i) {
		case fSrcPort:
			done()
			a.Ports[0], any = uint16(v), true
		case fDstPort:
			a.Ports[1] = uint16(v)
		case fStream:
			a.Stream = int(v)
		case fSeq:
			h.seq = v
		case fAck:
			h.ack = v
		case fFlags:
			h.flags = v
		case fLen:
			h.length = v
		}
	}
	done()
}

func (h *arrowText) text() (label, comment string) {
	label, comment = flowFlags(h.flags), fmt.Sprintf("Seq = %d", h.seq)
	if h.length > 0 {
		label += fmt.Sprintf(" - Len: %d", h.length)
	}
	if h.flags&0x10 != 0 {
		comment += fmt.Sprintf(" Ack = %d", h.ack)
	}
	return label, comment
}

// flowFlags are the flags in words, lowest first.
func flowFlags(flags uint64) string {
	var out []string
	for i, name := range []string{"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR", "AE"} {
		if flags>>i&1 != 0 {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return "<None>"
	}
	return strings.Join(out, ", ")
}
