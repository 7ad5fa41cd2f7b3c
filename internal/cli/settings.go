package cli

import (
	"maps"
	"os"
	"slices"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/decodeas"
	"remora/internal/settings"
	"remora/ui"
	"remora/ui/paint"
)

// take uses the settings where no flag says otherwise.
func (o *options) take(s settings.Values) {
	if o.theme == "" {
		o.theme = settings.Value(s.Theme)
	}
	if o.memory == "" {
		o.memory = settings.Value(s.Memory)
	}
	if o.clock == "" {
		o.clock = settings.Value(s.Time)
	}
	switch {
	case o.ascii || o.glyphs != "": // a flag says it
	case s.ASCII != nil:
		o.ascii = *s.ASCII
	default:
		o.ascii = paint.WantsASCII(os.Getenv)
	}
	o.noMouse = o.noMouse || s.Mouse != nil && !*s.Mouse
	o.noNames = o.noNames || s.Names != nil && !*s.Names
	o.resolve = settings.Value(s.Resolve)
	if o.live.Filter == "" && o.read == "" && len(o.reads) == 0 && len(o.live.Interfaces) > 0 {
		o.live.Filter = settings.Value(s.CaptureFilter)
	}
	var kept []string
	for _, name := range slices.Sorted(maps.Keys(s.Preferences)) {
		kept = append(kept, name+":"+s.Preferences[name])
	}
	o.prefer = append(kept, o.prefer...)
	o.decodeAs = append(append([]string(nil), s.DecodeAs...), o.decodeAs...)
	o.screen = s.Screen()
}

// screenSettings are the settings of the screen with the flags over them.
func (o *options) screenSettings(as []dissect.DecodeAs) ui.Settings {
	s := o.screen
	s.Theme, s.TimeFormat, s.ASCII, s.NoMouse, s.NoNames, s.DecodeAs = o.theme, o.clock, o.ascii, o.noMouse,
		o.noNames && o.names == "", as
	if s.Coloring == nil {
		s.Coloring = ui.StandardColoring()
	}
	if len(o.favourites) > 0 {
		all := maps.Clone(o.favourites)
		maps.Copy(all, s.Favourites)
		s.Favourites = all
	}
	return s
}

// source reads the settings again for the screen; typed are the flags, which stay.
func (typed options) source(opt filter.Options) ui.Source {
	return ui.Source{
		Load: func(profile string) (ui.Settings, error) {
			reg := typed.own.now.Load()
			files, err := settings.Read(profile)
			if err == nil {
				err = files.Check(reg, opt, true)
			}
			if err != nil {
				return ui.Settings{}, settings.Brief(err)
			}
			o := typed
			o.take(files.Merged())
			as, err := decodeas.Parse(reg, o.decodeAs)
			return o.screenSettings(as), err
		},
		Stamp:          settings.Stamp,
		Profiles:       settings.Profiles,
		Rules:          settings.ProfileRules,
		KeepDecodeAs:   settings.KeepDecodeAs,
		KeepPreference: settings.KeepPreference,
		KeepColoring:   settings.KeepColoring,
	}
}
