package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"remora/capture"
	"remora/dissect"
)

// endedBy is the signal that ended the program.
type endedBy syscall.Signal

func (e endedBy) Error() string { return "ended by " + syscall.Signal(e).String() }

// withSignals gives a context that ends with the first signal that asks the program to leave.
func withSignals(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		select {
		case sig := <-signals:
			s, _ := sig.(syscall.Signal)
			cancel(endedBy(s))
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// whenAsked calls what SIGUSR1 asks for, and tells on standard error how much was captured so far when somebody asks that,
// until the function it returns is called.
func whenAsked(next, counts func()) func() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, append([]os.Signal{syscall.SIGUSR1}, asks...)...)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case sig := <-signals:
				if sig == syscall.SIGUSR1 {
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
		if !o.quiet {
			fmt.Fprintln(os.Stderr, countsOf(store.Status()))
		}
	})
}

// countsOf is what a capture has taken and lost.
func countsOf(st capture.Status) string {
	packets := "packets"
	if st.Packets == 1 {
		packets = "packet"
	}
	return fmt.Sprintf("%d %s captured, %d dropped by the kernel, %d by the interface, %d by remora", st.Packets, packets, st.Dropped, st.IfDropped, st.QueueDropped)
}
