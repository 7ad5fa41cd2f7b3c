package dissect

import "fmt"

// Pieces are the fields under which a protocol shows what a datagram was put together from, as Wireshark has them for every
// protocol with fragments.
type Pieces struct {
	Group   *Field // holds the others
	Frame   *Field // a frame with a fragment; once for each
	Overlap *Field // some of the bytes arrived twice
	Count   *Field // how many fragments there are
	Length  *Field // of the whole, in bytes
	Data    *Field // the whole
}

// ShowPieces lists the frames that a datagram came in, in the order of the datagram, each with the bytes that are from it.
func (d *D) ShowPieces(p *Pieces, whole Fragments, data []byte) {
	d.In(p.Group, func() { d.pieces(p, whole, data) })
}

func (d *D) pieces(p *Pieces, whole Fragments, data []byte) {
	list, at := "", 0
	for i, r := range whole.Refs {
		n := int(r.Len)
		d.Set(p.Frame, uint64(r.Frame))
		if d.Labelling() {
			d.Suffix(p.Frame, fmt.Sprintf(", payload: %d-%d (%d bytes)", at, at+n-1, n))
			list += fmt.Sprintf("%s#%d(%d)", [2]string{"", ", "}[min(i, 1)], r.Frame, n)
		}
		at += n
	}
	if whole.Overlap {
		d.Set(p.Overlap, 1)
	}
	d.Set(p.Count, uint64(len(whole.Refs)))
	d.Set(p.Length, uint64(len(data)))
	if d.Wanted(p.Data) {
		d.SetBytes(p.Data, data)
	}
	if d.Labelling() {
		d.Suffix(p.Group, fmt.Sprintf(" (%d bytes): %s", len(data), list))
	}
}
