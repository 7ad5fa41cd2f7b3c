package cli

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"remora/capture"
	"remora/dissect"
	"remora/internal/column"
	"remora/internal/memlimit"
	"remora/internal/startmem"
	"remora/ui/humanize"
	"remora/ui/source"
)

// printedKept is how many packets stay behind the one that is printed: what reassembly and answers look back to.
const printedKept = 1 << 18

// leastMemory is what the program needs by itself, more or less.
const leastMemory = 32 << 20

// startOver ends the start, in which no garbage is looked for; nil where it was not begun.
var startOver = startmem.Over

// printUncollected has printing go on as the start does, where the limit of memory is small: most of what a first pass
// makes stays, and looking through it again and again is a sixth of its time. Near the limit garbage is looked for all
// the same.
func (o *options) printUncollected() {
	if startOver != nil && o.headless() && o.limit > 0 && o.limit <= printedMemory {
		startOver.Stop()
		debug.SetGCPercent(startmem.Percent)
	}
	if o.headless() && o.read != "" && !o.tail {
		column.UseLargePages()
	}
}

// printedMemory is enough to print captures of any length: what is idle for longest is evicted.
const printedMemory = 256 << 20

// defaultMemory is the limit that nobody stated. What looks back at the end, to count or to save, has as much as the
// screen.
func (o *options) defaultMemory() int64 {
	limit := memlimit.Default()
	if o.headless() && !o.twoPass && len(o.statistics)+len(o.exports) == 0 {
		limit = min(limit, printedMemory)
	}
	return limit
}

// useMemory reads the limit of memory, and tells Go's garbage collector of it.
func (o *options) useMemory() error {
	o.limit = o.defaultMemory()
	if o.memory != "" {
		n, err := capture.ParseSize(o.memory)
		if err != nil {
			return usage("--memory: %v", err)
		}
		if o.limit = n; n > 0 && n < leastMemory {
			return usage("--memory %s: that is too little, it takes %s at least", dissect.Escape(o.memory),
				source.SizeText(leastMemory))
		}
	}
	if o.keepState {
		o.limit = 0
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		limit := int64(math.MaxInt64)
		if o.limit > 0 {
			limit = o.limit - min(o.limit/4, leastMemory) // the rest is the program itself, which Go does not count
		}
		debug.SetMemoryLimit(limit)
	}
	o.printUncollected()
	return nil
}

// retention is how much sessions may hold. The other half of the memory is the program's own, and what the garbage
// collector has not found yet.
func (o *options) retention() dissect.Retention {
	return dissect.Retention{Memory: o.limit / 2, Stated: o.limit}
}

// printedRetention is retention for printing: packets that were printed are needed no more, unless something at the end
// asks for them again.
func (o *options) printedRetention(h *headless) dissect.Retention {
	switch {
	case o.keepState, o.twoPass, h.needsRedissection():
		return dissect.Retention{}
	}
	r := o.retention()
	r.Frames = printedKept
	return r
}

// needsRedissection tells whether a statistic asks for old packets at the end.
func (h *headless) needsRedissection() bool {
	for _, st := range h.statistics {
		if st.NeedsRedissection() {
			return true
		}
	}
	return false
}

// reportEvicted says on standard error what was evicted by the limit of memory.
func (o *options) reportEvicted(s *dissect.Session) {
	if text := s.Forgotten().Text(humanize.Of); text != "" {
		fmt.Fprintf(os.Stderr,
			"remora: %s evicted, the oldest first: memory is limited to %s (--memory; --keep-state evicts nothing)\n",
			text, source.SizeText(o.limit))
	}
}
