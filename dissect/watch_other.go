//go:build !unix

package dissect

import "time"

// A chanceClock says how much of the time that passed the program had the chance to run: the looks at it are counted.
type chanceClock struct{ begun bool }

func (c *chanceClock) chance(spinning int) time.Duration {
	if !c.begun {
		c.begun = true
		return 0
	}
	return watchEvery / time.Duration(1+spinning)
}
