package ui

import (
	"strings"
	"testing"
)

func TestActionsHaveNames(t *testing.T) {
	if len(actionTable) != int(actQuitNow)+1 {
		t.Errorf("%d actions have names, there are %d", len(actionTable)-1, actQuitNow)
	}
	seen := map[string]bool{}
	for a := actNone + 1; int(a) < len(actionTable); a++ {
		x := actionTable[a]
		if x.Help == "" || strings.Count(x.Name, ".") != 1 || seen[x.Name] {
			t.Errorf("action %d is called %q (%q): each has a name of its own, as in packet.next, and a text (ui/actions.go)", a, x.Name, x.Help)
		}
		seen[x.Name] = true
		if actionNamed(x.Name) != a {
			t.Errorf("%s is not found", x.Name)
		}
	}
	for keys, act := range standardKeys.does {
		if act == actNone {
			t.Errorf("%s does nothing", keys)
		}
		if back, err := parseKeys(keyLabel(keys)); err != nil || back != keys {
			t.Errorf("%q is written %q, which reads as %q (%v)", keys, keyLabel(keys), back, err)
		}
	}
	if _, problems := newKeymap(nil); len(problems) > 0 {
		t.Error(problems)
	}
	for keys := range standardKeys.does {
		if err := standardKeys.conflict(keys); err != nil {
			t.Errorf("declared: %v", err)
		}
	}
}

func TestKeysAreRead(t *testing.T) {
	for text, want := range map[string]string{"j": "j", "J": "J", "shift+j": "J", "Ctrl-J": "ctrl+j", "ctrl+J": "ctrl+j", "C-j": "ctrl+j", "alt+Left": "alt+left", "Alt-←": "alt+left",
		"PgDn": "pgdown", "PageDown": "pgdown", "F8": "f8", "return": "enter", "gp": "g p", "g p": "g p", "g down": "g down", "ctrl+w w": "ctrl+w w", "+": "+", "-": "-", "ctrl++": "ctrl++",
		"shift+tab": "shift+tab", "alt+ctrl+x": "ctrl+alt+x", "''": "' '", "space": "space", "Ü": "Ü"} {
		if got, err := parseKeys(text); err != nil || got != want {
			t.Errorf("%q is read as %q (%v), want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"ctlr+j": "did you mean ctrl+j?", "pgdwn": "did you mean pgdown?", "": "a key is missing", "5": "digits are numbers", "f99": "no key called", "nosuchkey": "keys are written as"} {
		if got, err := parseKeys(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %q (%v), want %q", text, got, err, want)
		}
	}
}

func TestKeysOfOnesOwn(t *testing.T) {
	x := open(t, 120, 36, Config{Settings: Settings{Keys: map[string]string{"ctrl+f": "packet.next", "J": "}", "gl": "move.last", "j": "", "Q": "y", "M": "packet.mark"}}})
	x.keys("<ctrl+f><ctrl+f>")
	if x.m.cur != 3 {
		t.Errorf("a key bound to packet.next led to %d, want 3", x.m.cur)
	}
	x.keys("j")
	if x.m.cur != 3 {
		t.Errorf("a key that was freed led to %d", x.m.cur)
	}
	x.keys("J")
	if x.m.cur != 5 {
		t.Errorf("the key that does the work of } led to %d, want 5", x.m.cur)
	}
	x.keys("gl")
	if x.m.cur != 82 {
		t.Errorf("gl led to %d, want 82", x.m.cur)
	}
	x.keys("Mx''Mygg'y")
	if x.m.cur != 5 {
		t.Errorf("the mark is at %d, want 5", x.m.cur)
	}
	if got := strings.Join(x.m.keymap.labels(actNextPacket), " "); got != "Ctrl-F Ctrl-↓ F8" {
		t.Errorf("packet.next is on %s", got)
	}
	x.keys("gx")
	x.has("there is no gx")
	x.keys("Qv")
	x.has("the value")
	x.keys("g")
	x.has("l last", "p packets", "g first")
	x.keys("<esc>?")
	x.has("k ↓ ↑", "Ctrl-F F8 F7 Ctrl-↓", "J } {", "gl gg G Home End")
	x.hasNot("j k ↓")
	x.keys("next and previous packet, from<enter>")
	x.hasNot("type to search")
}

func TestWrongKeys(t *testing.T) {
	for want, keys := range map[string]map[string]string{
		`there is no action called "packet.nxt"; did you mean packet.next?`:                                       {"J": "packet.nxt"},
		`there is no action called "nosuch"; remora --print-config lists them`:                                    {"J": "nosuch"},
		`there is no key called "ctlr+j"; did you mean ctrl+j?`:                                                   {"ctlr+j": "packet.next"},
		`"Ctrl-J" is the same key`:                                                                                {"Ctrl-J": "packet.next", "ctrl+j": "packet.previous"},
		`g begins gc (view.talkers), so it can do nothing alone; choose another key, or free those with "g" = ""`: {"g": "packet.next"},
		`j does move.down at once; free it with "j" = ""`:                                                         {"jk": "packet.next"},
		`"J" does nothing, so no other key can do its work`:                                                       {"U": "J"},
		`digits are numbers in front of other keys`:                                                               {"7": "packet.next"},
		`no key would leave the program: keep one of program.quit, program.quit-now, program.interrupt`:           {"q": "", "ZZ": "", "ctrl+c": "", ":": "", "ctrl+p": ""},
	} {
		_, problems := newKeymap(keys)
		found := false
		for _, p := range problems {
			found = found || strings.Contains(p.Text, want)
		}
		if !found {
			t.Errorf("%v: %v, want %q", keys, problems, want)
		}
	}
	if _, problems := newKeymap(map[string]string{"g": "", "gg": "move.first"}); len(problems) > 0 {
		t.Error(problems)
	}
}
