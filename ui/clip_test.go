package ui

import (
	"testing"

	"remora/ui/clip"
)

func TestCopyFormsOfAField(t *testing.T) {
	x := open(t, 120, 50, Config{}).keys("2G<tab>")
	x.m.tree.Select(x.m.selected.Tree.Find(x.m.cfg.Registry.Field("dns.count.answers")))
	for how, want := range map[rune]string{'h': "0001", 'c': "{ 0x00, 0x01 }", 'g': "[]byte{0x00, 0x01}",
		'p': `b'\x00\x01'`, 'b': "AAE=", 'e': `"\x00\x01"`, 'v': "1", 'l': "Answer RRs: 1", '=': "dns.count.answers == 1"} {
		if got, _ := x.m.copyText(how); got != want {
			t.Errorf("%c copies %q, want %q", how, got, want)
		}
	}
	if got, _ := clip.Form('e', []byte("a\"\\\x01b\x00")); got != `"a\"\\\x01""b\x00"` {
		t.Errorf("escaped: %s", got)
	}
	t.Setenv("TMPDIR", t.TempDir())
	x.m.copied = ""
	x.keys("yf")
	x.has("nothing was copied yet")
	x.m.copied = "a text"
	x.keys("yf")
	x.has("6 B copied last, written to")
}
