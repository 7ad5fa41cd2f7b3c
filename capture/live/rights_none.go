//go:build !cgo && !windows && !linux

package live

import "remora/capture/bpf"

// mayCapture says why this process cannot capture.
func mayCapture() error { return bpf.ErrNoLibpcap }

// RightFrom has nothing to tell.
func RightFrom() string { return "" }
