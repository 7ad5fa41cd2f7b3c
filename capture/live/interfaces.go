package live

import (
	"net"
	"net/netip"

	"remora/capture"
	"remora/internal/sorting"
)

// InterfaceInfo describes an interface of this machine.
type InterfaceInfo struct {
	Name        string
	Description string
	Addresses   []netip.Prefix
	MAC         net.HardwareAddr
	Up          bool // switched on
	Running     bool // has a carrier
	Loopback    bool
	Kind        string // "bridge", "wlan", "tunnel" and the like; "": an ordinary card, or not known
	LinkType    int    // LINKTYPE_ value it will have; -1: known only once opened
	Speed       uint64 // bits per second; 0: not known
	Counters    Counters
	Unusable    string // why it cannot be captured on, and what to do; "": it can
}

// Counters is what an interface has passed since it exists.
type Counters struct{ RxPackets, RxBytes, TxPackets, TxBytes, RxDropped uint64 }

// Interfaces lists where this machine can capture: what is up and has addresses first, then the rest, special
// sources like USB buses last.
func Interfaces() ([]InterfaceInfo, error) {
	list, _, err := sources.Ask(struct{}{})
	if err != nil {
		return nil, err
	}
	counts, _ := ReadCounters()
	denied := CanCapture()
	for i := range list {
		d := &list[i]
		d.Counters = counts[d.Name]
		switch {
		case denied != nil:
			d.Unusable = denied.Error()
		case !d.Up && d.MAC != nil:
			d.Unusable = "it is down: " + upCommand(d.Name)
		}
	}
	sorting.Stable(list, func(a, b InterfaceInfo) int { return a.rank() - b.rank() })
	return append(list, extcapInterfaces()...), nil
}

// rank orders interfaces by how likely somebody wants them, and as libpcap does: their numbers are tshark's.
func (d *InterfaceInfo) rank() int {
	switch {
	case d.Name == "any":
		return 2
	case d.LinkType < 0:
		return 5 // USB, Bluetooth, netfilter, D-Bus
	case !d.Up:
		return 4
	case d.Loopback:
		return 3
	case !d.Running || len(d.Addresses) == 0:
		return 1
	}
	return 0
}

// completeFromSystem adds what libpcap does not list.
func (d *InterfaceInfo) completeFromSystem() {
	d.LinkType = -1
	if d.Name == "any" {
		d.LinkType, d.Up, d.Running = 113, true, true
		return
	}
	n, err := card(d.Name)
	if err != nil {
		return
	}
	d.MAC = n.HardwareAddr
	if d.MAC == nil {
		d.MAC = net.HardwareAddr{}
	}
	d.Up, d.Running = n.Flags&net.FlagUp != 0, n.Flags&net.FlagRunning != 0
	d.Loopback = n.Flags&net.FlagLoopback != 0
	if addrs, err := n.Addrs(); err == nil {
		d.Addresses = d.Addresses[:0]
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				d.Addresses = append(d.Addresses, p)
			}
		}
	}
	d.LinkType, d.Speed = hardware(d.Name)
	d.Kind = kindOf(d.Name)
	if d.Loopback {
		d.Kind = "loopback"
	}
}

// describe fills in what a file should say about a live interface.
func describe(i *capture.Interface) {
	d := InterfaceInfo{Name: i.Name}
	d.completeFromSystem()
	i.Addresses, i.Speed = d.Addresses, d.Speed
	if len(d.MAC) == 6 {
		i.MAC = d.MAC
	}
	i.OS = SystemName()
}
