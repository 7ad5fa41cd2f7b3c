package keys

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"remora/internal/suggest"
	"remora/ui/act"
)

// A Map is what keys do. A key is written as Bubble Tea names it; keys that follow each other have spaces between them.
type Map struct {
	Does  map[string]act.Action
	Waits map[string]bool                  // the beginnings of longer ones
	Over  map[string]map[string]act.Action // by layer: what single keys do there, before anything else
	own   []string                         // the person's own, in order
}

// Standard are the keys as declared.
var Standard = func() Map {
	k := Map{Does: map[string]act.Action{}, Over: declaredLayers()}
	for _, g := range Table {
		for _, key := range g.Keys {
			for _, name := range key.Names {
				k.Does[name] = key.Act
			}
		}
	}
	for letters, does := range sequences {
		keys, _ := Parse(letters)
		k.Does[keys] = does
	}
	for letters, does := range sequences { // c copies as y does, Ctrl-W goes on to the next pane: habits of others
		if letters[0] == 'y' {
			keys, _ := Parse("c" + letters[1:])
			k.Does[keys] = does
		}
	}
	k.Does["ctrl+w w"], k.Does["ctrl+w ctrl+w"], k.Does["ctrl+w ="] = act.NextPane, act.NextPane, act.UsualSizes
	k.Does["ctrl+w c"] = act.Close
	k.findWaits()
	return k
}()

func (k *Map) findWaits() {
	k.Waits = map[string]bool{}
	for keys := range k.Does {
		for i := range len(keys) {
			if keys[i] == ' ' {
				k.Waits[keys[:i]] = true
			}
		}
	}
}

// A Fault is a key of a person's own that cannot be as it was wanted.
type Fault struct {
	Key  string // as it was written; "" for all of them together
	Text string
}

// New changes the declared keys as a person wants them: a key and the action's name or a key whose work it does; ""
// takes from the key what it did.
func New(wanted map[string]string) (Map, []Fault) {
	k := Map{Does: maps.Clone(Standard.Does), Over: declaredLayers()}
	var faults []Fault
	wrong := func(key, format string, args ...any) {
		faults = append(faults, Fault{key, fmt.Sprintf(format, args...)})
	}
	written := map[string]string{}
	var order []string
	for _, text := range slices.Sorted(maps.Keys(wanted)) {
		keys, err := Parse(text)
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
		if !onlyOver(wanted[text]) {
			delete(k.Does, keys)
		}
	}
	for _, keys := range order {
		if err := k.bindAll(keys, wanted[written[keys]]); err != nil {
			wrong(written[keys], "%v", err)
		}
	}
	k.findWaits()
	for _, keys := range order {
		if err := k.conflict(keys); err != nil {
			wrong(written[keys], "%v", err)
		}
	}
	if len(faults) == 0 && !k.leaves() {
		faults = append(faults,
			Fault{Text: "no key would leave the program: keep one of program.quit, program.quit-now, program.interrupt and " +
				"program.command"})
	}
	if len(faults) == 0 && !k.typable() {
		faults = append(faults, Fault{Text: "no key would end what is typed: keep one of line.accept and one of line.cancel"})
	}
	if len(faults) == 0 && !k.answerable() {
		faults = append(faults, Fault{Text: "no key would lead back from a question: keep one of answer.no"})
	}
	k.own = order
	return k, faults
}

// clear takes from a key what it does, and from all that begin with it when it does nothing alone.
func (k *Map) clear(keys string) {
	for _, over := range k.Over {
		delete(over, keys)
	}
	if k.Does[keys] != act.None {
		delete(k.Does, keys)
		return
	}
	maps.DeleteFunc(k.Does, func(name string, _ act.Action) bool { return strings.HasPrefix(name, keys+" ") })
}

// bind gives a key its work.
func (k *Map) bind(keys, work string) error {
	if work == "" {
		return nil
	}
	if does := act.Named(work); does != act.None {
		return k.bindAction(keys, does)
	}
	to, err := Parse(work)
	if err != nil || strings.Contains(work, ".") && len(work) > 1 {
		return unknownAction(work)
	}
	if does := Standard.Does[to]; does != act.None {
		k.Does[keys] = does
	}
	for name, does := range Standard.Does {
		if rest, ok := strings.CutPrefix(name, to+" "); ok {
			k.Does[keys+" "+rest] = does
		}
	}
	if over := k.bindOver(keys, to); !over && Standard.Does[to] == act.None && !Standard.Waits[to] {
		return fmt.Errorf("%q does nothing, so no other key can do its work", work)
	}
	return nil
}

func unknownAction(name string) error {
	var names []string
	for _, a := range act.All() {
		names = append(names, a.Name())
	}
	if near := suggest.One(name, names); near != "" {
		return fmt.Errorf("there is no action called %q; did you mean %s?", name, near)
	}
	return fmt.Errorf("there is no action called %q; remora --print-config lists them", name)
}

// conflict says why a key cannot be reached, or keeps others from being reached.
func (k *Map) conflict(keys string) error {
	if does := k.Does[keys]; does != act.None && k.Waits[keys] && !act.TakesLetter(does) {
		for _, name := range slices.Sorted(maps.Keys(k.Does)) {
			if strings.HasPrefix(name, keys+" ") {
				return fmt.Errorf("%s begins %s (%s), so it can do nothing alone; choose another key, or free those with %q = \"\"",
					Label(keys), Label(name), k.Does[name].Name(), keys)
			}
		}
	}
	for i := range len(keys) {
		if does := k.Does[keys[:i]]; keys[i] == ' ' && does != act.None && !act.TakesLetter(does) {
			return fmt.Errorf("%s does %s at once; free it with %q = \"\"", Label(keys[:i]), does.Name(), keys[:i])
		}
	}
	return nil
}

// leaves tells whether a key is left that ends the program.
func (k *Map) leaves() bool {
	for _, does := range k.Does {
		if does == act.Quit || does == act.QuitNow || does == act.Interrupt || does == act.Command {
			return true
		}
	}
	return false
}

// Labels are the keys of an action as people write them: the person's own first, then those declared.
func (k *Map) Labels(does act.Action) []string {
	var own, out []string
	now, standard := k.Does, Standard.Does
	if layer := does.Layer(); layer != "" {
		now, standard = k.Over[layer], Standard.Over[layer]
	}
	for _, keys := range slices.Sorted(maps.Keys(now)) {
		switch {
		case now[keys] != does:
		case standard[keys] == does:
			out = append(out, Label(keys))
		default:
			own = append(own, Label(keys))
		}
	}
	return append(own, out...)
}

// Shown is a line of the help, or a hint, with the keys that do its work now. Words that are no keys stay.
func (k *Map) Shown(keys string, acts []act.Action) string { return k.ShownIn("", keys, acts) }

// ShownIn is Shown for a layer.
func (k *Map) ShownIn(layer, keys string, acts []act.Action) string {
	if len(k.own) == 0 {
		return keys
	}
	now, standard := k.in(layer), Standard.in(layer)
	var out []string
	for word := range strings.FieldsSeq(keys) {
		name, err := Parse(word)
		first, _, _ := strings.Cut(name, " ")
		was := standard[name]
		if was == act.None && act.TakesLetter(standard[first]) {
			name, was = first, standard[first]
		}
		if err != nil || was == act.None || now[name] == was {
			out = append(out, word)
			if was != act.None && !slices.Contains(acts, was) {
				acts = append(acts, was)
			}
		} else if !slices.Contains(acts, was) {
			acts = append(acts, was)
		}
	}
	var own []string
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if does := now[name]; slices.Contains(acts, does) && standard[name] != does {
			own = append(own, Label(name))
		}
	}
	return strings.Join(append(own, out...), " ")
}

// keyWords are the names of keys that are more than a character, with how people write them.
var keyWords = [][2]string{{"enter", "Enter"}, {"tab", "Tab"}, {"backspace", "Backspace"}, {"esc", "Esc"},
	{"space", "Space"}, {"up", "↑"}, {"down", "↓"},
	{"left", "←"}, {"right", "→"}, {"insert", "Insert"}, {"delete", "Delete"}, {"pgup", "PgUp"}, {"pgdown", "PgDn"},
	{"home", "Home"}, {"end", "End"}}

// otherWords are further words for keys.
var otherWords = map[string]string{"return": "enter", "escape": "esc", "del": "delete", "ins": "insert",
	"pageup": "pgup", "pagedown": "pgdown", "spacebar": "space"}

// Parse reads a key, or several that follow each other ("gp", "g down"), into Bubble Tea's names with spaces between.
func Parse(text string) (string, error) {
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
		if head := strings.TrimRight(word[:len(word)-len(last)], "+-"); head != "" &&
			suggest.One(strings.ToLower(head), []string{mod}) != "" {
			if name, ok := keyName(last, true); ok && strings.ToLower(head) != mod {
				return fmt.Errorf("there is no key called %q; did you mean %s+%s?", word, mod, name)
			}
		}
	}
	if near := suggest.One(strings.ToLower(word), names); near != "" {
		return fmt.Errorf("there is no key called %q; did you mean %s?", word, near)
	}
	return fmt.Errorf("there is no key called %q; keys are written as j, J, ctrl+j, alt+left, f8, pgdown, or gj for two "+
		"in turn", word)
}

// Label is how people write a key, or several in turn.
func Label(keys string) string {
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

// Help are the lines of the help, with the person's own keys.
func (k *Map) Help() []Group {
	var out []Group
	for _, g := range Table {
		out = append(out, k.helpGroup("", g))
	}
	for i, g := range Layers {
		out = append(out, k.helpGroup(layerNames[i], g))
	}
	return out
}

// HelpIn is the group of a layer where its lines can be run.
func (k *Map) HelpIn(layer string) Group {
	g := Layers[slices.Index(layerNames, layer)]
	out := k.helpGroup(layer, g)
	i := 0
	for _, key := range g.Keys {
		if key.Keys != "" {
			out.Keys[i].Act = key.Act
			i++
		}
	}
	return out
}

// helpGroup is a group with the keys as they are now. Lines of a layer are only read: what they do needs its place.
func (k *Map) helpGroup(layer string, g Group) Group {
	var lines []Key
	for i, key := range g.Keys {
		if key.Keys == "" {
			continue
		}
		acts := []act.Action{key.Act}
		for _, more := range g.Keys[i+1:] {
			if more.Keys != "" {
				break
			}
			acts = append(acts, more.Act)
		}
		acts = slices.DeleteFunc(acts, func(a act.Action) bool { return a == act.None })
		line := key
		line.Keys = k.ShownIn(layer, key.Keys, acts)
		if layer != "" {
			line.Act = act.None
		} else if line.Act == act.None {
			first, _, _ := strings.Cut(key.Keys, " ")
			name, _ := Parse(first)
			line.Act = Standard.Does[name]
		}
		lines = append(lines, line)
	}
	return Group{g.Title, lines}
}
