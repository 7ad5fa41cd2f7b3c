package ui

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/suggest"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/complete"
	"remora/ui/keys"
	"remora/ui/paint"
	"remora/ui/print"
	"remora/ui/rules"
)

// Settings are what a person may set about the screen. They may change while it is shown.
type Settings struct {
	TimeFormat string
	Theme      string // one of Themes, or "" to ask the terminal
	NoMouse    bool
	ASCII      bool
	NoNames    bool
	// titles of columns and names of fields, " as TITLE" behind those renamed; none: the standard ones
	Columns    []string
	Keys       map[string]string // keys of the user's own, and what they do: an action's name, or a key whose work it is
	Colors     map[string]string // pens by name, and their styles
	Coloring   []Rule
	NoColoring bool              // the rules are off until they are switched on
	Favourites map[string]string // display filters by name
	DecodeAs   []dissect.DecodeAs

	CaptureFilter string // for the next capture that is started here, where no flag gives one
	When          string // the display filter for the traffic that a profile is for
	Resolve       string // which names are used, by the letters of -N
}

// A Source reads the settings again while the screen is shown.
type Source struct {
	// Load reads the settings, with those of a profile over them. Its errors are for the status line: Mistakes, if there
	// may be several.
	Load func(profile string) (Settings, error)
	// Stamp changes when a file that Load would read did.
	Stamp func(profile string) string
	// Profiles are the names of all profiles.
	Profiles func() []string
	// KeepDecodeAs writes a word of decode-as into the file of a profile, or of all settings, and names the file; nil: it
	// cannot.
	KeepDecodeAs func(profile, word string) (file string, err error)
	// KeepPreference writes a preference into the file of a profile, or of all settings, and names the file; nil: it
	// cannot.
	KeepPreference func(profile, name, value string) (file string, err error)
	// KeepColoring writes the coloring rules into the files of the settings and of a profile, where they were others, and
	// names the files; nil: it cannot.
	KeepColoring func(profile string, was, now []Rule) (files string, err error)
	// Rules are the profiles that say which traffic they are for, by their names.
	Rules func() []ProfileRule
}

// A Problem is what is wrong with a setting. Path leads to it: names of tables and keys, and numbers in lists.
type Problem struct {
	Path []string
	Text string
	More string // further lines: a filter with its culprit marked
	Word string // where Path leads to a list: what is wrong in it
}

func (p Problem) Error() string { return strings.Join(p.Path, ".") + ": " + p.Text }

// CheckWords says what is wrong with single words of the settings.
func CheckWords(s Settings) []Problem {
	var out []Problem
	if s.Theme != "" && !slices.Contains(paint.Themes, s.Theme) {
		out = append(out,
			Problem{Path: []string{"theme"},
				Text: fmt.Sprintf("there is no theme called %q; %s", s.Theme, didYouMean(s.Theme, paint.Themes, "the themes are"))})
	}
	if _, err := print.ParseClock(s.TimeFormat); err != nil {
		out = append(out,
			Problem{Path: []string{"time"},
				Text: fmt.Sprintf("there is no time format called %q; the formats are %s", s.TimeFormat, clockWords())})
	}
	return out
}

// Check says what is wrong with settings.
func Check(reg *dissect.Registry, opt filter.Options, s Settings) []Problem {
	out := CheckWords(s)
	for _, name := range s.Columns {
		if _, err := columns.Named(reg, []string{name}); err != nil {
			out = append(out, Problem{Path: []string{"columns"}, Text: err.Error(), Word: name})
		}
	}
	_, keys := keys.New(s.Keys)
	for _, k := range keys {
		path := []string{"keys", k.Key}
		if k.Key == "" {
			path = path[:1]
		}
		out = append(out, Problem{Path: path, Text: k.Text})
	}
	_, faults := rules.Prepare(reg, opt, s.Coloring)
	out = append(append(out, checkColors(s.Colors)...), checkRules(faults)...)
	if _, err := filter.CompileWith(reg, s.When, opt); s.When != "" && err != nil {
		out = append(out, Problem{Path: []string{"when"}, Text: err.Error()})
	}
	for _, name := range sortedKeys(s.Favourites) {
		path := []string{"favourites", name}
		var bad *filter.Error
		switch _, err := filter.CompileWith(reg, s.Favourites[name], opt); {
		case errors.As(err, &bad):
			out = append(out,
				Problem{Path: path, Text: fmt.Sprintf("%s, at column %d of the filter", bad.Error(), bad.Pos+1), More: bad.Caret()})
		case err != nil:
			out = append(out, Problem{Path: path, Text: err.Error()})
		case s.Favourites[name] == "":
			out = append(out, Problem{Path: path, Text: "a favourite is a display filter, which is missing"})
		}
	}
	return out
}

func clockWords() string {
	var words []string
	for _, c := range print.Clocks {
		words = append(words, c[0])
	}
	return strings.Join(words, ", ")
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// watchTime is how often the files of settings are looked at.
const watchTime = time.Second

// watch tells the screen when a file of settings has changed. It wakes the screen for nothing else.
func (src Source) watch(ctx context.Context, profile func() *string, tell func(tea.Msg)) {
	if src.Stamp == nil || src.Load == nil {
		return
	}
	of, was := *profile(), src.Stamp(*profile())
	every := time.NewTicker(watchTime)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		name := *profile()
		now := src.Stamp(name)
		if name == of && now != was {
			tell(settingsChanged{})
		}
		of, was = name, now
	}
}

// settingsChanged says that a file of settings did; settingsRead is what is in them now.
type (
	settingsChanged struct{}
	settingsRead    struct {
		profile string
		found   string // the filter of what was found, where nobody asked for the profile
		s       Settings
		err     error
	}
)

// readSettings reads the settings beside the screen, with those of a profile.
func (m *model) readSettings(profile string) { m.readSettingsFor(profile, "") }

// readSettingsFor reads them because of the traffic that was found, unless that is "".
func (m *model) readSettingsFor(profile, found string) {
	load := m.cfg.Source.Load
	if load == nil {
		return
	}
	m.jobs.Add(func() any {
		s, err := load(profile)
		return settingsRead{profile, found, s, err}
	})
}

// onSettings takes settings that were read again. Wrong ones change nothing.
func (m *model) onSettings(read settingsRead) {
	if read.err != nil {
		m.foot.Notice = m.mistaken("settings kept: ", read.err)
		return
	}
	changed := read.profile != m.cfg.Profile
	if read.found != "" && (m.profile.chosen || m.profile.watch.touched) { // somebody was quicker
		return
	}
	m.cfg.Profile = read.profile
	m.profile.name.Store(&read.profile)
	m.foot.Notice = m.use(read.s)
	switch {
	case changed && read.profile == "":
		m.foot.Notice = "no profile any more"
	case changed && read.found != "":
		m.foot.Notice = "profile " + read.profile + ", as " + read.found + " matches packets; :profile none leaves it"
	case changed:
		m.foot.Notice = "profile " + read.profile
	}
}

// use takes settings over those that were. Only what differs changes: what was chosen on the screen since then stays.
func (m *model) use(s Settings) string {
	was := m.cfg.Settings
	was.Coloring = m.coloring.Kept // may have been written since
	m.keepSet(&s)
	// by :decode-as
	typed := was.DecodeAs[min(m.profile.readAs, len(was.DecodeAs)):]
	// kept since
	typed = slices.DeleteFunc(slices.Clone(typed), func(d dissect.DecodeAs) bool { return slices.Contains(s.DecodeAs, d) })
	m.profile.readAs = len(s.DecodeAs)
	s.DecodeAs = append(slices.Clip(s.DecodeAs), typed...)
	m.cfg.Settings = s
	if s.TimeFormat != was.TimeFormat {
		m.list.Clock = s.TimeFormat
		if m.list.Clock == "" {
			m.list.Clock = "r"
		}
	}
	if s.Resolve != was.Resolve {
		m.resolve(s.Resolve)
	}
	if s.NoNames != was.NoNames {
		m.naming.on = !s.NoNames
		m.rename()
	}
	m.list.Ask(m.cfg.Profile, s.Columns)
	if m.cfg.Capture.Filter == was.CaptureFilter { // no other one was given by hand
		m.cfg.Capture.Filter = s.CaptureFilter
	}
	useKeys(m, s.Keys)
	if s.NoColoring != was.NoColoring {
		m.coloring.Off = s.NoColoring
	}
	if !slices.Equal(s.Coloring, was.Coloring) {
		m.coloring.Use(s.Coloring)
	}
	m.repen()
	m.list.Redraw()
	if !slices.Equal(s.DecodeAs, was.DecodeAs) {
		if err := m.dissectAnew(); err != nil {
			m.cfg.DecodeAs, m.profile.readAs = was.DecodeAs, len(was.DecodeAs)-len(typed)
			return "decode-as stays as it was: " + err.Error()
		}
	}
	if len(s.DecodeAs) == 0 { // none, in one way
		s.DecodeAs, was.DecodeAs = nil, nil
	}
	if reflect.DeepEqual(s, was) {
		return m.foot.Notice
	}
	return "Settings reloaded" + m.deferred(was, s)
}

// keepSet lets what :set changed stay where the files say what they said before.
func (m *model) keepSet(s *Settings) {
	read := m.profile.read
	m.profile.read = *s
	if s.Theme == read.Theme {
		s.Theme = m.cfg.Theme
	}
	if s.NoMouse == read.NoMouse {
		s.NoMouse = m.cfg.NoMouse
	}
	if s.ASCII == read.ASCII {
		s.ASCII = m.style.ASCII
	}
	if s.Resolve == read.Resolve {
		s.Resolve = m.cfg.Resolve
	}
}

// deferred says what of the settings that changed does not count at once.
func (m *model) deferred(was, now Settings) string {
	if was.CaptureFilter == now.CaptureFilter {
		return ""
	}
	return "; " + m.nextCapture()
}

// nextCapture says when another capture filter counts.
func (m *model) nextCapture() string {
	if m.packets.Store != nil && m.packets.Store.Status().Live && len(m.cfg.Capture.Interfaces) > 0 {
		return "capture_filter is for the next capture: " + m.style.Key(act.Restart) + " starts it"
	}
	return "capture_filter is for the next capture"
}

// dissectAnew starts over with the packets there are, for protocols that are to be told apart in another way.
func (m *model) dissectAnew() error {
	if m.packets.Store == nil {
		return nil
	}
	s, err := dissect.NewSession(m.cfg.Registry, m.packets.Store, m.cfg.DecodeAs...)
	if err != nil {
		return err
	}
	text, cur, follow, kept := m.packets.FilterText(), m.selected.Frame, m.list.Follow, m.marks.Clone()
	s.Zone = m.packets.Session.Zone
	m.attach(m.packets.Store, s)
	m.list.Follow, *m.marks = follow, *kept
	if text == "" {
		m.list.Resume(cur)
		return nil
	}
	m.applyFilter(text)
	m.list.Await(cur)
	return nil
}

// profileCommand takes a profile, or says which there are.
func (m *model) profileCommand(name string) {
	switch {
	case m.cfg.Source.Load == nil:
		m.foot.Notice = "there are no settings to read"
	case name == "":
		m.foot.Notice = m.profileList()
	case name == "none":
		m.profile.chosen = true
		m.readSettings("")
	default:
		m.profile.chosen = true
		m.readSettings(name)
	}
}

func (m *model) profileList() string {
	var names []string
	if m.cfg.Source.Profiles != nil {
		names = m.cfg.Source.Profiles()
	}
	if len(names) == 0 {
		return "there are no profiles yet: each is a file of settings in the folder profiles, beside config.toml"
	}
	text := "profiles: " + strings.Join(names, ", ")
	if m.cfg.Profile != "" {
		return text + "; " + m.cfg.Profile + " is on, :profile none leaves it"
	}
	return text + "; :profile NAME takes one"
}

// profileOffers are the profiles that a command about them may go on with.
func (m *model) profileOffers(text string) []complete.Offer {
	begun, ok := strings.CutPrefix(text, "profile ")
	if !ok || m.cfg.Source.Profiles == nil {
		return nil
	}
	var out []complete.Offer
	for _, name := range append(m.cfg.Source.Profiles(), "none") {
		if strings.HasPrefix(name, begun) && name != begun {
			out = append(out,
				complete.Offer{Completion: filter.Completion{Text: name, Type: "profile", From: len(text) - len(begun),
					To: len(text)}, Packets: -1})
		}
	}
	return out
}

// checkColors says what is wrong with pens of a person's own.
func checkColors(colors map[string]string) []Problem {
	var out []Problem
	for _, name := range sortedKeys(colors) {
		path := []string{"colors", name}
		if !slices.Contains(paint.PenNames, name) {
			out = append(out,
				Problem{Path: path,
					Text: fmt.Sprintf("there is no pen called %q; %s", name, didYouMean(name, paint.PenNames, "the pens are"))})
		} else if _, err := paint.ParseStyle(colors[name], nil); err != nil {
			out = append(out, Problem{Path: path, Text: err.Error()})
		}
	}
	return out
}

// didYouMean is the nearest word, or all of them.
func didYouMean(word string, words []string, all string) string {
	if near := suggest.One(strings.ToLower(word), words); near != "" {
		return "did you mean " + near + "?"
	}
	return all + " " + strings.Join(words, ", ")
}
