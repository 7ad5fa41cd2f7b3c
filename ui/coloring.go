package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/rules"
)

// A Rule draws the rows of packets that match a display filter in colours of its own.
type Rule = rules.Rule

// StandardColoring are the rules of somebody who has none.
func StandardColoring() []Rule { return rules.Standard() }

// A coloring is the rules, in the order in which they are asked. The first that matches a packet counts.
type coloring struct {
	rules   []rules.Ready
	off     bool
	counter *rules.Counter // while the rules are on the screen
	told    int            // rules that have been said to be given up
}

// checkRules says what is wrong with rules.
func checkRules(faults []rules.Fault) []Problem {
	var out []Problem
	for _, f := range faults {
		out = append(out, Problem{Path: []string{"coloring", strconv.Itoa(f.Rule), f.Key}, Text: f.Text, More: f.More})
	}
	return out
}

// of is the rule that counts for a packet, or nil. Only rows that are drawn ask, so it costs as much as the screen is
// high.
func (c *coloring) of(l *dissect.Dissector, n dissect.FrameNum) *rules.Ready {
	if c.off {
		return nil
	}
	return rules.Of(c.rules, l, n)
}

// list are the rules as they are kept.
func (c *coloring) list() []Rule {
	out := make([]Rule, 0, len(c.rules))
	for _, r := range c.rules {
		out = append(out, r.Rule)
	}
	return out
}

// setRules takes other rules. Those that are wrong are left out, and told of.
func (m *model) setRules(list []Rule) []rules.Fault {
	ready, faults := rules.Prepare(m.reg, m.cfg.Filters, list)
	rules.Repen(ready, &m.style.Pens, m.look.colour)
	m.coloring.rules, m.coloring.told = ready, 0
	m.list.Redraw()
	if c := m.coloring.counter; c != nil {
		c.Use(ready)
	}
	return faults
}

// rulesChanged tells whether the rules are other than those of the settings.
func (m *model) rulesChanged() bool { return !slices.Equal(m.coloring.list(), m.cfg.Coloring) }

// tellGivenUp says once that a rule colours nothing any more, because its filter takes ages on these packets.
func (m *model) tellGivenUp() {
	n, last := 0, ""
	for _, r := range m.coloring.rules {
		if r.Compiled.Stopped() != nil {
			n, last = n+1, r.Title()
		}
	}
	if n > m.coloring.told {
		m.notice = "the coloring rule " + dissect.Escape(last) + " takes too long on these packets and is given up; " +
			m.style.Key(act.ColoringRules) + " shows the rules"
	}
	m.coloring.told = n
}

// keepCounter counts what the rules take while they are on the screen, and no longer.
func (m *model) keepCounter() {
	v, open := m.views.Over().(*coloringView)
	switch c := m.coloring.counter; {
	case c != nil && (!open || c.Session() != m.packets.Session):
		m.stopCounter()
	case c == nil && open && m.packets.Session != nil && m.chooser == nil:
		skip := m.packets.Ignored
		m.coloring.counter = rules.NewCounter(m.packets.Session, func(n dissect.FrameNum) bool { return skip[n] })
		m.coloring.counter.Use(m.coloring.rules)
		v.seen = nil
	}
}

func (m *model) stopCounter() {
	if c := m.coloring.counter; c != nil {
		c.Stop()
	}
	m.coloring.counter = nil
}

// toggleColoring switches the rules off or on.
func (m *model) toggleColoring() {
	m.coloring.off = !m.coloring.off
	m.list.Redraw()
	switch {
	case len(m.coloring.rules) == 0:
		m.notice = "there are no coloring rules; :coloring makes some"
	case m.coloring.off:
		m.notice = "coloring rules are off"
	default:
		m.notice = "coloring rules are on: " + m.coloring.names()
	}
}

func (c *coloring) names() string {
	var names []string
	for _, r := range c.rules {
		if !r.Off {
			names = append(names, r.Title())
		}
	}
	return strings.Join(names, ", ")
}

// coloringCommand opens the rules, switches them, or reads further ones from Wireshark's file.
func (m *model) coloringCommand(arg string) {
	word, path, _ := strings.Cut(arg, " ")
	switch path = strings.TrimSpace(path); {
	case word == "":
		m.openColoring()
	case word == "on" && m.coloring.off, word == "off" && !m.coloring.off:
		m.toggleColoring()
	case word == "on", word == "off":
	case word == "import" && path != "":
		m.importRules(path)
	default:
		m.notice = ":coloring lists the rules; on and off switch them, import FILE reads those of Wireshark"
	}
}

func (m *model) coloringOffers(arg string) []complete.Offer {
	return choices(arg,
		[][2]string{{"on", "colour rows by the rules"}, {"off", "do not"}, {"import ", "a file of Wireshark: colorfilters"}})
}

// repen makes the pens anew after the theme, the terminal or the person's own colours have changed.
func (m *model) repen() {
	m.style.ASCII, m.style.Keys = m.cfg.ASCII, &m.keymap
	m.style.Pens = paint.NewPens(m.cfg.Theme, m.look.dark, m.look.few, m.look.colour)
	for name, text := range m.cfg.Colors {
		place := m.style.Pens.Named(name)
		if style, err := paint.ParseStyle(text, nil); err == nil && place != nil && m.look.colour {
			*place = style
		}
	}
	rules.Repen(m.coloring.rules, &m.style.Pens, m.look.colour)
}
