//go:build !cgo

package capture

import "fmt"

type program struct{}

func (program) matches([]byte, uint32) bool { return false }

// CompileFilter needs libpcap: in this build it always returns an error that says so.
func CompileFilter(linkType, snapLen int, expr string) (*BPF, error) {
	return nil, fmt.Errorf("capture filter %q: %w", expr, ErrNoCapture)
}
