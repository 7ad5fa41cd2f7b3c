package tcp_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
)

// cutAt is packets of which the capture kept snap bytes at most.
func cutAt(snap int, packets ...[]byte) []dissecttest.Packet {
	out := dissecttest.Packets(packets...)
	for i, p := range out {
		if len(p.Data) > snap {
			out[i].Data, out[i].Len = p.Data[:snap], len(p.Data)
		}
	}
	return out
}

// TestCut takes what the capture has of messages that it cut off: alone, behind a whole one, begun in the segment
// before and out of order. What follows is in step where the length is known, and nothing is said to be missing.
func TestCut(t *testing.T) {
	a, b, c := sized(strings.Repeat("a", 26)), sized("b"), sized(strings.Repeat("c", 36))
	for name, test := range map[string]struct {
		packets [][]byte
		want    string
	}{
		"alone":  {[][]byte{pkt(false, 1, 1, PA, []byte(a)), pkt(false, 31, 1, PA, []byte(b))}, "1:aaaaaa! 2:b"},
		"behind": {[][]byte{pkt(false, 1, 1, PA, []byte(b+a)), pkt(false, 36, 1, PA, []byte(b))}, "1:b 1:a! 2:b"},
		"in two": {[][]byte{pkt(false, 1, 1, PA, []byte(c[:8])), pkt(false, 9, 1, PA, []byte(c[8:])),
			pkt(false, 41, 1, PA, []byte(b))}, "2:cccccccccccccc! 3:b"},
		"goes on": {[][]byte{pkt(false, 1, 1, PA, []byte(c[:20])), pkt(false, 21, 1, PA, []byte(c[20:]+b)),
			pkt(false, 46, 1, PA, []byte(b))}, "1:cccccc! 3:b"},
		"out of order": {[][]byte{pkt(false, 1, 1, PA, []byte(b)), pkt(false, 11, 1, PA, []byte(a)),
			pkt(false, 6, 1, PA, []byte(b)), pkt(false, 41, 1, PA, []byte(b))}, "1:b 3:b 3:aaaaaa! 4:b"},
		"header": {[][]byte{pkt(false, 1, 1, PA, []byte(b+b[:4]+"xyz")), pkt(false, 13, 1, PA, []byte(b))},
			"1:b 1:x! 2:b"},
		"retransmitted": {[][]byte{pkt(false, 1, 1, PA, []byte(a)), pkt(false, 1, 1, PA, []byte(a)),
			pkt(false, 31, 1, PA, []byte(b))}, "1:aaaaaa! 3:b"},
	} {
		plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), tcp.Plugin(), data.Plugin(), sizes()}
		s := dissecttest.Session(t, plugins, 101, cutAt(50, test.packets...))
		var got []string
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := s.Tree(n)
			for i := range tree.Nodes {
				switch tree.Field(i).Name() {
				case "toysize.text":
					got = append(got, string('0'+rune(n))+":"+tree.Value(i))
				case "_ws.short":
					if len(got) > 0 && strings.HasPrefix(got[len(got)-1], string('0'+rune(n))) {
						got[len(got)-1] += "!"
					}
				case "_ws.lost", "_ws.malformed":
					t.Errorf("%s, frame %d: %s", name, n, tree.Label(i))
				}
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		dissecttest.Redissections(t, s)
	}
}

// TestCutInfo has the Info column say that a packet is cut, behind what was read of it and where nothing was.
func TestCutInfo(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 101,
		cutAt(54, pkt(false, 1, 1, PA, msg(7)), pkt(false, 20, 1, PA, append(msg(8), make([]byte, 40)...)),
			pkt(false, 79, 1, PA, make([]byte, 30))))
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Standard query 0x0007[Packet size limited during capture]"},
		{Frame: 2, Field: "info", Want: "Standard query 0x0008[Packet size limited during capture]"},
	})
}

// TestCutBehind cuts frames with bytes behind the datagram: they are not of the segment.
func TestCutBehind(t *testing.T) {
	whole := dissecttest.Ethernet(pkt(false, 1, 1, PA, []byte(sized(strings.Repeat("a", 60)))))
	packets := cutAt(70, append(whole, make([]byte, 46)...),
		dissecttest.Ethernet(pkt(false, 65, 1, PA, []byte(sized("b")))))
	s := dissecttest.Session(t, protocols.All(), 1, packets)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "tcp.len", Want: "64"},
		{Frame: 1, Field: "tcp.nxtseq", Want: "65    (relative sequence number)"},
		{Frame: 2, Field: "tcp.analysis.retransmission", Want: ""},
	})
}
