package dissect

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
)

// MaxSteps is the budget of one frame. A step is a range, a layer, a guess, a call of a store, a read that does not
// move the cursor on, a byte that the cursor goes back over, or 32 bytes that were made: put together, unpacked,
// decrypted (see Spend). What recorded traffic needs stays far below it. Nodes have a bound of their own, MaxNodes.
//
// Reads that move the cursor on cost nothing, since there are no more of them than bytes.
const MaxSteps = 1 << 23

const (
	bytesPerStep = 32
	lookEvery    = 1 << 12
	keepingCosts = 16 // steps of what leaves something in the session: an expert info, a value in a list
)

// givenUp is the panic that ends the dissection of a frame (see D.frame).
type givenUp struct{ why *Field }

// Spend takes steps for work over n bytes that the cursor does not do, such as to unpack or to decrypt them. When the
// budget is used up the dissection of the frame ends with the expert info _ws.budget, in every pass: what a frame costs
// depends on its bytes alone, never on time.
//
// From, Gather and Assemble take what they make themselves. Call Spend in front of helpers whose work is not in
// proportion to bytes that were taken already.
func (d *D) Spend(n int) { d.step(1 + n/bytesPerStep) }

// step takes n steps from the budget.
func (d *D) step(n int) {
	if d.steps += n; d.steps >= d.look {
		d.looked()
	}
}

// looked ends the dissection where the budget is used up, or the time (see worker).
func (d *D) looked() {
	if d.steps >= MaxSteps {
		d.giveUp(fBudget)
	}
	d.look = min(MaxSteps, d.steps+lookEvery)
	d.alive()
}

// giveUp ends the dissection of the frame: recovered says why.
func (d *D) giveUp(why *Field) {
	d.steps = 0 // for what is said of it
	if d.asking != noPlugin {
		d.plugin = d.asking
	}
	d.over = why
	panic(givenUp{why})
}

// ended says why the dissection of a frame was given up. It is deferred also where panics are to be seen (see
// Registry.Strict).
func (d *D) ended() {
	if d.reg.Spent != nil {
		d.reg.Spent(d.Frame, d.steps, d.over != nil)
	}
	if d.over == nil {
		return
	}
	if p, ok := recover().(givenUp); ok {
		d.giveUpExpert(p.why)
	}
}

func (d *D) giveUpExpert(why *Field) {
	d.depth, d.src, d.short, d.quoted, d.image, d.ids = 1, 0, false, false, nil, d.want.ids
	d.ExpertText(why, fmt.Sprintf("%s (%s)", why.label, d.culprit()))
}

// culprit is the filter name of the protocol whose dissector is at work.
func (d *D) culprit() string {
	if d.plugin == noPlugin {
		return "the engine"
	}
	return d.reg.plugins[d.plugin].Protocol.name
}

// givenUpBook knows the frames that were given up. They are few.
type givenUpBook struct {
	mu    sync.RWMutex
	count atomic.Int64
	all   map[FrameNum]givenUpFrame
}

type givenUpFrame struct {
	plugin uint16
	why    *Field
}

func (b *givenUpBook) put(n FrameNum, plugin uint16, why *Field) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keep(n, plugin, why)
}

func (b *givenUpBook) keep(n FrameNum, plugin uint16, why *Field) {
	if b.all == nil {
		b.all = map[FrameNum]givenUpFrame{}
	}
	if _, known := b.all[n]; !known {
		b.count.Add(1)
	}
	b.all[n] = givenUpFrame{plugin, why}
}

// bytes estimates what is held.
func (b *givenUpBook) bytes() int64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return int64(len(b.all)) * givenUpBytes
}

// forget leaves out frames that were evicted. They stay counted.
func (b *givenUpBook) forget(below FrameNum) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.all, func(n FrameNum, _ givenUpFrame) bool { return n < below })
}

func (b *givenUpBook) get(n FrameNum) (givenUpFrame, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	f, ok := b.all[n]
	return f, ok
}

// GivenUp is how many frames were given up: because of their budget in the first pass, or of the time they took in any
// look.
func (s *Session) GivenUp() int { return int(s.givenUp.count.Load()) }

// alsoGivenUp says what ended the first pass of a frame where it does not end a re-dissection, which leaves out the
// work for what nobody wants to see.
func (d *D) alsoGivenUp() {
	f, ok := d.s.givenUp.get(d.Frame)
	if !ok || d.over != nil {
		return
	}
	d.plugin, d.over, d.steps = f.plugin, f.why, 0
	d.giveUpExpert(f.why)
}
