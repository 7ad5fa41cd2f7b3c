package protocols

import (
	"bytes"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestNoBlank finds a Protocol and an Info in packets that nobody knows: of numbers that are not given to
// any protocol, at each level, and of link types from all over the list.
func TestNoBlank(t *testing.T) {
	junk := bytes.Repeat([]byte{0xde, 0xad, 0xbe, 0xef}, 8)
	ether := func(kind ...byte) []byte {
		return append(append([]byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2}, kind...), junk...)
	}
	ip := func(number byte, payload []byte) []byte {
		return dissecttest.IPv4(number, "192.0.2.1", "192.0.2.2", payload)
	}
	ip6 := func(number byte, payload []byte) []byte {
		head := append([]byte{0x60, 0, 0, 0, 0, byte(len(payload)), number, 64}, bytes.Repeat([]byte{0x20, 1}, 16)...)
		return append(head, payload...)
	}
	packets := map[int][][]byte{
		1: {ether(0x12, 0x34), ether(0x88, 0xb5), ether(0xff, 0xff), ether(0, 32), ether(0, 0),
			ether(0x81, 0, 0, 1, 0x99, 0x99), ether(0x88, 0x47), junk[:3], {}},
		101: {junk, {}, {0x45}, {0x60}, {0x45, 0, 0}},
	}
	for n := range 256 {
		packets[101] = append(packets[101], ip(byte(n), junk), ip6(byte(n), junk), ip(byte(n), nil))
	}
	for _, link := range []int{0, 3, 6, 7, 8, 9, 10, 50, 51, 100, 104, 105, 107, 108, 109, 113, 114, 117, 119, 122, 123,
		127, 129, 138, 147, 149, 163, 165, 169, 177, 187, 189, 190, 192, 195, 197, 201, 203, 209, 220, 224, 227, 228, 229,
		230, 239, 242, 243, 245, 249, 251, 252, 253, 254, 256, 264, 266, 271, 272, 276, 279, 288, 290, 299, 4711} {
		packets[link] = append(packets[link], junk, junk[:1])
	}
	for link, data := range packets {
		checkNoBlank(t, link, dissecttest.Session(t, All(), link, dissecttest.Packets(data...)))
	}
}

func checkNoBlank(t *testing.T, link int, s *dissect.Session) {
	t.Helper()
	for n := range dissect.FrameNum(s.Passed()) {
		tree := s.Tree(n + 1)
		if tree.ProtocolText() == "" || tree.InfoLine() == "" {
			t.Errorf("link type %d, packet %d (%x): the columns have %q and %q", link, n+1, tree.Source(0), tree.ProtocolText(),
				tree.InfoLine())
		}
	}
}

// TestNoBlankInCaptures finds a Protocol and an Info in every packet of the protocols' own captures.
func TestNoBlankInCaptures(t *testing.T) {
	for _, path := range oracleCaptures(t) {
		checkNoBlank(t, 0, dissecttest.Load(t, All(), path))
	}
}
