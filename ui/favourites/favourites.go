// Package favourites keeps display filters under names.
package favourites

import (
	"maps"
	"slices"
	"strings"

	"remora/ui/complete"
)

// Context is what favourites may ask of the screen.
type Context interface {
	// FilterText is the display filter that is on, or "".
	FilterText() string
	// Filter applies a display filter.
	Filter(text string)
	// Notify says something in the line above the keys.
	Notify(text string)
	// InSettings are the favourites that are written in the settings, by name.
	InSettings() map[string]string
}

// A List is lines that are kept between runs.
type List interface {
	Lines() []string
	Add(line string) error
	Remove(line string) error
}

// Favourites are kept from the screen, or written in the settings.
type Favourites struct {
	c    Context
	kept List // each "name TAB filter"
}

// New are favourites that a list keeps.
func New(c Context, kept List) *Favourites { return &Favourites{c, kept} }

// Lines are those kept from the screen and, behind them, those of the settings, each "name TAB filter". A name counts
// once, as kept last.
func (f *Favourites) Lines() []string {
	lines := f.kept.Lines()
	have := map[string]bool{}
	for _, line := range lines {
		name, _, _ := strings.Cut(line, "\t")
		have[name] = true
	}
	written := f.c.InSettings()
	for _, name := range slices.Sorted(maps.Keys(written)) {
		if !have[name] {
			lines = append(lines, name+"\t"+written[name])
		}
	}
	return lines
}

// Offers are the names that begin as typed.
func (f *Favourites) Offers(typed string) []complete.Offer {
	var words [][2]string
	for _, line := range f.Lines() {
		name, text, _ := strings.Cut(line, "\t")
		words = append(words, [2]string{name, text})
	}
	return complete.Words(typed, words)
}

// Use keeps the filter that is on under a name; without a filter it applies the one of that name.
func (f *Favourites) Use(name string) {
	name = strings.Join(strings.Fields(name), " ")
	text := f.c.FilterText()
	for _, line := range f.Lines() {
		if n, old, _ := strings.Cut(line, "\t"); n == name {
			if text == "" {
				f.c.Filter(old)
				return
			}
			f.kept.Remove(line)
		}
	}
	switch {
	case name == "":
		f.c.Notify(":fav NAME keeps the filter that is on under that name")
	case text == "":
		f.c.Notify("there is no favourite called " + name)
	default:
		f.kept.Add(name + "\t" + text)
		f.c.Notify("kept as " + name + "; :fav " + name + " brings it back, :unfav " + name + " forgets it")
	}
}

// Forget forgets the filter of a name.
func (f *Favourites) Forget(name string) {
	name = strings.TrimSpace(name)
	for _, line := range f.kept.Lines() {
		if n, _, _ := strings.Cut(line, "\t"); n == name {
			f.kept.Remove(line)
			f.c.Notify(n + " is forgotten")
			return
		}
	}
	if f.c.InSettings()[name] != "" {
		f.c.Notify(name + " is written in the settings: take it away there")
		return
	}
	f.c.Notify("there is no favourite called " + name)
}
