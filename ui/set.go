package ui

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"remora/capture/bpf"
	"remora/dissect"
	"remora/internal/preferences"
	"remora/ui/columns"
	"remora/ui/paint"
	"remora/ui/prefer"
	"remora/ui/print"
	"remora/ui/set"
	settingsview "remora/ui/view/settings"
)

// settable are the settings that :set knows, by the names that they have in the file.
func settable(m *model) set.Settings {
	clocks := func() (words []string) {
		for _, c := range print.Clocks {
			words = append(words, c[0])
		}
		return words
	}
	themes := func() []string { return append(slices.Clone(paint.Themes), "auto") }
	redrawn := func(change func(word string)) func(word string) {
		return func(word string) {
			change(word)
			m.list.Redraw()
		}
	}
	all := set.Settings{
		{
			Name: "mouse", Help: "off leaves the mouse to the terminal, for selecting text",
			Now: func() string { return set.OnOff(!m.cfg.NoMouse) },
			Set: func(w string) { m.cfg.NoMouse, m.room.dragging = w == "off", dragNothing },
			More: func() string {
				if !m.cfg.NoMouse {
					return ""
				}
				return ": the terminal selects text now; :set mouse=on takes the mouse back"
			},
		},
		{
			Name: "theme", Words: themes, Help: "the colours; auto asks the terminal",
			Now: func() string { return cmp.Or(m.cfg.Theme, "auto") },
			Set: redrawn(func(w string) { m.cfg.Theme = strings.TrimSuffix(w, "auto"); m.repen() }),
		},
		{
			Name: "ascii", Help: "draw with ASCII only", Now: func() string { return set.OnOff(m.style.ASCII) },
			Set: redrawn(func(w string) { m.style.ASCII = w == "on"; m.repen() }),
		},
		{
			Name: "names", Help: "names in place of addresses", Now: func() string { return set.OnOff(m.naming.on) },
			Set: func(w string) { m.naming.on = w == "on"; m.rename() },
		},
		{
			Name: "colorize", Help: "coloring rules", Now: func() string { return set.OnOff(!m.coloring.Off) },
			Set: redrawn(func(w string) { m.coloring.Off = w == "off" }),
		},
		{
			Name: "time", Words: clocks, Help: "how times are written", Now: func() string { return m.list.Clock },
			Set: redrawn(func(w string) { m.list.Clock = w }),
		},
		{
			Name: "resolve", Free: "letters of -N: e m t n d N", Help: "which names stand for addresses",
			Now:     func() string { return cmp.Or(m.cfg.Resolve, "em") },
			SetFree: func(letters string) string { m.resolve(letters); return m.foot.Notice },
		},
		{
			Name: "capture_filter", Free: "a capture filter, as for -f", Help: "for the next capture",
			Now: func() string { return m.cfg.Capture.Filter },
			SetFree: func(text string) string {
				_, err := bpf.Compile(1, 0, text)
				if err != nil && text != "" && !errors.Is(err, bpf.ErrNoLibpcap) {
					return "the capture filter stays: " + err.Error()
				}
				m.cfg.Capture.Filter = text
				return m.nextCapture()
			},
		},
	}
	all = append(all, columnSetting(m))
	for i := range all {
		all[i].Title = all[i].Help
	}
	return append(all,
		prefer.Settings(preferContext{decodeContext{boxContext{viewContext{m}}}}, m.cfg.Source.KeepPreference)...)
}

// columnSetting is Wireshark's preference of the columns, as far as the list has such. It is kept as all is that is
// changed about them.
func columnSetting(m *model) set.Setting {
	name := preferences.Columns.Name()
	now := func() string { return columns.Formats(m.list.Listed()) }
	return set.Setting{Name: name, Free: `"TITLE","FORMAT","TITLE","FORMAT"…`, Help: "the columns of the list", Now: now,
		SetFree: func(text string) string {
			pairs, err := dissect.UnquoteRow(text)
			var names []string
			if err == nil {
				names, err = columns.FromFormats(m.cfg.Registry, pairs)
			}
			var list []columns.Column
			if err == nil {
				list, err = columns.Named(m.cfg.Registry, names)
			}
			if err != nil {
				return name + ": " + err.Error()
			}
			m.list.SetColumns(list)
			return name + "=" + now()
		}}
}

// openSettings lists the settings and preferences, those with a word in them.
func openSettings(m *model, find string) {
	stay := func(v *settingsview.View) {
		if m.views.View() != v {
			m.views.Open(v)
		}
	}
	m.views.Open(settingsview.New(viewContext{m}, func() set.Settings { return settable(m) }, stay, find))
}
