//go:build !linux

package live

import (
	"errors"
	"runtime"
)

// ReadCounters has no source on this system.
func ReadCounters() (map[string]Counters, error) {
	return nil, errors.New("interface counters cannot be read on " + runtime.GOOS)
}

func hardware(string) (linkType int, speed uint64) { return 1, 0 }

func kindOf(string) string { return "" }

func systemName() string { return runtime.GOOS }
