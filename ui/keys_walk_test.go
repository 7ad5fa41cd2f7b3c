package ui

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"remora/internal/testall"
	"remora/ui/act"
	"remora/ui/keys"
	"remora/ui/view"
)

// quietly keeps keys away from the clipboards and the folder of whoever runs the tests.
func quietly(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("TMUX", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
}

// strokes presses the keys of a name one after the other, and gives the actions that they led to. Work beside the
// screen is left to the caller.
func (x *screen) strokes(name string) (did []act.Action) {
	x.t.Helper()
	x.m.actions.watched = func(a act.Action) { did = append(did, a) }
	defer func() { x.m.actions.watched = nil }()
	for one := range strings.FieldsSeq(name) {
		k := pressOf(one)
		if k.String() != one {
			x.t.Fatalf("the terminal's %s is taken for %s", one, k)
		}
		x.m.handle(k)
	}
	return did
}

// declared are the keys of the table with what its lines say they do: an action, or None where a line without one of
// its own stands for keys of two letters.
func declared(t *testing.T, groups []keys.Group) map[string]act.Action {
	out, named := map[string]act.Action{}, map[string]bool{}
	for _, g := range groups {
		for _, k := range g.Keys {
			for _, name := range k.Names {
				out[name] = k.Act
			}
			for word := range strings.FieldsSeq(k.Keys) {
				if word == ":w" || word == "FILE" { // a command
					continue
				}
				name, err := keys.Parse(word)
				if err != nil {
					t.Errorf("%s: %q is no key: %v", g.Title, word, err)
				}
				named[name] = true
			}
		}
	}
	for name := range named {
		first, _, _ := strings.Cut(name, " ")
		switch {
		case out[name] != act.None || act.TakesLetter(out[first]):
		case keys.Standard.Does[name] != act.None:
			out[name] = keys.Standard.Does[name]
		default:
			t.Errorf("the table writes of %s, which nothing does", name)
		}
	}
	return out
}

// pressed is what is pressed for a key: with the letter that it waits for, if it does.
func pressed(name string, does act.Action) string {
	if act.TakesLetter(does) {
		return name + " a"
	}
	return name
}

// standard are all keys of the screen: those of the table by what it declares, and others that do the same.
func standard(t *testing.T) map[string]act.Action {
	all := declared(t, keys.Table)
	for name, does := range keys.Standard.Does {
		if was := all[name]; was != act.None && was != does {
			t.Errorf("%s is declared as %s and does %s", name, was.Name(), does.Name())
		}
		all[name] = does
	}
	return all
}

// TestKeysReachTheirActions presses every key of the table as a terminal sends it, in every pane, in the facets and in
// views, and has exactly the action done that its line declares.
func TestKeysReachTheirActions(t *testing.T) {
	quietly(t)
	for i, place := range []string{"20G", "20G<tab>jj", "20G<tab><tab>", "20Gf", "gt", "20Ggf"} {
		facets := strings.HasSuffix(place, "f") && !strings.HasSuffix(place, "gf")
		all := standard(t)
		if facets {
			own := declared(t, groupOf(t, "In the facets"))
			maps.DeleteFunc(all, func(name string, _ act.Action) bool {
				first, _, more := strings.Cut(name, " ")
				return more && own[first] != act.None // it is done before the second key
			})
			maps.Copy(all, own)
		}
		x := open(t, 120, 36, Config{}).keys(place)
		for j, name := range slices.Sorted(maps.Keys(all)) {
			if (i+j)%testall.Of(3, 1) != 0 {
				continue // it is pressed in two other places
			}
			if got := x.strokes(pressed(name, all[name])); !slices.Equal(got, []act.Action{all[name]}) {
				t.Errorf("%q: %s does %s, and is declared as %s", place, name, namesOf(got), all[name].Name())
			}
			x.m.closeAll()
			x = open(t, 120, 36, Config{}).keys(place)
		}
	}
}

func namesOf(acts []act.Action) string {
	var out []string
	for _, a := range acts {
		out = append(out, a.Name())
	}
	return cmp.Or(strings.Join(out, ", "), "nothing")
}

// groupOf are the keys of a layer by its title.
func groupOf(t *testing.T, title string) []keys.Group {
	i := slices.IndexFunc(keys.Layers, func(g keys.Group) bool { return g.Title == title })
	if i < 0 {
		t.Fatalf("there are no keys %q", title)
	}
	return keys.Layers[i : i+1]
}

// TestHelpIsTrue presses every key of the screen, as the terminal sends it, in a few places: in each it must lead to
// its action, and in one of them at least it must change what is seen, ask something, leave, or hand something on.
func TestHelpIsTrue(t *testing.T) {
	quietly(t)
	places := []string{"20G", "20G<tab>jj", "20G<tab><tab>", "gg/touhou<enter>jj", "gt", "gc<tab>", "gn", "20Gf", "20Ggf",
		"20GmaG", "5G<space>9G", "<ctrl+f>touhou<enter>k", "20G<tab>zM", "20Gyy", "20G5G", "20G5G''"}
	keys := standard(t)
	done := map[act.Action]bool{}
	for _, place := range places {
		x := open(t, 120, 36, Config{}).keys(place)
		at := x.text() + x.m.look.drawn
		for _, name := range slices.Sorted(maps.Keys(keys)) {
			does := keys[name]
			did := x.strokes(pressed(name, does))
			if slices.Equal(did, []act.Action{does}) && x.worked(at) {
				delete(keys, name)
				done[does] = true
			}
			x.m.closeAll()
			x = open(t, 120, 36, Config{}).keys(place)
			at = x.text() + x.m.look.drawn
		}
	}
	for name, does := range keys {
		t.Errorf("%s (%s) does nothing anywhere", name, does.Name())
	}
	for _, a := range act.All() {
		if !done[a] && a.Layer() == "" {
			t.Errorf("no key does %s", a.Name())
		}
	}
}

// worked tells whether keys had any effect since the screen was as it is given.
func (x *screen) worked(before string) bool {
	if x.m.ending.quit || x.m.jobs.Next() != nil || x.m.dialog.Asking() ||
		x.m.foot.Notice != "" && !strings.Contains(x.m.foot.Notice, "no ") {
		return true
	}
	return x.text()+x.m.look.drawn != before
}

// TestKeysWhileTyping presses the keys of the input line in lines of several kinds: each does what is declared, in one
// of them at least with an effect on the line.
func TestKeysWhileTyping(t *testing.T) {
	quietly(t)
	places := []string{"/dns && udp", "/dns && udp<home>", "/dns<enter><esc>/", "/udp.s", "/udp.s<down>", "<ctrl+f>dns",
		":zoom", "3G;one two<home>"}
	keys, idle := declared(t, groupOf(t, "While typing")), map[string]bool{}
	for name := range keys {
		idle[name] = true
	}
	for _, place := range places {
		for name, does := range keys {
			if !idle[name] && !testall.On() {
				continue // it was seen at work
			}
			x := open(t, 120, 36, Config{}).keys(place)
			at := x.text() + x.m.look.drawn
			if got := x.strokes(name); !(len(got) > 0 && got[0] == does && (len(got) == 1 || does == act.LineAccept)) {
				t.Errorf("%q: %s does %s, and is declared as %s", place, name, namesOf(got), does.Name())
			}
			if x.worked(at) {
				delete(idle, name)
			}
			x.m.closeAll()
		}
	}
	for name := range idle {
		t.Errorf("%s does nothing in any line", name)
	}
}

// TestKeysWhereASourceIsChosen presses the keys of the chooser, and those of the screen that hold there.
func TestKeysWhereASourceIsChosen(t *testing.T) {
	quietly(t)
	all, idle := declared(t, groupOf(t, "Choosing a source")), map[string]bool{}
	for name := range all {
		idle[name] = true
	}
	for name, does := range standard(t) {
		if all[name] == act.None && keys.Standard.Sources(name) == does {
			all[name] = does
		}
	}
	for _, first := range []string{"", "r"} {
		for name, does := range all {
			x, _ := choose(t)
			x.keys(first)
			at := x.text() + x.m.look.drawn
			// some are handed on, and are told of twice
			if got := slices.Compact(x.strokes(name)); !slices.Equal(got, []act.Action{does}) {
				t.Errorf("%s does %s, and is declared as %s", name, namesOf(got), does.Name())
			}
			x.send(tick{}) // what is forgotten is seen once it is listed anew
			if x.m.ending.quit || x.text()+x.m.look.drawn != at {
				delete(idle, name)
			}
			x.m.closeAll()
		}
	}
	delete(idle, "g") // to the line that the cursor begins on
	for name := range idle {
		t.Errorf("%s does nothing where a source is chosen", name)
	}
}

// TestKeysOfAnswers presses the keys of a question that has every answer: each chooses its own.
func TestKeysOfAnswers(t *testing.T) {
	choices := []act.Action{act.AnswerYes, act.AnswerSave, act.AnswerDiscard, act.AnswerKeep, act.AnswerRun}
	for name, does := range declared(t, groupOf(t, "Answering")) {
		x := open(t, 80, 24, Config{})
		var chosen act.Action
		var answers []view.Answer
		for _, a := range choices {
			answers = append(answers, view.Answer{Act: a, Label: a.Name(), Do: func() { chosen = a }})
		}
		x.m.dialog.Ask("Which?", "One of these.", answers...)
		if got := x.strokes(name); !slices.Equal(got, []act.Action{does}) {
			t.Errorf("%s does %s, and is declared as %s", name, namesOf(got), does.Name())
		}
		wants, open, at := act.None, false, 0
		switch does {
		case act.AnswerTake:
		case act.AnswerNext:
			open, at = true, 0
		case act.AnswerPrev:
			open, at = true, len(choices)-1
		case act.AnswerNo:
		default:
			wants = does
		}
		if chosen != wants || open != x.m.dialog.Asking() {
			t.Errorf("%s chooses %s, and leaves the question open: %v", name, chosen.Name(), x.m.dialog.Asking())
		}
		if open { // the cursor is on the answer that Enter gives
			if x.keys("<enter>"); chosen != choices[at] {
				t.Errorf("%s leads to %s, not to %s", name, chosen.Name(), choices[at].Name())
			}
		}
		x.m.closeAll()
	}
}
