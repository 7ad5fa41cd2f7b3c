package ui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/paint"
)

// A Rule draws the rows of packets that match a display filter in colours of its own.
type Rule struct {
	Name, Filter           string
	Foreground, Background string
	Bold                   bool
}

// A coloring is the rules that are on. The first that matches a packet counts.
type coloring struct {
	rules []colorRule
	off   bool
}

type colorRule struct {
	Rule
	filter *filter.Filter
	pen    paint.Pen
}

// style is the look of a rule in the words of a style.
func (r Rule) style() string {
	text := r.Foreground
	if r.Bold {
		text = "bold " + text
	}
	if r.Background != "" {
		text += " on " + r.Background
	}
	return text
}

// newColoring makes rules ready.
func newColoring(reg *dissect.Registry, opt filter.Options, rules []Rule) (coloring, []Problem) {
	var c coloring
	var problems []Problem
	for i, r := range rules {
		wrong := func(key, text, more string) {
			problems = append(problems, Problem{Path: []string{"coloring", strconv.Itoa(i), key}, Text: text, More: more})
		}
		if _, err := paint.ColourCode(strings.ToLower(r.Foreground), false, &paint.Pens{}); r.Foreground != "" && err != nil {
			wrong("fg", err.Error(), "")
		}
		if _, err := paint.ColourCode(strings.ToLower(r.Background), true, nil); r.Background != "" && err != nil {
			wrong("bg", err.Error(), "")
		}
		if strings.TrimSpace(r.Filter) == "" {
			wrong("filter", "a rule needs a filter that says which packets it is for", "")
			continue
		}
		if r.Foreground == "" && r.Background == "" && !r.Bold {
			wrong("fg", "a rule needs fg, bg or bold: otherwise nothing shows that it matches", "")
		}
		f, err := filter.CompileWith(reg, r.Filter, opt)
		var bad *filter.Error
		switch {
		case errors.As(err, &bad):
			wrong("filter", fmt.Sprintf("%s, at column %d of the filter", bad.Error(), bad.Pos+1), bad.Caret())
		case err != nil:
			wrong("filter", err.Error(), "")
		case f.References():
			wrong("filter", "${...} asks the selected packet, which rows do not depend on", "")
		default:
			c.rules = append(c.rules, colorRule{Rule: r, filter: f})
		}
	}
	return c, problems
}

// repen makes the pens of the rules; without colour only weight remains.
func (c *coloring) repen(p *paint.Pens, colour bool) {
	for i := range c.rules {
		r := &c.rules[i]
		if r.pen, _ = paint.ParseStyle(r.style(), p); !colour {
			r.pen = paint.Pen{}
			if r.Bold {
				r.pen = paint.SGR("1")
			}
		}
	}
}

// of is the rule that counts for a packet, or nil. Only rows that are drawn ask, so it costs as much as the screen is high.
func (c *coloring) of(l *dissect.Looker, n dissect.FrameNum) *colorRule {
	if c.off {
		return nil
	}
	for i := range c.rules {
		if c.rules[i].filter.Match(l, n) {
			return &c.rules[i]
		}
	}
	return nil
}

// toggleColoring switches the rules off or on.
func (m *model) toggleColoring() {
	m.coloring.off = !m.coloring.off
	clear(m.rowCache)
	switch {
	case len(m.coloring.rules) == 0:
		m.notice = "there are no coloring rules; [[coloring]] in the settings makes some"
	case m.coloring.off:
		m.notice = "coloring rules are off"
	default:
		m.notice = "coloring rules are on: " + m.coloring.names()
	}
}

func (c *coloring) names() string {
	var names []string
	for _, r := range c.rules {
		names = append(names, r.title())
	}
	return strings.Join(names, ", ")
}

// title is what the rule is called, or its filter.
func (r *colorRule) title() string {
	if r.Name != "" {
		return r.Name
	}
	return r.Filter
}

// StandardColoring are the rules of somebody who has none: only what went wrong, and only in the colour of its text.
func StandardColoring() []Rule {
	return []Rule{
		{Name: "malformed", Filter: "_ws.malformed", Foreground: "bad", Bold: true},
		{Name: "tcp resets", Filter: "tcp.flags.reset == 1", Foreground: "bad"},
		{Name: "tcp trouble", Filter: "tcp.analysis.flags && !tcp.analysis.window_update", Foreground: "warn"},
		{Name: "icmp errors", Filter: "icmp.type in {3, 4, 5, 11, 12} || icmpv6.type in {1..4}", Foreground: "warn"},
	}
}

// repen makes the pens anew after the theme, the terminal or the person's own colours have changed.
func (m *model) repen() {
	m.pens = paint.NewPens(m.cfg.Theme, m.dark, m.few, m.colour)
	for name, text := range m.cfg.Colors {
		place := m.pens.Named(name)
		if style, err := paint.ParseStyle(text, nil); err == nil && place != nil && m.colour {
			*place = style
		}
	}
	m.coloring.repen(&m.pens, m.colour)
}
