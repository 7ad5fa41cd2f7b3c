//go:build !cgo && !windows && !linux

package live

import "net"

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
