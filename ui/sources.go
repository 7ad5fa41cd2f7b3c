package ui

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// drawChooser draws the screen.
func (m *model) drawChooser() []string {
	c := m.chooser
	var out []string
	var head line
	head.put(m.pens.bold, " remora")
	right := "what shall we listen to? "
	head.put(pen{}, strings.Repeat(" ", max(1, m.w-head.width-width(right))))
	head.put(m.pens.dim, right)
	out = append(out, fitLine(head.end(m.w), m.w), "")
	if c.err != nil {
		out = append(out, fit("  interfaces: "+dissect.Escape(c.err.Error()), m.w))
	}
	room := max(3, m.h-13-len(c.message))
	from := max(0, min(c.cur-room+1, len(c.all)-room))
	for i := from; i < len(c.all) && i < from+room; i++ {
		out = append(out, c.row(i))
	}
	out = append(out, "")
	if len(c.orphans) > 0 {
		o := c.orphans[0]
		out = append(out, fit(fmt.Sprintf("  r  recover %s packets that a killed remora left on %s (%s)", group(o.Packets), o.Started.Format("2 Jan 15:04"), dissect.Escape(o.Source)), m.w), "")
	}
	for _, l := range c.message {
		out = append(out, m.pens.warn.open+fit("  "+dissect.Escape(l), m.w)+m.pens.warn.close)
	}
	for len(out) < m.h-4 {
		out = append(out, "")
	}
	out = append(out[:min(len(out), m.h-4)], c.inputLine(), c.verdictLine(), "", c.keysLine())
	for i := range out {
		out[i] = fitStyled(out[i], m.w)
	}
	return out
}

// row draws one interface: sign, name, addresses, what passed in the last minute, and its state.
func (c *chooser) row(i int) string {
	m, in := c.m, c.all[i]
	var l line
	if i == c.cur && c.editing == "" {
		l.base = m.pens.selected
	}
	box := "[ ] "
	if c.chosen[in.Name] {
		box = "[x] "
	}
	addr := ""
	if len(in.Addresses) > 0 {
		addr = in.Addresses[0].String()
	}
	l.put(pen{}, "  "+box+fit(dissect.Escape(in.Name), 14)+" ")
	l.put(m.pens.dim, fit(addr, 20)+" ")
	spark := max(8, min(60, m.w-76))
	l.put(m.pens.accent, c.sparkline(in.Name, spark)+" ")
	rates := c.rates[in.Name]
	rate := ""
	if len(rates) > 0 {
		rate = bits(rates[len(rates)-1] * 8)
	}
	l.put(pen{}, fitRight(rate, 9)+"  ")
	state := "down"
	switch {
	case in.Unusable != "":
		state = in.Unusable
	case in.Loopback && in.Up:
		state = "up, loopback"
	case in.Up && in.Running:
		state = "up"
		if in.Speed > 0 {
			state += "  " + bits(float64(in.Speed))
		}
	case in.Up:
		state = "up, no carrier"
	case in.Description != "":
		state = in.Description
	}
	l.put(m.pens.dim, fit(dissect.Escape(state), max(0, m.w-l.width)))
	return fitLine(l.end(m.w), m.w)
}

func (c *chooser) sparkline(name string, w int) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	if c.m.cfg.ASCII {
		levels = []rune("_.:-=+*#")
	}
	rates := c.rates[name]
	if len(rates) > w {
		rates = rates[len(rates)-w:]
	}
	top := 1.0
	for _, r := range rates {
		top = max(top, r)
	}
	out := []rune(strings.Repeat(" ", w-len(rates)))
	for _, r := range rates {
		out = append(out, levels[min(len(levels)-1, int(r/top*float64(len(levels)-1)+0.5))])
	}
	return string(out)
}

// bits writes a rate with a unit.
func bits(v float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e9, " Gb/s"}, {1e6, " Mb/s"}, {1e3, " kb/s"}} {
		if v >= u.of {
			if v >= 100*u.of {
				return fmt.Sprintf("%.0f%s", v/u.of, u.name)
			}
			return fmt.Sprintf("%.1f%s", v/u.of, u.name)
		}
	}
	return fmt.Sprintf("%.0f b/s", v)
}

func (c *chooser) inputLine() string {
	var l line
	label, in := "  Capture filter  ", &c.filter
	if c.editing == "file" {
		label, in = "  Open file  ", &c.file
	}
	l.put(c.m.pens.bold, label)
	if c.editing == "" {
		text := in.value()
		if text == "" {
			text = "none"
		}
		l.put(c.m.pens.dim, dissect.Escape(text))
	} else {
		in.draw(&l, c.m.w-width(label)-4, [2]int{})
	}
	return fitLine(l.end(c.m.w), c.m.w)
}

func (c *chooser) verdictLine() string {
	var l line
	p, sign := c.m.pens.good, c.m.glyph("✓ ", "")
	if c.bad {
		p, sign = c.m.pens.bad, c.m.glyph("✗ ", "x ")
	}
	l.put(p, "  "+sign+strings.ReplaceAll(dissect.Escape(c.verdict), "\n", " "))
	return fitLine(l.end(c.m.w), c.m.w)
}

func (c *chooser) keysLine() string {
	var l line
	for _, h := range [][2]string{{"Enter", "start"}, {"Space", "several"}, {"/", "capture filter"}, {"o", "open a file"}, {"q", "quit"}} {
		l.put(pen{}, " "+h[0]+" ")
		l.put(c.m.pens.dim, h[1]+"  ")
	}
	return fitLine(l.end(c.m.w), c.m.w)
}
