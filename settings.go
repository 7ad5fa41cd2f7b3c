package main

import (
	_ "embed"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/home"
	"remora/ui"
)

// defaultSettings is the file of settings with every setting in it, as --print-config prints it.
//
//go:embed config.toml
var defaultSettings string

// settings are what a person keeps in config.toml, and in profiles over it. Flags go before them. nil is a setting left out.
type settings struct {
	Theme         *string           `toml:"theme"`
	ASCII         *bool             `toml:"ascii"`
	Mouse         *bool             `toml:"mouse"`
	Names         *bool             `toml:"names"`
	Resolve       *string           `toml:"resolve"`
	When          *string           `toml:"when"`
	Time          *string           `toml:"time"`
	Columns       []string          `toml:"columns"`
	CaptureFilter *string           `toml:"capture_filter"`
	DecodeAs      []string          `toml:"decode_as"`
	Colorize      *bool             `toml:"colorize"`
	Keys          map[string]string `toml:"keys"`
	Colors        map[string]string `toml:"colors"`
	Favourites    map[string]string `toml:"favourites"`
	Coloring      []colorRule       `toml:"coloring"`
}

// A colorRule is a [[coloring]] of the settings.
type colorRule struct {
	Name   string `toml:"name"`
	Filter string `toml:"filter"`
	FG     string `toml:"fg"`
	BG     string `toml:"bg"`
	Bold   bool   `toml:"bold"`
}

// over joins settings with those that they lie over: single ones replace, tables are merged by name, rules come first, and
// words of decode-as are added.
func (s settings) over(base settings) settings {
	s.Theme, s.Time, s.CaptureFilter = either(s.Theme, base.Theme), either(s.Time, base.Time), either(s.CaptureFilter, base.CaptureFilter)
	s.Resolve, s.When = either(s.Resolve, base.Resolve), either(s.When, base.When)
	s.ASCII, s.Mouse, s.Names, s.Colorize = either(s.ASCII, base.ASCII), either(s.Mouse, base.Mouse), either(s.Names, base.Names), either(s.Colorize, base.Colorize)
	if s.Columns == nil {
		s.Columns = base.Columns
	}
	s.DecodeAs = append(append([]string(nil), base.DecodeAs...), s.DecodeAs...)
	s.Coloring = append(append([]colorRule(nil), s.Coloring...), base.Coloring...)
	s.Keys, s.Colors, s.Favourites = merged(base.Keys, s.Keys), merged(base.Colors, s.Colors), merged(base.Favourites, s.Favourites)
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

// value is a setting, or the zero of its type when it was left out.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// screen is what the settings say of the screen.
func (s settings) screen() ui.Settings {
	out := ui.Settings{Theme: value(s.Theme), TimeFormat: value(s.Time), ASCII: value(s.ASCII), NoMouse: s.Mouse != nil && !*s.Mouse,
		NoNames: s.Names != nil && !*s.Names, Columns: s.Columns, Keys: s.Keys, Colors: s.Colors, Favourites: s.Favourites,
		NoColoring: s.Colorize != nil && !*s.Colorize, CaptureFilter: value(s.CaptureFilter), Resolve: value(s.Resolve), When: value(s.When)}
	for _, r := range s.Coloring {
		out.Coloring = append(out.Coloring, ui.Rule{Name: r.Name, Filter: r.Filter, Foreground: r.FG, Background: r.BG, Bold: r.Bold})
	}
	return out
}

// take uses the settings where no flag says otherwise.
func (o *options) take(s settings) {
	if o.theme == "" {
		o.theme = value(s.Theme)
	}
	if o.clock == "" {
		o.clock = value(s.Time)
	}
	o.ascii = o.ascii || value(s.ASCII)
	o.noMouse = o.noMouse || s.Mouse != nil && !*s.Mouse
	o.noNames = o.noNames || s.Names != nil && !*s.Names
	o.resolve = value(s.Resolve)
	if o.live.Filter == "" && o.read == "" && len(o.reads) == 0 && len(o.live.Interfaces) > 0 {
		o.live.Filter = value(s.CaptureFilter)
	}
	o.decodeAs = append(append([]string(nil), s.DecodeAs...), o.decodeAs...)
	o.screen = s.screen()
}

// screenSettings are the settings of the screen with the flags over them.
func (o *options) screenSettings(as []dissect.DecodeAs) ui.Settings {
	s := o.screen
	s.Theme, s.TimeFormat, s.ASCII, s.NoMouse, s.NoNames, s.DecodeAs = o.theme, o.clock, o.ascii, o.noMouse, o.noNames && o.names == "", as
	if s.Coloring == nil {
		s.Coloring = ui.StandardColoring()
	}
	return s
}

// source reads the settings again for the screen; typed are the flags, which stay.
func (typed options) source(reg *dissect.Registry, opt filter.Options) ui.Source {
	return ui.Source{
		Load: func(profile string) (ui.Settings, error) {
			files, err := readSettings(profile)
			if err == nil {
				err = files.check(reg, opt, true)
			}
			if err != nil {
				return ui.Settings{}, brief(err)
			}
			o := typed
			o.take(files.merged())
			as, err := parseDecodeAs(reg, o.decodeAs)
			return o.screenSettings(as), err
		},
		Stamp:    stampOfSettings,
		Profiles: profiles,
		Rules:    profileRules,
	}
}

// settingsText is the file with every setting, and the names of all actions.
func settingsText() string {
	var b strings.Builder
	if path, err := settingsPath(); err == nil {
		b.WriteString("# remora's settings: save this as " + path + "\n")
	}
	b.WriteString(defaultSettings + "\n# The actions, for [keys]:\n")
	for _, a := range ui.Actions() {
		fmt.Fprintf(&b, "#   %-32s %s\n", a.Name, a.Help)
	}
	return b.String()
}

// settingsPath is where the settings are kept.
func settingsPath() (string, error) {
	dir, err := home.Config()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "config.toml"), nil
}
