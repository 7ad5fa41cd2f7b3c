package dissect_test

import (
	"context"
	"testing"

	"remora/dissect/dissecttest"
)

// TestWait ends by itself, whether the first pass lags or nothing comes any more, by a wake and by its context.
func TestWait(t *testing.T) {
	s := dissecttest.SessionOf(t, dissecttest.Registry(t, plugins()), 1, dissecttest.Packets([]byte{1}))
	s.Wait(context.Background(), nil)
	wake := make(chan struct{}, 1)
	wake <- struct{}{}
	for len(wake) > 0 { // it takes the wake unless its moment is over at once
		s.Wait(context.Background(), wake)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.Wait(ctx, nil)
}
