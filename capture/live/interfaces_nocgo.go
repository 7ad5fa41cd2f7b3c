//go:build !cgo && !windows

package live

import (
	"net"

	"remora/capture/bpf"
)

// devices lists the network interfaces, although this build cannot capture on them: the list says why.
func devices() ([]InterfaceInfo, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	list := make([]InterfaceInfo, 0, len(all))
	for _, d := range all {
		list = append(list, InterfaceInfo{Name: d.Name})
	}
	return list, nil
}

// mayCapture says why this process cannot capture.
func mayCapture() error { return bpf.ErrNoLibpcap }

// RightFrom has nothing to tell.
func RightFrom() string { return "" }
