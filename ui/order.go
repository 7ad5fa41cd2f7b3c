package ui

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"remora/dissect"
	"remora/ui/filtered"
	"remora/ui/listed"
)

// A sortBy is a column to sort by, and which way.
type sortBy struct {
	kind  columnKind
	field *dissect.Field
	down  bool
}

func (b *sortBy) is(c column) bool { return b != nil && b.kind == c.kind && b.field == c.field }

// sorting is a sort in the background.
type sorting struct {
	by          sortBy
	title       string
	quiet       bool // nobody waits for it
	began       time.Time
	done, total atomic.Int64
	cancel      context.CancelFunc
}

// ordered is the end of a sort; without an order it was given up.
type ordered struct {
	job   *sorting
	order *listed.Order
}

// newSorting is a sort that has not run yet. Title is what the column is called; nobody waits for a quiet one.
func newSorting(by sortBy, title string, quiet bool, cancel context.CancelFunc) *sorting {
	return &sorting{by: by, title: title, quiet: quiet, cancel: cancel, began: time.Now()}
}

// run sorts n rows of packets, which frame gives in the order of the capture. It returns nil when it was given up.
func (s *sorting) run(ctx context.Context, of *dissect.Session, sh *filtered.Packets, frame func(row int) dissect.FrameNum, n int) *listed.Order {
	r := sorter{s: of, by: s.by, of: sh, job: s, frame: frame}
	return r.run(ctx, n)
}

// progress says how far it has come.
func (s *sorting) progress() string {
	if s == nil || s.quiet {
		return ""
	}
	return "sorting by " + s.title + ", " + strconv.Itoa(int(s.done.Load()*100/max(1, s.total.Load()))) + " %"
}

// sortColumn sorts by a column: from small to large first, the other way the second time, then as captured again.
func (m *model) sortColumn(c column) {
	switch {
	case !m.sorted.by.is(c):
		m.sortAs(sortBy{c.kind, c.field, false})
	case !m.sorted.by.down:
		m.sortAs(sortBy{c.kind, c.field, true})
	default:
		m.unsort()
	}
}

// sortAs sorts, beside everything else. The list stays as it is until all is done.
func (m *model) sortAs(by sortBy) {
	m.endSorting()
	m.sorted.by, m.follow = &by, false
	m.startSorting()
}

// unsort shows the packets as they were captured.
func (m *model) unsort() {
	m.endSorting()
	if m.sorted.by != nil {
		m.notice = "Unsorted"
	}
	m.sorted.by, m.sorted.keep = nil, keepSorted{}
	m.setOrder(nil)
}

func (m *model) endSorting() {
	if m.sorted.under != nil {
		m.sorted.under.cancel()
		m.sorted.under = nil
	}
}

func (m *model) startSorting() {
	if !m.sortsLater() && m.packets.Order != nil && m.packets.Order.Of == m.packets.Filtered {
		m.packets.Order = nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	job := newSorting(*m.sorted.by, m.sortTitle(), m.sorted.keep.on && m.packets.Order != nil, cancel)
	m.sorted.under = job
	n, s, of, frame := m.packets.Rows(), m.packets.Session, m.packets.Filtered, m.packets.CapturedFrames()
	m.pending = append(m.pending, func() any {
		defer m.guard("sorting")
		return ordered{job, job.run(ctx, s, of, frame, n)}
	})
}

// sortTitle is what the column is called by which is sorted.
func (m *model) sortTitle() string {
	if m.sorted.by.field != nil {
		return m.sorted.by.field.Name()
	}
	for _, c := range knownColumns() {
		if m.sorted.by.is(c) {
			return c.title
		}
	}
	return ""
}

func (m *model) onOrdered(o ordered) {
	if o.job != m.sorted.under {
		return
	}
	m.sorted.under = nil
	m.sorted.keep.next = time.Now().Add(max(sortAgain, sortShare*time.Since(o.job.began)))
	if o.order != nil && o.order.Of == m.packets.Filtered {
		m.setOrder(o.order)
	}
}

// A sorter sorts packets by what a column says of them.
type sorter struct {
	s     *dissect.Session
	by    sortBy
	of    *filtered.Packets
	job   *sorting
	frame func(row int) dissect.FrameNum // in capture order
	texts []string                       // by row, where a text is sorted by: what is behind its first eight bytes
}

// A sortKey is what one packet is sorted by. It is small, as there is one for each.
type sortKey struct {
	number uint64 // of a text: its first eight bytes
	row    uint32
	none   bool // the packet has no such thing: it comes last, whichever way
}

// sortChunk is how many packets are worked on between two looks at whether all this is still wanted.
const sortChunk = 1 << 14

// run sorts n rows. It returns nil when it was given up.
func (s *sorter) run(ctx context.Context, n int) *listed.Order {
	keys := make([]sortKey, n)
	s.job.total.Store(int64(2 * n))
	for i := range keys {
		keys[i].row = uint32(i)
	}
	if !s.fill(ctx, keys) {
		return nil
	}
	if keys = mergeSort(ctx, keys, s.compare, s.progress(n)); keys == nil {
		return nil
	}
	frames := make([]dissect.FrameNum, n)
	for i := range keys {
		frames[i] = s.frame(int(keys[i].row))
	}
	return listed.NewOrder(s.of, frames)
}

// progress tells how far the sorting of n keys has come, when its whole work is some number of steps.
func (s *sorter) progress(n int) func(done, of int) {
	return func(done, of int) { s.job.done.Store(int64(n + n*done/max(1, of))) }
}

// compare is the order of two keys. Equal ones stay as they were captured, whichever way.
func (s *sorter) compare(a, b sortKey) int {
	if a.none != b.none {
		if a.none {
			return 1
		}
		return -1
	}
	c := cmp.Compare(a.number, b.number)
	if c == 0 && s.texts != nil {
		c = cmp.Compare(s.texts[a.row], s.texts[b.row])
	}
	if s.by.down {
		c = -c
	}
	if c == 0 {
		c = cmp.Compare(a.row, b.row)
	}
	return c
}

// inChunks does work on pieces of a list on all cores, and tells whether it came to the end.
func inChunks(ctx context.Context, n, size int, worker func() func(lo, hi int)) bool {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range cores() {
		wg.Go(func() {
			do := worker()
			for ctx.Err() == nil {
				lo := int(next.Add(int64(size))) - size
				if lo >= n {
					return
				}
				do(lo, min(n, lo+size))
			}
		})
	}
	wg.Wait()
	return ctx.Err() == nil
}

// mergeSort sorts by runs that it then merges, on all cores; nil when it was given up. tick tells of the steps done.
func mergeSort[T any](ctx context.Context, list []T, compare func(a, b T) int, tick func(done, of int)) []T {
	steps := 1
	for size := sortChunk; size < len(list); size *= 2 {
		steps++
	}
	if !inChunks(ctx, len(list), sortChunk, func() func(lo, hi int) {
		return func(lo, hi int) { slices.SortFunc(list[lo:hi], compare) }
	}) {
		return nil
	}
	tick(1, steps)
	into, step := make([]T, len(list)), 1
	for size := sortChunk; size < len(list); size *= 2 {
		if !inChunks(ctx, len(list), 2*size, func() func(lo, hi int) {
			return func(lo, hi int) {
				merge(ctx, into[lo:hi], list[lo:min(lo+size, hi)], list[min(lo+size, hi):hi], compare)
			}
		}) {
			return nil
		}
		list, into = into, list
		step++
		tick(step, steps)
	}
	return list
}

// merge puts two sorted lists into one.
func merge[T any](ctx context.Context, into, a, b []T, compare func(a, b T) int) {
	for k := range into {
		if k%sortChunk == 0 && ctx.Err() != nil {
			return
		}
		if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
			into[k], a = a[0], a[1:]
		} else {
			into[k], b = b[0], b[1:]
		}
	}
}
