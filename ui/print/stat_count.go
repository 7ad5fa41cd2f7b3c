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
	s        *dissect.Session
	comments map[string]int // how often there is each
	texts    []string       // in the order in which they came
	*stats.ExpertInfo
	from dissect.Severity
}

// severities are in the order in which they are listed, with the word that asks for one and those above.
var severities = []struct {
	severity    dissect.Severity
	word, title string
}{
	{dissect.Error, "error", "Errors"}, {dissect.Warn, "warn", "Warns"}, {dissect.Hint, "note", "Notes"},
	{dissect.Chat, "chat", "Chats"}, {dissect.Comment, "comment", "Comments"},
}

func newExperts(r *request) (counter, []string, error) {
	e := &experts{ExpertInfo: stats.NewExpertInfo(r.s, 0), from: dissect.Comment,
		s: r.s, comments: map[string]int{}}
	at := 0
	for _, s := range severities {
		if len(r.args) > 0 && r.args[0] == s.word {
			e.from, at = s.severity, 1
		}
	}
	return e, []string{r.rest(at)}, nil
}

func (e *experts) add(_ *dissect.Dissector, n dissect.FrameNum, _ int) {
	e.Frame(n)
	for _, text := range e.s.Store().Comments(int(n) - 1) {
		if e.comments[text] == 0 {
			e.texts = append(e.texts, text)
		}
		e.comments[text]++
	}
}

// printComments prints what people wrote about packets, which Wireshark counts as expert information of the frame.
func (e *experts) printComments(w *bufio.Writer) {
	if len(e.texts) == 0 || e.from > dissect.Comment {
		return
	}
	total := 0
	for _, n := range e.comments {
		total += n
	}
	fmt.Fprintf(w, "\nComments (%d)\n%s", total, expertHead)
	for _, text := range e.texts {
		fmt.Fprintf(w, "%12d %10s %18s  %s\n", e.comments[text], "Comment", "Frame", dissect.Escape(text))
	}
}

// expertHead is the head of a table of one severity.
const expertHead = "=============\n   Frequency      Group           Protocol  Summary\n"

func (e *experts) print(w *bufio.Writer) {
	for _, sev := range severities {
		total := 0
		for _, k := range e.Kinds() {
			if k.Severity == sev.severity {
				total += k.Count
			}
		}
		if total == 0 || sev.severity < e.from {
			continue
		}
		fmt.Fprintf(w, "\n%s (%d)\n%s", sev.title, total, expertHead)
		for _, k := range e.Kinds() {
			if k.Severity == sev.severity {
				fmt.Fprintf(w, "%12d %10s %18s  %s\n", k.Count, k.Field.Group(), k.Field.Protocol().Title(),
					dissect.Escape(k.Field.Label()))
			}
		}
	}
	e.printComments(w)
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
