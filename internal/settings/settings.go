// Package settings reads what a person keeps in config.toml and in profiles over it, and says what is wrong there by
// file, line and the nearest right word.
package settings

import (
	"maps"

	"remora/ui"
)

// Values are what a person keeps in config.toml, and in profiles over it. Flags go before them. nil is a setting left
// out.
type Values struct {
	Theme         *string           `toml:"theme"`
	ASCII         *bool             `toml:"ascii"`
	Mouse         *bool             `toml:"mouse"`
	Names         *bool             `toml:"names"`
	Resolve       *string           `toml:"resolve"`
	Memory        *string           `toml:"memory"`
	When          *string           `toml:"when"`
	Time          *string           `toml:"time"`
	Columns       []string          `toml:"columns"`
	CaptureFilter *string           `toml:"capture_filter"`
	DecodeAs      []string          `toml:"decode_as"`
	Colorize      *bool             `toml:"colorize"`
	Preferences   map[string]string `toml:"preferences"`
	Keys          map[string]string `toml:"keys"`
	Colors        map[string]string `toml:"colors"`
	Favourites    map[string]string `toml:"favourites"`
	Coloring      []Rule            `toml:"coloring"`
}

// A Rule is a [[coloring]] of the settings.
type Rule struct {
	Name   string `toml:"name"`
	Filter string `toml:"filter"`
	FG     string `toml:"fg"`
	BG     string `toml:"bg"`
	Bold   bool   `toml:"bold"`
	Off    bool   `toml:"off"`

	profile string // whose rule it is
}

// over joins settings with those that they lie over: single ones replace, tables are merged by name, rules come first,
// and words of decode-as are added.
func (s Values) over(base Values) Values {
	s.Theme, s.Time, s.CaptureFilter = either(s.Theme, base.Theme), either(s.Time, base.Time),
		either(s.CaptureFilter, base.CaptureFilter)
	s.Memory = either(s.Memory, base.Memory)
	s.Resolve, s.When = either(s.Resolve, base.Resolve), either(s.When, base.When)
	s.ASCII, s.Mouse, s.Names, s.Colorize = either(s.ASCII, base.ASCII), either(s.Mouse, base.Mouse),
		either(s.Names, base.Names), either(s.Colorize, base.Colorize)
	if s.Columns == nil {
		s.Columns = base.Columns
	}
	s.DecodeAs = append(append([]string(nil), base.DecodeAs...), s.DecodeAs...)
	if rules := append(append([]Rule{}, s.Coloring...), base.Coloring...); s.Coloring != nil || base.Coloring != nil {
		s.Coloring = rules
	}
	s.Preferences = merged(base.Preferences, s.Preferences)
	s.Keys, s.Colors, s.Favourites = merged(base.Keys, s.Keys), merged(base.Colors, s.Colors),
		merged(base.Favourites, s.Favourites)
	return s
}

func either[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

func merged(base, over map[string]string) map[string]string {
	out := maps.Clone(base)
	if out == nil {
		return over
	}
	maps.Copy(out, over)
	return out
}

// Value is a setting, or the zero of its type when it was left out.
func Value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// Screen is what the settings say about the screen.
func (s Values) Screen() ui.Settings {
	out := ui.Settings{Theme: Value(s.Theme), TimeFormat: Value(s.Time), ASCII: Value(s.ASCII),
		NoMouse: s.Mouse != nil && !*s.Mouse,
		NoNames: s.Names != nil && !*s.Names, Columns: s.Columns, Keys: s.Keys, Colors: s.Colors, Favourites: s.Favourites,
		NoColoring: s.Colorize != nil && !*s.Colorize, CaptureFilter: Value(s.CaptureFilter), Resolve: Value(s.Resolve),
		When: Value(s.When)}
	if s.Coloring != nil { // written, if only that there are none
		out.Coloring = []ui.Rule{}
	}
	for _, r := range s.Coloring {
		out.Coloring = append(out.Coloring,
			ui.Rule{Name: r.Name, Filter: r.Filter, Foreground: r.FG, Background: r.BG, Bold: r.Bold, Off: r.Off,
				Profile: r.profile})
	}
	return out
}
