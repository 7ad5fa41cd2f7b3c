//go:build unix

package ui

import (
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// A keyboard is a terminal's input in which the Esc key is told from the beginning of a longer sequence sooner than the
// library does: it waits 50 ms for the rest, a time that one sees. Terminals send a sequence at once, so a shorter while is
// enough; tmux waits no longer either.
type keyboard struct{ *os.File }

// escapeWait is how long the rest of a sequence may be behind its first byte.
const escapeWait = 12 * time.Millisecond

// escapeKey is how terminals that tell the keys apart send Esc.
const escapeKey = "\x1b[27u"

// openKeyboard is where keys come from: standard input, or the terminal where that brings packets.
func openKeyboard() (tea.ProgramOption, bool) {
	in := os.Stdin
	if !term.IsTerminal(int(in.Fd())) {
		tty, _, err := tea.OpenTTY()
		if err != nil {
			return nil, false
		}
		in = tty
	}
	return tea.WithInput(keyboard{in}), true
}

// Read reads what was typed. A lone Esc that nothing follows becomes the sequence for that key.
func (k keyboard) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	if n == 1 && p[0] == 0x1b && len(p) >= len(escapeKey) && err == nil && !k.more() {
		return copy(p, escapeKey), nil
	}
	return n, err
}

func (k keyboard) more() bool {
	fds := []unix.PollFd{{Fd: int32(k.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, int(escapeWait.Milliseconds()))
	return n > 0 || err != nil
}
