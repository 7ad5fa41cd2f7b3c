//go:build cgo && !windows

package live

import "github.com/google/gopacket/pcap"

// deviceName is what libpcap calls an interface.
func deviceName(name string) string { return name }

func devices() ([]InterfaceInfo, error) {
	all, err := pcap.FindAllDevs()
	if err != nil {
		return nil, err
	}
	list := make([]InterfaceInfo, 0, len(all))
	for _, d := range all {
		list = append(list, InterfaceInfo{Name: d.Name, Description: d.Description})
	}
	return list, nil
}
