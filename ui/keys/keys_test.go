package keys

import (
	"strings"
	"testing"

	"remora/ui/act"
)

func TestKeysAreDeclared(t *testing.T) {
	for keys, does := range Standard.Does {
		if does == act.None {
			t.Errorf("%s does nothing", keys)
		}
		if back, err := Parse(Label(keys)); err != nil || back != keys {
			t.Errorf("%q is written %q, which reads as %q (%v)", keys, Label(keys), back, err)
		}
	}
	if _, problems := New(nil); len(problems) > 0 {
		t.Error(problems)
	}
	for keys := range Standard.Does {
		if err := Standard.conflict(keys); err != nil {
			t.Errorf("declared: %v", err)
		}
	}
}

func TestKeysAreRead(t *testing.T) {
	for text, want := range map[string]string{"j": "j", "J": "J", "shift+j": "J", "Ctrl-J": "ctrl+j", "ctrl+J": "ctrl+j",
		"C-j": "ctrl+j", "alt+Left": "alt+left", "Alt-←": "alt+left",
		"PgDn": "pgdown", "PageDown": "pgdown", "F8": "f8", "return": "enter", "gp": "g p", "g p": "g p", "g down": "g down",
		"ctrl+w w": "ctrl+w w", "+": "+", "-": "-", "ctrl++": "ctrl++",
		"shift+tab": "shift+tab", "alt+ctrl+x": "ctrl+alt+x", "''": "' '", "space": "space", "Ü": "Ü"} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%q is read as %q (%v), want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"ctlr+j": "did you mean ctrl+j?", "pgdwn": "did you mean pgdown?",
		"": "a key is missing", "5": "digits are numbers", "f99": "no key called", "nosuchkey": "keys are written as"} {
		if got, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %q (%v), want %q", text, got, err, want)
		}
	}
}

func TestWrongKeys(t *testing.T) {
	for want, keys := range map[string]map[string]string{
		`there is no action called "packet.nxt"; did you mean packet.next?`: {
			"J": "packet.nxt"},
		`there is no action called "nosuch"; remora --print-config lists them`: {
			"J": "nosuch"},
		`there is no key called "ctlr+j"; did you mean ctrl+j?`: {
			"ctlr+j": "packet.next"},
		`"Ctrl-J" is the same key`: {
			"Ctrl-J": "packet.next", "ctrl+j": "packet.previous"},
		`g begins gC (view.conversations), so it can do nothing alone; choose another key, or free those with "g" = ""`: {
			"g": "packet.next"},
		`j does move.down at once; free it with "j" = ""`: {
			"jk": "packet.next"},
		`"J" does nothing, so no other key can do its work`: {
			"U": "J"},
		`digits are numbers in front of other keys`: {
			"7": "packet.next"},
		`no key would leave the program: keep one of program.quit, program.quit-now, program.interrupt`: {
			"q": "", "ZZ": "", "ctrl+c": "", ":": "", "ctrl+p": ""},
	} {
		_, problems := New(keys)
		found := false
		for _, p := range problems {
			found = found || strings.Contains(p.Text, want)
		}
		if !found {
			t.Errorf("%v: %v, want %q", keys, problems, want)
		}
	}
	if _, problems := New(map[string]string{"g": "", "gg": "move.first"}); len(problems) > 0 {
		t.Error(problems)
	}
}
