package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"remora/capture"
	"remora/capture/bpf"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/names"
	"remora/owndissect/lua"
	"remora/ui/print"
)

// headless passes a capture and prints, writes or counts what the display filter lets through, as it comes.
type headless struct {
	store      *capture.Store
	s          *dissect.Session
	filter     *filter.Filter
	printer    *print.Printer
	statistics []*print.Statistic // of all packets, as in tshark
	objects    []*print.Objects   // so are they
	pdus       *print.PDUs        // -U: the packets inside those that the filter lets through
	writer     packetFile
	reader     *capture.Reader
	guard      *dissect.Guard
	dissector  *dissect.Dissector // under the guard
	counted    int                // statistics and objects that have the packet
	next       atomic.Bool        // the file that is written is to end, and the next one to begin
	eachLine   bool
	taps       []*lua.Taps
	scripts    *printed
	selected   int // the packet that references in the filter ask; 0 is none
	twoPass    bool
	onePass    bool    // packets are printed as they pass
	blocks     *blocks // for packets that are there already
	blockSize  int
	anew       func() error // begins again with what the first pass learnt
	readFilter *filter.Filter
	kept       []bool // by packet: the read filter let it through; nil without one
	hosts      names.Hosts
	names      bool // the names of hosts are written, too
	drain      bool // an interrupt ends the source, but what it gave is still handled: live packets come only once
}

// printOptions are the printer's settings of the command line.
func (o *options) printOptions() (print.Options, error) {
	clock, err := print.ParseClock(o.clock)
	if err != nil {
		return print.Options{}, usageError{err}
	}
	clock.Hours = o.seat.seconds == "hms"
	p := print.Options{Summary: o.summary, Tree: o.tree, Only: o.only, Hex: o.hex, Format: o.form, Fields: o.fields,
		Time:  clock,
		Names: strings.Contains(o.wantedNames(false), "e"), OneKey: o.oneKey, Exact: inTsharksSeat(),
		Separator: o.seat.separator, Dump: o.dump, Creator: creator(), File: o.read, Filtered: o.display != "",
		Tops: strings.Fields(o.tops), Whole: strings.Fields(o.whole)}
	if p.Cells, err = print.ParseCells(o.cells); err != nil {
		return p, usageError{fmt.Errorf("gui.column.format: %w", err)}
	}
	for _, w := range o.layout {
		if err := p.Layout.ParseLayout(w); err != nil {
			return p, usageError{err}
		}
	}
	if s := p.Layout.Separator; len(s) > 1 && inTsharksSeat() {
		p.Layout.Separator = s[:1]
	}
	return p, nil
}

// printing tells whether packets go to standard output: not when they are only written to a file, nor with -q unless
// a flag says what is printed of them.
func (o *options) printing() bool { return o.write == "" && !o.quiet || o.printsPackets() }

// newHeadless readies the outputs. Everything that can be wrong with them is found here, before a packet is read or a
// file is written.
func (o *options) newHeadless(s *dissect.Session, f *filter.Filter, ownFile bool) (*headless, error) {
	h := &headless{store: s.Store(), filter: f, eachLine: o.eachLine, selected: o.selected,
		blockSize: blockPackets, taps: o.own.taps, scripts: o.own.printed, drain: len(o.live.Interfaces) > 0}
	if err := o.outputs(h, s); err != nil {
		return nil, err
	}
	if h.names = o.savesNames(); h.names && len(o.hosts) > 0 {
		var err error
		if h.hosts, err = names.ReadFiles(o.hosts...); err != nil {
			return nil, err
		}
	}
	if o.pdus != "" {
		return h, o.exportPDUs(h)
	}
	if o.write != "" && !ownFile {
		w, err := o.createWriter()
		if err != nil {
			return nil, err
		}
		h.writer, h.reader = w, s.Store().NewReader()
	}
	return h, nil
}

// outputs readies what prints and counts for a session.
func (o *options) outputs(h *headless, s *dissect.Session) error {
	h.s, h.guard, h.statistics = s, s.Guard(), nil
	if o.pdus != "" {
		s.Exporting()
	}
	opt, err := o.printOptions()
	if err != nil {
		return err
	}
	var macros filter.Options
	if len(o.statistics) > 0 {
		macros = o.filterOptions()
	}
	for _, words := range o.statistics {
		if n, asked, err := print.ParseNoted(s.Registry(), words, macros); err != nil {
			return usageError{err}
		} else if asked {
			opt.Noted = append(opt.Noted, n)
			continue
		}
		st, err := print.NewStatistic(s, words, macros, inTsharksSeat())
		var badFilter *filter.Error
		if err != nil && errors.As(err, &badFilter) {
			fmt.Fprintf(os.Stderr, "remora: -z %s: Filter %q is invalid:\n", dissect.Escape(words), badFilter.Text)
		}
		if err != nil {
			return usageError{err}
		}
		h.statistics = append(h.statistics, st)
	}
	if o.printing() {
		if h.printer, err = print.New(os.Stdout, s, opt); err != nil {
			return usageError{err}
		}
	}
	h.objects = o.newExports(s)
	return nil
}

// run handles all packets until no more come or somebody interrupts, and ends the outputs.
func (h *headless) run(ctx context.Context, twoPass bool) error {
	context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt, syscall.SIGTERM) }) // a second interrupt ends at once
	if h.twoPass = twoPass; !twoPass {
		h.guard.Past()
		if h.printer != nil {
			h.scripts.hold()
		}
	}
	err := h.follow(ctx)
	if errors.Is(err, capture.ErrEnough) {
		err = nil
	}
	if closing := h.close(err); err == nil {
		err = closing // otherwise it says the same again
	}
	return err
}

// follow handles packets as they are stored, and returns when no more will come.
func (h *headless) follow(ctx context.Context) error {
	wake, cancel := h.store.Subscribe()
	defer cancel()
	defer h.store.Consumed(-1)
	work, quit := ctx, ctx.Done()
	if h.drain {
		work = context.WithoutCancel(ctx)
	}
	tick := time.NewTicker(holdTime)
	defer tick.Stop()
	var held holding
	for n := 0; ; {
		done := h.store.Status().Done // asked before Len: what was appended before the end is seen below
		interrupted := work.Err() != nil
		if total := held.back(h.store.Len(), done); !h.twoPass || done {
			if h.twoPass {
				if h.s.Pass(work) != nil {
					return nil // interrupted
				}
				if err := h.passAgain(work); err != nil {
					return err
				}
				if err := h.keepRead(); err != nil {
					return err
				}
				if err := h.selectFrame(); err != nil {
					return err
				}
			}
			if left := h.store.Len() - n; interrupted && left <= dissect.LookAhead { // they were only held back
				work, total = context.WithoutCancel(work), n+left
			}
			if n < total || done {
				if err := h.packets(work, &n, total); err != nil {
					return err
				}
				if err := h.flush(); err != nil {
					return err
				}
			}
		}
		if done || interrupted || work.Err() != nil {
			return nil
		}
		select {
		case <-wake:
		case <-tick.C:
			held.tick(h.store.Len(), h.store.Status().Live)
		case <-quit:
			h.store.Stop()
			quit = nil
		}
	}
}

// holdTime is how long packets wait at most for those behind them, that may tell what they are.
const holdTime = 100 * time.Millisecond

// holding holds the last packets back while more may come: dissect.LookAhead of them, and not for long. Those of a file
// wait until more are read, so that they are always the same; the last ones of a pipe go when nothing comes; live ones
// when their time is over.
type holding struct{ due, seen int }

// back is how many of the packets may pass.
func (h *holding) back(total int, done bool) int {
	if done {
		return total
	}
	return max(h.due, total-dissect.LookAhead)
}

func (h *holding) tick(total int, live bool) {
	if live || total == h.seen {
		h.due = h.seen
	}
	h.seen = total
}

// passAgain has the packets pass once more where conversations turned out to be something else than their first packets
// were taken for.
func (h *headless) passAgain(ctx context.Context) error {
	if h.anew == nil || h.s.Late() == 0 {
		return nil
	}
	if err := h.anew(); err != nil {
		return err
	}
	if h.s.Pass(ctx) != nil {
		return nil // interrupted
	}
	return nil
}

// packets handles the packets behind n, as far as total.
func (h *headless) packets(ctx context.Context, n *int, total int) (err error) {
	h.onePass = h.inOnePass()
	if total-*n > h.blockSize && (h.printer != nil || h.writer != nil) && !h.eachLine && runtime.GOMAXPROCS(0) > 1 {
		return h.inBlocks(ctx, n, total)
	}
	h.guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the packet that it hangs in
		for h.dissector = l; *n < total && ctx.Err() == nil; *n++ {
			if err = h.turn(); err != nil {
				return
			}
			if err = h.packet(dissect.FrameNum(*n + 1)); err != nil {
				return
			}
			h.counted = 0
			if *n&1023 == 0 {
				h.store.Consumed(*n)
			}
		}
	})
	return err
}

// turn begins the next file where a signal asked for it.
func (h *headless) turn() error {
	if h.writer == nil || !h.next.CompareAndSwap(true, false) {
		return nil
	}
	return h.writer.Next()
}

// inOnePass tells whether packets are dissected once, as they pass: where all are printed, nothing else is done with
// them, and it is said what is wanted of each.
func (h *headless) inOnePass() bool {
	return h.printer != nil && h.filter == nil && h.kept == nil && h.writer == nil && !h.twoPass &&
		len(h.statistics)+len(h.objects) == 0 && h.printer.Wants() != nil
}

// count has statistics and exported objects look at a packet.
func (h *headless) count(n dissect.FrameNum) (err error) {
	if h.drops(n) {
		return nil
	}
	for ; err == nil && h.counted < len(h.statistics)+len(h.objects); h.counted++ {
		if i := h.counted - len(h.statistics); i >= 0 {
			err = h.objects[i].Packet(h.dissector, n)
		} else {
			err = h.statistics[h.counted].Packet(h.dissector, n)
		}
	}
	return err
}

// packet passes one packet, counts it, and prints and writes it if the filter lets it through.
func (h *headless) packet(n dissect.FrameNum) error {
	if h.onePass {
		if t := h.dissector.Pass(n, h.printer.Wants()); t != nil {
			return h.printed(t)
		}
		return h.print(n)
	}
	h.dissector.PassTo(int(n))
	if err := h.count(n); err != nil {
		return err
	}
	if h.drops(n) {
		return nil
	}
	h.s.ForgetExports(n - 1)
	if h.filter != nil && !h.filter.Match(h.dissector, n) {
		return h.filter.Stopped()
	}
	if err := h.print(n); err != nil {
		return err
	}
	if h.writer != nil {
		return h.copyPacket(n)
	}
	if h.pdus != nil {
		return h.pdus.Packet(h.dissector, n)
	}
	return nil
}

// copyPacket writes a packet, and in front of it the secrets and names that were read so far.
func (h *headless) copyPacket(n dissect.FrameNum) error {
	if err := h.writer.CopyBlocks(h.store); err != nil {
		return err
	}
	return h.writer.CopyPacket(h.reader, int(n)-1)
}

func (h *headless) print(n dissect.FrameNum) error {
	if h.printer == nil {
		return nil
	}
	return h.printed(look(h.dissector, n, h.printer))
}

func (h *headless) printed(t *dissect.Tree) error {
	err := h.printer.Write(h.scripts.take(nil, 0, t.Frame))
	if err == nil {
		err = h.printer.Packet(t)
	}
	if err == nil && h.eachLine {
		err = h.printer.Flush()
	}
	return outputError(err)
}

func (h *headless) flush() error {
	var err error
	if h.printer != nil {
		err = outputError(h.printer.Flush())
	}
	if h.writer != nil {
		err = errors.Join(err, h.writer.Flush())
	}
	return err
}

// close ends the outputs. Statistics are printed unless something failed before.
func (h *headless) close(failed error) error {
	var err error
	if h.printer != nil && failed == nil {
		err = errors.Join(h.printer.Write(h.scripts.take(nil, 0, math.MaxUint32)), outputError(h.printer.Close()))
	}
	for _, t := range h.taps {
		t.Draw()
	}
	for _, st := range slices.Backward(h.statistics) { // tshark prints the last one first
		if failed == nil && err == nil {
			err = outputError(st.Print(os.Stdout))
		}
	}
	for _, e := range h.objects {
		err = errors.Join(err, e.Close())
	}
	if h.pdus != nil {
		err = errors.Join(err, h.pdus.Close())
	}
	if h.writer != nil {
		err = errors.Join(err, h.writer.CopyBlocks(h.store), h.writeNames(), h.writer.Close())
	}
	return err
}

// outputError says that it was standard output that could not be written. A closed pipe stays what it is: an end.
func outputError(err error) error {
	if err == nil || closedPipe(err) || errors.Is(err, bpf.ErrNoLibpcap) { // no interfaces to list
		return err
	}
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("standard output cannot be written: %w", err)
}

// reportEnd says on standard error what a reader of the output should know: notices, and counts after a live capture.
func reportEnd(store *capture.Store, live, silent bool) error {
	st := store.Status()
	for _, n := range st.Notices {
		fmt.Fprintf(os.Stderr, "remora: %s\n", dissect.Escape(n))
	}
	if live && !silent {
		fmt.Fprintln(os.Stderr, strings.Join(countsOf(st), "\n"))
	}
	switch {
	case st.Err == nil && st.SpoolFailed:
		return reportedError(exitFailed)
	case st.Err != nil || !st.Damaged:
		return st.Err
	case live:
		return reportedError(exitFailed)
	}
	return reportedError(exitUsage)
}
