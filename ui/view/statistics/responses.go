package statistics

import (
	"remora/ui/drilldown"
	"remora/ui/export"
	"remora/ui/view"
	"remora/ui/widget"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/print"
)

// The parts of the view.
const (
	partLevels = iota
	partConversations
	partEnds
	partPorts
	partAnswers
	partPlayers
	partCount
)

// hasLayers tells whether a part counts by a layer that can be chosen.
func (v *View) hasLayers() bool { return v.part >= partConversations && v.part <= partPorts }

// turnPart goes to another part. Ports are of layers that have them.
func (v *View) turnPart(by int) {
	v.part = (v.part + by) % partCount
	if v.part == partPorts && !v.layers()[v.layer].Ports {
		v.layer = 0
		v.refresh()
	}
}

// openAnswers shows the questions of the line under the cursor, and goes to the one that waited longest.
func (v *View) openAnswers(text string) {
	slow := v.answers[v.tables[partAnswers].Cur].SlowestRequest
	v.c.Close()
	if slow > 0 && int(slow) > v.c.Scope().Session.Store().First() {
		v.c.GoTo(slow)
	}
	view.Narrow(v.c, text)
}

// Widths of the columns of response times.
const (
	wTook = 9
)

// openColumn is the title and the width of the column of requests without a response.
func openColumn(w int) (title string, width int) {
	if w < 72 {
		return "unansw.", 8
	}
	return "unanswered", 12
}

// answerColumns are the width of what was asked, as the longest of it needs, whether the packet that waited longest has
// room, and whether 95 % has.
func (v *View) answerColumns(w int) (name int, slow, most bool) {
	slow, most = w >= 100, w >= 72
	_, unanswered := openColumn(w)
	used := 2 + wCount + unanswered + 3*wTook
	if most {
		used += wTook
	}
	if slow {
		used += 2 * wCount
	}
	return widget.Clamp(w-used, 12, max(12, v.longest)), slow, most
}

func (v *View) answerHead(w int) string {
	v.longest = 0
	for i := range v.answers {
		text := v.answers[i].Protocol.Title()
		if v.answers[i].Kind != nil {
			text += " > " + print.ResponseTitle(&v.answers[i])
		}
		v.longest = max(v.longest, paint.Width(text))
	}
	name, slow, most := v.answerColumns(w)
	text := paint.Fit("  Request", name+2) + paint.FitRight("count", wCount) + paint.FitRight(openColumn(w))
	titles := []string{"min ms", "mean", "95 %", "max"}
	if v.slowest {
		titles[3] += v.c.Style().Glyph("↓", "v")
	}
	for i, title := range titles {
		if i == 2 && !most {
			continue
		}
		text += paint.FitRight(title, wTook)
	}
	if slow {
		text += paint.FitRight("slowest", wCount) + paint.FitRight("response", wCount)
	}
	return v.c.Style().Pens.Dim.Open + paint.Fit(text, w) + v.c.Style().Pens.Dim.Close
}

func (v *View) answer(r *stats.Response, selected bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	name, slow, most := v.answerColumns(w)
	_, unanswered := openColumn(w)
	l.Put(paint.Pen{}, "  ")
	l.Put(v.c.Style().Pens.Hues[r.Protocol.Hue()], r.Protocol.Title())
	if r.Kind != nil {
		l.Put(v.c.Style().Pens.Dim, v.c.Style().Glyph(" › ", " > "))
		l.Put(paint.Pen{}, paint.FitWords(print.ResponseTitle(r), max(0, name+2-l.Width)))
	}
	l.Put(paint.Pen{}, strings.Repeat(" ", max(0, name+2-l.Width)))
	l.Put(paint.Pen{}, paint.FitRight(humanize.Group(int(r.Requests)), wCount))
	open := v.c.Style().Pens.Dim
	if r.Unanswered() > 0 {
		open = paint.Pen{}
	}
	l.Put(open, paint.FitRight(humanize.Group(int(r.Unanswered())), unanswered))
	for i, ns := range []int64{r.Min, r.Mean(), r.Within(0.95), r.Max} {
		if i == 2 && !most {
			continue
		}
		text := v.c.Style().Glyph("–", "-")
		if r.Answered > 0 {
			text = tookText(ns)
		}
		l.Put(paint.Pen{}, paint.FitRight(text, wTook))
	}
	if slow && r.Answered > 0 {
		l.Put(v.c.Style().Pens.Dim,
			paint.FitRight(humanize.Group(int(r.SlowestRequest)), wCount)+
				paint.FitRight(humanize.Group(int(r.SlowestResponse)), wCount))
	}
	return paint.Clip(l.End(w), w)
}

// tookText writes a time in milliseconds with three decimals, so that the points stand below each other. A time for
// which the column would be too narrow then has no decimals.
func tookText(ns int64) string {
	if ns > 9_999_999_499 || ns < -999_999_499 {
		return widget.Milliseconds(ns)
	}
	return strconv.FormatFloat(float64(ns)/1e6, 'f', 3, 64)
}

// portColumns are whether the bytes of each way have room, and whether there is room for more than packets and bytes.
func portColumns(w int) (ways bool, convs, lasted int) {
	if w < 72 {
		return false, 0, 0
	}
	return w >= 100, wCount, wTime
}

func (v *View) portHead(w int) string {
	ways, convs, lasted := portColumns(w)
	text := paint.Fit("  Port", 14) + paint.FitRight("convs", convs) +
		paint.FitRight(v.title("packets", byPackets), wCount) + paint.FitRight(v.title("bytes", byBytes), wBytes)
	for _, name := range []string{"to it", "from it"} {
		text += paint.FitRight(name, wDirection)
		if ways {
			text += paint.FitRight("bytes", wBytes)
		}
	}
	return v.c.Style().Pens.Dim.Open + paint.Fit(text+paint.FitRight("duration", lasted), w) + v.c.Style().Pens.Dim.Close
}

func (v *View) port(p *stats.PortCount, selected bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	both := p.Both()
	ways, convs, lasted := portColumns(w)
	l.Put(v.c.Style().Pens.Dim, "  "+paint.Fit(strings.ToUpper(drilldown.TransportName(p.Transport)), 5))
	l.Put(paint.Pen{}, paint.FitRight(strconv.Itoa(int(p.Port)), 6)+" ")
	l.Put(paint.Pen{},
		paint.FitRight(humanize.Group(p.Conversations), convs)+paint.FitRight(humanize.Group(int(both.Packets)), wCount)+
			paint.FitRight(humanize.Bytes(int64(both.Bytes)), wBytes))
	for _, c := range []stats.Count{p.To, p.From} {
		l.Put(paint.Pen{}, paint.FitRight(humanize.Group(int(c.Packets)), wDirection))
		if ways {
			l.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Bytes(int64(c.Bytes)), wBytes))
		}
	}
	l.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Duration(float64(p.Last-p.First)/1e9), lasted))
	return paint.Clip(l.End(w), w)
}

// answersSheet and portsSheet are what e exports of those parts.
func (v *View) answersSheet() export.Sheet {
	answers := v.answers
	return export.New("responses",
		[]string{"protocol", "asked", "packets", "answered", "open", "min_ms", "mean_ms", "within_95_ms", "max_ms",
			"slowest_packet", "slowest_answer"}, func() (out [][]any) {
			ms := func(ns int64) float64 { return float64(ns) / 1e6 }
			for i := range answers {
				r := &answers[i]
				out = append(out,
					[]any{r.Protocol.Name(), print.ResponseTitle(r), r.Requests, r.Answered, r.Unanswered(), ms(r.Min), ms(r.Mean()),
						ms(r.Within(0.95)), ms(r.Max), r.SlowestRequest, r.SlowestResponse})
			}
			return out
		})
}

func (v *View) portsSheet() export.Sheet {
	ports := v.ports
	return export.New("ports",
		[]string{"transport", "port", "conversations", "packets", "bytes", "packets_to", "bytes_to", "packets_from",
			"bytes_from"}, func() (out [][]any) {
			for i := range ports {
				p := &ports[i]
				both := p.Both()
				out = append(out,
					[]any{drilldown.TransportName(p.Transport), p.Port, p.Conversations, both.Packets, both.Bytes, p.To.Packets,
						p.To.Bytes, p.From.Packets, p.From.Bytes})
			}
			return out
		})
}

// countAnswers counts the packets of a batch into the table of conversations, into that of response times and for the
// players.
func countAnswers(t *stats.Table, r *stats.Responses, p *stats.Players) func(frames []dissect.FrameNum,
	upTo dissect.FrameNum) {
	l := t.Session().Dissector()
	return func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
		r.Frames(frames, upTo)
		p.Frames(frames)
		t.Frames(l, frames, upTo)
	}
}

// actOnLine opens, keeps or hides what the line under the cursor counted.
func (v *View) actOnLine(a act.Action) {
	text := v.term()
	switch {
	case text == "":
	case a == act.Open && v.part == partAnswers:
		v.openAnswers(text)
	default:
		v.apply(a, text)
	}
}
