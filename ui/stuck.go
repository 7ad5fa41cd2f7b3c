package ui

import (
	"bytes"
	"os"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// A busyModel says since when the screen has been at work on one message or picture, for whoever must know that it
// hangs.
type busyModel struct {
	*program
	busy *busyTime
}

// busyTime is since when, in nanoseconds since 1970; 0 while nothing is done.
type busyTime struct{ since atomic.Int64 }

func (b *busyTime) begin() { b.since.Store(time.Now().UnixNano()) }
func (b *busyTime) end()   { b.since.Store(0) }

// stuck tells whether the work takes so long that keys are not answered.
func (b *busyTime) stuck() bool {
	since := b.since.Load()
	return since != 0 && time.Now().UnixNano()-since > int64(stuckAfter)
}

// stuckAfter is how long a key may wait before Ctrl-C is looked for beside the screen.
const stuckAfter = time.Second

// Update handles a message, and notes how long that takes.
func (b busyModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	b.busy.begin()
	defer b.busy.end()
	return b, b.program.Update(msg)
}

// View draws the screen, and notes how long that takes.
func (b busyModel) View() tea.View {
	b.busy.begin()
	defer b.busy.end()
	return b.program.View()
}

// terminal is what Restore gives back; nil while no screen is shown.
var terminal struct {
	sync.Mutex
	state *term.State
	in    *os.File
}

// holdTerminal keeps how the terminal is before a screen is shown, until the function that it returns is called.
func holdTerminal(in *os.File) func() {
	state, err := term.GetState(int(in.Fd()))
	if err != nil {
		return func() {}
	}
	terminal.Lock()
	defer terminal.Unlock()
	terminal.state, terminal.in = state, in
	return func() {
		terminal.Lock()
		defer terminal.Unlock()
		terminal.state, terminal.in = nil, nil
	}
}

// leaveScreen undoes what the screen set: reports of the mouse, the focus and pasted text, the keyboard protocols, the
// hidden cursor and the alternate screen.
const leaveScreen = "\x1b[?2026l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[<u\x1b[>4;0m" +
	"\x1b[0m" +
	"\x1b[?1049l\x1b[?25h"

// Restore leaves the terminal as it was before the screen, without asking the screen, which may hang. It is for a
// process that ends at once.
func Restore() {
	terminal.Lock()
	defer terminal.Unlock()
	if terminal.state == nil {
		return
	}
	_, _ = os.Stdout.WriteString(leaveScreen)
	_ = term.Restore(int(terminal.in.Fd()), terminal.state)
}

// interrupts counts the times that Ctrl-C was pressed while the screen hangs.
type interrupts struct {
	busy  *busyTime
	since atomic.Int64 // the work that hangs
	count atomic.Int64
}

// interruptKeys are how terminals send Ctrl-C.
var interruptKeys = [...][]byte{{3}, []byte("\x1b[99;5u")}

// see looks for Ctrl-C among what was typed. The second one while the same work hangs ends the process.
func (i *interrupts) see(typed []byte) {
	if i == nil || !i.busy.stuck() {
		return
	}
	if since := i.busy.since.Load(); i.since.Swap(since) != since {
		i.count.Store(0)
	}
	n := 0
	for _, key := range interruptKeys {
		n += bytes.Count(typed, key)
	}
	if n > 0 && i.count.Add(int64(n)) >= 2 {
		Restore()
		os.Exit(130)
	}
}
