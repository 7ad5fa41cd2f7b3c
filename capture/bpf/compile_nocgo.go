//go:build !cgo && !windows && !linux

package bpf

import "fmt"

type program struct{}

func (program) matches([]byte, uint32) bool { return false }

// Compile needs libpcap: in this build it always returns an error that says so.
func Compile(linkType, snapLen int, expr string) (*Filter, error) {
	return nil, fmt.Errorf("capture filter %q: %w", expr, ErrNoLibpcap)
}
