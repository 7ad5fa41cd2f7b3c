package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// MaxCapLen is the longest packet believed, in bytes. Snapshot lengths end at 256 KiB almost everywhere; a
// few USB and D-Bus captures hold more. Longer ones are taken for damage.
const MaxCapLen = 16 << 20

// Meta is what the index knows about one packet.
type Meta struct {
	Time      int64  // nanoseconds since 1970-01-01 UTC
	CapLen    uint32 // bytes that were captured
	Len       uint32 // bytes that were on the wire
	Interface int    // see [Store.Interface]
}

// A Store holds packets by position, counted from 0. Packets are only ever appended, by one writer; the methods
// may be called from any goroutine at any time and see the packets published so far.
type Store struct {
	index    index
	ifaces   list[Interface]
	sections list[Section]
	bytes    Backing
	close    []func() error

	state
	notes annotations

	first    atomic.Int64 // the packets before it have been evicted
	keptFrom atomic.Int64 // where the bytes of the first packet kept begin, in a spool
	consumed atomic.Int64 // how many packets were read, as Consumed says, or -1
	recorded atomic.Int64 // packets before it are in the file of -w; -1: no file has to be waited for
	opt      Options
	started  time.Time
	files    int          // that are read as one
	nextFile func() error // begins the next file of -w; nil where there is none

	stop       context.CancelFunc // ends the source
	sourceDone chan struct{}      // closed when no more packets come
	done       chan struct{}      // closed when the source has ended and what records it, too
	ended      atomic.Bool
	sourceEnd  sync.Once
	closed     sync.Once

	// mu orders evictions. Readers never take it.
	mu sync.Mutex
}

// Len is the number of packets published so far.
func (s *Store) Len() int { return s.index.Len() }

// IndexBytes is how much memory the index of packets takes.
func (s *Store) IndexBytes() int64 { return s.index.rows.Bytes() + s.index.wide.Bytes() }

// LeaveUnpacked has the index take more memory and less time: for whoever evicts packets soon.
func (s *Store) LeaveUnpacked() { s.index.rows.LeaveUnpacked() }

// Meta is the index entry of packet i, which must be below Len.
func (s *Store) Meta(i int) Meta { return s.index.meta(i) }

// Time is when packet i was captured, in nanoseconds since 1970-01-01 UTC.
func (s *Store) Time(i int) int64 {
	if i == 0 { // others are shown relative to it, also once it was evicted
		return s.index.began.Load()
	}
	return s.index.rows.At(i).time
}

// Offset is where the bytes of packet i begin in the file.
func (s *Store) Offset(i int) int64 {
	off, _ := s.index.span(i)
	return off
}

// End is the offset behind the last byte of the file.
func (s *Store) End() int64 { return s.bytes.End() }

// ReadAt reads at least one byte of the file at an offset, and up to len(p).
func (s *Store) ReadAt(p []byte, off int64) (int, error) { return s.bytes.ReadAt(p, off, 1) }

// Interface describes interface i, as named by [Meta.Interface].
func (s *Store) Interface(i int) Interface {
	if i < 0 || i >= s.ifaces.Len() {
		return Interface{}
	}
	return s.ifaces.At(i)
}

// InterfaceLinkType is the LINKTYPE_ value of interface i, or 0 when there is no such interface.
func (s *Store) InterfaceLinkType(i int) int {
	if all := s.ifaces.all(); i >= 0 && i < len(all) {
		return all[i].LinkType
	}
	return 0
}

// LinkType is the LINKTYPE_ value of packet i's interface.
func (s *Store) LinkType(i int) int { return s.ifaces.all()[s.Meta(i).Interface].LinkType }

// Interfaces lists the interfaces known so far, in the order of their numbers.
func (s *Store) Interfaces() []Interface { return slices.Clone(s.ifaces.all()) }

// Sections lists the pcapng sections known so far. A pcap file and a live capture have one.
func (s *Store) Sections() []Section { return slices.Clone(s.sections.all()) }

// Stop ends the source and waits until it has. The packets stay readable. Stopping twice is fine.
func (s *Store) Stop() {
	s.stop()
	<-s.done
}

// Wait returns when the source has ended: at the end of a file, after a stop, or with a failure.
func (s *Store) Wait() { <-s.done }

// Done is closed when the source has ended.
func (s *Store) Done() <-chan struct{} { return s.done }

// Complete is closed when no more packets come; what records them may not have written them all yet.
func (s *Store) Complete() <-chan struct{} { return s.sourceDone }

// Options are those that the store was opened with.
func (s *Store) Options() Options { return s.opt }

// Close ends the source and gives up the packets: a spool that nobody wanted is removed, and readers get errors
// from now on.
func (s *Store) Close() error {
	var first error
	s.closed.Do(func() {
		s.Stop()
		first = s.bytes.Close()
		for _, f := range s.close {
			if err := f(); err != nil && first == nil {
				first = err
			}
		}
	})
	return first
}

// Keep leaves the spool behind when the store is closed, so that the next start offers it.
func (s *Store) Keep(how Stay) { s.bytes.Keep(how) }

// NextFile has the file of -w end, and the next one of the ring begin. Without a ring a file of the same name is begun,
// if the one that was written has got another name or is gone: that is what programs expect that put logs away. A
// pcapng file that the store itself reads from has no next one; that is an error, as is a capture that is not written.
func (s *Store) NextFile() error {
	switch {
	case s.opt.Write == "":
		return errors.New("the capture is not written to a file")
	case s.nextFile == nil:
		return fmt.Errorf("%s goes on: only a ring of files (-b), or a file of pcap, has a next one", s.opt.Write)
	}
	return s.nextFile()
}

// Files is how many files the capture is read from as one; 0 for what is no file of several.
func (s *Store) Files() int { return s.files }
