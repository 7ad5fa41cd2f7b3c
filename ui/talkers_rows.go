package ui

import (
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
)

// levelBar is the width of the bar of a line of the hierarchy, and whether the bytes that end there have room.
func levelBar(w int) (bar int, ends bool) {
	ends = w >= 100
	used := 30 + wCount + 7 + 2 + wBytes + wCount
	if ends {
		used += wBytes
	}
	return max(0, w-used), ends
}

func (v *talkersView) levelHead(m *model, w int) string {
	bar, ends := levelBar(w)
	text := fit("  Protocol", 30) + fitRight("packets", wCount) + fitRight("%", 7) + "  " + fit("", bar) + fitRight("bytes", wBytes) + fitRight("ends here", wCount)
	if ends {
		text += fitRight("bytes", wBytes)
	}
	return m.pens.dim.open + fit(text, w) + m.pens.dim.close
}

func (v *talkersView) level(m *model, l *stats.Level, selected bool, w int, all stats.Count) string {
	var out line
	if selected {
		out.base = m.pens.selected
	}
	bar, ends := levelBar(w)
	sign, name, hue := "  ", l.Protocol.Title(), m.pens.hues[l.Protocol.Hue()]
	switch {
	case l.Kind != nil:
		hue = pen{}
		if name = dissect.Escape(l.Name); name == "" {
			name = l.Kind.NumberText(l.Value)
		}
	case v.open[levelKey{l.Protocol, l.Depth}] && len(l.Types) > 0:
		sign = m.glyph("▾ ", "- ")
	case len(l.Types) > 0:
		sign = m.glyph("▸ ", "+ ")
	}
	out.put(m.pens.dim, strings.Repeat("  ", l.Depth)+sign)
	out.put(hue, fit(name, max(0, 30-out.width)))
	out.put(pen{}, fitRight(group(int(l.Packets)), wCount))
	out.put(m.pens.dim, fitRight(percent(l.Packets, all.Packets), 7)+"  ")
	out.putBars(&m.pens, m.bar(float64(l.Packets)/float64(max(1, all.Packets)), bar))
	out.put(pen{}, fitRight(bytesText(int64(l.Bytes)), wBytes))
	out.put(m.pens.dim, fitRight(group(int(l.Ends.Packets)), wCount))
	if ends {
		out.put(m.pens.dim, fitRight(bytesText(int64(l.Ends.Bytes)), wBytes))
	}
	return fitLine(out.end(w), w)
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
	text := fit("  A", c.end+2) + " " + fit("B", c.end) + " " + fit("", 5) + fitRight("packets", wCount)
	if c.ways {
		text += fitRight(there, wWay) + fitRight(back, wWay)
	}
	text += fitRight("bytes", wBytes)
	if c.rates {
		text += fitRight("bit/s "+m.glyph("→", ">"), wWay) + fitRight("bit/s "+m.glyph("←", "<"), wWay)
	}
	if c.line {
		text += "  " + fit("over time", wLine) + fitRight("RTT ms", wTime)
	}
	if c.start {
		text += fitRight("start", wTime)
	}
	return m.pens.dim.open + fit(text+fitRight("lasted", wTime), w) + m.pens.dim.close
}

func (v *talkersView) talk(m *model, t *stats.Talk, selected bool, w int) string {
	var l line
	if selected {
		l.base = m.pens.selected
	}
	c := talkColumns(w)
	l.put(pen{}, "  "+m.endCell(t.A, c.end)+" "+m.endCell(t.B, c.end)+" ")
	transport := dissect.Table("")
	if t.Conv != nil {
		transport = t.Conv.Transport
	}
	l.put(m.pens.dim, fit(strings.ToUpper(transportName(transport)), 5))
	both := t.Both()
	l.put(pen{}, fitRight(group(int(both.Packets)), wCount))
	if c.ways {
		l.put(m.pens.dim, fitRight(group(int(t.Ways[0].Packets)), wWay)+fitRight(group(int(t.Ways[1].Packets)), wWay))
	}
	l.put(pen{}, fitRight(bytesText(int64(both.Bytes)), wBytes))
	for way := 0; way < 2 && c.rates; way++ {
		text := m.glyph("–", "-")
		if r := t.Rate(way); r > 0 {
			text = shortNumber(r)
		}
		l.put(pen{}, fitRight(text, wWay))
	}
	if c.line {
		from, to := m.span()
		l.put(pen{}, "  ")
		l.putBars(&m.pens, sparkline(v.table.SpreadOf(t, from, to+1, wLine), wLine, m.cfg.ASCII))
		l.put(pen{}, fitRight(m.plain(secondsAsMs(float64(t.RoundTrip())/1e9)), wTime))
	}
	if c.start {
		l.put(m.pens.dim, fitRight(duration(float64(t.First-m.epoch())/1e9), wTime))
	}
	l.put(m.pens.dim, fitRight(duration(float64(t.Last-t.First)/1e9), wTime))
	return fitLine(l.end(w), w)
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
	text := fit("  Endpoint", end+2) + fit("", 5) + fitRight("packets", wCount) + fitRight("bytes", wBytes)
	for _, name := range []string{"sent", "received"} {
		text += fitRight(name, wWay)
		if ways {
			text += fitRight("bytes", wBytes)
		}
	}
	return m.pens.dim.open + fit(text, w) + m.pens.dim.close
}

func (v *talkersView) end(m *model, e *stats.EndCount, selected bool, w int) string {
	var l line
	if selected {
		l.base = m.pens.selected
	}
	end, ways := endColumns(w)
	both := e.Both()
	l.put(pen{}, "  "+m.endCell(e.End, end))
	l.put(m.pens.dim, fit(strings.ToUpper(transportName(e.Transport)), 5))
	l.put(pen{}, fitRight(group(int(both.Packets)), wCount)+fitRight(bytesText(int64(both.Bytes)), wBytes))
	for _, c := range []stats.Count{e.Sent, e.Received} {
		l.put(pen{}, fitRight(group(int(c.Packets)), wWay))
		if ways {
			l.put(m.pens.dim, fitRight(bytesText(int64(c.Bytes)), wBytes))
		}
	}
	return fitLine(l.end(w), w)
}
