package httpbody

import (
	"slices"

	"remora/dissect"
)

// A Body is what the first pass knows of a body that comes in parts: a chain of pieces from the newest to the oldest.
type Body struct {
	Last   uint32 // the newest piece in its list, 0 where one part is all of it
	Size   int    // bytes so far
	frames int
	lost   bool // not all of it can be found again
}

// A Piece is a part of a body: where its bytes are. Protocols keep a list of them.
type Piece struct {
	Ref    dissect.Ref
	Frame  dissect.FrameNum
	Begins bool // a part of the body begins, which may be of several pieces
	Before uint32
}

// Limits of a body that is put together.
const (
	maxBody   = 16 << 20
	maxPieces = 1 << 14
)

// Add takes size bytes of the body, which are at an offset in the range's source. Last says that none follow: what
// comes in one part alone needs no piece. It serves the first pass.
func (y *Body) Add(d *dissect.D, list *dissect.List[Piece], at, size int, last bool) {
	y.frames++
	y.Size += size
	if last && y.frames == 1 || size == 0 {
		return
	}
	refs, ok := d.Stream().AnyRefsAt(at, size)
	if y.lost = y.lost || !ok || y.Size > maxBody || y.frames > maxPieces; y.lost {
		y.Last = 0
		return
	}
	p := Piece{Frame: d.Frame, Begins: true}
	for _, p.Ref = range refs {
		p.Before = y.Last
		y.Last = list.Put(d, p)
		p.Begins = false
	}
}

// Whole tells whether there is a body, and all of it can be found again.
func (y *Body) Whole() bool { return y.Size > 0 && !y.lost }

// Joined are the fields that show which frames a body came in.
type Joined struct {
	Group *dissect.Field
	Part  *dissect.Field // a frame with a part of the body
	Count *dissect.Field // how many parts there are
	Size  *dissect.Field // bytes of the body
	Bytes *dissect.Field // the body
	In    *dissect.Field // shown at the other parts: where the body ends
}

// ShowJoined puts a body together that came in several parts, and shows it. Wanted says that somebody looks at the
// protocol.
func (e *Entity) ShowJoined(list *dissect.List[Piece], last uint32, f *Joined, wanted bool) {
	d := e.d
	parts := chain(d, list, last)
	if d.Session().FirstPass() {
		for _, p := range parts {
			if p.Begins && (p.Frame != d.Frame || !e.GoesOn) {
				d.Link(p.Frame, f.In, nil)
			}
		}
	}
	if !e.Asked && !wanted {
		return
	}
	refs, count := make([]dissect.Ref, len(parts)), 0
	for i, p := range parts {
		if refs[i] = p.Ref; p.Begins {
			count++
		}
	}
	whole := d.Stream().Gather(refs)
	d.In(f.Group, func() {
		for _, p := range parts {
			if p.Begins {
				d.Set(f.Part, uint64(p.Frame))
			}
		}
		d.Set(f.Count, uint64(count))
		d.Set(f.Size, uint64(len(whole)))
		if d.Wanted(f.Bytes) {
			d.SetBytes(f.Bytes, whole)
		}
	})
	d.From("Reassembled body", whole, func() { e.Show(whole) })
}

// chain are the pieces of a body, oldest first.
func chain(d *dissect.D, list *dissect.List[Piece], last uint32) []Piece {
	var out []Piece
	for n := last; n != 0 && len(out) < 4*maxPieces; {
		p := list.At(d, n)
		out = append(out, p)
		n = p.Before
	}
	slices.Reverse(out)
	return out
}
