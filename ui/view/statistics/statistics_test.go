package statistics

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect/stats"
	"remora/protocols"
	"remora/ui/view/viewtest"
)

func sample(t *testing.T, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenSample(t, protocols.All(), w, h)
}

func file(t *testing.T, name string, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenFile(t, protocols.All(), "../../../fixtures/captures/"+name, w, h)
}

// TestTheFiveThatCarryMost are those with the most bytes, whatever the order of the list, and a click leads to each.
func TestTheFiveThatCarryMost(t *testing.T) {
	x := file(t, "lan/lan.pcapng", 120, 46)
	v := New(x)
	x.Show(v).Keys("sss").Has("Conversations, the five that carry most")
	if len(v.most) != mostBelow || len(v.conversations) <= mostBelow {
		t.Fatalf("%d of %d", len(v.most), len(v.conversations))
	}
	least := v.most[mostBelow-1].Both().Bytes
	for i := range v.most {
		if i > 0 && v.most[i].Both().Bytes > v.most[i-1].Both().Bytes {
			t.Error("not in order")
		}
	}
	more := 0
	for i := range v.conversations {
		if v.conversations[i].Both().Bytes > least {
			more++
		}
	}
	if more >= mostBelow {
		t.Errorf("%d carry more than the fifth", more)
	}
	v.Click(5, v.mostAt+2+3)
	if got := v.conversations[v.tables[partConversations].Cur]; v.part != partConversations || got.A != v.most[3].A ||
		got.B != v.most[3].B {
		t.Errorf("a click on the fourth leads to part %d, %v %v", v.part, got.A, got.B)
	}
}

// TestTheHierarchyGoesFirst: without room for both there are no conversations below it.
func TestTheHierarchyGoesFirst(t *testing.T) {
	x := file(t, "lan/lan.pcapng", 80, 20)
	v := New(x)
	x.Show(v).Has("Ethernet")
	if v.mostAt != 0 || strings.Contains(x.Text(), "that carry most") {
		t.Errorf("at %d\n%s", v.mostAt, x.Text())
	}
	if got := mostBytes([]stats.Conversation{{}, {}}, 1); len(got) != 1 {
		t.Errorf("%d of one", len(got))
	}
}

// TestLinesKeepTheirPlaces: what was there stands as it did, what is new behind it, and a list that was never seen as
// it comes.
func TestLinesKeepTheirPlaces(t *testing.T) {
	port := func(list ...uint16) (out []stats.PortCount) {
		for _, p := range list {
			out = append(out, stats.PortCount{Port: p})
		}
		return out
	}
	for _, c := range []struct{ list, was, want []uint16 }{{[]uint16{5, 9, 1, 7}, []uint16{1, 5}, []uint16{1, 5, 9, 7}},
		{[]uint16{2, 1}, nil, []uint16{2, 1}}, {[]uint16{2, 1}, []uint16{8, 1}, []uint16{1, 2}}} {
		got := inPlaces(port(c.list...), port(c.was...), portKey)
		for i := range got {
			if got[i].Port != c.want[i] {
				t.Errorf("%v after %v: place %d has %d, want %v", c.list, c.was, i, got[i].Port, c.want)
			}
		}
	}
}

// TestTheCursorStaysOnItsLine when others come before it.
func TestTheCursorStaysOnItsLine(t *testing.T) {
	x := sample(t, 120, 32)
	v := New(x)
	x.Show(v).Keys("<tab>j")
	key := v.keyAt(1)
	v.conversations[0], v.conversations[1] = v.conversations[1], v.conversations[0]
	v.backTo(key)
	if at := v.tables[partConversations].Cur; at != 0 || key == nil {
		t.Errorf("the cursor is on line %d", at)
	}
}

// TestOthersHaveALine: what was forgotten stays in the tables as one line with its sum.
func TestOthersHaveALine(t *testing.T) {
	x := sample(t, 120, 32)
	v := New(x)
	x.Show(v).Keys("<tab>")
	v.others = others{1234, stats.Count{Packets: 5000, Bytes: 400000}}
	v.otherEnds = others{2000, stats.Count{Packets: 6000, Bytes: 500000}}
	for _, c := range [][2]string{{"", "(1 234 others)   5 000 packets, 391 KiB"},
		{"<tab>", "(2 000 others)   6 000 packets, 488 KiB"}} {
		if text := x.Keys(c[0]).Text(); !strings.Contains(text, c[1]) {
			t.Errorf("%q is not in\n%s", c[1], text)
		}
	}
}

// TestPlayersAreFiltered holds the packets that a line's filter lets through against what the line counts.
func TestPlayersAreFiltered(t *testing.T) {
	x := file(t, "kaillera/desync.pcapng", 120, 32)
	v := New(x)
	x.Show(v).Keys("<tab><tab><tab><tab><tab>jl")
	if len(v.playerRows) < 5 {
		t.Fatalf("%d lines", len(v.playerRows))
	}
	for at, r := range v.playerRows[:5] {
		text := r.filter(x.Scope().Drilldown())
		if got := x.Matching(text); r.who != nil && got != int(r.count().Packets) || got == 0 {
			t.Errorf("line %d: %s lets %d packets through, counted %d", at, text, got, r.count().Packets)
		}
	}
	x.Keys("h")
	if r := v.playerRows[v.tables[partPlayers].Cur]; r.who == nil || r.kind != nil || v.unfolded[r.key()] {
		t.Error("the player stays unfolded")
	}
}

// TestEveryNumberIsAFilter holds what the lines count against what their filters show.
func TestEveryNumberIsAFilter(t *testing.T) {
	const most = 25 // lines of a table
	for _, path := range captures(t) {
		x := viewtest.OpenFile(t, protocols.All(), path, 120, 32)
		v, d := New(x), x.Scope().Drilldown()
		// packets with ports, too short for a conversation
		cut := strings.HasSuffix(path, "short.pcap") || strings.HasSuffix(path, "lan.pcapng")
		hold := func(what, text string, want uint64) {
			if got := x.Matching(text); uint64(got) != want {
				t.Errorf("%s: %s: %s shows %d packets, counted %d", filepath.Base(path), what, text, got, want)
			}
		}
		x.Show(v)
		var levels func(list []*stats.Level)
		levels = func(list []*stats.Level) {
			for _, l := range list {
				hold("level", d.Level(l), l.Packets)
				for _, ty := range l.Types {
					hold("level", d.Level(ty), ty.Packets)
				}
				levels(l.Below)
			}
		}
		levels(v.whole)
		for i := range v.answers {
			hold("responses", d.Response(&v.answers[i]), v.answers[i].Requests)
		}
		for range v.layers() {
			v.part = partConversations
			for i := range v.conversations[:min(most, len(v.conversations))] {
				v.tables[partConversations].Cur = i
				hold("conversation", v.term(), v.conversations[i].Both().Packets)
			}
			v.part = partEnds
			for i := range v.ends[:min(most, len(v.ends))] {
				if cut || slices.ContainsFunc(v.conversations,
					func(conv stats.Conversation) bool { return conv.A == conv.B && conv.A == v.ends[i].End }) {
					continue // what it sends to itself counts as sent and as received
				}
				v.tables[partEnds].Cur = i
				hold("endpoint", v.term(), v.ends[i].Both().Packets)
			}
			v.part = partPorts
			for i := range v.ports[:min(most, len(v.ports))] {
				if v.tables[partPorts].Cur = i; !cut {
					hold("port", v.term(), v.ports[i].Both().Packets)
				}
			}
			v.part = partConversations
			v.turnLayer(1)
			x.Settle()
		}
		v.part = partPlayers
		for i, r := range v.playerRows {
			v.tables[partPlayers].Cur = i
			hold("player", v.term(), r.count().Packets)
		}
	}
}

// captures are files to count: those of the repository, and those in a folder that the environment may name.
func captures(t *testing.T) []string {
	t.Helper()
	files, _ := filepath.Glob("../../../fixtures/captures/*/*.pcapng")
	lan, _ := filepath.Glob("../../../fixtures/captures/lan/*.pcap")
	files = append(files, lan...)
	if dir := os.Getenv("REMORA_CAPTURES"); dir != "" {
		more, _ := filepath.Glob(dir + "/*.pcap*")
		files = append(files, more...)
	}
	if len(files) == 0 {
		t.Fatal("there are no captures")
	}
	return files
}

// TestHierarchyGoesDownToTypes: l shows the packet types of a protocol, Enter shows the packets that were counted.
func TestHierarchyGoesDownToTypes(t *testing.T) {
	x := sample(t, 120, 32)
	v := New(x)
	x.Show(v).HasNot("GAME_INPUT")
	for v.levels[v.tables[0].Cur].Protocol.Name() != "touhou" {
		x.Keys("j")
	}
	x.Keys("l").Has("▾ Touhou", "GAME_INPUT").Keys("jh").HasNot("GAME_INPUT").Keys("lj<enter>")
	if got := x.Scope().FilterText(); got != "touhou.type == GAME_INPUT" {
		t.Errorf("the filter is %q", got)
	}
}

// TestTheSlowestComeFirst, once they are sorted; the titles say by what lines are sorted.
func TestTheSlowestComeFirst(t *testing.T) {
	x := file(t, "lan/lan.pcapng", 120, 36)
	v := New(x)
	x.Show(v).Keys("<tab>").Has("packets↓", "sorted by packets").Keys("s").Has("bytes↓", "sorted by bytes")
	v.Show(partTitles[partAnswers], "")
	if x.Keys("s").Has("max↓"); len(v.answers) < 2 {
		t.Fatal("too few kinds of requests")
	}
	for i := range v.answers[1:] {
		if v.answers[i].Max < v.answers[i+1].Max {
			t.Errorf("%d ns stands before %d", v.answers[i].Max, v.answers[i+1].Max)
		}
	}
}

// TestEndsAreWhole: no column stands beside addresses that are cut, and none far from them.
func TestEndsAreWhole(t *testing.T) {
	for _, w := range []int{80, 110, 120, 160, 200} {
		x := file(t, "lan/lan.pcapng", w, 36)
		v := New(x)
		x.Show(v)
		v.Show("Conversations", "tcp")
		x.Settle()
		if c := v.conversationColumns(w); x.Has(":7000").View == nil || c.a > v.wide.ends[0] || c.b > v.wide.ends[1] {
			t.Errorf("%d and %d cells for %d at %d", c.a, c.b, v.wide.ends, w)
		}
		if w != 120 && strings.Contains(x.Text(), "192…") {
			t.Errorf("cut at %d:\n%s", w, x.Text())
		}
	}
}

// TestAnswersLeadToTheSlowest: Enter shows the questions of one sort, at the one that waited longest.
func TestAnswersLeadToTheSlowest(t *testing.T) {
	x := sample(t, 120, 32)
	v := New(x)
	x.Show(v).Keys("<tab><tab><tab>").Has("[Ports]", "from it").Keys("<tab>").Has("95 %", "slowest")
	if len(v.answers) == 0 {
		t.Fatal("nothing asks")
	}
	slow, want := v.answers[0].SlowestRequest, x.Scope().Drilldown().Response(&v.answers[0])
	x.Keys("<enter>")
	if got := x.Scope().FilterText(); got != want || x.List().Current() != slow {
		t.Errorf("the filter is %q at packet %d, want %q at %d", got, x.List().Current(), want, slow)
	}
}
