package capturefilter

import (
	"slices"
	"testing"

	"remora/capture/bpf"
)

func usual(name string) (tcp, udp []uint32) {
	switch name {
	case "dns":
		return []uint32{53}, []uint32{53}
	case "http":
		return []uint32{80, 8080}, nil
	}
	return nil, nil
}

// TestDisplayFiltersAsCaptureFilters: what can be said, with what is left out, which lets more packets through in every
// place; libpcap takes all of them.
func TestDisplayFiltersAsCaptureFilters(t *testing.T) {
	for _, c := range []struct {
		display, want string
		leftOut       []string
	}{
		{"", "", nil},
		{"ip.addr == 192.0.2.1", "host 192.0.2.1", nil},
		{"ip.src == 10.1.2.3/8 && udp", "src net 10.0.0.0/8 and udp", nil},
		{"ipv6.dst == 2001:db8::1", "dst host 2001:db8::1", nil},
		{"tcp.port == 80 || udp.dstport == 53", "tcp port 80 or udp dst port 53", nil},
		{"tcp.port in {80, 443, 8000..8010}", "tcp port 80 or tcp port 443 or tcp portrange 8000-8010", nil},
		{"!(ip.addr == 192.0.2.1) && !arp", "not (host 192.0.2.1) and not arp", nil},
		{"ip.addr != 192.0.2.1", "not host 192.0.2.1", nil},
		{"(tcp || udp) && ip.addr == 192.0.2.1", "(tcp or udp) and host 192.0.2.1", nil},
		{"eth.addr == 02:00:00:00:00:01", "ether host 02:00:00:00:00:01", nil},
		{"frame.len > 100 && tcp.flags.syn == 1", "len > 100 and tcp[tcpflags] & tcp-syn != 0", nil},
		{"tcp.flags.syn == 0", "tcp[tcpflags] & tcp-syn == 0", nil},
		{"dns", "port 53", nil},
		{"http && ip.src == 192.0.2.1", "(tcp port 80 or tcp port 8080) and src host 192.0.2.1", nil},
		{`tcp && http.host contains "x"`, "tcp", []string{`http.host contains "x"`}},
		{`tcp || http.host contains "x"`, "", []string{`http.host contains "x"`}},
		{`!(udp || http.host contains "x")`, "not udp", []string{`http.host contains "x"`}},
		{`!(udp && http.host contains "x")`, "", []string{`http.host contains "x"`}},
		{"tcp.seq > 5", "", []string{"tcp.seq > 5"}},
		{"any ip.addr == 192.0.2.1", "", []string{"any ip.addr == 192.0.2.1"}},
		{"icmpv6 || sctp", "icmp6 or sctp", nil},
	} {
		got, err := Of(c.display, usual)
		if err != nil || got.Text != c.want || !slices.Equal(got.LeftOut, c.leftOut) {
			t.Errorf("%s: %q without %q, want %q without %q (%v)", c.display, got.Text, got.LeftOut, c.want, c.leftOut, err)
		}
		if _, err := bpf.Compile(1, 65535, got.Text); got.Text != "" && err != nil {
			t.Errorf("%s: libpcap refuses %q: %v", c.display, got.Text, err)
		}
	}
	if got, _ := Of("dns", usual); !slices.Equal(got.Guessed, []string{"dns"}) {
		t.Errorf("guessed: %q", got.Guessed)
	}
	if _, err := Of("tcp &&", usual); err == nil {
		t.Error("half a filter is translated")
	}
}
