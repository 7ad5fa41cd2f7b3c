//go:build !cgo && !windows

package live

import (
	"remora/capture"
	"remora/capture/bpf"
)

func startEngine(capture.Options) (*engine, error) { return nil, bpf.ErrNoLibpcap }
