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
	done     chan decided
}

// A decided is what came of a job.
type decided struct {
	matches []dissect.FrameNum
	cells   [][]dissect.FieldCell // by column
}

// Scan runs a filter over the frames from and to inclusive, which must have passed, on all cores. It calls emit in the
// order of frames with the matches of each chunk and the last frame decided. emit must not keep the slice. Scan returns
// early with ctx's error, or with why the filter stopped.
func Scan(ctx context.Context, s *dissect.Session, f *Filter, from, to dissect.FrameNum,
	emit func(matches []dissect.FrameNum, upTo dissect.FrameNum)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := min(runtime.GOMAXPROCS(0), runtime.NumCPU()) // there may be threads to spare for a screen
	used := make(chan decided, 4*workers)                   // slices that can be used again
	columns := f.fieldColumns(s, from)
	defer columns.end()
	todo := make(chan job)
	order := make(chan job, 2*workers)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for range workers {
		wg.Go(func() { work(ctx, s, f, &columns, todo, used) })
	}
	wg.Go(func() { deal(ctx, from, to, todo, order) })
	for j := range order {
		select {
		case d := <-j.done:
			if err := f.Stopped(); err != nil {
				return err
			}
			columns.append(s, &d)
			emit(d.matches, j.to)
			select {
			case used <- d:
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
		j := job{at, min(to, at+size-1), make(chan decided, 1)}
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

func work(ctx context.Context, s *dissect.Session, f *Filter, columns *fieldColumns, todo <-chan job,
	used <-chan decided) {
	g := s.Guard()
	buf, same := make([]dissect.Record, 0, 1<<10), new(verdicts)
	for j := range todo {
		var d decided
		select {
		case d = <-used:
		default:
		}
		d.matches = d.matches[:0]
		columns.empty(&d)
		n := j.from
		g.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the frame that it hangs in
			for n <= j.to && ctx.Err() == nil {
				recs := s.Records(n, buf)
				f.matchAll(l, recs[:min(len(recs), int(j.to-n)+1)], same, columns, &n, &d)
			}
		})
		if n <= j.to {
			return
		}
		j.done <- d
	}
}

// matchAll adds the frames from *n on that match, of which the index has these records. *n is the frame that is asked:
// whoever goes on where a dissector hangs begins there.
func (f *Filter) matchAll(l *dissect.Dissector, recs []dissect.Record, same *verdicts, columns *fieldColumns,
	n *dissect.FrameNum, d *decided) {
	for _, rec := range recs {
		known := &same[rec.Hash()%uint32(len(same))]
		if known.rec != rec {
			*known = recalled{rec, f.verdict(l, *n, rec)}
		}
		matches := known.verdict == accept
		if known.verdict == open {
			matches = f.matchBy(l, *n, columns, d)
		} else {
			columns.skip(l.Session(), *n, d)
		}
		if matches {
			d.matches = append(d.matches, *n)
		}
		*n++
	}
}

// verdict is what is known of all frames with the same record, or open.
func (f *Filter) verdict(l *dissect.Dissector, n dissect.FrameNum, rec dissect.Record) verdict {
	p, ps := f.plan(l.Session(), rec.Stack())
	switch {
	case !p.open:
		return verdictOf(bool(p.answer))
	case !p.shared || f.asksEnds:
		return open
	}
	return (&asker{f, ps, l, rec, n}).verdict(p.rest)
}

// verdicts recall what is known of the records met last.
type verdicts [1 << 10]recalled

type recalled struct {
	rec     dissect.Record
	verdict verdict
}
