// Package set changes settings until remora is left, as vim's :set does. Settings that last are in the file.
package set

import (
	"slices"
	"strings"

	"remora/ui/complete"
)

// A Setting can be changed on the screen.
type Setting struct {
	Name  string
	Words func() []string // what it may be; nil: on and off
	Free  string          // what it takes instead, where that is no list
	Help  string
	Title string  // what it is; "": Help says so
	Usual *string // what it is where nobody sets it; nil: unknown
	Now   func() string
	Set   func(word string) // one of the words
	// SetFree takes what is no word of a list, and returns what is said of it.
	SetFree func(text string) string
	More    func() string // what else is said once it was changed; nil: nothing
}

// OnOff is the word for what is on or off.
func OnOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// turns tells whether it is on or off.
func (s Setting) turns() bool { return s.Words == nil && s.Free == "" }

// Choices are the words that it may be, or what it takes instead.
func (s Setting) Choices() []string {
	if s.Free != "" {
		return []string{s.Free}
	}
	if s.Words == nil {
		return []string{"on", "off"}
	}
	return s.Words()
}

// change takes a word, and says what became of it.
func (s Setting) change(word string) string {
	if s.Free != "" {
		return s.SetFree(strings.TrimSpace(word))
	}
	word = strings.ReplaceAll(word, " ", "")
	word, ok := s.meant(word)
	if !ok {
		return s.Name + " may be " + strings.Join(s.Choices(), ", ")
	}
	s.Set(word)
	says := s.Name + "=" + s.Now()
	if s.More != nil {
		says += s.More()
	}
	return says
}

// meant is the choice that a word stands for: on and off have other names, and the case of letters does not count.
func (s Setting) meant(word string) (string, bool) {
	all := s.Choices()
	for _, names := range [...][]string{{word}, {"on", "true", "1", "yes"}, {"off", "false", "0", "no"}} {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, word) }) {
			continue
		}
		if i := slices.IndexFunc(all, func(c string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, c) })
		}); i >= 0 {
			return all[i], true
		}
	}
	return "", false
}

// Settings are all that can be changed.
type Settings []Setting

// named is the setting of a name, or nil.
func (all Settings) named(name string) *Setting {
	i := slices.IndexFunc(all, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// turned is the setting that is on or off of a name, or nil.
func (all Settings) turned(name string) *Setting {
	if s := all.named(name); s != nil && s.turns() {
		return s
	}
	return nil
}

// Command changes a setting, as in mouse=off, or says what it is. Words that vim's users try are understood, too:
// mouse, nomouse and mouse!.
func (all Settings) Command(arg string) (says string) {
	name, word, given := strings.Cut(arg, "=")
	name = strings.TrimSpace(name)
	switch s := all.named(name); {
	case s != nil && given:
		return s.change(word)
	case s != nil:
		return s.Name + "=" + s.Now() + "; it may be " + strings.Join(s.Choices(), ", ")
	}
	if rest, turn := strings.CutSuffix(name, "!"); turn && !given && all.turned(rest) != nil {
		s := all.turned(rest)
		return s.change(OnOff(s.Now() == "off"))
	}
	if rest, no := strings.CutPrefix(name, "no"); no && !given && all.turned(rest) != nil {
		return all.turned(rest).change("off")
	}
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	return ":set takes one of " + strings.Join(names, ", ") + ", as in :set mouse=off"
}

// Offers are the settings and what they may be.
func (all Settings) Offers(arg string) []complete.Offer {
	var words [][2]string
	for _, s := range all {
		if s.Free != "" {
			words = append(words, [2]string{s.Name + "=", s.Help})
			continue
		}
		for _, w := range s.Choices() {
			words = append(words, [2]string{s.Name + "=" + w, s.Help})
		}
	}
	return complete.Words(arg, words)
}
