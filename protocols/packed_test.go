package protocols

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestPackedIndexGivesTheSameTrees holds trees whose index and per-frame data were packed against those of a session
// that leaves them as they are, in order and back and forth.
func TestPackedIndexGivesTheSameTrees(t *testing.T) {
	var packets []dissecttest.Packet
	for _, name := range []string{"http.pcap", "fragments.pcap", "dns.pcap"} {
		once := dissecttest.Load(t, All(), "../fixtures/captures/lan/"+name).Store()
		r := once.NewReader()
		for i := range once.Len() {
			b, err := r.Bytes(i)
			if err != nil {
				t.Fatal(err)
			}
			packets = append(packets, dissecttest.Packet{Data: append([]byte(nil), b...), Len: int(once.Meta(i).Len)})
		}
	}
	for len(packets) < 12_000 {
		packets = append(packets, packets[:min(len(packets), 12_000-len(packets))]...)
	}
	loose := dissecttest.Registry(t, All())
	loose.Retention = dissect.Retention{Frames: 1 << 30}
	packed := dissecttest.Session(t, All(), 1, packets)
	raw := dissecttest.SessionOf(t, loose, 1, packets)
	if held(packed) > held(raw)*2/3 {
		t.Errorf("%d bytes are packed to %d", held(raw), held(packed))
	}
	a, b := packed.Dissector(), raw.Dissector()
	for i := range 3000 {
		n := dissect.FrameNum(1 + i)
		if i > 1500 {
			n = dissect.FrameNum(1 + i*7919%len(packets))
		}
		got, want := dissecttest.Dump(a.Tree(n)), dissecttest.Dump(b.Tree(n))
		if got != want {
			t.Fatalf("frame %d is\n%s\nwant\n%s", n, got, want)
		}
	}
}

// held is how much a session holds frame by frame.
func held(s *dissect.Session) (n int64) {
	for _, part := range s.Memory()[:2] {
		n += part.Bytes
	}
	return n
}
