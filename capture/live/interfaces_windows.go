package live

import (
	"cmp"
	"strings"
	"unsafe"

	"github.com/google/gopacket/pcap"
	"golang.org/x/sys/windows"
)

// What Npcap calls its devices: an adapter's GUID behind a prefix, and one that is no adapter.
const (
	npfPrefix    = `\Device\NPF_`
	npfLoopback  = npfPrefix + "Loopback"
	loopbackName = "Loopback"
)

func devices() ([]InterfaceInfo, error) {
	if err := mayCapture(); err != nil {
		return nil, err
	}
	all, err := pcap.FindAllDevs()
	if err != nil {
		return nil, err
	}
	names := friendlyNames()
	list := make([]InterfaceInfo, 0, len(all))
	for _, d := range all {
		list = append(list, InterfaceInfo{Name: friendly(d.Name, names), Description: d.Description})
	}
	return list, nil
}

// friendly is the name that people know an adapter by.
func friendly(device string, names map[string]string) string {
	if device == npfLoopback {
		return loopbackName
	}
	guid, _ := strings.CutPrefix(device, npfPrefix)
	return cmp.Or(names[strings.ToUpper(guid)], device)
}

// deviceName is what Npcap calls an interface.
func deviceName(name string) string {
	if name == loopbackName {
		return npfLoopback
	}
	for guid, known := range friendlyNames() {
		if strings.EqualFold(name, known) {
			return npfPrefix + guid
		}
	}
	return name
}

// friendlyNames are the names of adapters by their GUIDs.
func friendlyNames() map[string]string {
	names := map[string]string{}
	size := uint32(16 << 10)
	for range 4 { // until it fits
		buf := make([]byte, size)
		first := (*windows.IpAdapterAddresses)(unsafe.Pointer(&buf[0]))
		err := windows.GetAdaptersAddresses(windows.AF_UNSPEC, windows.GAA_FLAG_INCLUDE_ALL_INTERFACES, 0, first, &size)
		if err == windows.ERROR_BUFFER_OVERFLOW {
			continue
		}
		if err == nil {
			for a := first; a != nil; a = a.Next {
				guid := strings.ToUpper(windows.BytePtrToString(a.AdapterName))
				names[guid] = windows.UTF16PtrToString(a.FriendlyName)
			}
		}
		break
	}
	return names
}

// LibraryVersion is the version of Npcap that this program captures with.
func LibraryVersion() string {
	if mayCapture() != nil {
		return "without Npcap"
	}
	return pcap.Version()
}
