package ui

import (
	"strings"
	"testing"

	"remora/ui/act"
)

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
	if got := strings.Join(x.m.keymap.Labels(act.NextPacket), " "); got != "Ctrl-F Ctrl-↓ F8" {
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
