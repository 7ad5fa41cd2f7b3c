package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"remora/capture"
	"remora/dissect"
)

// drawChooser draws the screen of sources.
func (m *model) drawChooser() []string {
	c := m.chooser
	var head line
	head.put(m.pens.bold, " remora")
	right := "what shall we listen to? "
	head.put(pen{}, strings.Repeat(" ", max(1, m.w-head.width-width(right))))
	head.put(m.pens.dim, right)
	out := []string{head.end(m.w), ""}
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
		out[i] = fitStyled(fitLine(out[i], m.w), m.w)
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
		var l line
		l.put(m.pens.bold, "  "+text)
		if room := m.w - l.width - width(right) - 2; right != "" && room > 0 {
			l.put(pen{}, strings.Repeat(" ", room))
			l.put(m.pens.dim, right)
		}
		out = append(out, l.end(m.w))
	}
	heading("Interfaces", c.interfaceHead())
	if c.found.err != nil {
		out = append(out, m.pens.warn.open+"    "+dissect.Escape(c.found.err.Error())+m.pens.warn.close)
	} else if len(c.found.interfaces) == 0 && c.looking {
		out = append(out, m.pens.dim.open+"    asking the system"+m.pens.dim.close)
	}
	c.lines = c.lines[:0]
	for i, x := range c.items() {
		c.headings(&out, x, heading)
		c.lines = append(c.lines, len(out))
		if i == c.cur {
			at = len(out)
		}
		var l line
		if i == c.cur && c.text == nil {
			l.base = m.pens.selected
		}
		c.drawItem(&l, x)
		out = append(out, fitLine(l.end(m.w), m.w))
		if x.in != nil && x.nth == len(c.found.interfaces)-1 {
			c.drawHeardHead(&out, heading)
		}
	}
	if len(c.found.recent) == 0 {
		out = append(out, "", m.pens.dim.open+fit("    o opens a file or a pipe; packets can also come in: ssh host tcpdump -U -w - | remora", m.w)+m.pens.dim.close)
	}
	return out, at
}

// headings draws what stands above the first line of a kind.
func (c *chooser) headings(out *[]string, x item, heading func(text, right string)) {
	switch {
	case x.nth > 0:
	case x.orphan != nil:
		*out = append(*out, "")
		heading("Left by a remora that was killed", "Enter opens, d removes")
	case x.recent != nil:
		*out = append(*out, "")
		heading("Recent", "1 to 9 open, d forgets, o another file or a pipe")
	}
}

// drawHeardHead draws what is heard besides games, or that there is none yet.
func (c *chooser) drawHeardHead(out *[]string, heading func(text, right string)) {
	text := c.heardElse()
	if games := c.heardGames(); len(games) == 0 && text == "" {
		return
	} else if len(games) > 0 {
		*out = append(*out, "")
		heading("Games heard just now", "Enter listens to just this")
	} else {
		*out = append(*out, "")
		heading("Heard just now", "")
	}
	if text != "" {
		*out = append(*out, c.m.pens.dim.open+fit("    "+dissect.Escape(text), c.m.w)+c.m.pens.dim.close)
	}
}

func (c *chooser) drawItem(l *line, x item) {
	m := c.m
	switch {
	case x.in != nil:
		c.drawInterface(l, *x.in)
	case x.game != nil:
		c.drawGame(l, *x.game)
	case x.orphan != nil:
		l.put(pen{}, fmt.Sprintf("      %-16s  %s packets from %s", when(x.orphan.Started), group(x.orphan.Packets), dissect.Escape(x.orphan.Source)))
	default:
		l.put(pen{}, fmt.Sprintf("    %d ", x.nth+1))
		l.put(pen{}, fitTail(dissect.Escape(x.recent.path), c.pathWidth())+"  ")
		l.put(m.pens.dim, fitRight(bytesText(x.recent.size), 10)+"  "+fit(when(x.recent.when), 15)+"  "+sessionsText(x.recent.games))
	}
}

// pathWidth is the room that recent files take, so that their sizes stand beside them.
func (c *chooser) pathWidth() int {
	w := 20
	for _, r := range c.found.recent {
		w = max(w, width(dissect.Escape(r.path)))
	}
	return min(w, max(20, c.m.w-40))
}

// drawGame draws where a game is heard, what it is, and how fast its packets come.
func (c *chooser) drawGame(l *line, g heardGame) {
	m := c.m
	rate := g.rates[len(g.rates)-1]
	p := m.pens.hues[g.hue]
	if rate == 0 {
		p = m.pens.dim
	}
	l.put(pen{}, "    "+fit(dissect.Escape(g.iface), 8)+" ")
	l.put(p, fit(g.title, 12)+" ")
	l.put(pen{}, fit(g.where.String(), 21)+" ")
	l.put(pen{}, fit(dissect.Escape(g.what), clamp(m.w-70, 12, 28))+" ")
	l.put(pen{}, fitRight(shortNumber(rate)+" p/s", 9)+" ")
	if room := m.w - l.width; room >= 8 {
		l.putBars(&m.pens, sparkline(g.rates, min(heardRates, room), m.cfg.ASCII)+" ")
	}
	if room := m.w - l.width - 1; room > 12 {
		l.put(m.pens.dim, fit(dissect.Escape(g.types), room))
	}
}

// nameWidth is the room for the names of interfaces and for their addresses.
func (c *chooser) nameWidth() (name, address int) {
	name, address = 10, 16
	if c.m.w >= 100 {
		name, address = 14, 20
	}
	for _, in := range c.found.interfaces {
		name = max(name, width(dissect.Escape(in.Name)))
	}
	return min(name, c.m.w/6), address
}

// drawInterface draws sign, name, address, what passed in the last minute, and the state.
func (c *chooser) drawInterface(l *line, in capture.InterfaceInfo) {
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
	l.put(pen{}, box+fit(dissect.Escape(in.Name), name)+" ")
	l.put(m.pens.dim, fit(addr, address)+" ")
	l.putBars(&m.pens, sparkline(c.traffic.rates[in.Name], clamp(m.w-name-address-c.behindBars(), 8, 120), m.cfg.ASCII)+" ")
	rate := ""
	if rates := c.traffic.rates[in.Name]; len(rates) > 0 {
		rate = bits(rates[len(rates)-1] * 8)
	}
	l.put(pen{}, fitRight(rate, 9)+"  ")
	if m.w >= 100 {
		l.put(pen{}, fitRight(c.traffic.packetsText(in.Name), 9)+"  ")
	}
	l.put(m.pens.dim, fit(dissect.Escape(stateOf(in)), max(0, m.w-l.width)))
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
	case in.Unusable != "":
		return in.Unusable
	case in.Loopback && in.Up:
		return "up, loopback"
	case in.Up && in.Running && in.Speed > 0:
		return "up  " + bits(float64(in.Speed))
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
		out = append(out, m.pens.warn.open+fit("  "+dissect.Escape(l), m.w)+m.pens.warn.close)
	}
	if c.opening != "" {
		out = append(out, m.pens.accent.open+fit("  opening "+dissect.Escape(c.opening), m.w)+m.pens.accent.close)
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
	var l line
	label := "  " + sourceFields[fieldFilter].label + "  "
	if c.text != nil {
		label = "  " + sourceFields[c.field].label + "  "
	}
	l.put(c.m.pens.bold, label)
	switch {
	case c.text != nil:
		c.text.draw(&l, c.m.w-width(label)-4, [2]int{})
	case c.filter.value() == "":
		l.put(c.m.pens.dim, "none")
	default:
		l.put(pen{}, dissect.Escape(c.filter.value()))
	}
	return l.end(c.m.w)
}

func (c *chooser) verdictLine() string {
	var l line
	bad := func(text string) {
		l.put(c.m.pens.bad, "  "+c.m.glyph("✗ ", "x ")+strings.ReplaceAll(dissect.Escape(text), "\n", " "))
	}
	switch {
	case c.problem != "":
		bad(c.problem)
	case c.text != nil && c.field != fieldFilter:
		l.put(c.m.pens.dim, "  "+sourceFields[c.field].doc)
	case c.bad:
		bad(c.verdict)
	default:
		l.put(c.m.pens.good, "  "+c.m.glyph("✓ ", "")+c.verdict)
	}
	return fitStyled(fitLine(l.end(c.m.w), c.m.w), c.m.w)
}

// rightsLine says whether capturing is allowed, and what has been chosen.
func (c *chooser) rightsLine() string {
	var l line
	if len(c.found.interfaces) > 0 || c.found.err != nil {
		if c.found.mayNot == nil {
			l.put(c.m.pens.good, " "+c.m.glyph("● ", "* ")+"may capture")
		} else {
			l.put(c.m.pens.warn, " "+c.m.glyph("○ ", "o ")+"may not capture; files can be opened")
		}
	}
	under := ""
	if x := c.at(c.cur); x.in != nil {
		under = strings.Join(c.several(x.in.Name), ", ") + " selected "
	} else if x.game != nil {
		under = x.game.filter + " "
	}
	under = fitTail(dissect.Escape(under), min(width(dissect.Escape(under)), max(0, c.m.w-l.width-2)))
	l.put(pen{}, strings.Repeat(" ", max(0, c.m.w-l.width-width(under))))
	l.put(c.m.pens.dim, under)
	return fitLine(l.end(c.m.w), c.m.w)
}

func (c *chooser) keysLine() string {
	hints := [][2]string{{"Enter", "start"}, {"Space", "several"}, {"/", "capture filter"}, {"o", "file"}, {"s", "over ssh"}, {"r", "recent"}, {"q", "quit"}}
	switch {
	case c.text != nil:
		hints = [][2]string{{"Enter", "take it"}, {"Esc", "leave it"}, {"Tab", "next, or complete a file"}}
	case c.back:
		hints[len(hints)-1] = [2]string{"q", "back"}
	}
	var l line
	for _, h := range hints {
		if l.width+hintWidth(h) > c.m.w {
			break
		}
		c.m.putHint(&l, h)
	}
	return l.end(c.m.w)
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
	return shortNumber(v) + " p/s"
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

// sparkline draws the newest values that fit into w cells.
func sparkline(values []float64, w int, ascii bool) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	if ascii {
		levels = []rune("_.:-=+*#")
	}
	values = values[max(0, len(values)-w):]
	top := 1.0
	for _, v := range values {
		top = max(top, v)
	}
	out := []rune(strings.Repeat(" ", w-len(values)))
	for _, v := range values {
		out = append(out, levels[min(len(levels)-1, int(v/top*float64(len(levels)-1)+0.5))])
	}
	return string(out)
}

// bits writes a rate with a unit.
func bits(v float64) string {
	return scaled(v, 1000, "b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s")
}

// bytesText writes a size with a unit.
func bytesText(n int64) string {
	return scaled(float64(n), 1024, "B", "KiB", "MiB", "GiB", "TiB")
}

func scaled(v, step float64, units ...string) string {
	i := 0
	for v >= step && i < len(units)-1 {
		v /= step
		i++
	}
	if i == 0 || v >= 100 {
		return fmt.Sprintf("%.0f %s", v, units[i])
	}
	return fmt.Sprintf("%.1f %s", v, units[i])
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
