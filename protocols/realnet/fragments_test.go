package realnet

import (
	"encoding/binary"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/udp"
)

// inPieces is a datagram over IPv4, in fragments of at most size bytes, a multiple of 8.
func inPieces(src, dst end, id uint16, size int, payload []byte) (packets [][]byte) {
	b := binary.BigEndian.AppendUint16(nil, src.Port)
	b = binary.BigEndian.AppendUint16(b, dst.Port)
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(payload)))
	b = append(append(b, 0, 0), payload...)
	for off := 0; off < len(b); off += size {
		part := b[off:min(off+size, len(b))]
		h := make([]byte, 20, 20+len(part))
		h[0], h[8], h[9] = 0x45, 64, 17
		binary.BigEndian.PutUint16(h[2:], uint16(20+len(part)))
		binary.BigEndian.PutUint16(h[4:], id)
		flags := uint16(off / 8)
		if off+len(part) < len(b) {
			flags |= 0x2000
		}
		binary.BigEndian.PutUint16(h[6:], flags)
		copy(h[12:], []byte{10, 0, 0, src.Host, 10, 0, 0, dst.Host})
		packets = append(packets, append(h, part...))
	}
	return packets
}

func overIP() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), Plugin(), AsBuilt(), AsDocumented(),
		data.Plugin()}
}

// TestEmptyDatagrams names those that a known server sends itself when it stops, and no others.
func TestEmptyDatagrams(t *testing.T) {
	var all [][]byte
	for i, c := range []struct {
		src, dst end
		hex      string
	}{{server, server, ""}, {client, server, d1}, {server, client, d2}, {server, server, ""}, {server, client, ""},
		{second, end{9, 9}, ""}} {
		all = append(all, inPieces(c.src, c.dst, uint16(i), 1480, dissecttest.Unhex(t, strings.TrimPrefix(c.hex, ">")))...)
	}
	s := dissecttest.Session(t, overIP(), 101, dissecttest.Packets(all...))
	for n, empty := range map[dissect.FrameNum]bool{1: false, 3: false, 4: true, 5: true, 6: false} {
		tree := s.Tree(n)
		if _, got := dissecttest.Find(tree, "realnet.empty"); got != empty ||
			got && tree.InfoLine() != "EMPTY datagram without a payload" {
			t.Errorf("frame %d reads %q", n, tree.InfoLine())
		}
	}
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
}

// TestFragments takes names from a link table that came in IP fragments, which cut through them, and follows values
// that came so.
func TestFragments(t *testing.T) {
	long := strings.Repeat("name", 20)
	hex := func(s string) []byte { return dissecttest.Unhex(t, strings.TrimPrefix(s, ">")) }
	var all [][]byte
	all = append(all, inPieces(client, server, 6, 1480, hex(d1))...)
	all = append(all, inPieces(server, client, 7, 1480, hex(d2))...)
	all = append(all, inPieces(server, client, 1, 24, hex(tableOf(1, "1:10:"+long, "2:5:hp", "3:1:x")))...)
	table := len(all)
	all = append(all, inPieces(server, client, 2, 1480, hex(replicationOf(2, 1, "1:616263", "2:01000000", "3:07")))...)
	all = append(all,
		inPieces(server, client, 3, 16, hex(replicationOf(3, 2, "1:"+strings.Repeat("6f6c64", 20), "2:02000000", "3:07")))...)
	all = append(all,
		inPieces(server, client, 4, 16, hex(replicationOf(4, 3, "1:"+strings.Repeat("6f6c64", 20), "2:02000000", "3:07")))...)
	all = append(all, inPieces(server, client, 5, 1480, hex(replicationOf(5, 4, "1:6e6577", "2:03000000", "3:08")))...)
	s := dissecttest.Session(t, overIP(), 101, dissecttest.Packets(all...))
	first, last := dissect.FrameNum(table+1), dissect.FrameNum(len(all))
	want(t, s, first, "table_in", num(dissect.FrameNum(table)), "unlinked", "-", "value.was", "-")
	for _, n := range []dissect.FrameNum{first, last - 1, last} {
		if got := dissecttest.All(s.Tree(n), "realnet.variable.name"); got != long+",hp,x" {
			t.Errorf("frame %d: names %q", n, got)
		}
	}
	if got := dissecttest.All(s.Tree(last), "realnet.value.was"); got != `"`+strings.Repeat("old", 13)+`o…",2,7` {
		t.Errorf("values before %q", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
}
