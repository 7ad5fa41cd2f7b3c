package protocols

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// objectsOf are the objects of a session, each as its name with its size, in their order.
func objectsOf(s *dissect.Session, name string) (out []string) {
	sizes := map[*dissect.Object]int64{}
	var order []*dissect.Object
	finder, l := s.FindObjects(name), s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		finder.Packet(l, n, func(o *dissect.Object, offset int64, b []byte) {
			if _, known := sizes[o]; !known {
				order = append(order, o)
			}
			sizes[o] = max(sizes[o], offset+int64(len(b)))
		})
	}
	for _, o := range order {
		out = append(out, fmt.Sprintf("%s (%d)", o.Name, sizes[o]))
	}
	return out
}

// withObjects are captures with objects of each name.
var withObjects = []struct{ name, path, want string }{
	{"ftp-data", "ftp/testdata/ftp.pcap", "large.txt (5071), fox.txt (45), note.txt (280), fox.txt (45), fox.txt (45)"},
	{"http", "../fixtures/captures/lan/tcp-loss.pcap", "bulk.txt (36000)"},
	{"http2", "../fixtures/captures/lan/http2.pcapng",
		"data.txt (24000), packed (24000), api (33), form (9), form (24), form (9), data.txt (24000), style.css (18), " +
			"style.css (18), style.css (18), style.css (18), style.css (68), missing (147),  (18), echo (200), echo (147)"},
	{"imf", "../fixtures/captures/lan/pop.pcap", "lunch.eml (266), lunch.eml (245)"},
	{"smb", "../fixtures/captures/lan/smb.pcap", `\letter.txt (10), \put.txt (2000)`},
	{"smb", "../fixtures/captures/lan/smb1.pcap", `\letter.txt (10), \put.txt (2000)`},
	{"tftp", "tftp/testdata/tftp.pcap", "boot.img (1500), up.txt (5)"},
}

// TestObjects: what each protocol that declares objects finds in a capture.
func TestObjects(t *testing.T) {
	found := map[string]bool{}
	for _, c := range withObjects {
		s := dissecttest.Load(t, All(), c.path)
		if got := strings.Join(objectsOf(s, c.name), ", "); got != c.want {
			t.Errorf("%s: the objects of %s are %s, want %s", c.path, c.name, got, c.want)
		}
		found[c.name] = true
	}
	for _, name := range dissecttest.Registry(t, All()).ObjectNames() {
		if !found[name] {
			t.Errorf("no capture has objects of %s", name)
		}
	}
}

// TestObjectsOfBrokenPackets: packets that are cut or changed harm nobody who looks for objects in them.
func TestObjectsOfBrokenPackets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range withObjects {
		whole := dissecttest.Load(t, All(), c.path)
		for range 20 {
			var packets []dissecttest.Packet
			for n := dissect.FrameNum(1); int(n) <= min(whole.Passed(), 200); n++ {
				b := bytes.Clone(whole.Tree(n).Source(0))
				switch r.IntN(4) {
				case 0:
					b = b[:r.IntN(len(b)+1)]
				case 1:
					b[r.IntN(len(b))] = byte(r.Uint32())
				}
				packets = append(packets, dissecttest.Packet{Data: b})
			}
			objectsOf(dissecttest.Session(t, All(), whole.Store().LinkType(0), packets), c.name)
		}
	}
}
