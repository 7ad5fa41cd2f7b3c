//go:build unix

package dissect

import (
	"runtime"
	"syscall"
	"time"
)

// A chanceClock says how much of the time that passed the program had the chance to run. An honest frame must not be given up
// because the machine was busy: whenever the kernel took the processor away from a thread of the program, or had it wait for
// memory from a disk, only the time counts that the program did run. A program that was stopped, or whose machine slept,
// missed one look at the clock, however long that was.
type chanceClock struct {
	at    time.Time
	usage syscall.Rusage
}

func (c *chanceClock) chance(spinning int) time.Duration {
	was := *c
	c.at = time.Now()
	if syscall.Getrusage(syscall.RUSAGE_SELF, &c.usage) != nil || was.at.IsZero() {
		return 0
	}
	passed := min(c.at.Sub(was.at), watchEvery)
	ran := processorTime(&c.usage) - processorTime(&was.usage)
	if ran > passed*time.Duration(runtime.GOMAXPROCS(0))*3/4 { // goroutines that were given up take their share
		passed /= time.Duration(1 + spinning)
	}
	if c.usage.Nivcsw == was.usage.Nivcsw && c.usage.Majflt == was.usage.Majflt {
		return passed
	}
	return min(passed, ran)
}

func processorTime(u *syscall.Rusage) time.Duration {
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
