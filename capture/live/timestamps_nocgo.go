//go:build !cgo && !windows && !linux

package live

import "remora/capture/bpf"

// TimeStampsOf says that this build cannot capture.
func TimeStampsOf(string) ([]string, error) { return nil, bpf.ErrNoLibpcap }
