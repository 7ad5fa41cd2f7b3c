package dissect

import (
	"sort"

	"remora/internal/column"
)

// A Ref names bytes of an earlier frame. State keeps Refs, never bytes. An Off above inDatagram counts in the datagram
// that the frame completes, as RefAt gives it for bytes of fragments.
type Ref struct {
	Frame FrameNum
	Off   uint32
	Len   uint32
}

// InDatagram is the Ref with its Off counted in the datagram that the frame completes.
func (r Ref) InDatagram() Ref {
	r.Off |= inDatagram
	return r
}

// pdu is the recipe of one reassembled unit that a frame completes: a run of refs.
type pdu struct {
	frame    FrameNum
	turn     uint16 // which unit of the frame, counted from 0
	cut      bool   // the capture has cut off its end
	firstRef uint32
	refs     uint32
	lost     uint32 // bytes missing in front of it
}

// pduList keeps the recipes of all reassembled units. The first pass appends, re-dissections read.
type pduList struct {
	rows column.Packed[pdu]
	refs column.Packed[Ref]
}

func (l *pduList) keep(n FrameNum, turn uint16, refs []Ref, lost uint32, cut bool) {
	p := pdu{n, turn, cut, uint32(l.refs.Len()), uint32(len(refs)), lost}
	for _, r := range refs {
		l.refs.Append(r)
	}
	l.rows.Append(p)
}

// of is where the recipes of frame n start; they go on as long as the frame is the same.
func (l *pduList) of(n FrameNum) int {
	return firstFrom(&l.rows.Rows, n)
}

func (l *pduList) refsOf(p pdu) []Ref {
	out := make([]Ref, p.refs)
	for i := range out {
		out[i] = l.refs.At(int(p.firstRef) + i)
	}
	return out
}

// appendRefs appends the refs of a unit.
func (l *pduList) appendRefs(dst []Ref, p pdu) []Ref {
	for i := range int(p.refs) {
		dst = append(dst, l.refs.At(int(p.firstRef)+i))
	}
	return dst
}

// gather reads the bytes of refs. When some were evicted it gives up the frame: nothing is made of bytes that are not
// there.
func (d *D) gather(dst []byte, refs []Ref) []byte {
	dst, known := d.recall(dst, refs)
	if !known {
		d.giveUp(fEvicted)
	}
	return dst
}

// recall reads the bytes of refs, and tells whether they are still there. Those of the frame under dissection come from
// its own source.
func (d *D) recall(dst []byte, refs []Ref) (b []byte, known bool) {
	for _, r := range refs {
		d.Spend(int(r.Len))
		switch {
		case r.Off&inDecrypted == inDecrypted:
			if dst, known = d.recallDecrypted(dst, r); !known {
				return dst, false
			}
		case r.Off&inDecrypted == inMade:
			dst = append(dst, d.madeBytes(r)...)
		case r.Off&inDatagram != 0:
			r.Off &^= inDatagram
			parts := d.s.datagrams.part(r)
			if dst, known = d.recall(dst, parts); !known || len(parts) == 0 {
				return dst, false
			}
		case r.Frame == d.Frame:
			dst = append(dst, d.t.frameBytes[r.Off:r.Off+r.Len]...)
		default:
			d.leave() // nobody watches how long the disk takes
			b, err := d.reader.ReadAt(int(r.Frame)-1, int(r.Off), int(r.Len), dst)
			d.enter()
			if err != nil {
				return dst, false
			}
			dst = b
		}
	}
	return dst, true
}

// A Piece is one fragment of a datagram: Ref's bytes belong at Off of the whole; Last says that nothing follows it.
type Piece struct {
	Key  PieceKey
	Off  int
	Last bool
}

// A PieceKey says which fragments belong together.
type PieceKey struct {
	Src, Dst Addr
	ID       uint32
	Proto    uint32
}

// Fragments is the outcome of Assemble for the frame that completes a datagram.
type Fragments struct {
	Refs  []Ref          // where the bytes of the datagram are, in its order
	Parts []FragmentPart // the fragments by their offset: one for each of Refs unless some overlap or do not fit
}

// A FragmentPart is a fragment as it came.
type FragmentPart struct {
	Frame    FrameNum
	Off, Len int
	Odd      FragmentOddity
}

// FragmentOddity says in which ways a fragment does not fit the others.
type FragmentOddity uint8

// The oddities, as Wireshark tells them apart. All but an overlap of equal bytes are errors.
const (
	FragmentOverlap  FragmentOddity = 1 << iota // some of its bytes came before
	FragmentConflict                            // and were others
	FragmentTail                                // it ends the datagram at another place than the first last fragment
	FragmentTooLong                             // it goes past the end of the datagram
)

type fragmentState struct {
	waiting map[PieceKey]*fragmentSet
	order   []PieceKey // oldest first, for dropping
	held    int        // fragments that wait
}
type fragmentSet struct {
	pieces []fragment
	total  int // length of the whole, -1 until the last fragment came
	bytes  int
}
type fragment struct {
	off  int
	ref  Ref
	tail bool // it ends the datagram elsewhere than the first last fragment
}

// fragmentNote is what a frame remembers: whether it completed a datagram, and whether with fragments that do not fit.
// The recipe is kept with those of the session, behind it the fragments as they came.
type fragmentNote struct {
	done bool
	odd  bool
}

var fragmentStore = NewStore[fragmentState, fragmentNote]()

// maxFragments bounds the fragments of one datagram, maxFragmented the datagrams that wait.
const (
	maxFragments  = 8192
	maxFragmented = 4096

	maxHeldFragments = 1 << 17 // of all datagrams
)

// Assemble takes the next n bytes as one fragment of a datagram. When it completes the datagram it returns the
// fragments and true; D.Stream().Gather makes the bytes of them. Fragments in earlier frames learn where their datagram
// ends through Link.
func (hd *Streams) Assemble(p Piece, n int) (Fragments, bool) {
	d := (*D)(hd)
	n = min(n, d.Left())
	if d.quoted || d.src != d.basis.src || d.basis.joined || n <= 0 || p.Off+n > MaxReassembly {
		return Fragments{}, false // fragments inside reassembled bytes are shown, not reassembled again
	}
	note := fragmentStore.FirstPassIn(d, func(s *fragmentState) fragmentNote { return s.add(d, p, n) })
	if !note.done {
		return Fragments{}, false
	}
	at := d.s.datagrams.of(d.Frame)
	f := Fragments{Refs: d.s.datagrams.refsOf(d.s.datagrams.rows.At(at))}
	if note.odd {
		f.Parts = oddParts(d.s.datagrams.refsOf(d.s.datagrams.rows.At(at + 1)))
	} else {
		f.Parts = evenParts(f.Refs)
	}
	return f, true
}

// inDatagram marks the offset of a Ref as one in a datagram put together from fragments.
const inDatagram = 1 << 31

// FromFragments is From for the bytes that Assemble put together.
func (hd *Streams) FromFragments(name string, b []byte, read func()) {
	d := (*D)(hd)
	before := d.datagram
	d.datagram = uint8(d.t.sourceCount + 1)
	d.From(name, b, read)
	d.datagram = before
}

// part is what a Ref names of the datagram that its frame completes.
func (l *pduList) part(r Ref) []Ref {
	at := l.of(r.Frame)
	if at >= l.rows.Len() || l.rows.At(at).frame != r.Frame {
		return nil
	}
	return within(l.refsOf(l.rows.At(at)), int(r.Off), int(r.Len))
}

// within cuts n bytes at an offset out of a run of refs.
func within(refs []Ref, off, n int) (out []Ref) {
	for _, r := range refs {
		if skip := min(off, int(r.Len)); skip > 0 {
			off -= skip
			r.Off += uint32(skip)
			r.Len -= uint32(skip)
		}
		if r.Len = min(r.Len, uint32(n)); r.Len > 0 {
			out = append(out, r)
			n -= int(r.Len)
		}
	}
	return out
}

// RefAt names n bytes at an offset of the current source: the frame itself, the datagram that it completes, or a packet
// of FromDecrypted. There is none in other sources or beyond the end.
func (hd *Streams) RefAt(off, n int) (Ref, bool) {
	d := (*D)(hd)
	if d.src != 0 && d.src == d.datagram && off >= 0 && n >= 0 && off+n <= len(d.data) {
		return Ref{d.Frame, uint32(off) | inDatagram, uint32(n)}, true
	}
	if d.src != d.basis.src || off < 0 || n < 0 || off+n > len(d.data) {
		return Ref{}, false
	}
	return d.refHere(off, n), true
}

// Recall reads bytes of an earlier frame, and tells whether they are still there: the frame may have been evicted. It
// is for values that the frame does well without; Gather is for what is dissected.
func (hd *Streams) Recall(r Ref) (b []byte, known bool) {
	d := (*D)(hd)
	return d.recall(make([]byte, 0, r.Len), []Ref{r})
}

// SetEarlier sets the field to the text of earlier bytes, unless they were evicted or there are none.
func (hd *Streams) SetEarlier(f *Field, r Ref, decode func([]byte) string) {
	d := (*D)(hd)
	if r.Len == 0 || !d.Wanted(f) {
		return
	}
	if b, known := hd.Recall(r); known {
		d.SetText(f, decode(b))
	}
}

// Gather reads the bytes of refs into a slice of its own. When some of them were evicted, the dissection of the frame
// ends with the expert info _ws.evicted.
func (hd *Streams) Gather(refs []Ref) []byte {
	d := (*D)(hd)
	size := 0
	for _, r := range refs {
		size += int(r.Len)
	}
	return d.gather(make([]byte, 0, size), refs)
}

func (s *fragmentState) add(d *D, p Piece, n int) fragmentNote {
	if s.waiting == nil {
		s.waiting = map[PieceKey]*fragmentSet{}
	}
	set := s.waiting[p.Key]
	if set == nil {
		set = &fragmentSet{total: -1}
		s.waiting[p.Key] = set
		s.order = append(s.order, p.Key)
		for len(s.order) > maxFragmented || s.held > maxHeldFragments && len(s.order) > 1 {
			if old := s.waiting[s.order[0]]; old != nil {
				s.held -= len(old.pieces)
			}
			delete(s.waiting, s.order[0])
			s.order = s.order[1:]
		}
	}
	if len(set.pieces) >= maxFragments {
		return fragmentNote{}
	}
	piece := fragment{off: p.Off, ref: d.refHere(d.pos, n)}
	if p.Last && set.total < 0 {
		set.total = p.Off + n
	}
	piece.tail = p.Last && set.total != p.Off+n
	set.pieces = append(set.pieces, piece)
	s.held++
	set.bytes += n
	if set.total < 0 || set.bytes < set.total {
		return fragmentNote{}
	}
	refs, odd, whole := set.join()
	if !whole {
		return fragmentNote{}
	}
	delete(s.waiting, p.Key)
	s.held -= len(set.pieces)
	d.s.datagrams.keep(d.Frame, 0, refs, 0, false)
	if odd {
		d.s.datagrams.keep(d.Frame, 1, set.parts(d, d.Stream().Gather(refs)), 0, false)
	}
	return fragmentNote{true, odd}
}

// join lays the pieces end to end, sorted by their offsets. Where they overlap the one that came first wins.
func (set *fragmentSet) join() (refs []Ref, odd, whole bool) {
	ps := set.pieces
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].off < ps[j].off })
	at := 0
	for _, p := range ps {
		end := p.off + int(p.ref.Len)
		if p.off > at && at < set.total {
			return nil, false, false
		}
		odd = odd || p.off < at || end > set.total || p.tail
		skip := at - p.off
		if end = min(end, set.total); end > at {
			refs = append(refs, Ref{p.ref.Frame, p.ref.Off + uint32(skip), uint32(end - at)})
			at = end
		}
	}
	return refs, odd, at >= set.total
}
