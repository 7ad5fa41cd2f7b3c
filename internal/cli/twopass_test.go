package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestTwoPassesKnowWhatComesLate has packets tell what an earlier one is, further on than is looked ahead: -2 prints
// the earlier one as that, and filters and counts it so.
func TestTwoPassesKnowWhatComesLate(t *testing.T) {
	udp := func(port uint16, payload string) []byte {
		return dissecttest.IPv4(dissecttest.ProtocolUDP, "198.18.0.1", "203.0.113.5",
			dissecttest.UDP(40000, port, []byte(payload)))
	}
	dtls := udp(40002, "\x17\xfe\xfd\x00\x01\x00\x00\x00\x00\x00\x01\x00\x20"+strings.Repeat("e", 32))
	list := [][]byte{dtls}
	for range dissect.LookAhead + 10 {
		list = append(list, udp(42001, "other"))
	}
	list = append(list, dtls, dtls)
	path := filepath.Join(t.TempDir(), "late.pcap")
	if err := os.WriteFile(path, dissecttest.Pcap(101, dissecttest.Packets(list...)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-Y", "dtls"}, "268\n269\n"},
		{[]string{"-Y", "dtls", "-2"}, "1\n268\n269\n"},
		{[]string{"-Y", "frame.number == 1 && data"}, "1\n"},
		{[]string{"-Y", "frame.number == 1 && data", "-2"}, ""},
	} {
		got := remora(t, nil, append([]string{"-r", path, "-T", "fields", "-e", "frame.number"}, c.args...)...)
		if got.out != c.want {
			t.Errorf("%v: %q, want %q (%s)", c.args, got.out, c.want, got.err)
		}
	}
	if got := remora(t, nil, "-r", path, "-2", "-q", "-z", "io,phs"); !strings.Contains(got.out, "dtls") ||
		!strings.Contains(got.out, "frames:3 ") {
		t.Errorf("the protocols are\n%s%s", got.out, got.err)
	}
}
