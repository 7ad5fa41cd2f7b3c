package ui

import (
	"cmp"
	"slices"
	"strings"

	"remora/ui/paint"
	"remora/ui/print"
)

// A setting is what :set changes until remora is left; settings that last are in the file.
type setting struct {
	name  string
	words func() []string // what it may be; nil: on and off
	help  string
	now   func(m *model) string
	set   func(m *model, word string)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// settable are the settings that :set knows, by the names that they have in the file.
func settable() []setting {
	return []setting{
		{"mouse", nil, "off leaves the mouse to the terminal, for selecting text", func(m *model) string { return onOff(!m.cfg.NoMouse) },
			func(m *model, w string) { m.cfg.NoMouse, m.dragging = w == "off", dragNothing }},
		{"theme", func() []string { return append(slices.Clone(paint.Themes), "auto") }, "the colours; auto asks the terminal",
			func(m *model) string { return cmp.Or(m.cfg.Theme, "auto") },
			func(m *model, w string) { m.cfg.Theme = strings.TrimSuffix(w, "auto"); m.repen() }},
		{"ascii", nil, "draw with ASCII only", func(m *model) string { return onOff(m.cfg.ASCII) },
			func(m *model, w string) { m.cfg.ASCII = w == "on"; m.repen() }},
		{"names", nil, "names in place of addresses", func(m *model) string { return onOff(m.names) },
			func(m *model, w string) { m.names = w == "on"; m.rename() }},
		{"colorize", nil, "coloring rules", func(m *model) string { return onOff(!m.coloring.off) },
			func(m *model, w string) { m.coloring.off = w == "off" }},
		{"time", func() []string {
			var words []string
			for _, c := range print.Clocks {
				words = append(words, c[0])
			}
			return words
		}, "how times are written", func(m *model) string { return m.clock }, func(m *model, w string) { m.clock = w }},
	}
}

func (s setting) choices() []string {
	if s.words == nil {
		return []string{"on", "off"}
	}
	return s.words()
}

// setCommand changes a setting, as in mouse=off, or says what it is. Words that vim's users try are understood, too: mouse,
// nomouse and mouse!.
func (m *model) setCommand(arg string) {
	name, word, given := strings.Cut(strings.ReplaceAll(arg, " ", ""), "=")
	all := settable()
	find := func(name string) int { return slices.IndexFunc(all, func(s setting) bool { return s.name == name }) }
	i := find(name)
	if rest, no := strings.CutPrefix(name, "no"); i < 0 && no && !given && find(rest) >= 0 && all[find(rest)].words == nil {
		i, word, given = find(rest), "off", true
	}
	if rest, turn := strings.CutSuffix(name, "!"); turn && !given && find(rest) >= 0 && all[find(rest)].words == nil {
		i, given = find(rest), true
		word = onOff(all[i].now(m) == "off")
	}
	if i < 0 {
		m.notice = ":set takes one of " + strings.Join(settingNames(), ", ") + ", as in :set mouse=off"
		return
	}
	s := all[i]
	if on := map[string]string{"true": "on", "false": "off", "1": "on", "0": "off"}[word]; on != "" && s.words == nil {
		word = on
	}
	switch {
	case !given:
		m.notice = s.name + "=" + s.now(m) + "; it may be " + strings.Join(s.choices(), ", ")
	case !slices.Contains(s.choices(), word):
		m.notice = s.name + " may be " + strings.Join(s.choices(), ", ")
	default:
		s.set(m, word)
		clear(m.rowCache)
		m.notice = s.name + "=" + s.now(m)
		if s.name == "mouse" && m.cfg.NoMouse {
			m.notice += ": the terminal selects text now; :set mouse=on takes the mouse back"
		}
	}
}

func settingNames() []string {
	var out []string
	for _, s := range settable() {
		out = append(out, s.name)
	}
	return out
}

// setOffers are the settings and what they may be.
func (m *model) setOffers(arg string) []offer {
	var words [][2]string
	for _, s := range settable() {
		for _, w := range s.choices() {
			words = append(words, [2]string{s.name + "=" + w, s.help})
		}
	}
	return choices(arg, words)
}
