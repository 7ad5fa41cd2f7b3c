package ui

import (
	"os"
	"strings"
	"testing"

	"remora/capture"
	"remora/ui/act"
	"remora/ui/view"
)

func TestKeysOfOnesOwn(t *testing.T) {
	x := open(t, 120, 36,
		Config{Settings: Settings{Keys: map[string]string{"ctrl+f": "packet.next", "J": "}", "gl": "move.last", "j": "",
			"Q": "y", "M": "packet.mark"}}})
	x.keys("<ctrl+f><ctrl+f>")
	if x.m.selected.Frame != 3 {
		t.Errorf("a key bound to packet.next led to %d, want 3", x.m.selected.Frame)
	}
	x.keys("j")
	if x.m.selected.Frame != 3 {
		t.Errorf("a key that was freed led to %d", x.m.selected.Frame)
	}
	x.keys("J")
	if x.m.selected.Frame != 5 {
		t.Errorf("the key that does the work of } led to %d, want 5", x.m.selected.Frame)
	}
	x.keys("gl")
	if x.m.selected.Frame != 82 {
		t.Errorf("gl led to %d, want 82", x.m.selected.Frame)
	}
	x.keys("Mx''Mygg'y")
	if x.m.selected.Frame != 5 {
		t.Errorf("the mark is at %d, want 5", x.m.selected.Frame)
	}
	if got := strings.Join(x.m.style.Keys.Labels(act.NextPacket), " "); got != "Ctrl-F Ctrl-↓ F8" {
		t.Errorf("packet.next is on %s", got)
	}
	x.keys("gx")
	x.has("there is no gx")
	x.keys("Qv")
	x.has("the value")
	x.keys("g")
	x.has("l  last line", "p  packets", "g  first line")
	x.keys("<esc>?").has("J } {")
	x.keys("?")
	x.has("k ↓ ↑", "Ctrl-F F8 F7 Ctrl-↓", "J } {", "gl gg G Home End")
	x.hasNot("j k ↓")
	x.keys("next and previous packet, from<enter>")
	x.hasNot("type to search")
}

// TestKeysOfOnesOwnWhileTyping uses a person's keys in the filter line, the palette, the help and the chooser, which
// show them.
func TestKeysOfOnesOwnWhileTyping(t *testing.T) {
	own := Config{Live: func(capture.Options) (*capture.Store, error) { return nil, os.ErrPermission },
		Settings: Settings{Keys: map[string]string{"ctrl+r": "line.accept", "ctrl+x": "line.cancel", "Y": "program.help",
			"X": "j", "O": "sources.file"}}}
	x := open(t, 120, 36, own).keys("/dns")
	x.has("Ctrl-R applies")
	x.keys("<ctrl+r>")
	x.has("2 of 82")
	x.keys("/tcp<ctrl+x>")
	x.has("2 of 82")
	x.keys(":<ctrl+n><ctrl+n>")
	x.has("3 of ", "Ctrl-R run")
	x.keys("<ctrl+x>Y")
	x.has("Ctrl-X closes", "X j k")
	x.keys("while typ")
	x.has("Ctrl-R Enter", "Ctrl-X Esc")
	x.keys("<ctrl+x>")
	x.hasNot("Ctrl-X closes")
	x.keys("<ctrl+o>X")
	x.has("O o file")
	x.keys("Onosuchfile")
	x.has("nosuchfile", "Ctrl-R Enter accept")
	x.keys("<ctrl+x>")
	x.hasNot("nosuchfile")
}

// TestAnswersByOnesOwnKeys: what a question says of keys, and what they do, follows the keymap.
func TestAnswersByOnesOwnKeys(t *testing.T) {
	x := open(t, 120, 36,
		Config{Settings: Settings{Keys: map[string]string{"j": "packet.next answer.yes", "y": "", "f9": "filter.clear",
			"esc": ""}}})
	done := false
	ask := func() {
		x.m.dialog.Ask("Leave?", "Packets are in no file yet.",
			view.Answer{Act: act.AnswerYes, Label: "leave", Do: func() { done = true }},
			view.Answer{Act: act.AnswerSave, Label: "save", Do: func() {}})
	}
	ask()
	x.has("j  leave", "w  save", "n  go back")
	if x.keys("y"); !x.m.dialog.Asking() {
		t.Error("y answers still")
	}
	if x.keys("<down><down><down><down>j"); !done || x.m.dialog.Asking() {
		t.Error("j does not answer")
	}
	done = false
	ask()
	if x.keys("<down><enter>"); !done || x.m.dialog.Asking() {
		t.Error("Enter does not give the answer under the cursor")
	}
	x.keys("/tcp<enter>").has("no packet matches", "F9 shows all 82")
}
