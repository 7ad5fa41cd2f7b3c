package dissect

import (
	"runtime"
	"syscall"
	"time"
)

// A chanceClock says how much of the time that passed the program had the chance to run: what it did run, and a
// sixteenth of the time at least, so that a dissector that sleeps is given up as well.
type chanceClock struct {
	at  time.Time
	ran time.Duration
}

func (c *chanceClock) chance(spinning int) time.Duration {
	was := *c
	c.at, c.ran = time.Now(), processorTime()
	if was.at.IsZero() {
		return 0
	}
	passed, ran := min(c.at.Sub(was.at), watchEvery), c.ran-was.ran
	if ran > passed*time.Duration(runtime.GOMAXPROCS(0))*3/4 { // goroutines that were given up take their share
		passed /= time.Duration(1 + spinning)
	}
	return max(min(passed, ran), passed/16)
}

// processorTime is what all threads of the program have run.
func processorTime() time.Duration {
	h, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(h, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return ticks(kernel) + ticks(user)
}

// ticks is a span that Windows counts in units of 100 ns.
func ticks(t syscall.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32+int64(t.LowDateTime)) * 100
}
