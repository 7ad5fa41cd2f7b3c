package filter

import (
	"context"
	"runtime"
	"sync"

	"remora/dissect"
)

// chunk is how many frames one worker takes at a time: small at the start, so that the first matches show at once.
const (
	firstChunk = 1024
	lastChunk  = 32 << 10
)

type job struct {
	from, to dissect.FrameNum
	done     chan []dissect.FrameNum
}

// Scan runs a filter over the frames from and to inclusive, which must have passed, on all cores. It calls emit in the
// order of frames with the matches of each chunk and the last frame decided. emit must not keep the slice. Scan returns
// early with ctx's error, or with why the filter stopped.
func Scan(ctx context.Context, s *dissect.Session, f *Filter, from, to dissect.FrameNum,
	emit func(matches []dissect.FrameNum, upTo dissect.FrameNum)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := min(runtime.GOMAXPROCS(0), runtime.NumCPU()) // there may be threads to spare for a screen
	used := make(chan []dissect.FrameNum, 4*workers)        // slices of matches that can be used again
	todo := make(chan job)
	order := make(chan job, 2*workers)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for range workers {
		wg.Go(func() { work(ctx, s, f, todo, used) })
	}
	wg.Go(func() { deal(ctx, from, to, todo, order) })
	for j := range order {
		select {
		case matches := <-j.done:
			if err := f.Stopped(); err != nil {
				return err
			}
			emit(matches, j.to)
			select {
			case used <- matches[:0]:
			default:
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// deal hands out chunks, and the same chunks in order to whoever collects the answers.
func deal(ctx context.Context, from, to dissect.FrameNum, todo, order chan<- job) {
	defer close(todo)
	defer close(order)
	size := dissect.FrameNum(firstChunk)
	for at := from; at <= to && at >= from; at += size {
		j := job{at, min(to, at+size-1), make(chan []dissect.FrameNum, 1)}
		if at > from {
			size = min(2*size, lastChunk)
			j.to = min(to, at+size-1)
		}
		for _, c := range []chan<- job{order, todo} {
			select {
			case c <- j:
			case <-ctx.Done():
				return
			}
		}
	}
}

func work(ctx context.Context, s *dissect.Session, f *Filter, todo <-chan job, used <-chan []dissect.FrameNum) {
	g := s.Guard()
	buf := make([]dissect.Record, 0, 1<<10)
	for j := range todo {
		var matches []dissect.FrameNum
		select {
		case matches = <-used:
		default:
		}
		n := j.from
		g.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the frame that it hangs in
			for n <= j.to && ctx.Err() == nil {
				recs := s.Records(n, buf)
				f.matchAll(l, recs[:min(len(recs), int(j.to-n)+1)], &n, &matches)
			}
		})
		if n <= j.to {
			return
		}
		j.done <- matches
	}
}

// matchAll adds the frames from *n on that match, of which the index has these records. *n is the frame that is asked:
// whoever goes on where a dissector hangs begins there.
func (f *Filter) matchAll(l *dissect.Dissector, recs []dissect.Record, n *dissect.FrameNum,
	matches *[]dissect.FrameNum) {
	s := l.Session()
	for i := range recs {
		rec := recs[i]
		p, ps := f.plan(s, rec.Stack())
		if p.open && f.match(l, *n, p, ps, rec) || !p.open && bool(p.answer) {
			*matches = append(*matches, *n)
		}
		*n++
	}
}
