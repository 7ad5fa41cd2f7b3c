package ui

import (
	"remora/dissect"
	"remora/ui/view/calls"
	"remora/ui/view/flow"
	"remora/ui/view/tcpgraph"
)

// openCalls returns what lists calls, or streams of RTP.
func openCalls(m *model, streams bool) func() {
	c := viewContext{m}
	ladder := func(title string, frames []dissect.FrameNum, notes map[dissect.FrameNum]string) {
		m.views.Open(flow.Of(c, title, frames, notes))
	}
	return func() { m.views.Open(calls.New(c, ladder, streams)) }
}

// openStreamGraph draws the selected packet's stream; the name of a graph may be left out.
func openStreamGraph(m *model, name string) {
	v := tcpgraph.New(viewContext{m}, tcpgraph.Named(name))
	if v == nil {
		m.foot.Notice = "the selected packet is of no TCP stream"
		return
	}
	m.views.Open(v)
}
