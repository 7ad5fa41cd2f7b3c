package dissect

import (
	"math/rand/v2"
	"testing"
)

// TestGaps holds the gaps among nodes of any order against a look at every byte.
func TestGaps(t *testing.T) {
	p := NewProtocol("gap", "Gap", "A test.")
	f, g := p.Bytes("bytes", "Bytes", "Bytes."), p.Group("group", "Group", "A group.")
	reg, err := NewRegistry(Plugin{Protocol: p, On: []Key{{Table: TableRoot}}, Dissect: func(d *D) { d.Rest(f) }})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := &D{reg: reg, t: &Tree{reg: reg}}
		size := 1 + r.IntN(60)
		owned := make([]bool, size)
		for range r.IntN(8) {
			off := r.IntN(size)
			n := r.IntN(size - off + 1)
			field := f
			if r.IntN(3) == 0 {
				field = g
			}
			d.t.Nodes = append(d.t.Nodes,
				Node{Off: uint32(off), Len: uint32(n), Field: field.id, Depth: uint8(r.IntN(3)), Src: uint8(r.IntN(5) / 4)})
		}
		for i := range d.t.Nodes {
			if n := d.t.Nodes[i]; d.t.owns(i, 0) {
				for at := n.Off; at < n.Off+n.Len; at++ {
					owned[at] = true
				}
			}
		}
		start, limit := r.IntN(size), size
		d.fillGaps(0, start, limit)
		for _, n := range d.t.Nodes {
			if n.Field != fUnclaim.id {
				continue
			}
			for at := n.Off; at < n.Off+n.Len; at++ {
				if owned[at] || int(at) < start {
					t.Fatalf("seed %d: byte %d is owned, twice a gap, or in front of the range", seed, at)
				}
				owned[at] = true
			}
		}
		for at := start; at < limit; at++ {
			if !owned[at] {
				t.Fatalf("seed %d: byte %d is in no gap", seed, at)
			}
		}
	}
}
