package dissect

import "fmt"

// Pieces are the fields under which a protocol shows what a datagram was put together from, as Wireshark has them for
// every protocol with fragments.
type Pieces struct {
	Group    *Field // holds the others; one of bytes is the whole
	Frame    *Field // a frame with a fragment; once for each
	Error    *Field // a frame with a fragment that contradicts the others, in the place of Frame
	Overlap  *Field // some of the bytes of the fragment came before
	Conflict *Field // and were others
	Tails    *Field // it ends the datagram elsewhere
	TooLong  *Field // it goes past the end of the datagram
	Count    *Field // how many fragments there are
	Length   *Field // of the whole, in bytes
	Data     *Field // the whole
}

// ShowPieces lists the frames that a datagram came in, in the order of the datagram, each with the bytes that are from
// it.
func (hd *Streams) ShowPieces(p *Pieces, whole Fragments, data []byte) {
	d := (*D)(hd)
	if p.Group.typ != TypeBytes {
		d.In(p.Group, func() { d.pieces(p, whole, data) })
		return
	}
	d.SetBytes(p.Group, data)
	d.Below(func() { d.pieces(p, whole, data) })
}

func (d *D) pieces(p *Pieces, whole Fragments, data []byte) {
	list := ""
	for i, part := range whole.Parts {
		f := p.Frame
		if part.Odd&^FragmentOverlap != 0 {
			f = p.Error
		}
		d.Set(f, uint64(part.Frame))
		if d.Labelling() {
			d.Suffix(f, fmt.Sprintf(", payload: %d-%d (%d bytes)", part.Off, part.Off+part.Len-1, part.Len))
			list += fmt.Sprintf("%s#%d(%d)", [2]string{"", ", "}[min(i, 1)], part.Frame, part.Len)
		}
		if part.Odd != 0 {
			d.Below(func() { d.oddities(p, part.Odd) })
		}
	}
	d.Set(p.Count, uint64(len(whole.Parts)))
	d.Set(p.Length, uint64(len(data)))
	if d.Wanted(p.Data) {
		d.SetBytes(p.Data, data)
	}
	if d.Labelling() {
		d.Suffix(p.Group, fmt.Sprintf(" (%d bytes): %s]", len(data), list))
	}
}

func (d *D) oddities(p *Pieces, odd FragmentOddity) {
	for _, o := range [...]struct {
		bit FragmentOddity
		f   *Field
	}{{FragmentOverlap, p.Overlap}, {FragmentConflict, p.Conflict}, {FragmentTail, p.Tails},
		{FragmentTooLong, p.TooLong}} {
		if odd&o.bit != 0 {
			d.Set(o.f, 1)
		}
	}
}
