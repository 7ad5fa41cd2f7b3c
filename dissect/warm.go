package dissect

import (
	"math/bits"
	"unsafe"
)

// Where thousands of conversations go on at once, what a packet asks of its own is in no cache of the processor, and
// waiting for one piece of memory after the other takes longer than what is done with them. So the first pass looks at
// a few packets ahead, at all of them step by step: the processor waits for what they need at once. Nothing depends on
// it but the time.

const (
	// What belongs to so many conversations is in the caches anyway.
	cachedConversations = 512

	readyPackets = 16 // a power of two, and no more than rows are unpacked at once
	cacheLine    = 64
	maxTouched   = 10 * cacheLine // of one state
)

// readyHeaders are those of a packet ahead that may be known.
type readyHeaders struct {
	frame   FrameNum // 0 for none
	shape   int
	headers [repeatedWords]uint64
	set     *repeatedSet // where they are, if they are known
}

// ready looks at the packets from one on, as far as their bytes are at hand.
func (d *D) ready(from int) {
	r := &d.s.byKey.repeated
	to := min(from|(readyPackets-1)+1, d.s.store.Len())
	r.readyTo = to
	if r.flows == nil {
		return
	}
	for i := from; i < to; i++ {
		r.ready[i%readyPackets].read(r, FrameNum(i+1), d.reader.Loaded(i))
	}
	var convs [readyPackets]*Conversation
	n := 0
	for i := from; i < to; i++ {
		e := &r.ready[i%readyPackets]
		if e.frame == 0 {
			continue
		}
		if flow := e.set.find(e.shape, &e.headers); flow != nil && (n == 0 || convs[n-1] != flow.conv) {
			convs[n] = flow.conv
			n++
		}
	}
	r.touch(convs[:n])
}

func (e *readyHeaders) read(r *repeatedHeaders, n FrameNum, b []byte) {
	e.frame = 0
	if len(b) < 16 {
		return
	}
	tried := r.tried[alike(b)]
	e.shape = bits.TrailingZeros8(tried)
	if tried&(tried-1) != 0 || e.shape >= len(r.shapes) { // more than one, or none
		return
	}
	s := &r.shapes[e.shape]
	if words := repeatedWordsOf(s.size); len(b) >= words*8 {
		e.frame, e.headers = n, [repeatedWords]uint64{}
		e.set = &r.flows[s.mask.read(b, words, &e.headers)%repeatedSets]
	}
}

// touch reads what packets of the conversations ask for, so that it is in the caches.
func (r *repeatedHeaders) touch(convs []*Conversation) {
	for _, c := range convs {
		r.touched += touch(unsafe.Pointer(c), unsafe.Sizeof(*c))
	}
	for _, c := range convs {
		if m := c.more.Load(); m != nil {
			r.touched += touch(unsafe.Pointer(m), unsafe.Sizeof(*m))
		}
		for st := c.states; st != nil; st = st.next {
			r.touched += touch(unsafe.Pointer(st), min(uintptr(st.size), maxTouched))
		}
	}
	for _, c := range convs {
		if m := c.more.Load(); m != nil {
			for _, st := range m.streams {
				if st != nil {
					r.touched += touch(unsafe.Pointer(st), unsafe.Sizeof(*st))
				}
			}
		}
	}
}

// touch reads a byte of each line of the caches that something lies in.
func touch(p unsafe.Pointer, size uintptr) (sum byte) {
	for i := range (size + cacheLine - 1) / cacheLine {
		sum += *(*byte)(unsafe.Add(p, i*cacheLine))
	}
	return sum
}
