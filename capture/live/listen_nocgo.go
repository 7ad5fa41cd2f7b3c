//go:build !cgo && !windows && !linux

package live

import (
	"remora/capture"
	"remora/capture/bpf"
)

func startEngine(capture.Options, []program) (*engine, error) { return nil, bpf.ErrNoLibpcap }
