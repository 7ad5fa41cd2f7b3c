// Package order sorts the rows of the packet list by a column, beside the screen and on all cores.
package order

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"remora/dissect"
	"remora/ui/columns"
	"remora/ui/filtered"
	"remora/ui/listed"
)

// A By is a column to sort by, and which way.
type By struct {
	Kind  columns.Kind
	Field *dissect.Field // of a field's column
	Down  bool
}

// Is tells whether a column is what is sorted by.
func (b *By) Is(c columns.Column) bool { return b != nil && b.Kind == c.Kind && b.Field == c.Field }

// Title is what the column is called.
func (b *By) Title() string {
	if b.Field != nil {
		return b.Field.Name()
	}
	for _, c := range columns.Known() {
		if b.Is(c) {
			return c.Title
		}
	}
	return ""
}

// A Job is a sort in the background.
type Job struct {
	by          By
	quiet       bool // nobody waits for it
	began       time.Time
	done, total atomic.Int64
}

// New is a sort that has not run yet; nobody waits for a quiet one.
func New(by By, quiet bool) *Job { return &Job{by: by, quiet: quiet, began: time.Now()} }

// Took is how long ago it was begun.
func (s *Job) Took() time.Duration { return time.Since(s.began) }

// Run sorts n rows of packets, which frame gives in the order of the capture. It returns nil when it was given up.
func (s *Job) Run(ctx context.Context, of *dissect.Session, sh *filtered.Packets, frame func(row int) dissect.FrameNum,
	n int) *listed.Order {
	r := sorter{s: of, by: s.by, of: sh, job: s, frame: frame}
	return r.run(ctx, n)
}

// Progress says how far it has come.
func (s *Job) Progress() string {
	if s == nil || s.quiet {
		return ""
	}
	return "sorting by " + s.by.Title() + ", " + strconv.Itoa(int(s.done.Load()*100/max(1, s.total.Load()))) + " %"
}

// A sorter sorts packets by what a column says of them.
type sorter struct {
	s     *dissect.Session
	by    By
	of    *filtered.Packets
	job   *Job
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
	if s.by.Down {
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
