//go:build unix

package ui

import (
	"errors"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// maySuspend says that Ctrl-Z gives the shell back.
const maySuspend = true

// A keyboard is a terminal's input in which the Esc key is told from the beginning of a longer sequence sooner than the
// library does: it waits 50 ms for the rest, a time that one sees. Terminals send a sequence at once, so a shorter
// while is enough; tmux waits no longer either.
type keyboard struct {
	*os.File
	interrupts *interrupts
	early      *earlyKeys
}

// earlyKeys are what was typed while the screen hung, and read beside it to find Ctrl-C. Whoever reads the terminal
// holds the lock, so that nobody waits in a read for what the other one took.
type earlyKeys struct {
	sync.Mutex
	typed []byte
	old   bool // they were there when the screen was asked for last
}

// escapeWait is how long the rest of a sequence may be behind its first byte.
const escapeWait = 12 * time.Millisecond

// escapeKey is how terminals that tell the keys apart send Esc.
const escapeKey = "\x1b[27u"

// openKeyboard is where keys come from: standard input, or the terminal where that brings packets. To send is to send
// the screen a message.
func openKeyboard(busy *busyTime, send func(tea.Msg)) (option tea.ProgramOption, quit func(), ok bool) {
	in := os.Stdin
	if !term.IsTerminal(int(in.Fd())) {
		tty, _, err := tea.OpenTTY()
		if err != nil {
			return nil, nil, false
		}
		in = tty
	}
	k := keyboard{in, &interrupts{busy: busy}, &earlyKeys{}}
	give, done := holdTerminal(in), make(chan struct{})
	go k.watch(done, send)
	return tea.WithInput(k), func() { close(done); give() }, true
}

// watch looks for Ctrl-C beside a screen that hangs, which reads no keys. The others wait for it. When the screen goes
// on, it is woken to read them: the terminal is asked what it is, and its answer is read behind them.
func (k keyboard) watch(done <-chan struct{}, send func(tea.Msg)) {
	tick := time.NewTicker(stuckAfter / 4)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		for k.interrupts.busy.stuck() {
			if k.readable(stuckAfter/4) && !k.readEarly() {
				return
			}
		}
		if k.waiting() {
			send(tea.RawMsg{Msg: askTerminal})
		}
	}
}

// askTerminal asks for the primary device attributes (DA1), which every terminal answers.
const askTerminal = "\x1b[c"

// readEarly reads what a screen that still hangs does not read; false is a terminal that is gone.
func (k keyboard) readEarly() bool {
	k.early.Lock()
	defer k.early.Unlock()
	if !k.interrupts.busy.stuck() || !k.readable(0) {
		return true
	}
	b := make([]byte, 256)
	n, err := k.File.Read(b)
	k.interrupts.see(b[:n])
	k.early.typed, k.early.old = append(k.early.typed, b[:n]...), false
	return err == nil
}

// waiting tells whether there are early keys that nothing has fetched since the last time.
func (k keyboard) waiting() bool {
	k.early.Lock()
	defer k.early.Unlock()
	was := k.early.old
	k.early.old = len(k.early.typed) > 0
	return was && k.early.old
}

// take reads early keys, or what is there of new ones; false is nothing: watch took it.
func (k keyboard) take(p []byte) (n int, ok bool, err error) {
	k.early.Lock()
	defer k.early.Unlock()
	if len(k.early.typed) > 0 {
		n = copy(p, k.early.typed)
		k.early.typed = k.early.typed[n:]
		return n, true, nil
	}
	if !k.readable(0) {
		return 0, false, nil
	}
	n, err = k.File.Read(p)
	k.interrupts.see(p[:n])
	return n, true, err
}

// Read reads what was typed, in the order in which it was. A lone Esc that nothing follows becomes the sequence for
// that key.
func (k keyboard) Read(p []byte) (int, error) {
	n, ok, err := k.take(p)
	for !ok {
		k.readable(-1)
		n, ok, err = k.take(p)
	}
	if n == 1 && p[0] == 0x1b && len(p) >= len(escapeKey) && err == nil && !k.more() {
		return copy(p, escapeKey), nil
	}
	return n, err
}

// more tells whether something follows what was read, soon.
func (k keyboard) more() bool {
	k.early.Lock()
	defer k.early.Unlock()
	return len(k.early.typed) > 0 || k.readable(escapeWait)
}

// readable waits for something to read, or for the end of input; a negative time is for ever.
func (k keyboard) readable(wait time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(k.Fd()), Events: unix.POLLIN}}
	ms := int(wait.Milliseconds())
	if wait < 0 {
		ms = -1
	}
	n, err := unix.Poll(fds, ms)
	return n > 0 || err != nil && !errors.Is(err, unix.EINTR)
}
