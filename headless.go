package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/print"
)

// headless passes a capture and prints or writes what the display filter lets through, as it comes.
type headless struct {
	store   *capture.Store
	s       *dissect.Session
	filter  *filter.Filter
	printer *print.Printer
	writer  *capture.Writer
	reader  *capture.Reader
	look    *dissect.Looker
	passed  int // packets that passed the filter
}

// printOptions are the printer's settings of the command line.
func (o *options) printOptions() (print.Options, error) {
	clock, err := print.ParseClock(o.clock)
	if err != nil {
		return print.Options{}, usageError{err}
	}
	p := print.Options{Summary: o.summary, Tree: o.tree, Hex: o.hex, Format: o.form, Fields: o.fields, Time: clock,
		Names: !o.noNames && containsByte(o.names, 'e')}
	for _, w := range o.layout {
		if err := p.Layout.ParseLayout(w); err != nil {
			return p, usageError{err}
		}
	}
	return p, nil
}

func containsByte(s string, c byte) bool {
	for i := range len(s) {
		if s[i] == c {
			return true
		}
	}
	return false
}

// printing tells whether packets go to standard output: not when they are only written to a file.
func (o *options) printing() bool {
	return !o.quiet && (o.write == "" || o.summary || o.tree || o.hex || o.form != "")
}

// runHeadless prints and writes the packets of a store until it ends.
func (o *options) runHeadless(ctx context.Context, s *dissect.Session, f *filter.Filter, ownFile bool) error {
	h := &headless{store: s.Store(), s: s, filter: f, look: s.Looker()}
	if o.printing() {
		opt, err := o.printOptions()
		if err != nil {
			return err
		}
		if h.printer, err = print.New(os.Stdout, s, opt); err != nil {
			return usageError{err}
		}
	}
	if o.write != "" && !ownFile {
		w, err := capture.Create(o.write, capture.WriterOptions{Ring: o.live.Ring, Stop: o.live.Stop})
		if err != nil {
			return err
		}
		h.writer, h.reader = w, s.Store().NewReader()
	}
	err := h.follow(ctx, o.twoPass)
	return errors.Join(err, h.close())
}

// follow handles packets as they are stored, and returns when no more will come.
func (h *headless) follow(ctx context.Context, twoPass bool) error {
	wake, cancel := h.store.Subscribe()
	defer cancel()
	for n := 0; ; {
		done := h.store.Status().Done
		if total := h.store.Len(); !twoPass || done {
			if twoPass {
				h.s.PassTo(total)
			}
			for ; n < total && ctx.Err() == nil; n++ {
				if err := h.packet(dissect.FrameNum(n + 1)); err != nil {
					return ignoreEnough(err)
				}
			}
			if err := h.flush(); err != nil {
				return err
			}
		}
		if done || ctx.Err() != nil {
			return nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			h.store.Stop()
		}
	}
}

func ignoreEnough(err error) error {
	if errors.Is(err, capture.ErrEnough) {
		return nil
	}
	return err
}

// packet passes one packet and prints and writes it if the filter lets it through.
func (h *headless) packet(n dissect.FrameNum) error {
	h.s.PassTo(int(n))
	if h.filter != nil && !h.filter.Match(h.look, n) {
		return nil
	}
	h.passed++
	if h.printer != nil {
		if w := h.printer.Wants(); w != nil {
			h.printer.Packet(h.look.Look(n, w))
		} else {
			h.printer.Packet(h.look.Tree(n))
		}
	}
	if h.writer != nil {
		return h.writer.CopyPacket(h.reader, int(n)-1)
	}
	return nil
}

func (h *headless) flush() error {
	var err error
	if h.printer != nil {
		err = h.printer.Flush()
	}
	if h.writer != nil {
		err = errors.Join(err, h.writer.Flush())
	}
	return err
}

func (h *headless) close() error {
	var err error
	if h.printer != nil {
		err = h.printer.Close()
	}
	if h.writer != nil {
		err = errors.Join(err, h.writer.Close())
	}
	return err
}

// tellEnd says on standard error what a reader of the output should know: notices, and counts after a live capture.
func tellEnd(store *capture.Store, live, quiet bool) error {
	st := store.Status()
	for _, n := range st.Notices {
		fmt.Fprintf(os.Stderr, "remora: %s\n", dissect.Escape(n))
	}
	if live && !quiet {
		fmt.Fprintf(os.Stderr, "%d packets captured, %d dropped by the kernel, %d by the interface, %d by remora\n",
			st.Packets, st.Dropped, st.IfDropped, st.QueueDropped)
	}
	return st.Err
}
