package keys

import (
	"strings"
	"testing"

	"remora/ui/act"
)

func TestKeysOfLayers(t *testing.T) {
	k, faults := New(map[string]string{"ctrl+j": "packet.next line.next", "ctrl+q": "line.accept", "J": "j",
		"alt+x": "ctrl+w", "z": "sources.file", "o": "move.down", "ctrl+k": ""})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for key, want := range map[string]act.Action{"ctrl+j": act.LineNext, "ctrl+q": act.LineAccept, "J": act.None,
		"alt+x": act.LineCutWord, "ctrl+k": act.None, "enter": act.LineAccept} {
		if got := k.Line(key); got != want {
			t.Errorf("while typing %s does %d, want %d", key, got, want)
		}
	}
	for key, want := range map[string]act.Action{"ctrl+j": act.None, "J": act.Down, "z": act.SourceFile, "o": act.Down,
		"j": act.Down, "enter": act.Open, "f": act.SourceFilter, "x": act.None} {
		if got := k.Sources(key); got != want {
			t.Errorf("while a source is chosen %s does %d, want %d", key, got, want)
		}
	}
	if k.Does["ctrl+j"] != act.NextPacket || k.Does["ctrl+k"] != act.None || !k.Waits["z"] {
		t.Error("the keys of the screen are not as they were wanted")
	}
	if got := k.ShownIn(act.InLine, "Enter", nil); got != "Ctrl-Q Enter" {
		t.Errorf("the key that keeps what is typed is shown as %s", got)
	}
}

func TestWrongKeysOfLayers(t *testing.T) {
	for want, keys := range map[string]map[string]string{
		"j is a character that is typed":                       {"j": "line.next"},
		"line.next takes a single key":                         {"gj": "line.next"},
		"a key does one thing at a time":                       {"ctrl+j": "line.next line.previous"},
		`no action called "line.nxt"; did you mean line.next?`: {"ctrl+j": "packet.next line.nxt"},
		"keep one of line.accept":                              {"enter": ""},
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
}

// TestLayersAreDeclared: the lines of the help name the keys that are bound, and each action of a layer has one.
func TestLayersAreDeclared(t *testing.T) {
	for i, g := range Layers {
		shown, bound := map[string]bool{}, map[string]bool{}
		for _, k := range g.Keys {
			for word := range strings.FieldsSeq(k.Keys) {
				if name, err := Parse(word); err != nil || Standard.Over[layerNames[i]][name] == act.None {
					t.Errorf("%s: %s does nothing (%v)", g.Title, word, err)
				} else {
					shown[name] = true
				}
			}
			for _, name := range k.Names {
				if bound[name] {
					t.Errorf("%s: %s is bound twice", g.Title, name)
				}
				bound[name] = true
			}
		}
		for name := range bound {
			if !shown[name] {
				t.Errorf("%s: no line says %s", g.Title, name)
			}
		}
	}
	for _, a := range act.All() {
		if len(Standard.Labels(a)) == 0 {
			t.Errorf("no key does %s", a.Name())
		}
	}
}
