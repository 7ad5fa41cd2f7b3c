package broker

import (
	"errors"
	"net"
	"sync"
	"time"
)

// ErrGivenUp is the error of what nobody wants to wait for any longer.
var ErrGivenUp = errors.New("given up, since the process that opens and saves files for the screen did not answer")

// answersIn is how long an answer may take before somebody should be told.
const answersIn = 2 * time.Second

// pending are the requests that a person waits for.
var pending struct {
	sync.Mutex
	since map[*net.UnixConn]time.Time
}

// await remembers that the answer of a connection is waited for; the function that it returns ends that, and makes
// [ErrGivenUp] of its error where it was given up.
func await(c *net.UnixConn) func(*error) {
	pending.Lock()
	defer pending.Unlock()
	if pending.since == nil {
		pending.since = map[*net.UnixConn]time.Time{}
	}
	pending.since[c] = time.Now()
	return func(err *error) {
		pending.Lock()
		defer pending.Unlock()
		if _, ok := pending.since[c]; !ok && *err != nil {
			*err = ErrGivenUp
		}
		delete(pending.since, c)
	}
}

// Waiting tells whether something that was asked of the broker takes long.
func Waiting() bool {
	pending.Lock()
	defer pending.Unlock()
	for _, since := range pending.since {
		if time.Since(since) > answersIn {
			return true
		}
	}
	return false
}

// GiveUp ends all that takes long with [ErrGivenUp], and tells whether there was anything. The broker may still do it.
func GiveUp() bool {
	pending.Lock()
	defer pending.Unlock()
	any := false
	for c, since := range pending.since {
		if time.Since(since) > answersIn {
			any = true
			delete(pending.since, c)
			c.Close()
		}
	}
	return any
}
