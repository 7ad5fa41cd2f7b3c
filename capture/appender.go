package capture

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// An Appender is the writing end of a store, for the one source that fills it. Only one goroutine at a time may append;
// Notice, Wake and the setters may be called by any.
type Appender struct{ s *Store }

// New makes a store, whose bytes are in backing, and its writing end. The context that it returns ends when ctx does or
// the store is stopped; the source has to end then, and to say so through [Appender.Run].
func New(ctx context.Context, name string, opt Options, backing Backing) (*Store, *Appender, context.Context) {
	s := &Store{bytes: backing, opt: opt, done: make(chan struct{}), sourceDone: make(chan struct{}), started: time.Now()}
	s.state.name = name
	s.captureFilter = opt.Filter
	s.consumed.Store(-1)
	s.recorded.Store(-1)
	ctx, s.stop = context.WithCancel(ctx)
	return s, &Appender{s}, ctx
}

// Shift is how the times of packets were changed.
func (s *Store) Shift() Shift { return s.opt.Shift }

// Run runs the source to its end, which it records. An error that [Damaged] made becomes a notice, and neither
// [ErrEnough] nor the end of a context is a failure; other errors are the status's.
func (a *Appender) Run(source func() error) {
	err := source()
	var d Damage
	switch {
	case errors.As(err, &d):
		a.Notice("damage", "%s", d.Text)
		a.SetDamaged()
		err = nil
	case errors.Is(err, ErrEnough), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		err = nil
	}
	a.s.finish(err)
}

// finish records how the source ended and wakes everybody. Only the first call counts.
func (s *Store) finish(err error) {
	if s.ended.Swap(true) {
		return
	}
	s.index.rest()
	s.endSource()
	s.setDone(err)
	close(s.done)
	s.stop()
	s.wake()
}

// endSource says that no more packets come.
func (s *Store) endSource() { s.sourceEnd.Do(func() { close(s.sourceDone) }) }

// Append publishes one packet whose bytes lie at off in the backing; time is in nanoseconds since 1970-01-01 UTC,
// before it is shifted as was asked for.
func (a *Appender) Append(time int64, iface int, off int64, capLen, length uint32) {
	a.s.index.append(a.s.opt.Shift.At(time), iface, off, capLen, length)
}

// AddInterface numbers an interface, from 0 on.
func (a *Appender) AddInterface(i Interface) { a.s.ifaces.Append(i) }

// AddSection adds a section of a pcapng file.
func (a *Appender) AddSection(sec Section) { a.s.sections.Append(sec) }

// Len is the number of packets appended so far.
func (a *Appender) Len() int { return a.s.Len() }

// Interfaces is how many interfaces were added so far.
func (a *Appender) Interfaces() int { return a.s.ifaces.Len() }

// Sections is how many sections were added so far.
func (a *Appender) Sections() int { return a.s.sections.Len() }

// LinkType is the LINKTYPE_ value of an interface that was added.
func (a *Appender) LinkType(iface int) int { return a.s.ifaces.all()[iface].LinkType }

// Stop has the source end, without waiting for it.
func (a *Appender) Stop() { a.s.stop() }

// EndSource says that no more packets come, before what records them has ended.
func (a *Appender) EndSource() { a.s.endSource() }

// OnClose has a function called when the store is closed. It is for the time before others have the store.
func (a *Appender) OnClose(f func() error) { a.s.close = append(a.s.close, f) }

// OnNextFile says what [Store.NextFile] does. It is for the time before others have the store.
func (a *Appender) OnNextFile(f func() error) { a.s.nextFile = f }

// SetFiles says how many files are read as one, before others have the store.
func (a *Appender) SetFiles(n int) { a.s.files = n }

// SetCaptureFilter says which filter the packets have passed elsewhere, before others have the store.
func (a *Appender) SetCaptureFilter(expr string) { a.s.captureFilter = expr }

// SetStarted says when the capture began, before others have the store.
func (a *Appender) SetStarted(t time.Time) { a.s.started = t }

// SetUnsaved says whether the packets would be lost without saving, before others have the store.
func (a *Appender) SetUnsaved(yes bool) { a.s.volatileData = yes }

// SetLive says that packets come as they are captured, until the source ends.
func (a *Appender) SetLive() { a.s.running.Store(true) }

// SetWaiting says whether it is not known yet what a pipe or a growing file holds.
func (a *Appender) SetWaiting(yes bool) { a.s.waiting.Store(yes) }

// SetDamaged says that the source ended before its end; a notice has to say where and why.
func (a *Appender) SetDamaged() { a.s.Damaged.Store(true) }

// SetSpoolFailed says that what came could not be put down.
func (a *Appender) SetSpoolFailed() { a.s.spoolFailed.Store(true) }

// SetHalfWritten says that the file of -w could not be written to its end. The packets before saved are in it.
func (a *Appender) SetHalfWritten(saved int) {
	a.s.savedUpTo.Store(max(int64(saved), a.s.savedUpTo.Load()))
	a.s.halfWritten.Store(true)
}

// Read counts the bytes of the source that were read, of which Total says how many there are, 0 being unknown.
func (a *Appender) Read() *atomic.Int64 { return &a.s.bytesRead }

// Total is how many bytes the source has, compressed where it is compressed; 0: unknown.
func (a *Appender) Total() *atomic.Int64 { return &a.s.bytesTotal }

// SetInterfaceStatus replaces what was counted on the interfaces of a live capture. The list must not be changed any
// more.
func (a *Appender) SetInterfaceStatus(all []InterfaceStatus) {
	a.s.noteMu.Lock()
	defer a.s.noteMu.Unlock()
	a.s.perInterface = all
}

// SetPace has [Appender.Hold] hold packets back: 1 is the pace at which they were captured.
func (a *Appender) SetPace(speed float64) { a.s.pace.Store(newPace(speed)) }

// Hold waits until the packet of time t, in nanoseconds since 1970, is due by the pace. It returns false when ctx has
// ended.
func (a *Appender) Hold(ctx context.Context, t int64) bool { return a.s.pace.Load().wait(ctx, t) }

// Notice adds a sentence to the status. Notices with the same key are counted, and the first one's words stay.
func (a *Appender) Notice(key, format string, args ...any) { a.s.notice(key, format, args...) }

// Wake tells subscribers that packets were appended. It never blocks.
func (a *Appender) Wake() { a.s.wake() }

// Recorded says that the packets before n are in the file of -w: only these may be evicted from then on.
func (a *Appender) Recorded(n int) { a.s.recorded.Store(int64(n)) }
