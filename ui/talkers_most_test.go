package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"remora/dissect/stats"
)

// TestTheFiveThatCarryMost are those with the most bytes, whatever the order of the list, and a click leads to each.
func TestTheFiveThatCarryMost(t *testing.T) {
	x := openFile(t, recorded("lan/lan.pcapng"), 120, 50).keys("gcsss")
	x.has("Conversations, the five that carry most")
	v := x.m.view().(*talkersView)
	if len(v.most) != mostBelow || len(v.talks) <= mostBelow {
		t.Fatalf("%d of %d", len(v.most), len(v.talks))
	}
	least := v.most[mostBelow-1].Both().Bytes
	for i := range v.most {
		if i > 0 && v.most[i].Both().Bytes > v.most[i-1].Both().Bytes {
			t.Error("not in order")
		}
	}
	more := 0
	for i := range v.talks {
		if v.talks[i].Both().Bytes > least {
			more++
		}
	}
	if more >= mostBelow {
		t.Errorf("%d carry more than the fifth", more)
	}
	r := x.m.body()
	x.send(tea.MouseClickMsg{X: 5, Y: r.y + v.mostAt + 2 + 3, Button: tea.MouseLeft})
	if got := v.talks[v.tables[partTalks].cur]; v.part != partTalks || got.A != v.most[3].A || got.B != v.most[3].B {
		t.Errorf("a click on the fourth leads to part %d, %v %v", v.part, got.A, got.B)
	}
}

// TestTheHierarchyGoesFirst: without room for both there are no conversations below it.
func TestTheHierarchyGoesFirst(t *testing.T) {
	x := openFile(t, recorded("lan/lan.pcapng"), 80, 24).keys("gc")
	x.hasNot("Conversations")
	v := x.m.view().(*talkersView)
	if v.mostAt != 0 || !strings.Contains(x.text(), "Ethernet") {
		t.Errorf("at %d\n%s", v.mostAt, x.text())
	}
	if got := mostBytes([]stats.Talk{{}, {}}, 1); len(got) != 1 {
		t.Errorf("%d of one", len(got))
	}
}
