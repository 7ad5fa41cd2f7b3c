package protocols

import (
	"path/filepath"
	"testing"

	"remora/dissect/dissecttest"
)

// maxGolden is how many packets a capture may have for its trees to be kept beside it.
const maxGolden = 200

// below are the layers whose trees the fixtures hold. Here they would be most of the text.
var below = []string{"frame", "eth", "sll", "raw", "vlan", "ip", "ipv6", "udp", "tcp"}

// recorded are the captures in the folders of the protocols: name and, for packets written as hexadecimal digits, a
// capture file made of them.
func recorded(t testing.TB) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, pattern := range []string{"*.pcap", "*.pcapng", "*.hex"} {
		paths, err := filepath.Glob(filepath.Join("*", "testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			found[path] = path
			if filepath.Ext(path) == ".hex" {
				found[path] = dissecttest.HexPcap(t, path)
			}
		}
	}
	if len(found) < 40 {
		t.Fatalf("only %d captures in the folders of the protocols", len(found))
	}
	return found
}

// TestGoldenTrees holds the trees of the protocols' own captures against the files beside them.
func TestGoldenTrees(t *testing.T) {
	for name, path := range recorded(t) {
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			s := dissecttest.Load(t, All(), path)
			if s.Passed() >= maxGolden {
				t.Skipf("%d packets are too many to keep their trees", s.Passed())
			}
			dissecttest.Golden(t, s, name+".tree", below...)
		})
	}
}
