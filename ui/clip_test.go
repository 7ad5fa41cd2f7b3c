package ui

import (
	"context"
	"encoding/base64"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestClipWays goes through sessions on this machine, over ssh, in tmux and in screen.
func TestClipWays(t *testing.T) {
	for _, c := range []struct {
		env  string
		has  string
		size int
		want []string // programs; "" is the terminal
	}{
		{"DISPLAY=:0", "xclip", 10, []string{"xclip", ""}},
		{"DISPLAY=:0 WAYLAND_DISPLAY=w", "xclip wl-copy", 10, []string{"wl-copy", "xclip", ""}},
		{"DISPLAY=:0 SSH_TTY=x", "xclip", 10, []string{""}},
		{"TMUX=x", "tmux", 10, []string{"tmux", ""}},
		{"TMUX=x", "", 10, []string{""}},
		{"STY=x", "", 10, []string{""}},
		{"TERM=linux", "", 10, nil},
		{"", "", mostForTerminal + 1, nil},
		{"TMUX=x", "tmux", mostForTerminal + 1, []string{"tmux"}},
	} {
		env := func(name string) string {
			for _, v := range strings.Fields(c.env) {
				if k, text, _ := strings.Cut(v, "="); k == name {
					return text
				}
			}
			return ""
		}
		var got []string
		for _, w := range clipWays(env, func(p string) bool { return slices.Contains(strings.Fields(c.has), p) }, c.size) {
			if w.args == nil {
				got = append(got, "")
				continue
			}
			got = append(got, w.args[0])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, %d bytes: %q, want %q", c.env, c.size, got, c.want)
		}
	}
}

// TestClipSaysWhatWasDone sends texts to terminals behind tmux and screen, and what is too long for any to a file.
func TestClipSaysWhatWasDone(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	none := func(string) bool { return false }
	for env, want := range map[string]string{"": "\x1b]52;c;", "TMUX": "\x1bPtmux;\x1b\x1b]52;c;", "STY": "\x1bP\x1b]52;c;"} {
		text := strings.Repeat("a row, ", 300)
		c := runClip(context.Background(), clipWays(func(name string) string { return map[bool]string{true: "x"}[name == env && env != ""] }, none, len(text)), text, "the row")
		if !strings.HasPrefix(c.seq, want) || !strings.Contains(c.notice, "yf writes a file") {
			t.Errorf("%s: %q begins %.20q", env, c.notice, c.seq)
		}
		for piece := range strings.SplitSeq(c.seq, "\x1b\\") {
			if env == "STY" && len(piece) > screenPiece+2 {
				t.Errorf("a piece has %d bytes", len(piece))
			}
		}
		if plain := strings.NewReplacer("\x1b\\", "", "\x1bP", "").Replace(c.seq); env == "STY" && !strings.Contains(plain, base64.StdEncoding.EncodeToString([]byte(text))) {
			t.Error("put together, the pieces are not the text")
		}
	}
	failing := []clipWay{{args: []string{"false"}, done: "done"}, {args: []string{"true"}, done: "copied with true"}}
	if c := runClip(context.Background(), failing, "x", "the row"); c.notice != "the row, 1 B, copied with true" || c.seq != "" {
		t.Errorf("behind a program that fails: %q", c.notice)
	}
	long := strings.Repeat("x", mostForTerminal+1)
	c := runClip(context.Background(), clipWays(func(string) string { return "" }, none, len(long)), long, "the tree")
	_, path, _ := strings.Cut(c.notice, "written to ")
	path, why, _ := strings.Cut(path, ", ")
	if b, err := os.ReadFile(path); err != nil || string(b) != long || why != "as no terminal takes that much" {
		t.Errorf("%q: %v", c.notice, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v: %v", info, err)
	}
}

func TestCopyFormsOfAField(t *testing.T) {
	x := open(t, 120, 50, Config{}).keys("2G<tab>")
	x.m.selectNode(x.m.tree.Find(x.m.reg.Field("dns.count.answers")))
	for how, want := range map[rune]string{'h': "0001", 'c': "{ 0x00, 0x01 }", 'g': "[]byte{0x00, 0x01}", 'p': `b'\x00\x01'`, 'b': "AAE=", 'e': `"\x00\x01"`, 'v': "1", 'l': "Answer RRs: 1", '=': "dns.count.answers == 1"} {
		if got, _ := x.m.copyText(how); got != want {
			t.Errorf("%c copies %q, want %q", how, got, want)
		}
	}
	if got := escapedBytes([]byte("a\"\\\x01b\x00")); got != `"a\"\\\x01""b\x00"` {
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
