package chooser

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"remora/capture/live"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/discovery"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/source"
	"remora/ui/widget"
)

// Draw draws the sources on a screen of w by h cells.
func (c *Chooser) Draw(w, h int) []string {
	c.w, c.h = w, h
	s := c.screen.Style()
	var head paint.Line
	head.Put(s.Pens.Bold, " remora")
	right := "Choose a capture source "
	head.Put(paint.Pen{}, strings.Repeat(" ", max(1, c.w-head.Width-paint.Width(right))))
	head.Put(s.Pens.Dim, right)
	out := []string{head.End(c.w), ""}
	body, at := c.drawRows()
	foot := c.drawFoot()
	room := max(1, c.h-len(out)-len(foot))
	from := widget.Clamp(at-room+2, 0, max(0, len(body)-room))
	c.lineOf = map[int]int{}
	for i, at := range c.lines {
		if at >= from && at < from+room {
			c.lineOf[at-from+len(out)] = i
		}
	}
	out = append(out, body[from:min(len(body), from+room)]...)
	for len(out) < c.h-len(foot) {
		out = append(out, "")
	}
	for i := range c.cells {
		c.cells[i].y += len(out)
	}
	out = append(out, foot...)
	for i := range out {
		out[i] = paint.Pad(paint.Clip(out[i], c.w), c.w)
	}
	return out
}

// body collects the lines that can be chosen, and what stands between them.
type body struct {
	c     *Chooser
	lines []string
}

func (b *body) heading(text, right string) {
	s := b.c.screen.Style()
	if len(b.lines) > 0 {
		b.lines = append(b.lines, "")
	}
	var l paint.Line
	l.Put(s.Pens.Bold, "  "+text)
	if room := b.c.w - l.Width - paint.Width(right) - 2; right != "" && room > 0 {
		l.Put(paint.Pen{}, strings.Repeat(" ", room))
		l.Put(s.Pens.Dim, right)
	}
	b.lines = append(b.lines, l.End(b.c.w))
}

func (b *body) put(p paint.Pen, text string) {
	b.lines = append(b.lines, p.Open+paint.Fit(dissect.Escape(text), b.c.w)+p.Close)
}

// drawRows draws everything that can be chosen, with headings; at is the line of the cursor.
func (c *Chooser) drawRows() (out []string, at int) {
	s, b := c.screen.Style(), body{c: c}
	b.lines = append(b.lines, c.interfaceHead())
	switch {
	case c.found.Err != nil:
		b.put(s.Pens.Warn, "    "+c.found.Err.Error())
	case len(c.found.Interfaces) == 0 && (c.looking || c.again.IsZero()):
		b.put(s.Pens.Dim, "    asking the system")
	case len(c.found.Interfaces) == 0:
		b.put(s.Pens.Dim, "    there are none on this machine")
	}
	items, games := c.items(), len(c.gamesFound())
	plain := slices.IndexFunc(items, func(x source.Item) bool { return x.In == nil || x.Special })
	if plain < 0 {
		plain = len(items)
	}
	c.lines = c.lines[:0]
	for i, x := range items {
		c.headings(&b, x)
		c.lines = append(c.lines, len(b.lines))
		if i == c.cur {
			at = len(b.lines)
		}
		b.lines = append(b.lines, c.drawLine(x, i == c.cur && c.text == nil))
		if i == plain-1 && games == 0 || x.Game != nil && x.Nth == games-1 {
			c.drawOthersFound(&b, games > 0)
		}
	}
	if len(c.found.Recent) == 0 && (len(items) == 0 || !items[len(items)-1].Special) {
		c.otherSources(&b)
	}
	return b.lines, at
}

// drawLine draws a line that can be chosen.
func (c *Chooser) drawLine(x source.Item, selected bool) string {
	s := c.screen.Style()
	var l paint.Line
	sign := " "
	if selected {
		l.Base = s.Pens.Selected
		sign = s.Glyph("▌", ">")
	}
	l.Put(s.Pens.Accent, sign)
	c.drawItem(&l, x)
	return paint.Clip(l.End(c.w), c.w)
}

// headings draws what stands above the first line of a kind.
func (c *Chooser) headings(b *body, x source.Item) {
	enter := c.keyOf(act.Open)
	switch {
	case x.Nth > 0:
	case x.Game != nil:
		b.heading("Games heard on the wire just now", enter+" listens to just this")
	case x.Recovered != nil:
		b.heading("Recovered captures", enter+" opens, "+c.keyOf(act.SourceDiscard)+" removes")
	case x.Special:
		if len(c.found.Recent) == 0 {
			c.otherSources(b)
		}
		b.heading("Other interfaces", "")
	case x.Recent != nil:
		c.otherSources(b)
		b.heading("Recent", "1 to 9 open, "+c.keyOf(act.SourceDiscard)+" forgets")
	}
}

// otherSources says what else there is to open, where there is room for what the last line says, too.
func (c *Chooser) otherSources(b *body) {
	s := c.screen.Style()
	if c.h < 30 {
		return
	}
	b.heading("Other sources", "")
	var l paint.Line
	l.Put(paint.Pen{}, "     ")
	for _, k := range []struct {
		does act.Action
		what string
	}{{act.SourceFile, "open a file"}, {act.SourceRemote, "tcpdump over ssh"}, {act.SourceRecent, "recent files"}} {
		l.Put(s.Pens.Bold, " "+c.keyOf(k.does))
		l.Put(s.Pens.Dim, "  "+k.what+"     ")
	}
	l.Put(s.Pens.Dim, " or pipe it in: tcpdump -U -w - | remora")
	b.lines = append(b.lines, paint.Clip(l.End(c.w), c.w))
}

// drawOthersFound draws what is heard besides games, or why nothing is.
func (c *Chooser) drawOthersFound(b *body, games bool) {
	text := c.othersFound()
	if text == "" {
		return
	}
	if !games {
		b.heading("Heard on the wire just now", "")
	}
	b.put(c.screen.Style().Pens.Dim, "      "+text)
}

func (c *Chooser) drawItem(l *paint.Line, x source.Item) {
	s := c.screen.Style()
	switch {
	case x.In != nil:
		c.drawInterface(l, *x.In)
	case x.Game != nil:
		c.drawGame(l, *x.Game)
	case x.Recovered != nil:
		l.Put(paint.Pen{},
			fmt.Sprintf("     %-16s  %s packets from %s", source.When(x.Recovered.Started, time.Now()),
				humanize.Group(x.Recovered.Packets), dissect.Escape(x.Recovered.Source)))
		l.Put(s.Pens.Accent, source.Running(*x.Recovered))
	default:
		l.Put(s.Pens.Bold, fmt.Sprintf("     %d  ", x.Nth+1))
		l.Put(paint.Pen{}, paint.FitTail(dissect.Escape(source.ShortHome(x.Recent.Path)), c.pathWidth())+"  ")
		l.Put(s.Pens.Dim,
			paint.FitRight(humanize.Bytes(x.Recent.Size), 10)+"  "+paint.Fit(source.When(x.Recent.When, time.Now()), 15)+"  "+
				source.Sessions(x.Recent.Games))
	}
}

// pathWidth is the room that recent files take, so that their sizes stand beside them.
func (c *Chooser) pathWidth() int {
	w := 20
	for _, r := range c.found.Recent {
		w = max(w, paint.Width(dissect.Escape(source.ShortHome(r.Path))))
	}
	return min(w, max(20, c.w-44))
}

// drawGame draws where a game is heard, what it is, and how fast its packets come.
func (c *Chooser) drawGame(l *paint.Line, g discovery.Game) {
	s := c.screen.Style()
	rate := g.Rates[len(g.Rates)-1]
	p := s.Pens.Hues[g.Hue]
	if rate == 0 {
		p = s.Pens.Dim
	}
	l.Put(paint.Pen{}, "     "+paint.Fit(dissect.Escape(g.Iface), 9)+" ")
	l.Put(p, paint.Fit(g.Title, 10)+" ")
	where := c.whereWidth()
	l.Put(paint.Pen{}, paint.Fit(g.Where.String(), where)+"  ")
	l.Put(paint.Pen{}, paint.Fit(dissect.Escape(g.What), widget.Clamp(c.w-50-where, 12, 28))+" ")
	l.Put(paint.Pen{}, paint.FitRight(humanize.Short(rate)+" p/s", 9)+" ")
	if room := c.w - l.Width; room >= 8 {
		l.PutBars(&s.Pens, plot.Sparkline(g.Rates, min(discovery.RatesKept, room), s.ASCII)+" ")
	}
	if room := c.w - l.Width - 1; room > 12 {
		l.Put(s.Pens.Dim, paint.Fit(dissect.Escape(g.Types), room))
	}
}

// whereWidth is the room for the addresses of games.
func (c *Chooser) whereWidth() int {
	w := 12
	for _, g := range c.gamesFound() {
		w = max(w, paint.Width(g.Where.String()))
	}
	return min(w, 21)
}

// The columns of the interfaces: name, address, bars of a minute, bits and packets, state.
type interfaceColumns struct {
	name, address, bars int
	packets             bool
}

const (
	boxWidth     = 5 // "[ ] " behind the cursor's sign and a space
	bitsWidth    = 9
	packetsWidth = 9
	stateWidth   = 16
)

func (c *Chooser) columns() interfaceColumns {
	w := interfaceColumns{name: 8, address: 15}
	if c.w >= 100 {
		w.name, w.address, w.packets = 9, 18, true
	}
	for _, in := range c.found.Interfaces {
		if in.MAC != nil || len(in.Addresses) > 0 { // what has neither has room for its name
			w.name = max(w.name, paint.Width(dissect.Escape(in.Name)))
			w.address = max(w.address, paint.Width(addressOf(in)))
		}
	}
	w.name, w.address = min(w.name, c.w/6), min(w.address, c.w/4)
	room := c.w - 1 - boxWidth - w.name - 1 - w.address - 1 - bitsWidth - 2 - stateWidth
	if w.packets {
		room -= packetsWidth + 1
	}
	w.bars = source.BarsIn(widget.Clamp(room, 8, 120))
	return w
}

func addressOf(in live.InterfaceInfo) string {
	if len(in.Addresses) == 0 {
		return ""
	}
	return in.Addresses[0].String()
}

// interfaceHead titles the columns of the interfaces.
func (c *Chooser) interfaceHead() string {
	s, w := c.screen.Style(), c.columns()
	var l paint.Line
	l.Put(s.Pens.Bold, paint.Fit("  Interfaces", 1+boxWidth+w.name+1+w.address+1))
	title := "last 60 s"
	if w.bars < len(title) {
		title = "60 s"
	}
	l.Put(s.Pens.Dim, paint.Fit(title, w.bars)+paint.FitRight("bit/s", bitsWidth))
	if w.packets {
		l.Put(s.Pens.Dim, paint.FitRight("pkts", packetsWidth+1))
	}
	l.Put(s.Pens.Dim, "  state")
	return paint.Clip(l.End(c.w), c.w)
}

// drawInterface draws box, name, address, what passed in the last minute, and the state.
func (c *Chooser) drawInterface(l *paint.Line, in live.InterfaceInfo) {
	s, w := c.screen.Style(), c.columns()
	box := " [ ] "
	if c.chosen[in.Name] {
		box = " [x] "
	}
	name, about := w.name, source.About(in)
	if about != "" && in.Name != "any" { // no network card: it has no address either
		name += 1 + w.address
	}
	l.Put(paint.Pen{}, box+paint.Fit(dissect.Escape(in.Name), name)+" ")
	if about != "" {
		l.Put(s.Pens.Dim, paint.Fit(dissect.Escape(about), max(0, c.w-l.Width)))
		return
	}
	l.Put(s.Pens.Dim, paint.Fit(addressOf(in), w.address)+" ")
	if in.Unusable != "" && c.found.NotPermitted == nil { // nothing is counted there, so that the reason has all the room
		l.Put(s.Pens.Dim, paint.Fit(dissect.Escape(in.Unusable), max(0, c.w-l.Width)))
		return
	}
	l.PutBars(&s.Pens, plot.Sparkline(c.traffic.Bars(in.Name, w.bars), w.bars, s.ASCII))
	rate, packets := s.Glyph("—", "-"), s.Glyph("—", "-")
	if v, ok := c.traffic.Bits(in.Name); ok {
		rate = strings.TrimSpace(humanize.Scaled(v, 1000, "", "k", "M", "G", "T"))
	}
	if n, ok := c.traffic.Packets(in.Name); ok {
		packets = humanize.Group(n)
	}
	l.Put(paint.Pen{}, paint.FitRight(rate, bitsWidth))
	if w.packets {
		l.Put(paint.Pen{}, paint.FitRight(packets, packetsWidth+1))
	}
	l.Put(s.Pens.Dim, "  "+paint.Fit(dissect.Escape(source.State(in)), max(0, c.w-l.Width-2)))
}
