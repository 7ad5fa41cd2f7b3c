package ui

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"remora/ui/amount"
)

// A text goes to the clipboard by a program of this machine where the session is a local one, by tmux's own buffer inside
// tmux, else by the terminal itself (OSC 52), which many take and none answers. What is too long for that, or for a
// terminal that is known not to take it, becomes a file. The notice says what was done, not what is hoped.

// The most that is sent to a terminal, in bytes before it is written in base64: more than about 100 000 characters of a
// sequence are dropped by many. GNU screen passes on pieces of no more than screenPiece.
const (
	mostForTerminal = 74_000
	screenPiece     = 768
)

// A clipWay is one way to the clipboard. Without args it is the terminal.
type clipWay struct {
	args []string
	wrap func(seq string) string // of a sequence that a program in between must let through
	done string                  // what was done, behind "60 B "
}

// The ways that the terminal takes.
const ifEmpty = "; if paste is empty, yf writes a file"

// clipWays are the ways there are, best first, by the variables of the environment and the programs that are installed.
func clipWays(env func(string) string, has func(program string) bool, size int) (ways []clipWay) {
	add := func(done string, args ...string) {
		if has(args[0]) {
			ways = append(ways, clipWay{args: args, done: done})
		}
	}
	if env("SSH_CONNECTION") == "" && env("SSH_TTY") == "" {
		if env("WAYLAND_DISPLAY") != "" {
			add("copied with wl-copy", "wl-copy")
		}
		if env("DISPLAY") != "" {
			add("copied with xclip", "xclip", "-selection", "clipboard")
			add("copied with xsel", "xsel", "-ib")
		}
		add("copied with pbcopy", "pbcopy")
	}
	if env("TMUX") != "" {
		add("in tmux's buffer, and sent on to the terminal"+ifEmpty, "tmux", "load-buffer", "-w", "-")
	}
	if size > mostForTerminal || env("TERM") == "linux" || env("TERM_PROGRAM") == "Apple_Terminal" {
		return ways
	}
	w := clipWay{done: "sent to the terminal" + ifEmpty}
	switch {
	case env("TMUX") != "":
		w.wrap, w.done = ansi.TmuxPassthrough, "sent through tmux, where allow-passthrough is on"+ifEmpty
	case env("STY") != "":
		w.wrap = func(seq string) string { return ansi.ScreenPassthrough(seq, screenPiece) }
		w.done = "sent through screen to the terminal" + ifEmpty
	case env("VTE_VERSION") != "":
		w.done = "sent to the terminal, which may not take it" + ifEmpty
	}
	return append(ways, w)
}

// clip hands a text to the clipboard.
func (m *model) clip(text, what string) {
	m.copied = text
	installed := func(program string) bool { _, err := exec.LookPath(program); return err == nil }
	ways := clipWays(os.Getenv, installed, len(text))
	ctx := m.ctx
	m.pending = append(m.pending, func() any { return runClip(ctx, ways, text, what) })
}

// clipped is the end of a copy: what was done. seq is what the terminal is to be sent.
type clipped struct{ notice, seq string }

// runClip takes the first way that works.
func runClip(ctx context.Context, ways []clipWay, text, what string) clipped {
	head := what + ", " + amount.Bytes(int64(len(text))) + ", "
	for _, w := range ways {
		if w.args == nil {
			seq := ansi.SetSystemClipboard(text)
			if w.wrap != nil {
				seq = w.wrap(seq)
			}
			return clipped{head + w.done, seq}
		}
		if w.run(ctx, text) == nil {
			return clipped{notice: head + w.done}
		}
	}
	why := "for want of a clipboard"
	if len(text) > mostForTerminal {
		why = "as no terminal takes that much"
	}
	return fileCopy(text, head, ", "+why)
}

// clipPatience is how long a program may take for a copy: some wait for ever for a display that does not answer.
const clipPatience = 3 * time.Second

// run gives the text to the way's program.
func (w clipWay) run(ctx context.Context, text string) error {
	ctx, cancel := context.WithTimeout(ctx, clipPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.args[0], w.args[1:]...)
	cmd.Stdin = strings.NewReader(text)
	cmd.WaitDelay = clipPatience
	return cmd.Run()
}

// fileCopy writes what was copied to a file that nobody else may read.
func fileCopy(text, head, why string) clipped {
	f, err := os.CreateTemp("", "remora-*.txt")
	if err == nil {
		_, err = f.WriteString(text)
		err = cmp.Or(err, f.Close())
	}
	if err != nil {
		var at *os.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return clipped{notice: fmt.Sprintf("%snot copied: no file can be written: %v", head, err)}
	}
	return clipped{notice: head + "written to " + f.Name() + why}
}

// copyFile writes what was copied last to a file.
func (m *model) copyFile() {
	text := m.copied
	if text == "" {
		m.notice = "nothing was copied yet: yy, then yf, writes the row to a file"
		return
	}
	m.pending = append(m.pending, func() any { return fileCopy(text, amount.Bytes(int64(len(text)))+" copied last, ", "") })
}

func (m *model) onClipped(c clipped) {
	m.notice = c.notice
	if c.seq != "" {
		m.pending = append(m.pending, func() any { return tea.Raw(c.seq)() })
	}
}

// escapedBytes writes bytes as a text with escapes, as C, Go and Python read it.
func escapedBytes(b []byte) string {
	var s bytes.Buffer
	for i, c := range b {
		digit := i+1 < len(b) && strings.IndexByte("0123456789abcdefABCDEF", b[i+1]) >= 0
		switch {
		case c == '"' || c == '\\':
			s.WriteString(`\` + string(rune(c)))
		case c >= 0x20 && c <= 0x7e:
			s.WriteByte(c)
		default:
			fmt.Fprintf(&s, `\x%02x`, c)
			if digit && b[i+1] > ' ' && b[i+1] <= '~' { // C would read on: a new literal ends it
				s.WriteString(`""`)
			}
		}
	}
	return `"` + s.String() + `"`
}
