package jobs

import (
	"context"
	"runtime"
	"testing"
)

func TestWorkIsHandedOnInOrder(t *testing.T) {
	j := New(context.Background())
	done := ""
	j.Add(func() any { return "message" })
	j.Write(func() { done += "written " })
	stop := j.Later("looking", func(ctx context.Context) func() {
		if ctx.Err() == nil {
			t.Error("it is not stopped")
		}
		return func() { done += "then " }
	})
	stop()
	j.Later("nothing", func(context.Context) func() { return nil })
	for work := j.Next(); work != nil; work = j.Next() {
		switch m := work().(type) {
		case string:
			done += m + " "
		case Then:
			m()
		}
	}
	if done != "message written then " {
		t.Errorf("done is %q", done)
	}
}

func TestAFailureIsKept(t *testing.T) {
	j := New(context.Background())
	if j.Failed() != nil {
		t.Error("something failed at once")
	}
	j.Go("counting", func(context.Context) { panic("no numbers") })
	for j.Failed() == nil {
		runtime.Gosched()
	}
	if got := j.Failed().Error(); got != "counting failed: no numbers" {
		t.Error(got)
	}
	j.Later("reading", func(context.Context) func() { panic("broken") })
	if j.Next()(); j.Failed().Error() != "reading failed: broken" {
		t.Error(j.Failed())
	}
}
