package protocols

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// named is a session over the LAN's DNS traffic with names of all sorts, given by the test.
func named(t *testing.T) *dissect.Session {
	t.Helper()
	reg := dissecttest.Registry(t, All())
	reg.SetNaming(&dissect.Naming{
		Ether:  func(a dissect.Addr) string { return "card_" + a.String()[12:] },
		Vendor: func(dissect.Addr) string { return "Maker\x1b of Cards" },
		Port: func(_ dissect.Table, p uint16) string {
			return map[uint16]string{53: "domain"}[p]
		},
		Host: func(a dissect.Addr) string { return map[string]string{"192.0.2.1": "router"}[a.String()] },
		Seen: true,
	})
	return dissecttest.LoadOf(t, reg, "../fixtures/captures/lan/dns.pcap")
}

// TestNaming has answers name the ends from their frame on, on every look, and labels change with what is shown.
func TestNaming(t *testing.T) {
	s := named(t)
	first, later := s.Tree(1), s.Tree(3)
	for range 2 {
		if got := dissecttest.All(first, "ip.src_host"); got != "192.0.2.10" {
			t.Errorf("before an answer told it, the sender is %q", got)
		}
		if got := dissecttest.All(later, "ip.src_host"); got != "alice.example.com" {
			t.Errorf("the sender is %q, want what an answer told", got)
		}
		first, later = s.Tree(1), s.Tree(3)
	}
	var text strings.Builder
	for i := range later.Nodes {
		text.WriteString(later.Label(i) + "\n")
	}
	for _, want := range []string{"Src: card_53:0a (00:00:5e:00:53:0a)",
		"Internet Protocol Version 4, Src: alice.example.com (192.0.2.10), Dst: 192.0.2.2",
		"Destination Port: domain (53)", "Source (resolved): card_53:0a", `(resolved): Maker\033 of Cards`} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no label has %q:\n%s", want, text.String())
		}
	}
	if got := s.AddrName(later.Src.Addr, 3); got != "alice.example.com" {
		t.Errorf("the column has %q", got)
	}
	s.ShowNames(false)
	plain := s.Tree(3)
	if got := s.AddrName(later.Src.Addr, 3); got != "" {
		t.Errorf("the column has %q with names off", got)
	}
	for i := range plain.Nodes {
		if l := plain.Label(i); strings.Contains(l, "domain") || strings.Contains(l, "Src: card") ||
			strings.Contains(l, "Src: alice") {
			t.Errorf("a label has %q with names off", l)
		}
	}
	if got := dissecttest.All(plain, "ip.src_host"); got != "alice.example.com" {
		t.Errorf("the field is %q with names off", got)
	}
	dissecttest.Redissections(t, s)
}

// TestNamingByDHCP names addresses after the hosts that DHCP gives them to, from the grant on.
func TestNamingByDHCP(t *testing.T) {
	option := func(kind byte, text string) string { return string([]byte{kind, byte(len(text))}) + text }
	message := func(op byte, your string, options ...string) []byte {
		b := make([]byte, 236)
		b[0], b[1], b[2], b[4], b[28] = op, 1, 6, 7, 2
		copy(b[16:], your)
		text := string(b) + "\x63\x82\x53\x63" + strings.Join(options, "") + "\xff"
		from, to, sport, dport := "0.0.0.0", "192.0.2.1", uint16(68), uint16(67)
		if op == 2 {
			from, to, sport, dport = to, from, dport, sport
		}
		return dissecttest.IPv4(dissecttest.ProtocolUDP, from, to, dissecttest.UDP(sport, dport, []byte(text)))
	}
	offered := "\xc0\x00\x02\x37"
	reg := dissecttest.Registry(t, All())
	reg.SetNaming(&dissect.Naming{Seen: true})
	s := dissecttest.SessionOf(t, reg, 101, dissecttest.Packets(
		message(1, "", option(53, "\x03"), option(12, "laptop")),
		message(2, offered, option(53, "\x02")),
		message(2, offered, option(53, "\x05")),
	))
	addr := dissect.IPv4Addr([]byte(offered))
	for n, want := range map[dissect.FrameNum]string{1: "", 2: "", 3: "laptop"} {
		if got := s.AddrName(addr, n); got != want {
			t.Errorf("at frame %d the address is %q, want %q", n, got, want)
		}
	}
}

// TestNamingByNetBIOS names the hosts that claim a name of their own, not the groups that many have.
func TestNamingByNetBIOS(t *testing.T) {
	reg := dissecttest.Registry(t, All())
	reg.SetNaming(&dissect.Naming{Seen: true})
	s := dissecttest.LoadOf(t, reg, "../fixtures/captures/lan/netbios.pcap")
	owner := dissect.IPv4Addr([]byte{192, 0, 2, 2})
	for n := range dissect.FrameNum(s.Passed()) {
		if got := s.AddrName(owner, n+1); got != "FILES" {
			t.Fatalf("at frame %d the address is %q", n+1, got)
		}
	}
}
