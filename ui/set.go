package ui

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"remora/capture"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/print"
)

// A setting is what :set changes until remora is left; settings that last are in the file.
type setting struct {
	name  string
	words func() []string // what it may be; nil: on and off
	free  string          // what it takes instead, where that is no list
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
		{"mouse", nil, "", "off leaves the mouse to the terminal, for selecting text",
			func(m *model) string { return onOff(!m.cfg.NoMouse) },
			func(m *model, w string) { m.cfg.NoMouse, m.pointer.dragging = w == "off", dragNothing }},
		{"theme", func() []string { return append(slices.Clone(paint.Themes), "auto") }, "",
			"the colours; auto asks the terminal",
			func(m *model) string { return cmp.Or(m.cfg.Theme, "auto") },
			func(m *model, w string) { m.cfg.Theme = strings.TrimSuffix(w, "auto"); m.repen() }},
		{"ascii", nil, "", "draw with ASCII only", func(m *model) string { return onOff(m.style.ASCII) },
			func(m *model, w string) { m.style.ASCII = w == "on"; m.repen() }},
		{"names", nil, "", "names in place of addresses", func(m *model) string { return onOff(m.naming.on) },
			func(m *model, w string) { m.naming.on = w == "on"; m.rename() }},
		{"colorize", nil, "", "coloring rules", func(m *model) string { return onOff(!m.coloring.Off) },
			func(m *model, w string) { m.coloring.Off = w == "off" }},
		{"time", func() []string {
			var words []string
			for _, c := range print.Clocks {
				words = append(words, c[0])
			}
			return words
		}, "", "how times are written", func(m *model) string { return m.list.Clock }, func(m *model, w string) {
			m.list.Clock = w
		}},
		{"resolve", nil, "letters of -N: e m t n d N", "which names stand for addresses",
			func(m *model) string { return cmp.Or(m.cfg.Resolve, "em") },
			func(m *model, w string) { m.resolve(w) }},
		{"capture_filter", nil, "a capture filter, as for -f", "for the next capture",
			func(m *model) string { return m.cfg.Capture.Filter },
			func(m *model, w string) { m.cfg.Capture.Filter = w }},
	}
}

// turns tells whether it is on or off.
func (s setting) turns() bool { return s.words == nil && s.free == "" }

func (s setting) choices() []string {
	if s.free != "" {
		return []string{s.free}
	}
	if s.words == nil {
		return []string{"on", "off"}
	}
	return s.words()
}

// setCommand changes a setting, as in mouse=off, or says what it is. Words that vim's users try are understood, too:
// mouse, nomouse and mouse!.
func (m *model) setCommand(arg string) {
	name, word, given := strings.Cut(arg, "=")
	if name = strings.TrimSpace(name); name != "capture_filter" {
		word = strings.ReplaceAll(word, " ", "")
	}
	all := settable()
	find := func(name string) int { return slices.IndexFunc(all, func(s setting) bool { return s.name == name }) }
	i := find(name)
	if rest, no := strings.CutPrefix(name, "no"); i < 0 && no && !given && find(rest) >= 0 && all[find(rest)].turns() {
		i, word, given = find(rest), "off", true
	}
	if rest, turn := strings.CutSuffix(name, "!"); turn && !given && find(rest) >= 0 && all[find(rest)].turns() {
		i, given = find(rest), true
		word = onOff(all[i].now(m) == "off")
	}
	if i < 0 {
		m.notice = ":set takes one of " + strings.Join(settingNames(), ", ") + ", as in :set mouse=off"
		return
	}
	s := all[i]
	if s.free != "" && given {
		m.setFree(s, strings.TrimSpace(word))
		return
	}
	if on := map[string]string{"true": "on", "false": "off", "1": "on", "0": "off"}[word]; on != "" && s.turns() {
		word = on
	}
	switch {
	case !given:
		m.notice = s.name + "=" + s.now(m) + "; it may be " + strings.Join(s.choices(), ", ")
	case !slices.Contains(s.choices(), word):
		m.notice = s.name + " may be " + strings.Join(s.choices(), ", ")
	default:
		s.set(m, word)
		m.list.Redraw()
		m.notice = s.name + "=" + s.now(m)
		if s.name == "mouse" && m.cfg.NoMouse {
			m.notice += ": the terminal selects text now; :set mouse=on takes the mouse back"
		}
	}
}

// setFree changes a setting that takes more than a word of a list.
func (m *model) setFree(s setting, word string) {
	if s.name == "capture_filter" {
		if _, err := capture.CompileFilter(1, 0, word); err != nil && word != "" && !errors.Is(err, capture.ErrNoCapture) {
			m.notice = "the capture filter stays: " + err.Error()
			return
		}
		m.notice = m.nextCapture()
	}
	s.set(m, word)
}

func settingNames() []string {
	var out []string
	for _, s := range settable() {
		out = append(out, s.name)
	}
	return out
}

// setOffers are the settings and what they may be.
func (m *model) setOffers(arg string) []complete.Offer {
	var words [][2]string
	for _, s := range settable() {
		if s.free != "" {
			words = append(words, [2]string{s.name + "=", s.help})
			continue
		}
		for _, w := range s.choices() {
			words = append(words, [2]string{s.name + "=" + w, s.help})
		}
	}
	return complete.Words(arg, words)
}
