package names

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestEther(t *testing.T) {
	for _, c := range []struct {
		mac          uint64
		want, vendor string
	}{
		{0xffffffffffff, "Broadcast", ""},
		{0x00005e00530a, "ICANNIAN_00:53:0a", "ICANN, IANA Department"},
		{0x001b21123456, "IntelCor_12:34:56", "Intel Corporate"},
		{0x000000000000, "00:00:00_00:00:00", "Officially Xerox, but 0:0:0:0:0:0 is more common"},
		{0x020000000001, "02:00:00:00:00:01", ""},
		{0x01005e0000fb, "IPv4mcast_fb", ""},
		{0x01005e7ffffa, "IPv4mcast_7f:ff:fa", ""},
		{0x333300000016, "IPv6mcast_16", ""},
		{0x3333ff000002, "IPv6mcast_ff:00:00:02", ""},
		{0x0180c2000000, "Spanning-tree-(for-bridges)_00", ""},
		{0x0180c200000e, "LLDP_Multicast", ""},
		{0x00005e000107, "IETF-VRRP-VRID_07", "ICANN, IANA Department"},
	} {
		if got := Ether(c.mac); got != c.want {
			t.Errorf("%012x is %q, want %q", c.mac, got, c.want)
		}
		if got := Vendor(c.mac); c.vendor != "" && got != c.vendor {
			t.Errorf("%012x is of %q, want %q", c.mac, got, c.vendor)
		}
	}
}

// TestLongestPrefix has makers that share 24 bits.
func TestLongestPrefix(t *testing.T) {
	if a, b := Vendor(0x0055da000000), Vendor(0x0055da100000); a == "" || a == b {
		t.Errorf("00:55:da:0 is of %q, 00:55:da:1 of %q", a, b)
	}
	if a, b := Vendor(0x70b3d5000000), Vendor(0x70b3d5001000); a == "" || a == b {
		t.Errorf("70:b3:d5:00:0 is of %q, 70:b3:d5:00:1 of %q", a, b)
	}
}

// TestOracleShort holds the short names against those of Wireshark 4.0, where it is installed. Some of its names were
// given by hand, so that not all are equal.
func TestOracleShort(t *testing.T) {
	f, err := os.Open("/usr/share/wireshark/manuf")
	if err != nil {
		t.Skip("Wireshark 4.0 is not installed")
	}
	defer f.Close()
	all, same, listed := 0, 0, 0
	for s := bufio.NewScanner(f); s.Scan(); {
		p := strings.Split(s.Text(), "\t")
		if len(p) < 3 || len(p[0]) != 8 {
			continue
		}
		all++
		if short(p[2]) == p[1] {
			same++
		}
		mac, err := strconv.ParseUint(strings.ReplaceAll(p[0], ":", ""), 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		if maker(mac<<24) == p[1] {
			listed++
		}
	}
	t.Logf("of %d prefixes, %d names are shortened alike, %d are the same in today's list", all, same, listed)
	if same < all*99/100 || listed < all*95/100 {
		t.Error("they differ too often")
	}
}

func TestPort(t *testing.T) {
	for _, c := range []struct {
		t    Transport
		port uint16
		want string
	}{{TCP, 80, "http"}, {UDP, 53, "domain"}, {TCP, 443, "https"}, {UDP, 7000, "afs3-fileserver"}, {UDP, 4789, "vxlan"},
		{TCP, 58812, ""}, {UDP, 0, ""}} {
		if got := Port(c.t, c.port); got != c.want {
			t.Errorf("%c port %d is %q, want %q", c.t, c.port, got, c.want)
		}
	}
}
