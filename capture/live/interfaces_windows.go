package live

import (
	"cmp"
	"fmt"
	"net"
	"slices"
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
	known := adapters()
	list := make([]InterfaceInfo, 0, len(all))
	for _, d := range all {
		list = append(list, InterfaceInfo{Name: friendly(d.Name, known), Description: d.Description})
	}
	return list, nil
}

// An adapter is what Windows says of one.
type adapter struct {
	guid  string // as Npcap's devices have it
	name  string // as people know it
	kind  uint32 // IF_TYPE_ value
	speed uint64
}

// friendly is the name that people know an adapter by.
func friendly(device string, known []adapter) string {
	if device == npfLoopback {
		return loopbackName
	}
	guid, _ := strings.CutPrefix(device, npfPrefix)
	for _, a := range known {
		if strings.EqualFold(a.guid, guid) {
			return cmp.Or(a.name, device)
		}
	}
	return device
}

// deviceName is what Npcap calls an interface.
func deviceName(name string) string {
	if name == loopbackName {
		return npfLoopback
	}
	if a, ok := named(name); ok {
		return npfPrefix + a.guid
	}
	return name
}

func named(name string) (adapter, bool) {
	all := adapters()
	i := slices.IndexFunc(all, func(a adapter) bool { return strings.EqualFold(a.name, name) })
	if i < 0 {
		return adapter{}, false
	}
	return all[i], true
}

// adapters are those that Windows has.
func adapters() (list []adapter) {
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
				list = append(list, adapter{guid: strings.ToUpper(windows.BytePtrToString(a.AdapterName)),
					name: windows.UTF16PtrToString(a.FriendlyName), kind: a.IfType, speed: a.TransmitLinkSpeed})
			}
		}
		break
	}
	return list
}

// card is the interface as the system has it. Npcap's adapter for the loopback is none of Windows's.
func card(name string) (*net.Interface, error) {
	if name == loopbackName {
		all, err := net.Interfaces()
		for i := range all {
			if all[i].Flags&net.FlagLoopback != 0 {
				return &all[i], nil
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return net.InterfaceByName(name)
}

// hardware is the kind and speed of an interface. All are Ethernet to Npcap but the loopback, which has the null
// header.
func hardware(name string) (linkType int, speed uint64) {
	if name == loopbackName {
		return 0, 0
	}
	if a, ok := named(name); ok && a.speed < 1<<63 { // all bits: not known
		speed = a.speed
	}
	return 1, speed
}

// kindNames are IF_TYPE_ values as people know them.
var kindNames = map[uint32]string{windows.IF_TYPE_PPP: "PPP", windows.IF_TYPE_IEEE80211: "wlan",
	windows.IF_TYPE_TUNNEL: "tunnel", 243: "mobile", 244: "mobile"}

func kindOf(name string) string {
	a, _ := named(name)
	return kindNames[a.kind]
}

// ReadCounters reads the counters of all interfaces.
func ReadCounters() (map[string]Counters, error) {
	cards, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	all := map[string]Counters{}
	for _, c := range cards {
		row := windows.MibIfRow2{InterfaceIndex: uint32(c.Index)}
		if windows.GetIfEntry2Ex(windows.MibIfEntryNormal, &row) != nil {
			continue
		}
		n := Counters{RxPackets: row.InUcastPkts + row.InNUcastPkts, RxBytes: row.InOctets, RxDropped: row.InDiscards,
			TxPackets: row.OutUcastPkts + row.OutNUcastPkts, TxBytes: row.OutOctets}
		all[c.Name] = n
		if c.Flags&net.FlagLoopback != 0 {
			all[loopbackName] = n
		}
	}
	return all, nil
}

// SystemName is the system and its version, as files and reports have it.
func SystemName() string {
	v := windows.RtlGetVersion()
	return fmt.Sprintf("Windows %d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
}

// LibraryVersion is the version of Npcap that this program captures with.
func LibraryVersion() string {
	if mayCapture() != nil {
		return "without Npcap"
	}
	return pcap.Version()
}
