package stats

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A yieldingMutex is a lock that one goroutine takes again and again to count, and others now and then to ask. Counting
// would keep them waiting a millisecond each time, and a screen asks many times for one picture: so it makes room.
type yieldingMutex struct {
	waiting atomic.Int32 // who waits to ask
	mu      sync.Mutex
}

// ask locks for one who asks.
func (t *yieldingMutex) lockToRead() {
	t.waiting.Add(1)
	t.mu.Lock()
	t.waiting.Add(-1)
}

// yieldToReaders lets those go first who ask.
func (t *yieldingMutex) yieldToReaders() {
	for range 100 {
		if t.waiting.Load() == 0 {
			return
		}
		runtime.Gosched()
	}
}
