package live

import (
	"sync/atomic"

	"remora/capture"
)

// counter holds what one live interface counted. Its goroutine writes, anybody reads.
type counter struct {
	name                                             string
	live                                             atomic.Bool
	received, filtered, dropped, ifDropped, inKernel atomic.Uint64
}

func (c *counter) counts() capture.InterfaceCounts {
	return capture.InterfaceCounts{Received: c.received.Load(), Filtered: c.filtered.Load(), Dropped: c.dropped.Load(),
		IfDropped: c.ifDropped.Load(), InKernel: c.inKernel.Load()}
}
