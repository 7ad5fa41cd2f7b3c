package cli

import (
	"runtime/debug"
	"testing"
	"time"

	"remora/internal/memlimit"
	"remora/internal/startmem"
)

// TestDefaultMemory finds printing bounded, whatever the machine has, and what looks back at the end not.
func TestDefaultMemory(t *testing.T) {
	all := memlimit.Default()
	for _, c := range []struct {
		what string
		o    options
		want int64
	}{
		{"lines", options{summary: true}, min(all, printedMemory)},
		{"a filter, counted", options{quiet: true}, min(all, printedMemory)},
		{"statistics", options{statistics: []string{"conv,tcp"}}, all},
		{"two passes", options{summary: true, twoPass: true}, all},
		{"objects", options{exports: []string{"http,."}}, all},
	} {
		if got := c.o.defaultMemory(); got != c.want {
			t.Errorf("%s: %d, not %d", c.what, got, c.want)
		}
	}
	o := options{summary: true, memory: "1GiB"}
	if err := o.useMemory(); err != nil || o.limit != 1<<30 {
		t.Errorf("as asked for: %d, %v", o.limit, err)
	}
	o = options{summary: true, keepState: true}
	if err := o.useMemory(); err != nil || o.limit != 0 {
		t.Errorf("with all kept: %d, %v", o.limit, err)
	}
}

// TestPrintingLetsTheHeapGrow finds garbage looked for as seldom as at the start where little memory is the limit.
func TestPrintingLetsTheHeapGrow(t *testing.T) {
	usual := debug.SetGCPercent(100)
	defer func() { debug.SetGCPercent(usual); startOver = nil }()
	for _, c := range []struct {
		o    options
		want int
	}{{options{summary: true}, startmem.Percent}, {options{summary: true, keepState: true}, 100}} {
		debug.SetGCPercent(100)
		startOver = time.AfterFunc(time.Hour, func() {})
		if err := c.o.useMemory(); err != nil {
			t.Fatal(err)
		}
		if got := debug.SetGCPercent(100); got != c.want {
			t.Errorf("all kept %v: the heap grows by %d %%, not %d %%", c.o.keepState, got, c.want)
		}
		startOver.Stop()
	}
}
