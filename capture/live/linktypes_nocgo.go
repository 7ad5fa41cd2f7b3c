//go:build !cgo && !windows

package live

import "remora/capture"

// LinkTypesOf lists the data link type that an interface is captured with: without libpcap there is one.
func LinkTypesOf(name string) ([][2]string, error) {
	all, err := Interfaces()
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if d.Name == name {
			text := capture.LinkTypeName(d.LinkType)
			return [][2]string{{text, text}}, nil
		}
	}
	return nil, noSuchInterface(name)
}
