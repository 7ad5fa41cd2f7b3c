package protocols

import (
	"bytes"
	"os"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

func TestDeclarations(t *testing.T) { dissecttest.Declarations(t, All()) }

// TestHostileFrames dissects frames made to hurt: a million nested headers, packets of no and of very many bytes.
func TestHostileFrames(t *testing.T) {
	vlan := append(bytes.Repeat([]byte{2}, 12), bytes.Repeat([]byte{0x81, 0x00, 0x00, 0x01}, 60_000)...)
	ipip := append(bytes.Repeat([]byte{2}, 12), 8, 0)
	for range 10_000 {
		ipip = append(ipip, 0x45, 0, 0xff, 0xff, 0, 0, 0, 0, 64, 4, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2)
	}
	zeros, ones := make([]byte, 262144), bytes.Repeat([]byte{0xff}, 262144)
	packets := dissecttest.Packets(vlan, ipip, zeros, ones, nil, []byte{0})
	for _, link := range []int{0, 1, 12, 101, 108, 113, 127, 228, 229, 276, 9999} {
		s := dissecttest.Session(t, All(), link, packets)
		dissecttest.Redissections(t, s)
	}
}

// FuzzFrames feeds a frame, twice, to every link type: nothing may panic, and the second look must equal the first.
func FuzzFrames(f *testing.F) {
	reg, seen := dissecttest.Registry(f, All()), map[string]bool{}
	for _, path := range everyCapture(f) {
		s := dissecttest.LoadOf(f, reg, path)
		l := s.Dissector()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			if path := s.StackPath(s.LayerStackOf(n)); !seen[path] {
				seen[path] = true
				if b, err := l.Bytes(n); err == nil {
					f.Add(uint16(s.Store().LinkType(int(n)-1)), bytes.Clone(b))
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, link uint16, frame []byte) {
		if len(frame) > 1<<16 {
			return
		}
		dissecttest.Redissections(t, dissecttest.SessionOf(t, reg, int(link), dissecttest.Packets(frame, frame)))
	})
}

// TestCapturesFromElsewhere says plainly when the folder of real captures is not there.
func TestCapturesFromElsewhere(t *testing.T) {
	folder := os.Getenv("REMORA_CAPTURES")
	if folder == "" {
		t.Skip("REMORA_CAPTURES names no folder of captures")
	}
	for _, path := range dissecttest.Captures(t, folder) {
		s := dissecttest.Load(t, All(), path)
		dissecttest.Redissections(t, s)
		dissecttest.Owned(t, s)
	}
}
