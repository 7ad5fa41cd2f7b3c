package anonymise

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"
)

// TestAddressesStayOfTheirKind: private ones private, groups groups; what began alike begins alike, and no two become
// one.
func TestAddressesStayOfTheirKind(t *testing.T) {
	m := Keyed([]byte("a key"))
	of := func(text string) netip.Addr {
		a := netip.MustParseAddr(text)
		b := a.AsSlice()
		if a.Is4() {
			m.ipv4(b)
		} else {
			m.ipv6(b)
		}
		got, _ := netip.AddrFromSlice(b)
		return got
	}
	for _, text := range []string{"10.1.2.3", "172.20.1.1", "192.168.4.5", "fd00::1:2"} {
		if a := of(text); !a.IsPrivate() || a == netip.MustParseAddr(text) {
			t.Errorf("%s becomes %s", text, a)
		}
	}
	for _, text := range []string{"127.0.0.1", "::1", "224.0.0.251", "ff02::fb", "255.255.255.255", "0.0.0.0", "::"} {
		if a := of(text); a != netip.MustParseAddr(text) {
			t.Errorf("%s becomes %s", text, a)
		}
	}
	if a := of("fe80::1:2:3:4"); !a.IsLinkLocalUnicast() || a == netip.MustParseAddr("fe80::1:2:3:4") {
		t.Errorf("a link-local address becomes %s", a)
	}
	for _, text := range []string{"8.8.8.8", "93.184.216.34", "2001:db8::1"} {
		if a := of(text); a.IsPrivate() || a.IsMulticast() || a.IsLoopback() || a == netip.MustParseAddr(text) {
			t.Errorf("%s becomes %s", text, a)
		}
	}
	a, b := of("192.168.4.5").As4(), of("192.168.4.6").As4()
	if !bytes.Equal(a[:3], b[:3]) || a == b {
		t.Errorf("two hosts of a network become %v and %v", a, b)
	}
	seen := map[netip.Addr]string{}
	for i := range 256 {
		text := netip.AddrFrom4([4]byte{byte(i), 1, 2, 3}).String()
		if was := seen[of(text)]; was != "" {
			t.Errorf("%s and %s become one", was, text)
		}
		seen[of(text)] = text
	}
	if one, again := of("8.8.8.8"), of("8.8.8.8"); one != again {
		t.Error("an address becomes two")
	}
}

// TestNamesKeepTheirForm: labels of the same number of letters, the same ones for the same ones whatever their case.
func TestNamesKeepTheirForm(t *testing.T) {
	m := Keyed([]byte("a key"))
	name := []byte("\x03www\x07Example\x03com\x00\xc0\x04")
	if end := m.name(name, 0); end != 17 || bytes.Contains(bytes.ToLower(name), []byte("example")) ||
		!bytes.HasSuffix(name[:17], []byte("\x03com\x00")) {
		t.Errorf("%q, to %d", name, end)
	}
	other := []byte("\x07EXAMPLE\x05_http\x00")
	m.name(other, 0)
	if !bytes.Equal(other[1:8], name[5:12]) || !strings.Contains(string(other), "_http") {
		t.Errorf("%q beside %q", other, name)
	}
	for _, wrong := range []string{"\x05ab", "\xc0", "\x80aa", ""} {
		if end := m.name([]byte(wrong), 0); end != -1 {
			t.Errorf("%q ends at %d", wrong, end)
		}
	}
}

// FuzzPacket: whatever a packet is, it becomes no longer, the original stays, and the same packet becomes the same.
func FuzzPacket(f *testing.F) {
	eth := []byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0}
	dns := append(append([]byte(nil), eth...), 0x45, 0, 0, 45, 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0x9c,
		0x40,
		0, 53, 0, 25, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 2, 'b', 'c', 0, 0, 1, 0, 1)
	f.Add(uint16(linkEthernet), dns)
	f.Add(uint16(linkRaw), dns[14:])
	f.Add(uint16(linkSLL), append(make([]byte, 16), dns[14:]...))
	f.Fuzz(func(t *testing.T, link uint16, b []byte) {
		was := bytes.Clone(b)
		one, two := Keyed([]byte("k")).Packet(int(link), b), Keyed([]byte("k")).Packet(int(link), b)
		if len(one) > len(b) || !bytes.Equal(b, was) || !bytes.Equal(one, two) {
			t.Errorf("%d: %x becomes %x and %x", link, was, one, two)
		}
	})
}
