package print

import (
	"bufio"
	"fmt"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/dissect/tap"
)

// desync tells of each game whether what its sides were told agrees.
type desync struct{ s *dissect.Session }

func newDesync(r *request) (counter, []string, error) {
	if len(r.args) > 0 {
		return nil, nil, r.wrong("it takes nothing more")
	}
	return &desync{r.s}, nil, nil
}

func (g *desync) add(*dissect.Dissector, dissect.FrameNum, int) {}

func (g *desync) print(w *bufio.Writer) {
	fmt.Fprintf(w, "%sDesync: what each side of a game was told\n", tap.WideRule)
	for _, a := range stats.SyncReports(g.s) {
		fmt.Fprintf(w, "%d  %s  %s: %s\n", a.Game.ID, a.Game.Protocol.Title(), dissect.Escape(a.Game.Subtitle()), a.Verdict())
		for _, c := range a.Subjects {
			fmt.Fprintf(w, "   told    %-16s ticks %7d   by two sides %7d   agree %7d   differ %7d\n",
				stats.SubjectTitle(c.About, c.Of), c.Reported, c.Compared, c.Compared-c.Differ, c.Differ)
		}
		first := a.FirstDisagreement()
		for i := range a.Disagreements {
			d := &a.Disagreements[i]
			what := "differs"
			if d == first {
				what = "first  "
			}
			fmt.Fprintf(w, "   %s %s%s\n", what, stats.TickTitle(d), phaseText(&a, d))
			for _, said := range d.Reports {
				from, to := stats.SenderReceiver(g.s, said.Frame)
				fmt.Fprintf(w, "           %-16s %s -> %s  packet %d at %s\n", dissect.Escape(said.Text(d.About)),
					dissect.Escape(from), dissect.Escape(to), said.Frame, g.since(said.Frame))
			}
		}
		if a.More > 0 {
			fmt.Fprintf(w, "   and %d more\n", a.More)
		}
	}
	w.WriteString(tap.WideRule)
}

func phaseText(a *stats.SyncReport, d *dissect.Disagreement) string {
	if p := a.Phase(d.Reports[1].Frame); p != "" {
		return ", " + dissect.Escape(p)
	}
	return ""
}

func (g *desync) since(n dissect.FrameNum) string {
	store := g.s.Store()
	return seconds(store.Time(int(n)-1)-store.Time(0), 3)
}
