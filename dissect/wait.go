package dissect

import (
	"context"
	"time"
)

// Wait waits for new packets, of which wake tells, and for a moment at most: a first pass that lags behind the store
// does not say when it has come further.
func (s *Session) Wait(ctx context.Context, wake <-chan struct{}) {
	moment := 20 * time.Millisecond
	if s.Passed() < s.store.Len() {
		moment /= 10
	}
	select {
	case <-ctx.Done():
	case <-wake:
	case <-time.After(moment):
	}
}
