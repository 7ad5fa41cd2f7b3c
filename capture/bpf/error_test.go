package bpf

import (
	"strings"
	"testing"
)

// TestNotCompiled tells filters that nothing could compile from those that are wrong.
func TestNotCompiled(t *testing.T) {
	err := NotCompiled("ip.src == 192.0.2.1", "no compiler")
	if CanCompile(err) || strings.Contains(err.Error(), "nvalid") || strings.Contains(err.Error(), "-Y") {
		t.Errorf("%v, %v", CanCompile(err), err)
	}
	if err := NewError("ip.src == 192.0.2.1", "syntax error"); !CanCompile(err) || !strings.Contains(err.Error(), "-Y") {
		t.Error(err)
	}
	if CanCompile(ErrNoLibpcap) {
		t.Error(ErrNoLibpcap)
	}
}
