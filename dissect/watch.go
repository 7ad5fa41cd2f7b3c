package dissect

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// A dissector that loops without reading, or waits for ever, is stopped by no budget of steps. So whoever wants packets
// dissected waits, and watches the goroutine that does it: one that stays in the same frame for too long is asked to
// end it, which it does at its next step. One that does not answer is given up for good, and another one goes on behind
// the frame.
//
// What the goroutine given up had changed is seen by the one that goes on, since it stored worker.at behind it (see
// D.settle). From then on it changes nothing any more: it looks at worker.stop first and ends itself. Between this look
// and the change there is no code but the engine's, a few instructions without a loop, and the goroutine was asked for
// longer than they take before it was given up.

const (
	watchEvery = 250 * time.Millisecond
	maxTime    = time.Second // that one frame may take, before its dissection is asked to end
	graceTime  = maxTime / 2 // behind it, before its goroutine is given up
	maxHangs   = 3           // of one dissector, before it is switched off
	gaveUp     = ^uint64(0)  // worker.stop of a goroutine that was given up
)

// A worker is a goroutine that dissects while another one waits for it. What stands around each frame must cost next to
// nothing: it counts, and the other one reads the count now and then.
type worker struct {
	now  uint64        // what it has begun and ended: odd within a dissection (see seen)
	d    *D            // who dissects
	stop atomic.Uint64 // the dissection that is to end, or gaveUp

	settled atomic.Bool // see D.settle
	anew    bool        // it takes the place of one that was given up
	done    chan ending
}

// seen reads the count while the worker may change it: a word that may be old, but not by as long as a watcher waits.
//
//go:norace
//go:noinline
func (w *worker) seen() uint64 { return w.now }

// An ending says how a worker ended.
type ending struct {
	panic  any
	exited bool // by runtime.Goexit, as tests do that fail
}

// asked tells whether the dissection is to end. It does not come back when the worker was given up.
func (w *worker) asked() bool {
	stop := w.stop.Load()
	if stop == 0 {
		return false
	}
	if stop == gaveUp || !w.stop.CompareAndSwap(stop, 0) {
		runtime.Goexit()
	}
	return stop == w.now
}

func (w *worker) do(work func(*worker), spinning *atomic.Int32) {
	ended := false
	defer func() {
		if w.stop.Load() == gaveUp {
			spinning.Add(-1)
		}
		e := ending{exited: !ended}
		if p := recover(); p != nil {
			e.panic = fmt.Errorf("%v\n%s", p, debug.Stack())
		}
		w.done <- e
	}()
	work(w)
	ended = true
}

// watch waits until the work is done, or gives the worker up: it tells in which dissection, or 0.
func (w *worker) watch(spinning *atomic.Int32) uint64 {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	var clock chanceClock
	for at, spent := uint64(0), time.Duration(0); ; {
		select {
		case e := <-w.done:
			switch {
			case e.panic != nil:
				panic(e.panic)
			case e.exited:
				runtime.Goexit()
			}
			return 0
		case <-ticker.C:
		}
		now, chance := w.seen(), clock.chance(int(spinning.Load()))
		if now&1 == 0 || now != at {
			at, spent = now, 0
			continue
		}
		spent += chance
		switch {
		case spent < maxTime:
		case spent < maxTime+graceTime:
			w.stop.CompareAndSwap(0, at)
		case w.stop.CompareAndSwap(at, gaveUp):
			spinning.Add(1)
			return at
		}
	}
}

// A Guard has packets dissected on a goroutine of its own, which is given up when a dissector hangs: the frame then
// says so, in this and every later look at it.
type Guard struct {
	s    *Session
	l    *Dissector
	past bool
}

// Past has the guard's Dissector tell of a packet what was known when it had passed, however far the first pass has
// come since: no link leads to a later packet. The first pass may be PastFrames ahead at most, and what passed before
// the call is known as it is.
func (g *Guard) Past() *Guard {
	g.past = true
	g.s.facts.on.Store(true)
	return g
}

// Guard makes a guard. Each goroutine needs its own.
func (s *Session) Guard() *Guard { return &Guard{s: s} }

// Run runs work on another goroutine and waits for it. When a dissector hangs in it, work begins anew on yet another
// one, with another Dissector, and what the Dissector then says of the frame is that it was given up. So work must go
// on where it was: a loop counts in a variable outside of it. It must defer nothing, and give the Dissector to nobody.
func (g *Guard) Run(work func(l *Dissector)) {
	g.s.guarded(func(w *worker) {
		if g.l == nil || w.anew {
			g.l = g.s.Dissector()
			g.l.d.past = g.past
		}
		g.l.d.work = w
		work(g.l)
	})
}

func (g *Guard) redissect(n FrameNum, w *Wants) (t *Tree) {
	g.Run(func(l *Dissector) { t = l.redissect(n, w) })
	return t
}

func (s *Session) guarded(work func(*worker)) {
	for anew := false; ; anew = true {
		w := &worker{anew: anew, done: make(chan ending, 1)}
		go w.do(work, &s.spinning)
		at := w.watch(&s.spinning)
		if at == 0 {
			return
		}
		s.replace(w, at)
	}
}

// replace remembers in which frame a worker was given up. Where that was the first pass, it ends the frame.
func (s *Session) replace(w *worker, at uint64) {
	var stopped runtime.MemStats
	runtime.ReadMemStats(&stopped) // it stops all goroutines, so what this one wrote before is seen from here on
	w.settled.Load()
	d := w.d
	switch {
	case d.first:
		s.resume(d)
	case w.seen() == at: // otherwise it came to its end in the last moment
		s.hung(d, d.remains().plugin)
	}
}

// remains is what is left of a frame whose dissection was given up.
type remains struct {
	plugin, top uint16
	path        []step
	kinds       []KindValue
	convs       []uint32
}

// remains reads what the goroutine that was given up knew last. Unlike what it left in the session, it may have changed
// this behind its last store of worker.at, such as when it entered a layer. It changes it no more, all of it are single
// words, and of these Go's memory model has a reader see a value that was written: at worst an inner layer is missing.
//
//go:norace
//go:noinline
func (d *D) remains() (r remains) {
	r.plugin, r.top = d.asking, d.top
	if r.plugin == noPlugin {
		r.plugin = d.plugin
	}
	for i := range d.path { //nolint:staticcheck // append would copy with the race detector looking on
		r.path = append(r.path, d.path[i])
	}
	for i := range d.kinds { //nolint:staticcheck // append would copy with the race detector looking on
		r.kinds = append(r.kinds, d.kinds[i])
	}
	for i := range d.convIDs { //nolint:staticcheck // append would copy with the race detector looking on
		r.convs = append(r.convs, d.convIDs[i])
	}
	return r
}

// resume ends a frame of the first pass in place of the goroutine that was given up, and has the pass go on with
// another D.
func (s *Session) resume(was *D) {
	r := was.remains()
	for _, c := range was.changes {
		s.stores[c.store].(loser).lose(c.conv, c.state)
	}
	s.pass = s.newDissector(true)
	l, d := s.pass, &s.pass.d
	l.open(was.Frame)
	d.begin(was.Frame, wantsNothing, MaxLayers+1)
	d.path, d.kinds, d.convIDs = r.path, r.kinds, r.convs
	d.plugin, d.top, d.over = r.plugin, r.top, fWatchdog
	d.giveUpExpert(fWatchdog)
	l.record()
}

// A change is one that a plugin makes to its state. What it made of it is not known when its goroutine was given up
// before it said endChange: the state is lost then.
type change struct {
	store uint32
	conv  *Conversation
	state any // a pointer
}

// A loser is a store that can do without a state from now on.
type loser interface {
	lose(c *Conversation, state any)
}

// settle shows the race detector that whoever goes on, when this goroutine is given up, sees what it has changed so
// far. It is called before code of plugins runs that may hang.
func (d *D) settle() {
	if raceDetector {
		d.work.settled.Store(true)
	}
}

// enter and leave stand around the dissection of a frame. leave does not come back when the worker was given up.
func (d *D) enter() {
	d.work.d = d
	d.work.now++
	d.settle()
}

func (d *D) leave() {
	d.work.now++
	if d.work.stop.Load() != 0 {
		d.work.asked()
	}
}

// beginChange and endChange stand around a change of a state.
//
//go:noinline
func (d *D) beginChange(store uint32, state any) {
	d.changes = append(d.changes, change{store, d.conv, state})
	d.settle()
}

func (d *D) endChange() {
	d.changes = d.changes[:len(d.changes)-1]
	d.alive()
}

// alive stands in front of what changes the session, and behind the code of plugins: a dissection that is to end ends
// here, and a goroutine that was given up.
func (d *D) alive() {
	if d.work.stop.Load() != 0 {
		d.called()
	}
}

func (d *D) called() {
	if d.work.asked() {
		d.giveUp(fWatchdog)
	}
}
