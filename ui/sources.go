package ui

import (
	"fmt"
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
	heading("Interfaces", "")
	if c.found.err != nil {
		out = append(out, m.pens.warn.open+"    "+dissect.Escape(c.found.err.Error())+m.pens.warn.close)
	} else if len(c.found.interfaces) == 0 && c.looking {
		out = append(out, m.pens.dim.open+"    asking the system"+m.pens.dim.close)
	}
	for i := range c.rows() {
		in, o, r := c.at(i)
		switch k := i - len(c.found.interfaces); {
		case k == 0 && o != nil:
			out = append(out, "")
			heading("Left by a remora that was killed", "Enter opens, d removes")
		case k == len(c.found.orphans) && r != nil:
			out = append(out, "")
			heading("Recent", "1 to 9 open, d forgets")
		}
		if i == c.cur {
			at = len(out)
		}
		var l line
		if i == c.cur && c.editing == "" {
			l.base = m.pens.selected
		}
		switch {
		case in != nil:
			c.drawInterface(&l, *in)
		case o != nil:
			l.put(pen{}, fmt.Sprintf("      %-16s  %s packets from %s", when(o.Started), group(o.Packets), dissect.Escape(o.Source)))
		default:
			l.put(pen{}, fmt.Sprintf("    %d ", i-len(c.found.interfaces)-len(c.found.orphans)+1))
			l.put(pen{}, fitTail(dissect.Escape(r.path), max(20, m.w-40))+"  ")
			l.put(m.pens.dim, fitRight(bytesText(r.size), 10)+"  "+when(r.when))
		}
		out = append(out, fitLine(l.end(m.w), m.w))
	}
	return out, at
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
	l.put(pen{}, box+fit(dissect.Escape(in.Name), 14)+" ")
	l.put(m.pens.dim, fit(addr, 20)+" ")
	l.put(m.pens.accent, sparkline(c.traffic.rates[in.Name], clamp(m.w-76, 8, 60), m.cfg.ASCII)+" ")
	rate := ""
	if rates := c.traffic.rates[in.Name]; len(rates) > 0 {
		rate = bits(rates[len(rates)-1] * 8)
	}
	l.put(pen{}, fitRight(rate, 9)+"  ")
	l.put(m.pens.dim, fit(dissect.Escape(stateOf(in)), max(0, m.w-l.width)))
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
	return append(out, "", c.inputLine(), c.verdictLine(), "", c.keysLine())
}

func (c *chooser) inputLine() string {
	var l line
	label, in := "  Capture filter  ", &c.filter
	if c.editing == "file" {
		label, in = "  Open file  ", &c.file
	}
	l.put(c.m.pens.bold, label)
	switch {
	case c.editing != "":
		in.draw(&l, c.m.w-width(label)-4, [2]int{})
	case in.value() == "":
		l.put(c.m.pens.dim, "none")
	default:
		l.put(pen{}, dissect.Escape(in.value()))
	}
	return l.end(c.m.w)
}

func (c *chooser) verdictLine() string {
	var l line
	switch {
	case c.editing == "file":
		l.put(c.m.pens.dim, "  Tab completes, Enter opens, Esc goes back")
	case c.bad:
		l.put(c.m.pens.bad, "  "+c.m.glyph("✗ ", "x ")+strings.ReplaceAll(dissect.Escape(c.verdict), "\n", " "))
	default:
		l.put(c.m.pens.good, "  "+c.m.glyph("✓ ", "")+c.verdict)
	}
	return l.end(c.m.w)
}

func (c *chooser) keysLine() string {
	var l line
	for _, h := range [][2]string{{"Enter", "start"}, {"Space", "several"}, {"/", "capture filter"}, {"o", "open a file"}, {"q", "quit"}} {
		l.put(pen{}, " "+h[0]+" ")
		l.put(c.m.pens.dim, h[1]+"  ")
	}
	return l.end(c.m.w)
}

// traffic is what passed on the interfaces lately, as the system counts it.
type traffic struct {
	counts map[string]capture.Counters
	rates  map[string][]float64 // bytes a second, newest last
	next   time.Time
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
