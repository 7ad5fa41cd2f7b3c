package find

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/filtered"
)

// A List is the packets that are looked through.
type List struct {
	Session *dissect.Session
	Of      *filtered.Packets // by a filter; nil: all
	Skip    filtered.Ignored
	Frame   func(row int) dissect.FrameNum // in the order of the capture; safe beside the screen
}

// Hits are the packets of a list that hold what is searched. They are looked for on all cores, from the place where the
// search began outward: first the way that it goes, then the other one. A further key that goes to the next one asks
// them.
type Hits struct {
	List
	Finder *Finder
	Text   string

	direction atomic.Int32 // which way is wanted first: 1 or -1
	full      atomic.Bool  // all rows are decided, and no further ones come

	mu       sync.Mutex
	ahead    []dissect.FrameNum // rising, from where the search began
	behind   []dissect.FrameNum // falling, from there
	from, to int                // the rows decided: from is the first one, to behind the last one
	line     stats.Timeline
	changed  chan struct{} // closed when more is decided
}

// The rows that a core looks at in one go, and how long that should take: a key that changes the way waits for no more.
const (
	fewestHits, mostHits = 16, 8192
	hitsTime             = 10 * time.Millisecond
)

// Start begins with a search from a row on, one way first: 1 is toward the end. Run looks.
func Start(in List, fd *Finder, text string, row, dir int) *Hits {
	h := &Hits{List: in, Finder: fd, Text: text, from: row, to: row, changed: make(chan struct{})}
	h.direction.Store(int32(dir))
	if store := in.Session.Store(); store.Len() > 0 {
		h.line.Add(store.Time(0), 0)
	}
	return h
}

// Rows is how many rows the list has now.
func (l List) Rows() int {
	if l.Of != nil {
		return l.Of.Matches.Len()
	}
	return l.Session.Passed()
}

// closed tells whether no further rows come.
func (l List) closed() bool {
	store := l.Session.Store()
	switch {
	case l.Of == nil:
		return store.Status().Done && l.Session.Passed() == store.Len()
	case l.Of.Failed.Load() != nil:
		return true
	}
	return store.Status().Done && int(l.Of.Decided.Load()) == store.Len()
}

// Full tells whether all rows are decided, and no further ones come.
func (h *Hits) Full() bool { return h.full.Load() }

// Direction is which way is looked at first: 1 forward, -1 backward.
func (h *Hits) Direction() int { return int(h.direction.Load()) }

// Turn changes which way is looked at first.
func (h *Hits) Turn(dir int) { h.direction.Store(int32(dir)) }

// A worker looks at rows on one core.
type worker struct {
	guard  *dissect.Guard
	finder Finder
}

// Run looks until no further rows come.
func (h *Hits) Run(ctx context.Context) {
	wake, stop := h.Session.Store().Subscribe()
	defer stop()
	workers := runtime.NumCPU()
	find := make([]worker, workers)
	for i := range find {
		find[i] = worker{h.Session.Guard(), *h.Finder}
		find[i].finder.texts, find[i].finder.bare = nil, nil // no two have the same
	}
	size := fewestHits
	for ctx.Err() == nil {
		closed := h.closed() // before the rows are counted
		lo, hi, down := h.nextRows(size * workers)
		if lo >= hi {
			if closed {
				h.full.Store(true)
				h.notify()
				return
			}
			h.Session.Wait(ctx, wake)
			continue
		}
		began := time.Now()
		found := h.search(ctx, lo, hi, find)
		if ctx.Err() != nil {
			return
		}
		h.take(lo, hi, found, down)
		switch took := time.Since(began); {
		case took < hitsTime/2 && hi-lo == size*workers:
			size = min(size*2, mostHits)
		case took > 2*hitsTime:
			size = max(size/2, fewestHits)
		}
	}
}

// nextRows are the rows to look at next: up to most of them, the wanted way first.
func (h *Hits) nextRows(most int) (lo, hi int, down bool) {
	rows := h.Rows()
	h.mu.Lock()
	defer h.mu.Unlock()
	up, below := rows-h.to, h.from
	if down = h.direction.Load() < 0; down && below == 0 || !down && up == 0 {
		down = !down
	}
	if down {
		return max(0, h.from-most), h.from, true
	}
	return h.to, min(rows, h.to+most), false
}

// search looks at rows on all cores and returns the packets found, in order.
func (h *Hits) search(ctx context.Context, lo, hi int, find []worker) []dissect.FrameNum {
	each := (hi - lo + len(find) - 1) / len(find)
	parts := make([][]dissect.FrameNum, len(find))
	var wg sync.WaitGroup
	for i := range find {
		wg.Go(func() {
			row := lo + i*each
			find[i].guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the row that it hangs in
				for ; row < min(hi, lo+(i+1)*each) && ctx.Err() == nil; row++ {
					if n := h.Frame(row); n > 0 && !h.Skip[n] && find[i].finder.Packet(l, n) { // 0: it left meanwhile
						parts[i] = append(parts[i], n)
					}
				}
			})
		})
	}
	wg.Wait()
	return slices.Concat(parts...)
}

// take takes what was found among some rows.
func (h *Hits) take(lo, hi int, found []dissect.FrameNum, down bool) {
	store := h.Session.Store()
	h.mu.Lock()
	for _, n := range found {
		h.line.Add(store.Time(int(n)-1), 1)
	}
	if down {
		slices.Reverse(found)
		h.behind, h.from = append(h.behind, found...), lo
	} else {
		h.ahead, h.to = append(h.ahead, found...), hi
	}
	h.mu.Unlock()
	h.notify()
}

// notify wakes whoever waits for more.
func (h *Hits) notify() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.changed)
	h.changed = make(chan struct{})
}

// Next is the packet found next to another one, some steps on, or 0; known tells whether all between is decided. more
// is closed when there is more to know.
func (h *Hits) Next(n dissect.FrameNum, row, dir int) (found dissect.FrameNum, known bool, more <-chan struct{}) {
	rows := h.Rows()
	h.mu.Lock()
	defer h.mu.Unlock()
	if row < h.from-1 || row > h.to { // beyond what is decided: somebody went there meanwhile
		return 0, h.full.Load(), h.changed
	}
	if dir > 0 {
		if i := below(h.behind, n); i > 0 {
			return h.behind[i-1], true, h.changed
		}
		if i, ok := slices.BinarySearch(h.ahead, n); ok || i < len(h.ahead) {
			if ok {
				i++
			}
			if i < len(h.ahead) {
				return h.ahead[i], true, h.changed
			}
		}
		return 0, h.to >= rows, h.changed
	}
	if i, _ := slices.BinarySearch(h.ahead, n); i > 0 {
		return h.ahead[i-1], true, h.changed
	}
	i := below(h.behind, n)
	if i < len(h.behind) && h.behind[i] == n {
		i++
	}
	if i < len(h.behind) {
		return h.behind[i], true, h.changed
	}
	return 0, h.from == 0, h.changed
}

// below is the first place in a falling list whose number is not above n.
func below(list []dissect.FrameNum, n dissect.FrameNum) int {
	i, _ := slices.BinarySearchFunc(list, n, func(a, b dissect.FrameNum) int { return int(int64(b) - int64(a)) })
	return i
}

// Near tells whether what is decided reaches a row, so that a search goes on from there at once.
func (h *Hits) Near(row int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return row >= h.from-1 && row <= h.to
}

// Has tells whether a packet was found; known, whether that is decided.
func (h *Hits) Has(n dissect.FrameNum, row int) (found, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if row < h.from || row >= h.to {
		return false, false
	}
	if _, ok := slices.BinarySearch(h.ahead, n); ok {
		return true, true
	}
	i := below(h.behind, n)
	return i < len(h.behind) && h.behind[i] == n, true
}

// State is how many were found, how many rows were looked at, and the place of a packet among those found, counted from
// 1; 0 where it is none.
func (h *Hits) State(n dissect.FrameNum) (found, looked, place int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found = len(h.ahead) + len(h.behind)
	if i, ok := slices.BinarySearch(h.ahead, n); ok {
		place = len(h.behind) + i + 1
	} else if i := below(h.behind, n); i < len(h.behind) && h.behind[i] == n {
		place = len(h.behind) - i
	}
	return found, h.to - h.from, place
}

// Spread is how many were found in each of w spans of time.
func (h *Hits) Spread(from, to int64, w int) []float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.line.Spread(from, to, w)
}
