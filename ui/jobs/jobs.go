// Package jobs has what is done beside the screen, which waits for nothing.
package jobs

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// Then is what is to be done in the screen's own goroutine once work beside it is done.
type Then func()

// Jobs are what is begun beside the screen.
type Jobs struct {
	Ctx context.Context // ends with the program

	waiting []func() any // until the screen hands them on
	files   sync.Mutex
	failed  atomic.Pointer[error]
}

// New are no jobs yet; all end with ctx.
func New(ctx context.Context) *Jobs { return &Jobs{Ctx: ctx} }

// Add has work done beside the screen; the screen takes what it returns as a message.
func (j *Jobs) Add(work func() (message any)) { j.waiting = append(j.waiting, work) }

// Next is the work that waits longest, which is taken off; nil: none does.
func (j *Jobs) Next() func() any {
	if len(j.waiting) == 0 {
		return nil
	}
	work := j.waiting[0]
	j.waiting = j.waiting[1:]
	return work
}

// Write does something with files, one thing after the other.
func (j *Jobs) Write(do func()) {
	j.Add(func() any {
		j.files.Lock()
		defer j.files.Unlock()
		do()
		return nil
	})
}

// Go does work until it returns or stop is called; what names it where it fails.
func (j *Jobs) Go(what string, work func(ctx context.Context)) (stop func()) {
	ctx, stop := context.WithCancel(j.Ctx)
	go func() {
		defer j.Guard(what)
		work(ctx)
	}()
	return stop
}

// Later does work and then, if work returns a function, that in the screen's own goroutine; stop ends ctx.
func (j *Jobs) Later(what string, work func(ctx context.Context) (then func())) (stop func()) {
	ctx, stop := context.WithCancel(j.Ctx)
	j.Add(func() any {
		defer j.Guard(what)
		if then := work(ctx); then != nil {
			return Then(then)
		}
		return nil
	})
	return stop
}

// Guard is deferred, and keeps a failure beside the screen from ending the program without a word.
func (j *Jobs) Guard(what string) {
	if p := recover(); p != nil {
		err := fmt.Errorf("%s failed: %v", what, p)
		j.failed.Store(&err)
	}
}

// Failed is the failure of a job, which ends the program, or nil.
func (j *Jobs) Failed() error {
	if err := j.failed.Load(); err != nil {
		return *err
	}
	return nil
}
