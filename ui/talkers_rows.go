package ui

import (
	"remora/ui/doors"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/amount"
	"remora/ui/paint"
	"remora/ui/plot"
)

// levelColumns are the widths of the name, of the bar of a line of the hierarchy and of the count of what ends there, which
// has no room on a narrow screen, of the packets a second and of the bytes of what ends there.
func levelColumns(w int) (name, bar, rate, ends, bytes int) {
	name = 30
	if w < 72 {
		name = 28
	} else {
		ends = wCount
	}
	if w >= 100 {
		rate, bytes = wTime, wBytes
	}
	bar = max(0, w-name-wCount-7-2-wBytes-rate-ends-bytes)
	name += min(20, max(0, bar-mostBar))
	return name, min(mostBar, bar), rate, ends, bytes
}

func (v *talkersView) levelHead(m *model, w int) string {
	wName, bar, rate, ends, bytes := levelColumns(w)
	text := paint.Fit("  Protocol", wName) + paint.FitRight("packets", wCount) + paint.FitRight("%", 7) + "  " + paint.Fit("", bar) + paint.FitRight("bytes", wBytes) + paint.FitRight("pkt/s", rate) + paint.FitRight("ends here", ends) + paint.FitRight("bytes", bytes)
	return m.pens.Dim.Open + paint.Fit(text, w) + m.pens.Dim.Close
}

func (v *talkersView) level(m *model, l *stats.Level, selected bool, w int, all stats.Count) string {
	var out paint.Line
	if selected {
		out.Base = m.pens.Selected
	}
	wName, bar, rate, ends, bytes := levelColumns(w)
	sign, name, hue := "  ", l.Protocol.Title(), m.pens.Hues[l.Protocol.Hue()]
	switch {
	case l.Kind != nil:
		hue = paint.Pen{}
		if name = dissect.Escape(l.Name); name == "" {
			name = l.Kind.NumberText(l.Value)
		}
	case v.open[levelKey{l.Protocol, l.Depth}] && len(l.Types) > 0:
		sign = m.glyph("▾ ", "- ")
	case len(l.Types) > 0:
		sign = m.glyph("▸ ", "+ ")
	}
	out.Put(m.pens.Dim, strings.Repeat("  ", l.Depth)+sign)
	out.Put(hue, paint.Fit(name, max(0, wName-out.Width)))
	out.Put(paint.Pen{}, paint.FitRight(amount.Group(int(l.Packets)), wCount))
	out.Put(m.pens.Dim, paint.FitRight(amount.Percent(l.Packets, all.Packets), 7)+"  ")
	out.PutBars(&m.pens, m.bar(float64(l.Packets)/float64(max(1, all.Packets)), bar))
	out.Put(paint.Pen{}, paint.FitRight(amount.Bytes(int64(l.Bytes)), wBytes))
	if rate > 0 {
		from, to := m.span()
		out.Put(m.pens.Dim, paint.FitRight(perSecond(l.Packets, to-from), rate))
	}
	out.Put(m.pens.Dim, paint.FitRight(amount.Group(int(l.Ends.Packets)), ends))
	out.Put(m.pens.Dim, paint.FitRight(amount.Bytes(int64(l.Ends.Bytes)), bytes))
	return paint.Clip(out.End(w), w)
}

// A talkLayout is which columns a conversation's line has at a width: always the ends, packets, bytes and how long it lasted.
type talkLayout struct {
	end         int // width of each of the two ends
	ways, rates bool
	line        bool // packets over time, and the round trip
	start       bool
}

// Widths of the columns of conversations and endpoints.
const (
	wCount = 10
	wBytes = 11
	wWay   = 9
	wTime  = 9
	wLine  = 14 // of packets over time
)

func talkColumns(w int) talkLayout {
	l := talkLayout{ways: w >= 100, rates: w >= 150, line: w >= 110, start: w >= 100 && w < 110 || w >= 130}
	used := 9 + wCount + wBytes + wTime
	for _, c := range []struct {
		there bool
		width int
	}{{l.ways, 2 * wWay}, {l.rates, 2 * wWay}, {l.line, 2 + wLine + wTime}, {l.start, wTime}} {
		if c.there {
			used += c.width
		}
	}
	l.end = clamp((w-used)/2, 10, 40)
	return l
}

func (v *talkersView) talkHead(m *model, w int) string {
	c := talkColumns(w)
	there, back := m.glyph("A → B", "A > B"), m.glyph("B → A", "B > A")
	text := paint.Fit("  A", c.end+2) + " " + paint.Fit("B", c.end) + " " + paint.Fit("", 5) + paint.FitRight("packets", wCount)
	if c.ways {
		text += paint.FitRight(there, wWay) + paint.FitRight(back, wWay)
	}
	text += paint.FitRight("bytes", wBytes)
	if c.rates {
		text += paint.FitRight("bit/s "+m.glyph("→", ">"), wWay) + paint.FitRight("bit/s "+m.glyph("←", "<"), wWay)
	}
	if c.line {
		text += "  " + paint.Fit("over time", wLine) + paint.FitRight("RTT ms", wTime)
	}
	if c.start {
		text += paint.FitRight("start", wTime)
	}
	return m.pens.Dim.Open + paint.Fit(text+paint.FitRight("lasted", wTime), w) + m.pens.Dim.Close
}

func (v *talkersView) talk(m *model, t *stats.Talk, selected bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	c := talkColumns(w)
	l.Put(paint.Pen{}, "  "+m.endCell(t.A, c.end)+" "+m.endCell(t.B, c.end)+" ")
	transport := dissect.Table("")
	if t.Conv != nil {
		transport = t.Conv.Transport
	}
	l.Put(m.pens.Dim, paint.Fit(strings.ToUpper(doors.TransportName(transport)), 5))
	both := t.Both()
	l.Put(paint.Pen{}, paint.FitRight(amount.Group(int(both.Packets)), wCount))
	if c.ways {
		l.Put(m.pens.Dim, paint.FitRight(amount.Group(int(t.Ways[0].Packets)), wWay)+paint.FitRight(amount.Group(int(t.Ways[1].Packets)), wWay))
	}
	l.Put(paint.Pen{}, paint.FitRight(amount.Bytes(int64(both.Bytes)), wBytes))
	for way := 0; way < 2 && c.rates; way++ {
		text := m.glyph("–", "-")
		if r := t.Rate(way); r > 0 {
			text = amount.Short(r)
		}
		l.Put(paint.Pen{}, paint.FitRight(text, wWay))
	}
	if c.line {
		from, to := m.span()
		l.Put(paint.Pen{}, "  ")
		l.PutBars(&m.pens, plot.Sparkline(v.table.SpreadOf(t, from, to+1, wLine), wLine, m.cfg.ASCII))
		l.Put(paint.Pen{}, paint.FitRight(m.plain(secondsAsMs(float64(t.RoundTrip())/1e9)), wTime))
	}
	if c.start {
		l.Put(m.pens.Dim, paint.FitRight(amount.Duration(float64(t.First-m.epoch())/1e9), wTime))
	}
	l.Put(m.pens.Dim, paint.FitRight(amount.Duration(float64(t.Last-t.First)/1e9), wTime))
	return paint.Clip(l.End(w), w)
}

// endCell is an end as the list shows it, with what it is called now.
func (m *model) endCell(e dissect.Endpoint, w int) string {
	now := dissect.FrameNum(m.s.Passed())
	text, short := m.address(e, now), ""
	if end := m.end(e, now); end.Label() != "" {
		short = dissect.Escape(end.Label())
		text = short + " " + text
	}
	return fitEnd(text, short, w)
}

// endColumns are the width of an endpoint, and whether the bytes of each way have room.
func endColumns(w int) (end int, ways bool) {
	ways = w >= 110
	used := 9 + wCount + wBytes + 2*wWay
	if ways {
		used += 2 * wBytes
	}
	return clamp(w-used, 12, 44), ways
}

func (v *talkersView) endHead(m *model, w int) string {
	end, ways := endColumns(w)
	text := paint.Fit("  Endpoint", end+2) + paint.Fit("", 5) + paint.FitRight("packets", wCount) + paint.FitRight("bytes", wBytes)
	for _, name := range []string{"sent", "received"} {
		text += paint.FitRight(name, wWay)
		if ways {
			text += paint.FitRight("bytes", wBytes)
		}
	}
	return m.pens.Dim.Open + paint.Fit(text, w) + m.pens.Dim.Close
}

func (v *talkersView) end(m *model, e *stats.EndCount, selected bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	end, ways := endColumns(w)
	both := e.Both()
	l.Put(paint.Pen{}, "  "+m.endCell(e.End, end))
	l.Put(m.pens.Dim, paint.Fit(strings.ToUpper(doors.TransportName(e.Transport)), 5))
	l.Put(paint.Pen{}, paint.FitRight(amount.Group(int(both.Packets)), wCount)+paint.FitRight(amount.Bytes(int64(both.Bytes)), wBytes))
	for _, c := range []stats.Count{e.Sent, e.Received} {
		l.Put(paint.Pen{}, paint.FitRight(amount.Group(int(c.Packets)), wWay))
		if ways {
			l.Put(m.pens.Dim, paint.FitRight(amount.Bytes(int64(c.Bytes)), wBytes))
		}
	}
	return paint.Clip(l.End(w), w)
}
