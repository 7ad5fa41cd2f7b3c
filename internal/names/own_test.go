package names

import (
	"net/netip"
	"os"
	"path/filepath"
	"testing"
)

func TestOwnNames(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ethers":   "# mine\n00:11:22:33:44:55 router\n00-11-22-33-44-66\tlamp\n",
		"manuf":    "00:11:22\tMine\tMy own company\n0A:BB:C0:00:00:00/28 Small\n",
		"services": "game 7000-7002,7010/udp/tcp # a game\nchat\t8000/tcp\n",
		"subnets":  "10.1.0.0/16 home\n10.1.2.0/25 desk\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o, err := ReadOwn("mtn", dir, filepath.Join(dir, "none"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want string }{
		{o.Ether(0x001122334455), "router"},
		{o.Ether(0x001122334466), "lamp"},
		{o.Ether(0x001122334477), "Mine_33:44:77"},
		{o.Ether(0x0abbc1000001), ""},
		{o.Ether(0x0abbc0000001), "Small_00:00:01"},
		{o.Port(UDP, 7002), "game"},
		{o.Port(TCP, 7010), "game"},
		{o.Port(UDP, 7003), ""},
		{o.Port(UDP, 8000), ""},
		{o.Host(netip.MustParseAddr("10.1.3.4")), "home.3.4"},
		{o.Host(netip.MustParseAddr("10.1.2.130")), "home.2.130"},
		{o.Host(netip.MustParseAddr("10.1.2.5")), "desk.5"},
		{o.Host(netip.MustParseAddr("10.2.2.5")), ""},
		{o.Host(netip.MustParseAddr("::1")), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	for kinds, want := range map[string][3]string{"": {}, "m": {"router"}, "t": {"", "chat"}, "N": {"", "", "home.3.4"}} {
		o, err := ReadOwn(kinds, dir)
		if err != nil {
			t.Fatal(err)
		}
		got := [3]string{o.Ether(0x001122334455), o.Port(TCP, 8000), o.Host(netip.MustParseAddr("10.1.3.4"))}
		if got != want {
			t.Errorf("names of %q: %q, want %q", kinds, got, want)
		}
	}
}
