//go:build unix

package dissect

import (
	"runtime"
	"syscall"
	"time"
)

// A chanceClock says how much of the time that passed the program had the chance to run. An honest frame must not be
// given up because the machine was busy: when the kernel took the processor away from threads of the program, or had
// them wait for memory from a disk, up to lostEach is taken off for each time, but not what the program did run, nor a
// quarter of the time: a dissector that sleeps while the screen is drawn is to be given up as well. A program that was
// stopped, or whose machine slept, missed one look at the clock, however long that was.
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
	waits := c.usage.Nivcsw - was.usage.Nivcsw + c.usage.Majflt - was.usage.Majflt
	return max(min(passed, ran), passed-time.Duration(waits)*lostEach, passed/4)
}

// lostEach is how long a thread that lost the processor waits for it at most, unless the machine is very busy.
const lostEach = 50 * time.Millisecond

func processorTime(u *syscall.Rusage) time.Duration {
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
