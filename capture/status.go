package capture

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// MaxNotices bounds the list of notices: a Damaged file can give a reason for one at every packet.
const MaxNotices = 64

// Status is a snapshot of how the capture is going.
type Status struct {
	Name    string  // the file, or the interfaces
	Live    bool    // comes from interfaces and has not ended
	Pace    float64 // how fast a saved capture is played, while it is; 1: as it was captured
	Done    bool    // the source has ended; no more packets will come
	Waiting bool    // a pipe or growing file has not shown its header yet
	Started time.Time
	Packets int

	BytesRead  int64 // of the file, compressed bytes where it is compressed; live: of the spool
	BytesTotal int64 // 0: unknown

	InterfaceCounts // of all interfaces

	CaptureFilter string
	Notices       []string // sentences, oldest first: a torn record, a lost interface, a full disk
	Err           error    // why the source ended, when that is a failure
	Left          int      // packets evicted, the oldest ones
	Missed        int      // packets evicted before they were read
	Keep, Kept    int64    // bytes that are kept at most, 0 being all, and bytes that are
	Damaged       bool     // the source ended before its end, and a notice says where and why
	SpoolFailed   bool     // what came could not be put down, so the source ended
	Unsaved       bool     // holds packets that are in no file of the user's
	Spool         string   // path of the spool, "" without one
	PerInterface  []InterfaceStatus
}

// InterfaceStatus is the live state of one captured interface.
type InterfaceStatus struct {
	Name string
	Live bool
	InterfaceCounts
}

// InterfaceCounts is what was counted on a captured interface, as libpcap and tcpdump count.
type InterfaceCounts struct {
	Received  uint64 // packets that were taken
	Filtered  uint64 // packets that the capture filter let through in the kernel, those that were not taken among them
	Dropped   uint64 // by the kernel, because its buffer was full
	IfDropped uint64 // by the interface or its driver
	InKernel  uint64 // packets that the kernel still held when the capture ended, and that nobody wanted any more
}

func (c *InterfaceCounts) add(o InterfaceCounts) {
	c.Received += o.Received
	c.Filtered += o.Filtered
	c.Dropped += o.Dropped
	c.IfDropped += o.IfDropped
	c.InKernel += o.InKernel
}

// state is the part of the store that changes beside the packets.
type state struct {
	name          string
	captureFilter string
	running       atomic.Bool // comes from interfaces
	waiting       atomic.Bool
	Damaged       atomic.Bool
	pace          atomic.Pointer[pace] // of a capture that is played
	volatileData  bool                 // the packets would be lost without saving
	savedUpTo     atomic.Int64         // packets below are in a file of the user's
	spoolFailed   atomic.Bool
	halfWritten   atomic.Bool // the file of -w could not be written to the end
	bytesRead     atomic.Int64
	bytesTotal    atomic.Int64

	noteMu       sync.Mutex
	notices      []notice
	perInterface []InterfaceStatus // one per live interface; replaced as a whole
	doneErr      error
	isDone       bool

	subMu sync.Mutex
	subs  atomic.Pointer[[]chan struct{}]
}

// A notice is a sentence; kinds that repeat are counted instead of listed again.
type notice struct {
	key, text string
	times     int
}

// Status is a snapshot; it is cheap enough to ask for at every drawn frame.
func (s *Store) Status() Status {
	st := Status{
		Name: s.name, Live: s.running.Load() && !s.ended.Load(), Waiting: s.waiting.Load(), Started: s.started,
		Packets: s.Len(), BytesRead: s.bytesRead.Load(), BytesTotal: s.bytesTotal.Load(), CaptureFilter: s.captureFilter,
	}
	if p := s.pace.Load(); p != nil && !s.ended.Load() {
		st.Pace = p.wanted()
	}
	s.noteMu.Lock()
	st.PerInterface = slices.Clone(s.perInterface)
	s.noteMu.Unlock()
	for _, one := range st.PerInterface {
		st.add(one.InterfaceCounts)
	}
	if st.PerInterface == nil {
		st.Received = uint64(st.Packets)
	} else {
		st.Received = max(st.Received, uint64(st.Packets))
	}
	st.Left, st.Keep = s.First(), s.opt.Keep
	s.bytes.Status(&st)
	st.Kept -= s.keptFrom.Load()
	st.Damaged = s.Damaged.Load()
	st.SpoolFailed = s.spoolFailed.Load()
	st.Unsaved = (s.volatileData || s.halfWritten.Load()) && int64(st.Packets) > s.savedUpTo.Load()
	if st.Missed > 0 {
		st.Notices = append(st.Notices,
			fmt.Sprintf("%d packets left before they could be read: more came than is kept", st.Missed))
	}
	s.noteMu.Lock()
	defer s.noteMu.Unlock()
	st.Done, st.Err = s.isDone, s.doneErr
	for _, n := range s.notices {
		if n.times > 1 {
			n.text = fmt.Sprintf("%s (%d times)", n.text, n.times)
		}
		st.Notices = append(st.Notices, n.text)
	}
	return st
}

// Notices lists the notices alone.
func (s *Store) Notices() []string { return s.Status().Notices }

// notice adds a sentence. Notices with the same key are counted, and the first one's words stay.
func (s *Store) notice(key, format string, args ...any) {
	s.noteMu.Lock()
	defer s.noteMu.Unlock()
	for i := range s.notices {
		if s.notices[i].key == key {
			s.notices[i].times++
			return
		}
	}
	if len(s.notices) < MaxNotices {
		s.notices = append(s.notices, notice{key, fmt.Sprintf(format, args...), 1})
	}
}

func (s *Store) setDone(err error) {
	s.noteMu.Lock()
	s.isDone, s.doneErr = true, err
	s.noteMu.Unlock()
	s.running.Store(false)
	s.waiting.Store(false)
}

// Subscribe gives a channel that receives when packets were appended or the source ended. Several appends may
// come as one value, so read the store's length after each. Call cancel when done.
func (s *Store) Subscribe() (changed <-chan struct{}, cancel func()) {
	c := make(chan struct{}, 1)
	s.subMu.Lock()
	defer s.subMu.Unlock()
	c <- struct{}{} // whatever is there already counts as a change; before anybody else can fill the channel
	s.setSubs(append(s.subscribers(), c))
	return c, func() {
		s.subMu.Lock()
		defer s.subMu.Unlock()
		s.setSubs(slices.DeleteFunc(s.subscribers(), func(o chan struct{}) bool { return o == c }))
	}
}

// Changed is Subscribe for somebody who listens as long as the store lives.
func (s *Store) Changed() <-chan struct{} {
	c, _ := s.Subscribe()
	return c
}

// subscribers copies the list, because wake reads the old one without a lock.
func (s *Store) subscribers() []chan struct{} {
	if p := s.subs.Load(); p != nil {
		return slices.Clone(*p)
	}
	return nil
}

func (s *Store) setSubs(list []chan struct{}) { s.subs.Store(&list) }

// wake tells the subscribers. It never blocks.
func (s *Store) wake() {
	p := s.subs.Load()
	if p == nil {
		return
	}
	for _, c := range *p {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}
