package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"remora/capture"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/heard"
	"remora/ui/paint"
	"remora/ui/plot"
)

// drawChooser draws the screen of sources.
func (m *model) drawChooser() []string {
	c := m.chooser
	var head paint.Line
	head.Put(m.pens.Bold, " remora")
	right := "what shall we listen to? "
	head.Put(paint.Pen{}, strings.Repeat(" ", max(1, m.w-head.Width-paint.Width(right))))
	head.Put(m.pens.Dim, right)
	out := []string{head.End(m.w), ""}
	body, at := c.drawRows()
	foot := c.drawFoot()
	room := max(1, m.h-len(out)-len(foot))
	from := clamp(at-room+2, 0, max(0, len(body)-room))
	c.lineOf = map[int]int{}
	for i, at := range c.lines {
		if at >= from && at < from+room {
			c.lineOf[at-from+len(out)] = i
		}
	}
	c.inputAt = m.h - len(foot) + slices.IndexFunc(foot, func(s string) bool { return s == c.inputLine() })
	out = append(out, body[from:min(len(body), from+room)]...)
	for len(out) < m.h-len(foot) {
		out = append(out, "")
	}
	out = append(out, foot...)
	for i := range out {
		out[i] = paint.Pad(paint.Clip(out[i], m.w), m.w)
	}
	if m.question != nil {
		m.overQuestion(out)
	}
	return out
}

// drawRows draws everything that can be chosen, with headings; at is the line of the cursor.
func (c *chooser) drawRows() (out []string, at int) {
	m := c.m
	heading := func(text, right string) {
		var l paint.Line
		l.Put(m.pens.Bold, "  "+text)
		if room := m.w - l.Width - paint.Width(right) - 2; right != "" && room > 0 {
			l.Put(paint.Pen{}, strings.Repeat(" ", room))
			l.Put(m.pens.Dim, right)
		}
		out = append(out, l.End(m.w))
	}
	heading("Interfaces", c.interfaceHead())
	if c.found.err != nil {
		out = append(out, m.pens.Warn.Open+"    "+dissect.Escape(c.found.err.Error())+m.pens.Warn.Close)
	} else if len(c.found.interfaces) == 0 && c.looking {
		out = append(out, m.pens.Dim.Open+"    asking the system"+m.pens.Dim.Close)
	}
	c.lines = c.lines[:0]
	for i, x := range c.items() {
		c.headings(&out, x, heading)
		c.lines = append(c.lines, len(out))
		if i == c.cur {
			at = len(out)
		}
		var l paint.Line
		if i == c.cur && c.text == nil {
			l.Base = m.pens.Selected
		}
		c.drawItem(&l, x)
		out = append(out, paint.Clip(l.End(m.w), m.w))
		if x.in != nil && x.nth == len(c.found.interfaces)-1 {
			c.drawHeardHead(&out, heading)
		}
	}
	if len(c.found.recent) == 0 {
		out = append(out, "", m.pens.Dim.Open+paint.Fit("    "+c.keyOf(act.SourceFile)+" opens a file or a pipe; packets can also come in: ssh host tcpdump -U -w - | remora", m.w)+m.pens.Dim.Close)
	}
	return out, at
}

// headings draws what stands above the first line of a kind.
func (c *chooser) headings(out *[]string, x item, heading func(text, right string)) {
	switch {
	case x.nth > 0:
	case x.orphan != nil:
		*out = append(*out, "")
		heading("Left by a remora that was killed", c.keyOf(act.Open)+" opens, "+c.keyOf(act.SourceDiscard)+" removes")
	case x.recent != nil:
		*out = append(*out, "")
		heading("Recent", "1 to 9 open, "+c.keyOf(act.SourceDiscard)+" forgets, "+c.keyOf(act.SourceFile)+" another file or a pipe")
	}
}

// drawHeardHead draws what is heard besides games, or that there is none yet.
func (c *chooser) drawHeardHead(out *[]string, heading func(text, right string)) {
	text := c.heardElse()
	if games := c.heardGames(); len(games) == 0 && text == "" {
		return
	} else if len(games) > 0 {
		*out = append(*out, "")
		heading("Games heard just now", c.keyOf(act.Open)+" listens to just this")
	} else {
		*out = append(*out, "")
		heading("Heard just now", "")
	}
	if text != "" {
		*out = append(*out, c.m.pens.Dim.Open+paint.Fit("    "+dissect.Escape(text), c.m.w)+c.m.pens.Dim.Close)
	}
}

func (c *chooser) drawItem(l *paint.Line, x item) {
	m := c.m
	switch {
	case x.in != nil:
		c.drawInterface(l, *x.in)
	case x.game != nil:
		c.drawGame(l, *x.game)
	case x.orphan != nil:
		l.Put(paint.Pen{}, fmt.Sprintf("      %-16s  %s packets from %s", when(x.orphan.Started), amount.Group(x.orphan.Packets), dissect.Escape(x.orphan.Source)))
	default:
		l.Put(paint.Pen{}, fmt.Sprintf("    %d ", x.nth+1))
		l.Put(paint.Pen{}, paint.FitTail(dissect.Escape(x.recent.path), c.pathWidth())+"  ")
		l.Put(m.pens.Dim, paint.FitRight(amount.Bytes(x.recent.size), 10)+"  "+paint.Fit(when(x.recent.when), 15)+"  "+sessionsText(x.recent.games))
	}
}

// pathWidth is the room that recent files take, so that their sizes stand beside them.
func (c *chooser) pathWidth() int {
	w := 20
	for _, r := range c.found.recent {
		w = max(w, paint.Width(dissect.Escape(r.path)))
	}
	return min(w, max(20, c.m.w-40))
}

// drawGame draws where a game is heard, what it is, and how fast its packets come.
func (c *chooser) drawGame(l *paint.Line, g heard.Game) {
	m := c.m
	rate := g.Rates[len(g.Rates)-1]
	p := m.pens.Hues[g.Hue]
	if rate == 0 {
		p = m.pens.Dim
	}
	l.Put(paint.Pen{}, "    "+paint.Fit(dissect.Escape(g.Iface), 8)+" ")
	l.Put(p, paint.Fit(g.Title, 12)+" ")
	where := c.whereWidth()
	l.Put(paint.Pen{}, paint.Fit(g.Where.String(), where)+" ")
	l.Put(paint.Pen{}, paint.Fit(dissect.Escape(g.What), clamp(m.w-49-where, 12, 28))+" ")
	l.Put(paint.Pen{}, paint.FitRight(amount.Short(rate)+" p/s", 9)+" ")
	if room := m.w - l.Width; room >= 8 {
		l.PutBars(&m.pens, plot.Sparkline(g.Rates, min(heardRates, room), m.cfg.ASCII)+" ")
	}
	if room := m.w - l.Width - 1; room > 12 {
		l.Put(m.pens.Dim, paint.Fit(dissect.Escape(g.Types), room))
	}
}

// whereWidth is the room for the addresses of games.
func (c *chooser) whereWidth() int {
	w := 12
	for _, g := range c.heardGames() {
		w = max(w, paint.Width(g.Where.String()))
	}
	return min(w, 21)
}

// nameWidth is the room for the names of interfaces and for their addresses.
func (c *chooser) nameWidth() (name, address int) {
	name, address = 10, 16
	if c.m.w >= 100 {
		name, address = 14, 20
	}
	for _, in := range c.found.interfaces {
		name = max(name, paint.Width(dissect.Escape(in.Name)))
	}
	return min(name, c.m.w/6), address
}

// drawInterface draws sign, name, address, what passed in the last minute, and the state.
func (c *chooser) drawInterface(l *paint.Line, in capture.InterfaceInfo) {
	m := c.m
	box := "  [ ] "
	if c.chosen[in.Name] {
		box = "  [x] "
	}
	addr := ""
	if len(in.Addresses) > 0 {
		addr = in.Addresses[0].String()
	}
	name, address := c.nameWidth()
	l.Put(paint.Pen{}, box+paint.Fit(dissect.Escape(in.Name), name)+" ")
	l.Put(m.pens.Dim, paint.Fit(addr, address)+" ")
	if in.Unusable != "" { // nothing is counted there, so that the reason has all the room
		l.Put(m.pens.Dim, paint.Fit(dissect.Escape(in.Unusable), max(0, m.w-l.Width)))
		return
	}
	l.PutBars(&m.pens, plot.Sparkline(c.traffic.rates[in.Name], clamp(m.w-name-address-c.behindBars(), 8, 120), m.cfg.ASCII)+" ")
	rate := ""
	if rates := c.traffic.rates[in.Name]; len(rates) > 0 {
		rate = amount.Bits(rates[len(rates)-1] * 8)
	}
	l.Put(paint.Pen{}, paint.FitRight(rate, 9)+"  ")
	if m.w >= 100 {
		l.Put(paint.Pen{}, paint.FitRight(c.traffic.packetsText(in.Name), 9)+"  ")
	}
	l.Put(m.pens.Dim, paint.Fit(dissect.Escape(stateOf(in)), max(0, m.w-l.Width)))
}

// behindBars is the room for what stands around the bars of an interface besides its name and address.
func (c *chooser) behindBars() int {
	if c.m.w >= 100 {
		return 49
	}
	return 38
}

func stateOf(in capture.InterfaceInfo) string {
	switch {
	case in.Loopback && in.Up:
		return "up, loopback"
	case in.Up && in.Running && in.Speed > 0:
		return "up  " + amount.Bits(float64(in.Speed))
	case in.Up && in.Running:
		return "up"
	case in.Up:
		return "up, no carrier"
	case in.Description != "":
		return in.Description
	}
	return "down"
}

// drawFoot draws messages, the capture filter or the file to open, and the keys.
func (c *chooser) drawFoot() []string {
	m := c.m
	var out []string
	message := c.message
	if len(message) == 0 && c.found.mayNot != nil {
		message = strings.Split(c.found.mayNot.Error(), "\n")
	}
	for _, l := range message {
		out = append(out, m.pens.Warn.Open+paint.Fit("  "+dissect.Escape(l), m.w)+m.pens.Warn.Close)
	}
	if c.opening != "" {
		out = append(out, m.pens.Accent.Open+paint.Fit("  opening "+dissect.Escape(c.opening), m.w)+m.pens.Accent.Close)
	}
	if len(out) == 0 && m.h >= 24 {
		out = append(out, "")
	}
	out = append(out, m.rule(m.w, "Capture", ""), c.inputLine(), c.verdictLine())
	if m.h >= 24 {
		out = append(out, c.optionsLine(), "", c.rightsLine())
	}
	return append(out, c.keysLine())
}

// inputLine is the capture filter, or the field that is typed in.
func (c *chooser) inputLine() string {
	var l paint.Line
	label := "  " + sourceFields[fieldFilter].label + "  "
	if c.text != nil {
		label = "  " + sourceFields[c.field].label + "  "
	}
	l.Put(c.m.pens.Bold, label)
	switch {
	case c.text != nil:
		c.text.Draw(&l, c.m.w-paint.Width(label)-4, [2]int{})
	case c.filter.Value() == "":
		l.Put(c.m.pens.Dim, "none")
	default:
		l.Put(paint.Pen{}, dissect.Escape(c.filter.Value()))
	}
	return l.End(c.m.w)
}

func (c *chooser) verdictLine() string {
	var l paint.Line
	bad := func(text string) {
		l.Put(c.m.pens.Bad, "  "+c.m.glyph("✗ ", "x ")+strings.ReplaceAll(dissect.Escape(text), "\n", " "))
	}
	switch {
	case c.problem != "":
		bad(c.problem)
	case c.text != nil && c.field != fieldFilter:
		l.Put(c.m.pens.Dim, "  "+sourceFields[c.field].doc)
	case c.bad:
		bad(c.verdict)
	default:
		l.Put(c.m.pens.Good, "  "+c.m.glyph("✓ ", "")+c.verdict)
	}
	return paint.Pad(paint.Clip(l.End(c.m.w), c.m.w), c.m.w)
}

// rightsLine says whether capturing is allowed, and what has been chosen.
func (c *chooser) rightsLine() string {
	var l paint.Line
	if len(c.found.interfaces) > 0 || c.found.err != nil {
		if c.found.mayNot == nil {
			l.Put(c.m.pens.Good, " "+c.m.glyph("● ", "* ")+"may capture")
		} else {
			l.Put(c.m.pens.Warn, " "+c.m.glyph("○ ", "o ")+"may not capture; files can be opened")
		}
	}
	under := ""
	if x := c.at(c.cur); x.in != nil {
		under = strings.Join(c.several(x.in.Name), ", ") + " selected "
	} else if x.game != nil {
		under = x.game.Filter + " "
	}
	under = paint.FitTail(dissect.Escape(under), min(paint.Width(dissect.Escape(under)), max(0, c.m.w-l.Width-2)))
	l.Put(paint.Pen{}, strings.Repeat(" ", max(0, c.m.w-l.Width-paint.Width(under))))
	l.Put(c.m.pens.Dim, under)
	return paint.Clip(l.End(c.m.w), c.m.w)
}

func (c *chooser) keyOf(does act.Action) string { return c.m.keyOf(does) }

func (c *chooser) keysLine() string {
	hints := [][2]string{{"Enter", "start"}, {"Space", "several"}, {"/", "capture filter"}, {"o", "file"}, {"s", "over ssh"}, {"r", "recent"}, {"q", "quit"}}
	switch {
	case c.text != nil:
		hints = [][2]string{{"Enter", "take it"}, {"Esc", "leave it"}, {"Tab", "next, or complete a file"}}
	case c.back:
		hints[len(hints)-1] = [2]string{"q", "back"}
	}
	layer := act.InSources
	if c.text != nil {
		layer = act.InLine
	}
	var l paint.Line
	for _, h := range hints {
		if h[0] = c.m.keymap.ShownIn(layer, h[0], nil); l.Width+hintWidth(h) > c.m.w {
			break
		}
		c.m.putHint(&l, h)
	}
	return l.End(c.m.w)
}

// traffic is what passed on the interfaces lately, as the system counts it.
type traffic struct {
	counts  map[string]capture.Counters
	rates   map[string][]float64 // bytes a second, newest last
	packets map[string]float64   // packets a second, lately
	next    time.Time
}

// packetsText is how many packets pass on an interface.
func (t *traffic) packetsText(name string) string {
	v, ok := t.packets[name]
	if !ok {
		return ""
	}
	return amount.Short(v) + " p/s"
}

func (t *traffic) refresh(now time.Time) {
	if now.Before(t.next) {
		return
	}
	t.next = now.Add(500 * time.Millisecond)
	counts, err := capture.ReadCounters()
	if err != nil {
		return
	}
	for name, v := range counts {
		if was, ok := t.counts[name]; ok {
			rate := float64(v.RxBytes+v.TxBytes-was.RxBytes-was.TxBytes) * 2
			t.rates[name] = append(t.rates[name], rate)
			t.packets[name] = float64(v.RxPackets+v.TxPackets-was.RxPackets-was.TxPackets) * 2
			if k := len(t.rates[name]); k > 120 {
				t.rates[name] = t.rates[name][k-120:]
			}
		}
	}
	t.counts = counts
}

// when writes a time the way one speaks of it.
func when(t time.Time) string {
	now := time.Now()
	day := func(t time.Time) string { return t.Format("2006-01-02") }
	switch {
	case t.IsZero():
		return ""
	case day(t) == day(now):
		return t.Format("today 15:04")
	case day(t) == day(now.AddDate(0, 0, -1)):
		return t.Format("yesterday 15:04")
	case t.Year() == now.Year():
		return t.Format("2 Jan 15:04")
	}
	return t.Format("2 Jan 2006")
}
