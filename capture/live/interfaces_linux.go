package live

import (
	"bytes"
	"io"
	"net"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"remora/internal/broker"
)

// ReadCounters reads the counters of all interfaces at once, cheaply enough for a few times a second.
func ReadCounters() (map[string]Counters, error) {
	f, err := broker.Open("/proc/net/dev")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	all := map[string]Counters{}
	for line := range bytes.Lines(b) {
		name, rest, ok := strings.Cut(string(line), ":")
		f := strings.Fields(rest)
		if !ok || len(f) < 11 {
			continue
		}
		n := func(i int) uint64 { v, _ := strconv.ParseUint(f[i], 10, 64); return v }
		all[strings.TrimSpace(name)] = Counters{RxBytes: n(0), RxPackets: n(1), RxDropped: n(3), TxBytes: n(8),
			TxPackets: n(9)}
	}
	return all, nil
}

// linkOfHardware maps Linux's ARPHRD_ values to what libpcap makes of them.
var linkOfHardware = map[int]int{
	1:     1,   // Ethernet
	772:   1,   // loopback looks like Ethernet
	512:   9,   // PPP; cooked for some drivers
	768:   101, // tunnel: plain IP
	776:   101, // IPv6 in IPv4
	778:   101, // GRE over IP
	801:   105, // 802.11
	802:   119, // 802.11 with Prism header
	803:   127, // 802.11 with radiotap header
	824:   253, // netlink monitor
	65534: 101, // no link layer at all: tun, WireGuard
}

// hardware reads the kind and speed of an interface.
func hardware(name string) (linkType int, speed uint64) {
	read := func(file string) (int, bool) {
		b, err := os.ReadFile("/sys/class/net/" + name + "/" + file)
		if err != nil {
			return 0, false
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(b)))
		return n, err == nil
	}
	linkType = -1
	kind, ok := read("type")
	if !ok { // Android, and containers without /sys
		kind, ok = hardwareType(name)
	}
	if ok {
		if l, known := linkOfHardware[kind]; known {
			linkType = l
		}
	}
	if mbit, ok := read("speed"); ok && mbit > 0 {
		speed = uint64(mbit) * 1_000_000
	}
	return linkType, speed
}

// hardwareType asks the kernel for the ARPHRD_ value of an interface.
func hardwareType(name string) (int, bool) {
	req, err := unix.NewIfreq(name)
	if err != nil {
		return 0, false
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, false
	}
	defer unix.Close(fd)
	err = unix.IoctlIfreq(fd, unix.SIOCGIFHWADDR, req)
	return int(req.Uint16()), err == nil
}

// kindNames are the DEVTYPE values of Linux that people know by another word.
var kindNames = map[string]string{"wireguard": "WireGuard", "vlan": "VLAN", "vxlan": "VXLAN", "geneve": "Geneve",
	"macsec": "MACsec", "wwan": "mobile", "gre": "tunnel", "ip6gre": "tunnel"}

// kindOf says of which kind an interface is, as far as the system tells.
func kindOf(name string) string {
	folder := "/sys/class/net/" + name + "/"
	if _, err := os.Stat(folder + "tun_flags"); err == nil {
		for prefix, whose := range map[string]string{"zt": "ZeroTier", "tailscale": "Tailscale"} {
			if strings.HasPrefix(name, prefix) {
				return whose
			}
		}
		return "tunnel"
	}
	b, err := os.ReadFile(folder + "uevent")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if kind, ok := strings.CutPrefix(strings.TrimSpace(line), "DEVTYPE="); ok {
			if known := kindNames[kind]; known != "" {
				return known
			}
			return kind
		}
	}
	return ""
}

func card(name string) (*net.Interface, error) { return net.InterfaceByName(name) }
