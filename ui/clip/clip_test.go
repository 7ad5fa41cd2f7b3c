package clip

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
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
		for _, w := range Methods(env, func(p string) bool { return slices.Contains(strings.Fields(c.has), p) }, c.size) {
			got = append(got, w.program)
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
	for env, want := range map[string]string{"": "\x1b]52;c;", "TMUX": "\x1bPtmux;\x1b\x1b]52;c;",
		"STY": "\x1bP\x1b]52;c;"} {
		text := strings.Repeat("a row, ", 300)
		c := Run(context.Background(),
			Methods(func(name string) string { return map[bool]string{true: "x"}[name == env && env != ""] }, none, len(text)),
			text, "the row")
		if !strings.HasPrefix(c.Seq, want) || !strings.Contains(c.Notice, "yf writes a file") {
			t.Errorf("%s: %q begins %.20q", env, c.Notice, c.Seq)
		}
		for piece := range strings.SplitSeq(c.Seq, "\x1b\\") {
			if env == "STY" && len(piece) > screenPiece+2 {
				t.Errorf("a piece has %d bytes", len(piece))
			}
		}
		if plain := strings.NewReplacer("\x1b\\", "", "\x1bP", "").Replace(c.Seq); env == "STY" &&
			!strings.Contains(plain, base64.StdEncoding.EncodeToString([]byte(text))) {
			t.Error("put together, the pieces are not the text")
		}
	}
	programs := t.TempDir()
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	for name, does := range map[string]string{"wl-copy": "exit 1", "xclip": "cat >/dev/null"} {
		if err := os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\n"+does), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	failing := []Method{{program: "wl-copy", done: "done"}, {program: "xclip", done: "copied with xclip"}}
	if c := Run(context.Background(), failing, "x", "the row"); c.Notice != "the row, 1 B, copied with xclip" ||
		c.Seq != "" {
		t.Errorf("behind a program that fails: %q", c.Notice)
	}
	long := strings.Repeat("x", mostForTerminal+1)
	c := Run(context.Background(), Methods(func(string) string { return "" }, none, len(long)), long, "the tree")
	_, path, _ := strings.Cut(c.Notice, "written to ")
	path, why, _ := strings.Cut(path, ", ")
	if b, err := os.ReadFile(path); err != nil || string(b) != long || why != "as no terminal takes that much" {
		t.Errorf("%q: %v", c.Notice, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v: %v", info, err)
	}
}

// TestTextWithEscapes writes bytes as C, Go and Python read them: no digit behind an escape belongs to it.
func TestTextWithEscapes(t *testing.T) {
	if got, _ := Form('e', []byte("a\"\\\x01b\x00")); got != `"a\"\\\x01""b\x00"` {
		t.Errorf("escaped: %s", got)
	}
}
