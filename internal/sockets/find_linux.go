package sockets

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// find looks the sockets up in the kernel's tables, and who has them open among the descriptors of all processes that
// this one may look at.
func find(list []Socket) ([][]Owner, error) {
	inodes := make([]string, len(list))
	for _, name := range []string{"tcp", "tcp6", "udp", "udp6"} {
		b, err := os.ReadFile("/proc/net/" + name)
		if err != nil {
			continue // without IPv6
		}
		for line := range strings.Lines(string(b)) {
			local, peer, inode, ok := parse(line)
			for i, s := range list {
				if ok && s.TCP == strings.HasPrefix(name, "tcp") && matches(s, local, peer) &&
					(inodes[i] == "" || peer.Port() != 0) { // a connected one before one that listens
					inodes[i] = inode
				}
			}
		}
	}
	out := make([][]Owner, len(list))
	links, err := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		to, err := os.Readlink(link)
		if err != nil || !strings.HasPrefix(to, "socket:[") {
			continue
		}
		for i, inode := range inodes {
			if inode == "" || to != "socket:["+inode+"]" {
				continue
			}
			pid, _ := strconv.Atoi(strings.Split(link, "/")[2])
			name, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
			if o := (Owner{pid, strings.TrimSpace(string(name))}); !slices.Contains(out[i], o) {
				out[i] = append(out[i], o)
			}
		}
	}
	return out, err
}

// matches tells whether a socket is at an end: at its address or at all of them, connected with the other end or with
// nobody.
func matches(s Socket, local, peer netip.AddrPort) bool {
	at := local.Addr() == s.Local.Addr() || local.Addr().IsUnspecified()
	with := peer == s.Peer || peer.Port() == 0
	return local.Port() == s.Local.Port() && at && with
}

// parse reads a line of /proc/net/tcp and the like.
func parse(line string) (local, peer netip.AddrPort, inode string, ok bool) {
	words := strings.Fields(line)
	if len(words) < 10 {
		return local, peer, "", false
	}
	local, ok = endpoint(words[1])
	peer, also := endpoint(words[2])
	return local, peer, words[9], ok && also
}

// endpoint reads an address as the kernel writes it: words of 32 bits in the machine's order, and a port.
func endpoint(text string) (netip.AddrPort, bool) {
	addr, port, _ := strings.Cut(text, ":")
	b, err := hex.DecodeString(addr)
	n, wrong := strconv.ParseUint(port, 16, 16)
	if err != nil || wrong != nil || len(b)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	a, ok := netip.AddrFromSlice(b)
	return netip.AddrPortFrom(a.Unmap(), uint16(n)), ok
}
