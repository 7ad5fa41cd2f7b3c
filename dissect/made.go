package dissect

// A madeRow says which plugin makes bytes again, and from which recipe of its own.
type madeRow struct {
	plugin uint16
	recipe uint32
}

// making is the source whose bytes a plugin can make again.
type making struct {
	src    uint8
	plugin uint16
	recipe func() uint32
	row    uint32 // among the rows of the session, 0 while nobody asked
}

// inMade marks a Ref whose Frame is the number of a row, and whose Off counts in what is made from it.
const inMade = 1 << 30

// FromMade is From for bytes that the layer can make again, such as what it decrypted: AnyRefsAt names parts of them,
// too. The recipe is asked for in the first pass alone, once somebody wants such a name. It gives a number that
// Plugin.Make makes the bytes from, 0 where that is not possible.
func (hd *Streams) FromMade(name string, b []byte, recipe func() uint32, read func()) {
	d := (*D)(hd)
	before := d.making
	d.making = making{src: uint8(d.t.sourceCount + 1), plugin: d.plugin, recipe: recipe}
	d.From(name, b, read)
	d.making = before
}

// AnyRefsAt is RefsAt, and names bytes of a source of FromMade, too. The Frame of such a Ref is no frame's number: the
// Refs serve Gather alone. It counts in the first pass.
func (hd *Streams) AnyRefsAt(off, n int) ([]Ref, bool) {
	d := (*D)(hd)
	if d.src != 0 && d.src == d.making.src {
		return d.madeAt(off, n)
	}
	return d.Stream().RefsAt(off, n)
}

// madeAt names n bytes at an offset of a source that can be made again.
func (d *D) madeAt(off, n int) ([]Ref, bool) {
	d.alive()
	m := &d.making
	if !d.first || m.src != d.src || d.reg.plugins[m.plugin].Make == nil || off < 0 || n < 0 || off+n > len(d.data) ||
		off >= inMade {
		return nil, false
	}
	if m.row == 0 {
		recipe := m.recipe()
		if recipe == 0 {
			return nil, false
		}
		m.row = uint32(d.s.made.put(d.Frame, madeRow{m.plugin, recipe})) + 1
		d.settle()
	}
	return []Ref{{FrameNum(m.row), uint32(off) | inMade, uint32(n)}}, true
}

// madeBytes are the bytes of a Ref that madeAt gave. What was made last is kept, since the next Ref is mostly of it,
// too.
func (d *D) madeBytes(r Ref) []byte {
	if uint32(r.Frame) != d.madeLast {
		row := d.s.made.At(int(r.Frame) - 1)
		b := d.reg.plugins[row.plugin].Make(d, row.recipe)
		d.madeLast, d.madeKept = uint32(r.Frame), b
	}
	b := d.madeKept
	from := min(len(b), int(r.Off&^inMade))
	return b[from:min(len(b), from+int(r.Len))]
}

// A Place is where bytes are found again, and the frame that brought them, which the Ref of bytes that are made again
// does not name.
type Place struct {
	Ref
	In FrameNum
}

// PlacesAt is AnyRefsAt with the frames. It counts in the first pass.
func (hd *Streams) PlacesAt(off, n int) ([]Place, bool) {
	d := (*D)(hd)
	refs, ok := d.Stream().AnyRefsAt(off, n)
	places := make([]Place, len(refs))
	for i, r := range refs {
		places[i] = Place{Ref: r, In: r.Frame}
		if r.Off&inDecrypted == inMade {
			places[i].In = d.Frame
		}
	}
	return places, ok
}

// GatherPlaces is Gather for places.
func (hd *Streams) GatherPlaces(places []Place) []byte {
	d := (*D)(hd)
	refs := make([]Ref, len(places))
	for i := range places {
		refs[i] = places[i].Ref
	}
	return d.Stream().Gather(refs)
}
