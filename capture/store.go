package capture

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// maxCapLen is the longest packet believed, in bytes. Snapshot lengths end at 256 KiB almost everywhere; a
// few USB and D-Bus captures hold more. Longer ones are taken for damage.
const maxCapLen = 16 << 20

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

	data  io.ReaderAt // the bytes: the opened file, or the spool's file
	spool *spool      // nil when a file is read in place, and when another process writes
	live  *liveLink   // to the process that captures; nil for all but live captures
	close []func() error

	state
	notes annotations
	limit limits

	first    atomic.Int64 // the packets before it have left
	keptFrom atomic.Int64 // where the bytes of the first packet kept begin, in the spool
	consumed atomic.Int64 // how many packets were read, as Consumed says, or -1
	recorded atomic.Int64 // packets before it are in the file of -w; only where there is a recorder
	opt      Options
	started  time.Time

	stop       context.CancelFunc // ends the source
	sourceDone chan struct{}      // closed when no more packets come
	done       chan struct{}      // closed when the source has ended and what records it, too
	ended      atomic.Bool
	sourceEnd  sync.Once
	recorder   *Writer // of -w, if there is one
	nextFile   chan struct{}
	closed     sync.Once

	// mu orders writers: several live interfaces append to one store, and the once-a-second flush runs beside
	// them. Readers never take it.
	mu sync.Mutex
}

func newStore(ctx context.Context, name string) (*Store, context.Context) {
	s := &Store{done: make(chan struct{}), sourceDone: make(chan struct{}), nextFile: make(chan struct{}, 1),
		started: time.Now()}
	s.state.name = name
	s.consumed.Store(-1)
	ctx, s.stop = context.WithCancel(ctx)
	return s, ctx
}

// Len is the number of packets published so far.
func (s *Store) Len() int { return s.index.Len() }

// Meta is the index entry of packet i, which must be below Len.
func (s *Store) Meta(i int) Meta { return s.index.meta(i) }

// Time is when packet i was captured, in nanoseconds since 1970-01-01 UTC.
func (s *Store) Time(i int) int64 {
	if i == 0 { // the others are told from it, also once it has left
		return s.index.began.Load()
	}
	return s.index.rows.Ref(i).time
}

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

// Close ends the source and gives up the packets: a spool that nobody wanted is removed, and readers get errors
// from now on.
func (s *Store) Close() error {
	var first error
	s.closed.Do(func() {
		s.Stop()
		if s.spool != nil {
			first = s.spool.discard()
		}
		if s.live != nil {
			first = s.live.close(s.keepRecovered.Load())
		}
		for _, f := range s.close {
			if err := f(); err != nil && first == nil {
				first = err
			}
		}
	})
	return first
}

// append publishes one packet whose bytes lie at off. It reports false when no more packets are wanted. Only the
// store's writer calls it.
func (s *Store) append(time int64, iface int, off int64, capLen, length uint32) bool {
	if s.limit.packets > 0 && s.index.Len() >= s.limit.packets {
		return false
	}
	s.index.append(time, iface, off, capLen, length)
	return true
}

// full says that the wanted number of packets or bytes is reached.
func (s *Store) full() bool {
	return s.limit.packets > 0 && s.index.Len() >= s.limit.packets || s.limit.bytes > 0 && s.spool.end() >= s.limit.bytes
}

// limits are the stop rules that the store itself keeps.
type limits struct {
	packets int
	bytes   int64 // of the spool
}

// finish records how the source ended and wakes everybody. Only the first call counts.
func (s *Store) finish(err error) {
	if s.ended.Swap(true) {
		return
	}
	if s.spool != nil {
		s.mu.Lock()
		if s.spool.err == nil && s.spool.flush() != nil { // an earlier failure has been told
			s.notice("spool", "%v", s.spoolError(s.spool.err))
		}
		s.mu.Unlock()
	}
	s.endSource()
	s.setDone(err)
	close(s.done)
	s.stop()
	s.wake()
}

// endSource says that no more packets come.
func (s *Store) endSource() { s.sourceEnd.Do(func() { close(s.sourceDone) }) }
