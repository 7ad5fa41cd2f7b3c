package print

import (
	"bufio"
	"fmt"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/dissect/tap"
)

// hierarchy is io,phs.
type hierarchy struct {
	*stats.Tally
	filter string
}

func newHierarchy(r *request) (counter, []string, error) {
	text := r.rest(0)
	return &hierarchy{stats.NewTally(r.s), text}, []string{text}, nil
}

func (h *hierarchy) add(_ *dissect.Dissector, n dissect.FrameNum, _ int) { h.Range(n, n) }

func (h *hierarchy) print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%sProtocol Hierarchy Statistics\nFilter: %s\n\n", tap.NarrowRule, dissect.Escape(h.filter))
	printLevels(w, h.Hierarchy(), 0)
	w.WriteString(tap.NarrowRule)
}

func printLevels(w *bufio.Writer, levels []*stats.Level, depth int) {
	for _, l := range levels {
		fmt.Fprintf(w, "%*s%-*s frames:%d bytes:%d\n", 2*depth, "", 40-2*depth, l.Protocol.Name(), l.Packets, l.Bytes)
		printLevels(w, l.Below, depth+1)
	}
}

// experts is expert: how often each note was made, from a severity on.
type experts struct {
	s     *dissect.Session
	wants *dissect.Wants
	seen  int // expert infos looked at
	rows  []expertRow
	at    map[expertRow]int // by what a row says
	from  dissect.Severity
}

// An expertRow is what a row says, and how often that was.
type expertRow struct {
	severity              dissect.Severity
	group, protocol, text string
	count                 int
}

// cutShort is the note on what the capture cut off.
const cutShort = "_ws.short"

// maxExpertRows is how many texts are told apart. What comes behind them counts under what its sort is called.
const maxExpertRows = 1 << 14

// severities are in the order in which they are listed, with the word that asks for one and those above.
var severities = []struct {
	severity    dissect.Severity
	word, title string
}{
	{dissect.Error, "error", "Errors"}, {dissect.Warn, "warn", "Warns"}, {dissect.Hint, "note", "Notes"},
	{dissect.Chat, "chat", "Chats"}, {dissect.Comment, "comment", "Comments"},
}

func newExperts(r *request) (counter, []string, error) {
	e := &experts{s: r.s, wants: dissect.TreeWants(), at: map[expertRow]int{}, from: dissect.Comment}
	at := 0
	for _, s := range severities {
		if len(r.args) > 0 && r.args[0] == s.word {
			e.from, at = s.severity, 1
		}
	}
	return e, []string{r.rest(at)}, nil
}

func (e *experts) add(l *dissect.Dissector, n dissect.FrameNum, _ int) {
	// what people wrote about packets is expert information of the frame in Wireshark
	for _, text := range e.s.Store().Comments(int(n) - 1) {
		e.row(expertRow{dissect.Comment, "Comment", "Frame", text, 0}, "Packet comment")
	}
	var texts map[dissect.FieldID][]string // of the packet, in the order of its tree
	for ; e.seen < e.s.ExpertInfos(); e.seen++ {
		m := e.s.ExpertInfo(e.seen)
		if m.Frame > n {
			return
		}
		if m.Frame != n || m.Severity < e.from {
			continue
		}
		if texts == nil {
			texts = expertTexts(l.Redissect(n, e.wants))
		}
		f := e.s.Registry().FieldByID(m.Field)
		if f.Name() == cutShort { // a line of the tree in Wireshark, no expert info
			continue
		}
		text := f.Label()
		if all := texts[m.Field]; len(all) > 0 {
			text, texts[m.Field] = all[0], all[1:]
		}
		e.row(expertRow{m.Severity, f.Group().String(), f.Protocol().Title(), text, 0}, f.Label())
	}
}

// expertTexts are what the expert infos of a tree say.
func expertTexts(t *dissect.Tree) map[dissect.FieldID][]string {
	texts := map[dissect.FieldID][]string{}
	for i := range t.Nodes {
		if t.Field(i).IsExpert() {
			id := t.Nodes[i].Field
			texts[id] = append(texts[id], unbracketed(t.Label(i)))
		}
	}
	return texts
}

// row counts a row, under another text where there are too many.
func (e *experts) row(r expertRow, usual string) {
	i, ok := e.at[r]
	if !ok && len(e.rows) >= maxExpertRows {
		r.text = usual
		i, ok = e.at[r]
	}
	if !ok {
		i = len(e.rows)
		e.at[r] = i
		e.rows = append(e.rows, r)
	}
	e.rows[i].count++
}

func (e *experts) print(w *bufio.Writer) {
	for _, sev := range severities {
		total := 0
		for _, r := range e.rows {
			if r.severity == sev.severity {
				total += r.count
			}
		}
		if total == 0 || sev.severity < e.from {
			continue
		}
		fmt.Fprintf(w, "\n%s (%d)\n=============\n   Frequency      Group           Protocol  Summary\n", sev.title, total)
		for _, r := range e.rows {
			if r.severity == sev.severity {
				fmt.Fprintf(w, "%12d %10s %18s  %s\n", r.count, r.group, r.protocol, dissect.Escape(r.text))
			}
		}
	}
}

// packetLengths is plen,tree.
type packetLengths struct{ *tap.ItemTree }

func newLengths(r *request) (counter, []string, error) {
	return &packetLengths{&tap.ItemTree{Session: r.s, Title: "Packet Lengths", Roots: []*tap.Item{tap.NewLengths()},
		Unsorted: true}}, []string{r.rest(0)}, nil
}

func (p *packetLengths) add(_ *dissect.Dissector, n dissect.FrameNum, _ int) {
	p.Met(p.Session.Store().Time(int(n) - 1))
	p.Roots[0].AddLength(p.Session, n)
}

func (p *packetLengths) print(w *bufio.Writer) { p.Print(w) }
