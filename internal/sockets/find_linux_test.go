package sockets

import (
	"net"
	"net/netip"
	"os"
	"testing"
)

// TestOwnersOfSockets finds this process by its sockets: a connection from both ends, and a datagram socket that is
// bound to all addresses; nobody has one that is closed.
func TestOwnersOfSockets(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	other, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	u, err := net.ListenPacket("udp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	a, b := netip.MustParseAddrPort(c.LocalAddr().String()), netip.MustParseAddrPort(c.RemoteAddr().String())
	port := netip.MustParseAddrPort(u.LocalAddr().String()).Port()
	local := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port)
	ask := []Socket{{TCP: true, Local: a, Peer: b}, {TCP: true, Local: b, Peer: a}, {Local: local, Peer: a}}
	got, err := Owners(ask...)
	if err != nil {
		t.Fatal(err)
	}
	for i, list := range got {
		if len(list) != 1 || list[0].PID != os.Getpid() || list[0].Name == "" {
			t.Errorf("%+v is of %v, want %d", ask[i], list, os.Getpid())
		}
	}
	u.Close()
	if got, err := Owners(ask[2]); err != nil || len(got[0]) != 0 {
		t.Errorf("a closed socket is of %v (%v)", got, err)
	}
}
