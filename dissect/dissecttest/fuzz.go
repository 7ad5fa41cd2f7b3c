package dissecttest

import (
	"bytes"
	"testing"

	"remora/dissect"
	"remora/internal/testall"
)

// fuzzed bounds the packets of a capture that one input of Fuzz dissects: those before the changed one, for the state
// that they leave, and some behind it, which have to get along with what it left.
const (
	fuzzedBefore = 60
	fuzzedBehind = 8
	fuzzedKinds  = 16 // packets of a capture to begin with, which a run of all tests dissects
	fuzzedFew    = 3  // and any other run
)

// Fuzz changes recorded captures: an input names a packet and lays bytes over its last layer, at an offset. Nothing may
// panic, nodes stay inside their bytes, and re-dissections equal the first, for the packet and those around it.
func Fuzz(f *testing.F, plugins []dissect.Plugin, captures ...string) {
	reg := Registry(f, plugins)
	var files []recorded
	for _, path := range captures {
		r := record(f, reg, path)
		for _, n := range r.kinds {
			f.Add(uint8(len(files)), n, uint16(0), []byte{0})
		}
		files = append(files, r)
	}
	f.Fuzz(func(t *testing.T, file uint8, n, at uint16, over []byte) {
		r := files[int(file)%len(files)]
		i := int(n) % len(r.packets)
		from := min(r.from[i], len(r.packets[i].Data))
		if len(over) == 0 || len(over) > 64 || from == len(r.packets[i].Data) {
			return
		}
		b := bytes.Clone(r.packets[i].Data)
		copy(b[from+int(at)%(len(b)-from):], over)
		first := max(0, i-fuzzedBefore)
		packets := append([]Packet{}, r.packets[first:min(len(r.packets), i+fuzzedBehind)]...)
		packets[i-first].Data = b
		Redissections(t, SessionOf(t, reg, r.link, packets))
	})
}

// A recorded capture is what Fuzz changes: its packets, where the last layer of each starts, and one of each layer
// stack.
type recorded struct {
	link    int
	packets []Packet
	from    []int
	kinds   []uint16
}

func record(f *testing.F, reg *dissect.Registry, path string) (r recorded) {
	s := LoadOf(f, reg, path)
	r.link = s.Store().LinkType(0)
	l, seen := s.Dissector(), map[*dissect.LayerStack]bool{}
	for n := dissect.FrameNum(1); int(n) <= s.Passed() && int(n) < 1<<16; n++ {
		r.from = append(r.from, last(l.Tree(n)))
		b, err := l.Bytes(n)
		if err != nil {
			f.Fatal(err)
		}
		r.packets = append(r.packets, Packet{Data: bytes.Clone(b)})
		if sh := s.LayerStackOf(n); !seen[sh] && len(r.kinds) < testall.Of(fuzzedFew, fuzzedKinds) {
			seen[sh] = true
			r.kinds = append(r.kinds, uint16(n-1))
		}
	}
	return r
}
