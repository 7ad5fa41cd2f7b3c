package ui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"remora/internal/nearest"
)

// A keymap is what keys do. A key is written as Bubble Tea names it; keys that follow each other have spaces between them.
type keymap struct {
	does  map[string]action
	waits map[string]bool // the beginnings of longer ones
	own   []string        // the person's own, in order
}

// standardKeys are the keys as declared.
var standardKeys = func() keymap {
	k := keymap{does: map[string]action{}}
	for _, g := range keyTable {
		for _, key := range g.Keys {
			for _, name := range key.names {
				k.does[name] = key.act
			}
		}
	}
	for letters, act := range sequences {
		keys, _ := parseKeys(letters)
		k.does[keys] = act
	}
	for letters, act := range sequences { // c copies as y does, Ctrl-W goes on to the next pane: habits of others
		if letters[0] == 'y' {
			keys, _ := parseKeys("c" + letters[1:])
			k.does[keys] = act
		}
	}
	k.does["ctrl+w w"], k.does["ctrl+w ctrl+w"] = actNextPane, actNextPane
	k.findWaits()
	return k
}()

func (k *keymap) findWaits() {
	k.waits = map[string]bool{}
	for keys := range k.does {
		for i := range len(keys) {
			if keys[i] == ' ' {
				k.waits[keys[:i]] = true
			}
		}
	}
}

// takesLetter tells whether an action wants the letter that is typed next.
func takesLetter(a action) bool { return a == actMark || a == actToMark }

// A Problem is what is wrong with a setting. Path leads to it: names of tables and keys, and numbers in lists.
type Problem struct {
	Path []string
	Text string
	More string // further lines: a filter with its culprit marked
}

func (p Problem) Error() string { return strings.Join(p.Path, ".") + ": " + p.Text }

// newKeymap changes the declared keys as a person wants them: a key and the action's name or a key whose work it does; ""
// takes from the key what it did.
func newKeymap(wanted map[string]string) (keymap, []Problem) {
	k := keymap{does: maps.Clone(standardKeys.does)}
	var problems []Problem
	wrong := func(key, format string, args ...any) {
		problems = append(problems, Problem{Path: []string{"keys", key}, Text: fmt.Sprintf(format, args...)})
	}
	written := map[string]string{}
	var order []string
	for _, text := range slices.Sorted(maps.Keys(wanted)) {
		keys, err := parseKeys(text)
		switch was := written[keys]; {
		case err != nil:
			wrong(text, "%v", err)
			continue
		case was != "":
			wrong(text, "%q is the same key", was)
			continue
		}
		written[keys] = text
		order = append(order, keys)
		if wanted[text] == "" {
			k.clear(keys)
		}
		delete(k.does, keys)
	}
	for _, keys := range order {
		if err := k.bind(keys, wanted[written[keys]]); err != nil {
			wrong(written[keys], "%v", err)
		}
	}
	k.findWaits()
	for _, keys := range order {
		if err := k.conflict(keys); err != nil {
			wrong(written[keys], "%v", err)
		}
	}
	if len(problems) == 0 && !k.leaves() {
		problems = append(problems, Problem{Path: []string{"keys"}, Text: "no key would leave the program: keep one of program.quit, program.quit-now, program.interrupt and program.command"})
	}
	k.own = order
	return k, problems
}

// clear takes from a key what it does, and from all that begin with it when it does nothing alone.
func (k *keymap) clear(keys string) {
	if k.does[keys] != actNone {
		delete(k.does, keys)
		return
	}
	maps.DeleteFunc(k.does, func(name string, _ action) bool { return strings.HasPrefix(name, keys+" ") })
}

// bind gives a key its work.
func (k *keymap) bind(keys, work string) error {
	if work == "" {
		return nil
	}
	if act := actionNamed(work); act != actNone {
		k.does[keys] = act
		return nil
	}
	to, err := parseKeys(work)
	if err != nil || strings.Contains(work, ".") && len(work) > 1 {
		return unknownAction(work)
	}
	if act := standardKeys.does[to]; act != actNone {
		k.does[keys] = act
	}
	for name, act := range standardKeys.does {
		if rest, ok := strings.CutPrefix(name, to+" "); ok {
			k.does[keys+" "+rest] = act
		}
	}
	if standardKeys.does[to] == actNone && !standardKeys.waits[to] {
		return fmt.Errorf("%q does nothing, so no other key can do its work", work)
	}
	return nil
}

func unknownAction(name string) error {
	var names []string
	for _, a := range Actions() {
		names = append(names, a.Name)
	}
	if near := nearest.One(name, names); near != "" {
		return fmt.Errorf("there is no action called %q; did you mean %s?", name, near)
	}
	return fmt.Errorf("there is no action called %q; remora --print-config lists them", name)
}

// conflict says why a key cannot be reached, or keeps others from being reached.
func (k *keymap) conflict(keys string) error {
	if act := k.does[keys]; act != actNone && k.waits[keys] && !takesLetter(act) {
		for _, name := range slices.Sorted(maps.Keys(k.does)) {
			if strings.HasPrefix(name, keys+" ") {
				return fmt.Errorf("%s begins %s (%s), so it can do nothing alone; choose another key, or free those with %q = \"\"", keyLabel(keys), keyLabel(name), actionTable[k.does[name]].Name, keys)
			}
		}
	}
	for i := range len(keys) {
		if act := k.does[keys[:i]]; keys[i] == ' ' && act != actNone && !takesLetter(act) {
			return fmt.Errorf("%s does %s at once; free it with %q = \"\"", keyLabel(keys[:i]), actionTable[act].Name, keys[:i])
		}
	}
	return nil
}

// leaves tells whether a key is left that ends the program.
func (k *keymap) leaves() bool {
	for _, act := range k.does {
		if act == actQuit || act == actQuitNow || act == actInterrupt || act == actCommand {
			return true
		}
	}
	return false
}

// labels are the keys of an action as people write them: the person's own first, then those declared.
func (k *keymap) labels(act action) []string {
	var own, out []string
	for _, keys := range slices.Sorted(maps.Keys(k.does)) {
		switch {
		case k.does[keys] != act:
		case standardKeys.does[keys] == act:
			out = append(out, keyLabel(keys))
		default:
			own = append(own, keyLabel(keys))
		}
	}
	return append(own, out...)
}

// shown is a line of the help, or a hint, with the keys that do its work now. Words that are no keys stay.
func (k *keymap) shown(keys string, acts []action) string {
	if len(k.own) == 0 {
		return keys
	}
	var out []string
	for word := range strings.FieldsSeq(keys) {
		name, err := parseKeys(word)
		first, _, _ := strings.Cut(name, " ")
		was := standardKeys.does[name]
		if was == actNone && takesLetter(standardKeys.does[first]) {
			name, was = first, standardKeys.does[first]
		}
		if err != nil || was == actNone || k.does[name] == was {
			out = append(out, word)
			if was != actNone && !slices.Contains(acts, was) {
				acts = append(acts, was)
			}
		} else if !slices.Contains(acts, was) {
			acts = append(acts, was)
		}
	}
	var own []string
	for _, name := range slices.Sorted(maps.Keys(k.does)) {
		if act := k.does[name]; slices.Contains(acts, act) && standardKeys.does[name] != act {
			own = append(own, keyLabel(name))
		}
	}
	return strings.Join(append(own, out...), " ")
}

// keyWords are the names of keys that are more than a character, with how people write them.
var keyWords = [][2]string{{"enter", "Enter"}, {"tab", "Tab"}, {"backspace", "Backspace"}, {"esc", "Esc"}, {"space", "Space"}, {"up", "↑"}, {"down", "↓"},
	{"left", "←"}, {"right", "→"}, {"insert", "Insert"}, {"delete", "Delete"}, {"pgup", "PgUp"}, {"pgdown", "PgDn"}, {"home", "Home"}, {"end", "End"}}

// otherWords are further words for keys.
var otherWords = map[string]string{"return": "enter", "escape": "esc", "del": "delete", "ins": "insert", "pageup": "pgup", "pagedown": "pgdown", "spacebar": "space"}

// parseKeys reads a key, or several that follow each other ("gp", "g down"), into Bubble Tea's names with spaces between.
func parseKeys(text string) (string, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return "", fmt.Errorf("a key is missing; the space bar is \"space\"")
	}
	var out []string
	for _, word := range words {
		name, err := parseKey(word)
		if err != nil && utf8.RuneCountInString(word) == 2 {
			r := []rune(word)
			out = append(out, string(r[0]), string(r[1]))
			continue
		}
		if err != nil {
			return "", err
		}
		out = append(out, name)
	}
	if c := out[0]; c >= "1" && c <= "9" && len(c) == 1 {
		return "", fmt.Errorf("digits are numbers in front of other keys")
	}
	return strings.Join(out, " "), nil
}

// parseKey reads one key: "j", "Ctrl-J", "ctrl+j", "alt+left", "PgDn", "F8".
func parseKey(word string) (string, error) {
	mods := map[string]bool{}
	rest := word
	for {
		at := strings.IndexAny(rest, "+-")
		if at <= 0 || at == len(rest)-1 {
			break
		}
		mod := strings.ToLower(rest[:at])
		if mod == "c" {
			mod = "ctrl"
		}
		if mod != "ctrl" && mod != "alt" && mod != "shift" {
			break
		}
		mods[mod], rest = true, rest[at+1:]
	}
	name, ok := keyName(rest, len(mods) > 0)
	if !ok {
		return "", unknownKey(word)
	}
	if mods["shift"] && utf8.RuneCountInString(name) == 1 && !mods["ctrl"] && !mods["alt"] {
		return strings.ToUpper(name), nil // as the terminal sends it
	}
	out := ""
	for _, mod := range []string{"ctrl", "alt", "shift"} {
		if mods[mod] {
			out += mod + "+"
		}
	}
	return out + name, nil
}

// keyName is the name of a key without modifiers; letters behind a modifier are small.
func keyName(word string, modified bool) (string, bool) {
	if utf8.RuneCountInString(word) == 1 {
		for _, w := range keyWords {
			if w[1] == word {
				return w[0], true
			}
		}
		if modified {
			word = strings.ToLower(word)
		}
		return word, true
	}
	small := strings.ToLower(word)
	if to := otherWords[small]; to != "" {
		return to, true
	}
	for _, w := range keyWords {
		if w[0] == small || strings.ToLower(w[1]) == small {
			return w[0], true
		}
	}
	var n int
	if k, err := fmt.Sscanf(small, "f%d", &n); k == 1 && err == nil && n >= 1 && n <= 20 && small == "f"+strconv.Itoa(n) {
		return small, true
	}
	return "", false
}

func unknownKey(word string) error {
	names := []string{"ctrl+a", "alt+a", "shift+tab", "f1"}
	for _, w := range keyWords {
		names = append(names, w[0])
	}
	last := word[strings.LastIndexAny(word, "+-")+1:]
	for _, mod := range []string{"ctrl", "alt", "shift"} { // a misspelt modifier: the key behind it is kept
		if head := strings.TrimRight(word[:len(word)-len(last)], "+-"); head != "" && nearest.One(strings.ToLower(head), []string{mod}) != "" {
			if name, ok := keyName(last, true); ok && strings.ToLower(head) != mod {
				return fmt.Errorf("there is no key called %q; did you mean %s+%s?", word, mod, name)
			}
		}
	}
	if near := nearest.One(strings.ToLower(word), names); near != "" {
		return fmt.Errorf("there is no key called %q; did you mean %s?", word, near)
	}
	return fmt.Errorf("there is no key called %q; keys are written as j, J, ctrl+j, alt+left, f8, pgdown, or gj for two in turn", word)
}

// keyLabel is how people write a key, or several in turn.
func keyLabel(keys string) string {
	var out []string
	short := true
	for name := range strings.FieldsSeq(keys) {
		label, base := "", name
		for _, mod := range []string{"ctrl", "alt", "shift"} {
			if rest, ok := strings.CutPrefix(base, mod+"+"); ok {
				label, base = label+strings.ToUpper(mod[:1])+mod[1:]+"-", rest
			}
		}
		for _, w := range keyWords {
			if w[0] == base {
				base = w[1]
			}
		}
		if (label != "" || len(base) > 1) && base[0] < utf8.RuneSelf {
			base = strings.ToUpper(base[:1]) + base[1:]
		}
		label += base
		short = short && utf8.RuneCountInString(label) == 1
		out = append(out, label)
	}
	if short {
		return strings.Join(out, "")
	}
	return strings.Join(out, " ")
}

// keyMenus say what may follow a key, as declared.
var keyMenus = map[string]string{"g": "g first  p packets  t types  c talkers  n notes  f follow", "z": "R open all  M close all  a o c this one", "Z": "Z leave without asking",
	"'": "' back  a-z to that mark", "m": "a-z puts that mark on the packet", "": "G go to the packet, j k repeat",
	"]": "m next marked  n next note  c next comment", "[": "m last marked  n last note  c last comment",
	"a": "s this  n not this  a and  o or  A and not  O or not", "A": "write it only:  s this  n not this  a and  o or  A and not  O or not",
	"y": "y row  v value  t tree  j JSON  = filter  h hex  b base64  c C  g Go  p Py"}

// menu says what may follow the keys pressed.
func (k *keymap) menu(keys string) string {
	begins := func(name string) bool { return strings.HasPrefix(name, keys+" ") }
	menu := keys
	if menu == "c" {
		menu = "y"
	}
	if text, ok := keyMenus[menu]; ok && !slices.ContainsFunc(k.own, begins) {
		return text
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(k.does)) {
		if begins(name) {
			_, word, _ := strings.Cut(actionTable[k.does[name]].Name, ".")
			out = append(out, keyLabel(name[len(keys)+1:])+" "+word)
		}
	}
	if len(out) == 0 {
		return "a letter follows"
	}
	return strings.Join(out, "  ")
}

// keys are the lines of the help, with the person's own keys.
func (m *model) keys() []KeyGroup {
	var out []KeyGroup
	for _, g := range keyTable {
		var lines []Key
		for i, k := range g.Keys {
			if k.Keys == "" {
				continue
			}
			acts := []action{k.act}
			for _, more := range g.Keys[i+1:] {
				if more.Keys != "" {
					break
				}
				acts = append(acts, more.act)
			}
			acts = slices.DeleteFunc(acts, func(a action) bool { return a == actNone })
			line := k
			line.Keys = m.keymap.shown(k.Keys, acts)
			if line.act == actNone {
				first, _, _ := strings.Cut(k.Keys, " ")
				name, _ := parseKeys(first)
				line.act = standardKeys.does[name]
			}
			lines = append(lines, line)
		}
		out = append(out, KeyGroup{g.Title, lines})
	}
	return out
}
