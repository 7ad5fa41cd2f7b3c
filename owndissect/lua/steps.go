package lua

import (
	"context"
	"errors"
	"runtime"
	"runtime/metrics"
	"time"
)

// Limits of what a script may do for one packet, and while it is loaded.
const (
	packetSteps = 5_000_000
	loadSteps   = 50_000_000
	maxGrowth   = 512 << 20 // of memory, within one packet
	maxText     = 64 << 20  // of a text that a function makes
	growthEvery = 1 << 16
)

// stepCounter counts the instructions of the machine: it is asked for its channel in front of each.
type stepCounter struct {
	left  int
	check int
	heap  uint64
	err   error
}

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

var errSteps = errors.New("the script takes too many steps: is there an endless loop?")
var errMemory = errors.New("the script takes too much memory")

// grant begins a call.
func (s *stepCounter) grant(n int) { s.left, s.check, s.heap, s.err = n, n-growthEvery, 0, nil }

// Costs in steps of what takes longer than an instruction.
const (
	threadSteps  = 500 // of a coroutine
	errorSteps   = 100 // of an error that is caught
	bytesPerStep = 16  // of a text that is made
)

// spend takes steps for something that is no instruction; the next one sees it.
func (s *stepCounter) spend(n int) { s.left -= n }

// Done is nil, which never is ready, until the steps are used up.
func (s *stepCounter) Done() <-chan struct{} {
	if s.left--; s.left <= s.check {
		return s.looked()
	}
	return nil
}

func (s *stepCounter) looked() <-chan struct{} {
	if s.err != nil {
		return closed
	}
	if s.left <= 0 {
		s.err, s.check = errSteps, s.left+1<<30
		return closed
	}
	s.check = max(0, s.left-growthEvery)
	heap := heapSize()
	if s.heap == 0 {
		s.heap = heap
	}
	if heap > s.heap+maxGrowth {
		runtime.GC() // what nobody has any more does not count, nor what others left meanwhile
		heap = heapSize()
	}
	if heap > s.heap+maxGrowth {
		s.err, s.check = errMemory, s.left+1<<30
		return closed
	}
	return nil
}

func heapSize() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Err says why the script must end, as [context.Context] has it.
func (s *stepCounter) Err() error {
	if s.err != nil {
		return s.err
	}
	return context.Canceled
}

// Deadline has none: steps are counted, not time.
func (s *stepCounter) Deadline() (t time.Time, ok bool) { return t, false }

// Value has none.
func (s *stepCounter) Value(any) any { return nil }
