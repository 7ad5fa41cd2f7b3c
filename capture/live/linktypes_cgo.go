//go:build cgo || windows

package live

import "github.com/google/gopacket/pcap"

// LinkTypesOf lists the data link types that an interface can be captured with, by libpcap's names and descriptions. An
// error is an [*capture.InterfaceError] or a [*PermissionError].
func LinkTypesOf(name string) (list [][2]string, err error) {
	in, err := pcap.NewInactiveHandle(deviceName(name))
	if err != nil {
		return nil, openError(name, err)
	}
	defer in.CleanUp()
	h, err := in.Activate()
	if err != nil {
		return nil, openError(name, err)
	}
	defer h.Close()
	links, err := h.ListDataLinks()
	if err != nil {
		return nil, openError(name, err)
	}
	for _, l := range links {
		list = append(list, [2]string{l.Name, l.Description})
	}
	return list, nil
}
