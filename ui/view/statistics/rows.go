package statistics

import (
	"remora/ui/drilldown"
	"remora/ui/widget"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
)

// levelColumns are the widths of the name, of the bar of a line of the hierarchy and of the count of what ends there,
// which has no room on a narrow screen, of the packets a second and of the bytes of what ends there.
func (v *View) levelColumns(w int) (name, bar, rate, ends, bytes int) {
	name = 30
	if w < 72 {
		name = 28
	} else {
		ends = wCount + 2
	}
	if w >= 100 {
		rate, bytes = wTime, wBytes
	}
	bar = w - wCount - 7 - 2 - wBytes - rate - ends - bytes
	name = widget.Clamp(v.wide.level, 24, name+widget.Clamp(bar-name-mostBar, 0, 20))
	bar = max(0, bar-name)
	return name, min(mostBar, bar), rate, ends, bytes
}

func (v *View) levelHead(w int) string {
	wName, bar, rate, ends, bytes := v.levelColumns(w)
	text := paint.Fit("  Protocol", wName) + paint.FitRight("packets", wCount) + paint.FitRight("%", 7) + "  " +
		paint.Fit("", bar) + paint.FitRight("bytes", wBytes) + paint.FitRight("pkt/s", rate) +
		paint.FitRight("end packets", ends) + paint.FitRight("end bytes", bytes)
	return v.c.Style().Pens.Dim.Open + paint.Fit(text, w) + v.c.Style().Pens.Dim.Close
}

func (v *View) level(l *stats.Level, selected bool, w int, all stats.Count) string {
	var out paint.Line
	if selected {
		out.Base = v.c.Style().Pens.Selected
	}
	wName, bar, rate, ends, bytes := v.levelColumns(w)
	sign, name, hue := "  ", l.Protocol.Title(), v.c.Style().Pens.Hues[l.Protocol.Hue()]
	switch {
	case l.Kind != nil:
		hue = paint.Pen{}
		if name = dissect.Escape(l.Name); name == "" {
			name = l.Kind.NumberText(l.Value)
		}
	case v.open[levelKey{l.Protocol, l.Depth}] && len(l.Types) > 0:
		sign = v.c.Style().Glyph("▾ ", "- ")
	case len(l.Types) > 0:
		sign = v.c.Style().Glyph("▸ ", "+ ")
	}
	out.Put(v.c.Style().Pens.Dim, strings.Repeat("  ", l.Depth)+sign)
	out.Put(hue, paint.Fit(name, max(0, wName-out.Width)))
	out.Put(paint.Pen{}, paint.FitRight(humanize.Group(int(l.Packets)), wCount))
	out.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Percent(l.Packets, all.Packets), 7)+"  ")
	out.PutBars(&v.c.Style().Pens, v.c.Style().Bar(float64(l.Packets)/float64(max(1, all.Packets)), bar))
	out.Put(paint.Pen{}, paint.FitRight(humanize.Bytes(int64(l.Bytes)), wBytes))
	if rate > 0 {
		from, to := v.c.Scope().Span()
		out.Put(v.c.Style().Pens.Dim, paint.FitRight(widget.PerSecond(l.Packets, to-from), rate))
	}
	out.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Group(int(l.Ends.Packets)), ends))
	out.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Bytes(int64(l.Ends.Bytes)), bytes))
	return paint.Clip(out.End(w), w)
}

// title is that of a column, with a sign where the lines are in its order.
func (v *View) title(name string, by int) string {
	if v.sortedBy() == by {
		name += v.c.Style().Glyph("↓", "v")
	}
	return name
}

// sortedBy is the order of the lines: ports have two alone, and below the hierarchy stand those that carry most.
func (v *View) sortedBy() int {
	if v.part == partLevels {
		return byBytes
	}
	if v.part == partPorts && v.sort > byBytes {
		return byPackets
	}
	return v.sort
}

// measure finds the widths of what tells lines apart: of the first ones, which say enough of all.
func (v *View) measure() {
	v.wide.level, v.wide.end, v.wide.ends, v.wide.long = 0, 0, [2]int{}, 0
	for _, l := range v.levels {
		v.wide.level = max(v.wide.level, 2*l.Depth+2+paint.Width(l.Protocol.Title()), 2*l.Depth+2+len(l.Name))
	}
	width := func(e dissect.Endpoint) int { return paint.Width(strings.TrimRight(v.of.EndCell(e, mostEnd), " ")) }
	for _, c := range v.conversations[:min(len(v.conversations), mostMeasured)] {
		a, b := width(c.A), width(c.B)
		v.wide.ends = [2]int{max(v.wide.ends[0], a), max(v.wide.ends[1], b)}
		if v.wide.long--; max(a, b) > usualEnd {
			v.wide.long += 2
		}
	}
	for i := range v.ends[:min(len(v.ends), mostMeasured)] {
		v.wide.end = max(v.wide.end, width(v.ends[i].End))
	}
}

const (
	mostMeasured = 500 // lines
	mostEnd      = 60  // cells of an end
	usualEnd     = 24  // of most; addresses of IPv6 have more
)

// A conversationLayout is which columns a conversation's line has at a width: always the ends, packets, bytes and how
// long it lasted.
type conversationLayout struct {
	count, bytes      int // the widths of these columns
	a, b              int // the widths of the ends
	directions, rates bool
	line              bool // packets over time, and the round trip
	start             bool
}

// Widths of the columns of conversations and endpoints.
const (
	wCount     = 10
	wBytes     = 11
	wDirection = 9
	wTime      = 9
	wLine      = 14 // of packets over time
)

// countColumns are the widths of counts and of bytes: on a narrow screen ends need the room.
func countColumns(w int) (count, bytes int) {
	if w < 72 {
		return 8, 9
	}
	return wCount, wBytes
}

// conversationColumns gives the ends the room that they need first, and then the columns that still fit, in this order.
func (v *View) conversationColumns(w int) conversationLayout {
	var l conversationLayout
	l.count, l.bytes = countColumns(w)
	used, ends := 8+l.count+l.bytes+wTime, 2*19
	if v.wide.long > 0 {
		ends = 2 * usualEnd
	}
	for _, c := range []struct {
		shows *bool
		width int
	}{{&l.directions, 2 * wDirection}, {&l.line, 2 + wLine + wTime}, {&l.start, wTime}, {&l.rates, 2 * wDirection}} {
		if *c.shows = used+ends+c.width <= w; *c.shows {
			used += c.width
		}
	}
	room, need := max(20, w-used), v.wide.ends
	if lack := need[0] + need[1] - room; lack > 0 { // counts have blanks in front of them
		count, bytes := countColumns(0)
		room += l.count - count + l.bytes - bytes
		l.count, l.bytes = count, bytes
	}
	l.a = min(max(10, need[0]), max(room/2, room-need[1]))
	l.b = min(max(10, need[1]), room-l.a)
	return l
}

func (v *View) conversationHead(w int) string {
	c := v.conversationColumns(w)
	there, back := v.c.Style().Glyph("A → B", "A > B"), v.c.Style().Glyph("B → A", "B > A")
	text := paint.Fit("  "+v.title("A", byAddress), c.a+2) + " " + paint.Fit("B", c.b) + " " + paint.Fit("", 4) +
		paint.FitRight(v.title("packets", byPackets), c.count)
	if c.directions {
		text += paint.FitRight(there, wDirection) + paint.FitRight(back, wDirection)
	}
	text += paint.FitRight(v.title("bytes", byBytes), c.bytes)
	if c.rates {
		text += paint.FitRight("bit/s "+v.c.Style().Glyph("→", ">"), wDirection) +
			paint.FitRight("bit/s "+v.c.Style().Glyph("←", "<"), wDirection)
	}
	if c.line {
		text += "  " + paint.Fit("over time", wLine) + paint.FitRight("RTT ms", wTime)
	}
	if c.start {
		text += paint.FitRight(v.title("start", byStart), wTime)
	}
	return v.c.Style().Dim(text+paint.FitRight(v.title("duration", byDuration), wTime), w)
}

func (v *View) conversation(t *stats.Conversation, selected bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	c := v.conversationColumns(w)
	l.Put(paint.Pen{}, "  "+v.c.Scope().EndCell(t.A, c.a)+" "+v.c.Scope().EndCell(t.B, c.b)+" ")
	transport := dissect.Table("")
	if t.Conv != nil {
		transport = t.Conv.Transport
	}
	l.Put(v.c.Style().Pens.Dim, paint.Fit(strings.ToUpper(drilldown.TransportName(transport)), 4))
	both := t.Both()
	l.Put(paint.Pen{}, paint.FitRight(humanize.Group(int(both.Packets)), c.count))
	if c.directions {
		l.Put(v.c.Style().Pens.Dim,
			paint.FitRight(humanize.Group(int(t.Directions[0].Packets)), wDirection)+
				paint.FitRight(humanize.Group(int(t.Directions[1].Packets)), wDirection))
	}
	l.Put(paint.Pen{}, paint.FitRight(humanize.Bytes(int64(both.Bytes)), c.bytes))
	for way := 0; way < 2 && c.rates; way++ {
		text := v.c.Style().Glyph("–", "-")
		if r := t.Rate(way); r > 0 {
			text = humanize.Short(r)
		}
		l.Put(paint.Pen{}, paint.FitRight(text, wDirection))
	}
	if c.line {
		from, to := v.c.Scope().Span()
		l.Put(paint.Pen{}, "  ")
		l.PutBars(&v.c.Style().Pens, plot.Sparkline(v.table.SpreadOf(t, from, to+1, wLine), wLine, v.c.Style().ASCII))
		l.Put(paint.Pen{}, paint.FitRight(v.c.Style().Plain(widget.SecondsAsMs(float64(t.RoundTrip())/1e9)), wTime))
	}
	if c.start {
		l.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Duration(float64(t.First-v.c.Scope().Epoch)/1e9), wTime))
	}
	l.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Duration(float64(t.Last-t.First)/1e9), wTime))
	return paint.Clip(l.End(w), w)
}

// endColumns are the widths of an endpoint and of its counts, and whether the bytes of each way have room.
func (v *View) endColumns(w int) (end, count, bytes int, ways bool) {
	ways = w >= 110
	count, bytes = countColumns(w)
	used := 8 + count + bytes + 2*wDirection
	if ways {
		used += 2 * wBytes
	}
	return widget.Clamp(w-used, 12, max(12, v.wide.end)), count, bytes, ways
}

func (v *View) endHead(w int) string {
	end, count, bytes, ways := v.endColumns(w)
	text := paint.Fit("  "+v.title("Endpoint", byAddress), end+3) + paint.Fit("", 5) +
		paint.FitRight(v.title("packets", byPackets), count) + paint.FitRight(v.title("bytes", byBytes), bytes)
	for _, name := range []string{"sent", "received"} {
		text += paint.FitRight(name, wDirection)
		if ways {
			text += paint.FitRight("bytes", wBytes)
		}
	}
	return v.c.Style().Pens.Dim.Open + paint.Fit(text, w) + v.c.Style().Pens.Dim.Close
}

func (v *View) end(e *stats.EndpointCount, selected bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	end, count, bytes, ways := v.endColumns(w)
	both := e.Both()
	l.Put(paint.Pen{}, "  "+v.c.Scope().EndCell(e.End, end)+" ")
	l.Put(v.c.Style().Pens.Dim, paint.Fit(strings.ToUpper(drilldown.TransportName(e.Transport)), 5))
	l.Put(paint.Pen{},
		paint.FitRight(humanize.Group(int(both.Packets)), count)+paint.FitRight(humanize.Bytes(int64(both.Bytes)), bytes))
	for _, c := range []stats.Count{e.Sent, e.Received} {
		l.Put(paint.Pen{}, paint.FitRight(humanize.Group(int(c.Packets)), wDirection))
		if ways {
			l.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Bytes(int64(c.Bytes)), wBytes))
		}
	}
	return paint.Clip(l.End(w), w)
}
