// Package macros has keys to which somebody gave an action, or other keys that are pressed in their place, with a
// command of the screen. They are kept between runs.
package macros

import (
	"slices"
	"strings"

	"remora/ui/act"
	"remora/ui/keys"
)

// A List is lines that are kept between runs.
type List interface {
	Lines() []string
	Add(line string) error
	Remove(line string) error
}

// A Press is a key as the keymap calls it, with the text that it types.
type Press struct{ Name, Text string }

// Macros are the keys that were mapped. Keys that a macro presses are no macros themselves.
type Macros struct {
	notify func(text string)
	kept   List // each "key TAB what it does"
	does   map[string]string
}

// New are macros that a list keeps; notify says something in the line above the keys.
func New(notify func(text string), kept List) *Macros {
	m := &Macros{notify: notify, kept: kept, does: map[string]string{}}
	for _, line := range kept.Lines() {
		if key, work, ok := strings.Cut(line, "\t"); ok {
			m.does[key] = work
		}
	}
	return m
}

// Of is what a key does: an action, or keys that are pressed one after the other.
func (m *Macros) Of(key string) (does act.Action, presses []Press, ok bool) {
	work, ok := m.does[key]
	if does = act.Named(work); ok && does == act.None {
		presses = parse(work)
	}
	return does, presses, ok
}

// Map gives a key what it does: an action's name, or keys as they would be typed, those without a letter in angle
// brackets: ":map f5 gf<enter>", ":map Q :w out.pcapng<enter>". Without a key it says which there are.
func (m *Macros) Map(arg string) {
	word, work, _ := strings.Cut(strings.TrimSpace(arg), " ")
	work = strings.TrimSpace(work)
	if word == "" {
		m.list()
		return
	}
	key, err := keys.Parse(word)
	switch {
	case err != nil:
		m.notify("not mapped: " + err.Error())
	case strings.Contains(key, " "):
		m.notify("not mapped: a macro has one key; the settings give keys of several letters to actions")
	case slices.Contains([]string{":", "esc", "ctrl+c"}, key) || len(key) == 1 && key[0] >= '0' && key[0] <= '9':
		m.notify("not mapped: " + keys.Label(key) + " is needed as it is")
	case work == "" && m.does[key] == "":
		m.notify(keys.Label(key) + " has no macro; :map " + word + " ACTION or KEYS gives it one")
	case work == "":
		m.notify(keys.Label(key) + ": " + m.does[key])
	default:
		m.forget(key)
		m.does[key] = work
		m.kept.Add(key + "\t" + work)
		m.notify(keys.Label(key) + ": " + work + "; :unmap " + word + " takes it back")
	}
}

// Unmap takes from a key what it was given.
func (m *Macros) Unmap(word string) {
	key, err := keys.Parse(strings.TrimSpace(word))
	if _, ok := m.does[key]; err != nil || !ok {
		m.notify("there is no macro on " + word)
		return
	}
	m.forget(key)
	m.notify(keys.Label(key) + " does what it did before")
}

func (m *Macros) forget(key string) {
	if work, ok := m.does[key]; ok {
		m.kept.Remove(key + "\t" + work)
		delete(m.does, key)
	}
}

func (m *Macros) list() {
	var out []string
	for key, work := range m.does {
		out = append(out, keys.Label(key)+": "+work)
	}
	slices.Sort(out)
	if len(out) == 0 {
		out = []string{":map KEY ACTION or KEYS gives a key something to do: :map f5 gf<enter>"}
	}
	m.notify(strings.Join(out, "   "))
}

// mostPresses bounds what one key presses.
const mostPresses = 1000

// parse takes keys apart: names in angle brackets, <lt> for such a bracket, everything else letter by letter.
func parse(work string) (out []Press) {
	for len(work) > 0 && len(out) < mostPresses {
		if end := strings.IndexByte(work, '>'); work[0] == '<' && end > 1 {
			switch name, err := keys.Parse(work[1:end]); {
			case work[:end+1] == "<lt>":
				out, work = append(out, Press{"<", "<"}), work[end+1:]
				continue
			case err == nil && !strings.Contains(name, " "):
				p := Press{Name: name}
				if name == "space" {
					p.Text = " "
				}
				out, work = append(out, p), work[end+1:]
				continue
			}
		}
		r := []rune(work)[0]
		p := Press{string(r), string(r)}
		if r == ' ' {
			p.Name = "space"
		}
		out, work = append(out, p), work[len(string(r)):]
	}
	return out
}
