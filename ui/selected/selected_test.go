package selected_test

import (
	"context"
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/ui/listed"
	"remora/ui/selected"
	"remora/ui/view/viewtest"
)

// open is the sample capture with nothing selected yet, and what does the work that is left beside the screen.
func open(t *testing.T) (p *selected.Packet, do func()) {
	t.Helper()
	s := dissecttest.Session(t, protocols.All(), 1, viewtest.Sample())
	var left []func() func()
	p = selected.New(&listed.Packets{Session: s, Store: s.Store(), Dissector: s.Dissector()},
		func(_ string, work func(ctx context.Context) func()) func() {
			ctx, stop := context.WithCancel(t.Context())
			left = append(left, func() func() { return work(ctx) })
			return stop
		})
	return p, func() {
		for _, work := range left {
			if then := work(); then != nil {
				then()
			}
		}
		left = nil
	}
}

// TestSelectFindsWhatBelongsTogether: the answer's question is linked, and the end of its conversation is looked for
// beside the screen.
func TestSelectFindsWhatBelongsTogether(t *testing.T) {
	p, do := open(t)
	if !p.Select(2) || p.Select(2) || p.Select(0) || p.Frame != 2 {
		t.Fatalf("packet %d is selected", p.Frame)
	}
	if p.Partner() != 1 || len(p.Linked) != 1 || p.Linked[0] != 1 {
		t.Errorf("packet 2 has links to %v, its partner is %d", p.Linked, p.Partner())
	}
	if p.IsEnd(2) {
		t.Error("the end of the conversation is known before it was looked for")
	}
	if do(); !p.IsEnd(2) || p.IsEnd(1) {
		t.Error("packet 2 is not the end of its conversation")
	}
}

// TestComparedWithTheLastOfItsType: of two game packets only the counter differs.
func TestComparedWithTheLastOfItsType(t *testing.T) {
	p, _ := open(t)
	p.Select(5)
	if p.Before != 3 || len(p.SameBytes) == 0 || p.SameBytes[44] || !p.SameBytes[45] {
		t.Errorf("packet 5 is compared with %d: %v", p.Before, p.SameBytes)
	}
	same := 0
	for i := range p.Tree.Nodes {
		if p.Unchanged(i) {
			same++
		}
	}
	if same == 0 {
		t.Error("no node is as it was")
	}
	p.Alone = true
	if p.Compare(); p.Before != 0 || p.Unchanged(len(p.Tree.Nodes)-1) {
		t.Errorf("alone, it is compared with %d", p.Before)
	}
	if p.Tree, p.Node = nil, 1; p.FieldTitle("-") != "" {
		t.Error("a field of no tree has a title")
	}
	if p.Forget(); p.Tree != nil || p.Node != -1 {
		t.Error("something is selected still")
	}
}
