package tap

import "remora/dissect"

// EchoFlow draws pings and their answers, by the fields of type and code and the types of both. Others are not drawn.
func EchoFlow(kind, code *dissect.Field, request, answer uint64) *dissect.FlowGraph {
	return &dissect.FlowGraph{Arrows: func(t *dissect.Tree, put func(dissect.FlowArrow)) {
		typeAndCode, echo := uint16(0), false
	nodes:
		for i := range t.Nodes {
			v := t.Nodes[i].Val
			switch f := t.Field(i); {
			case t.IsQuoted(i):
			case f == kind:
				typeAndCode, echo = uint16(v<<8), v == request || v == answer
			case f == code:
				typeAndCode |= uint16(v)
				break nodes
			}
		}
		if !echo {
			return
		}
		a := WholeArrow(t)
		if a.Ports == [2]uint16{} {
			a.Ports[1] = typeAndCode // as tshark has it
		}
		put(a)
	}}
}

// WholeArrow is a packet as an arrow with the text of its Info column.
func WholeArrow(t *dissect.Tree) dissect.FlowArrow {
	return dissect.FlowArrow{Ports: [2]uint16{t.Src.Port, t.Dst.Port}, Label: t.InfoLine(),
		Comment: t.ProtocolText() + ": " + t.InfoLine()}
}
