package stats

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A turn is a lock that one goroutine takes again and again to count, and others now and then to ask. Counting would keep
// them waiting a millisecond each time, and a screen asks many times for one picture: so it makes room.
type turn struct {
	asked atomic.Int32 // who waits to ask
	mu    sync.Mutex
}

// ask locks for one who asks.
func (t *turn) ask() {
	t.asked.Add(1)
	t.mu.Lock()
	t.asked.Add(-1)
}

// makeRoom lets those go first who ask.
func (t *turn) makeRoom() {
	for range 100 {
		if t.asked.Load() == 0 {
			return
		}
		runtime.Gosched()
	}
}
