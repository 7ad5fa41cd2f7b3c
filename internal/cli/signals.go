package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"remora/capture"
	"remora/dissect"
	"remora/ui"
)

// endedBy is the signal that ended the program.
type endedBy syscall.Signal

func (e endedBy) Error() string { return "ended by " + syscall.Signal(e).String() }

// withSignals gives a context that ends with the first signal that asks the program to leave. The second one ends the
// process: whatever hangs, it asks nobody but gives the terminal back.
func withSignals(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, done := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		select {
		case sig := <-signals:
			s, _ := sig.(syscall.Signal)
			cancel(endedBy(s))
		case <-done:
			return
		}
		select {
		case sig := <-signals:
			ui.Restore()
			s, _ := sig.(syscall.Signal)
			os.Exit(128 + int(s))
		case <-done:
		}
	}()
	return ctx, func() { signal.Stop(signals); close(done); cancel(nil) }
}

// whenAsked calls what SIGUSR1 asks for, and tells on standard error how much was captured so far when somebody asks
// that, until the function it returns is called.
func whenAsked(next, counts func()) func() {
	signals := make(chan os.Signal, 1)
	if len(asks) > 0 { // without any, all signals would be meant
		signal.Notify(signals, asks...)
	}
	done := make(chan struct{})
	go func() {
		for {
			select {
			case sig := <-signals:
				if sig == asksForNext {
					next()
				}
				counts()
			case <-done:
				return
			}
		}
	}()
	return func() { signal.Stop(signals); close(done) }
}

// obey has a capture that is printed or written do as signals ask.
func (o *options) obey(store *capture.Store, h *headless) func() {
	next := func() {
		switch {
		case h != nil && h.writer != nil:
			h.next.Store(true)
		case o.live.Write != "":
			if err := store.NextFile(); err != nil {
				fmt.Fprintf(os.Stderr, "remora: %s\n", dissect.Escape(err.Error()))
			}
		}
	}
	return whenAsked(next, func() {
		if !o.seat.silent {
			fmt.Fprintln(os.Stderr, strings.Join(countsOf(store.Status()), ", "))
		}
	})
}

// countsOf is what a capture has taken and lost, in the words of tcpdump.
func countsOf(st capture.Status) []string {
	lines := []string{amountOf(uint64(st.Packets), "captured"), amountOf(st.Filtered, "received by filter"),
		amountOf(st.Dropped, "dropped by kernel")}
	if st.IfDropped > 0 {
		lines = append(lines, amountOf(st.IfDropped, "dropped by interface"))
	}
	if st.InKernel > 0 {
		lines = append(lines, amountOf(st.InKernel, "left in the kernel"))
	}
	return lines
}

func amountOf(n uint64, what string) string {
	if n == 1 {
		return "1 packet " + what
	}
	return fmt.Sprintf("%d packets %s", n, what)
}
