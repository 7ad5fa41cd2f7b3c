package mail

import (
	"bytes"

	"remora/dissect"
)

// A Part tells whether something is a part of a body: a message, or what else is sent as so many bytes or up to a dot.
type Part uint8

// A part of a body, and the last of its parts.
const (
	NoPart Part = iota
	OnePart
	LastPart
)

// A Body is what the first pass knows of a body that comes in parts.
type Body struct {
	midLine bool // the last part ended within a line
	places  []dissect.Place
	size    int
	unknown bool // some part of it cannot be named
}

// Whole says what a body is made of. It is zero where one part is all of it.
type Whole struct {
	first uint32 // the number of its first place; 0 where not all of it can be found again
	Count uint32 // places that follow each other from there
	Size  uint32
}

var places = dissect.NewList[dissect.Place]()

// Limits of a body that is put together, and of what is listed of it.
const (
	maxPlaces = 1 << 14
	maxSize   = 16 << 20
	maxShown  = 1000
	maxLines  = 1000
)

// Add takes a part of size bytes, which begins at the cursor. With the last it tells what the body is made of, and
// begins anew.
func (y *Body) Add(d *dissect.D, size int, last bool) (w Whole) {
	add, ok := d.Stream().PlacesAt(d.Pos(), size)
	y.unknown = y.unknown || !ok || len(y.places)+len(add) > maxPlaces || y.size+size > maxSize
	y.size += size
	if !y.unknown {
		y.places = append(y.places, add...)
	}
	if !last {
		return w
	}
	if y.size > size {
		w.Size = uint32(y.size)
	}
	if y.size > size && !y.unknown {
		w.Count = uint32(len(y.places))
		for _, r := range y.places {
			if at := places.Put(d, r); w.first == 0 {
				w.first = at
			}
		}
	}
	*y = Body{}
	return w
}

// Fields show which packets a body came in.
type Fields struct {
	Title  string // of the bytes that are put together
	Group  *dissect.Field
	Part   *dissect.Field // a packet with a part of the body
	Count  *dissect.Field // how many parts there are; nil, as Length is, where nothing says so
	Length *dissect.Field // how long the body is
	In     *dissect.Field // shown at the other parts: where the body ends
}

// DataFields declares them for messages that end with a dot.
func DataFields(p *dissect.Protocol) Fields {
	return Fields{
		Title: "Reassembled DATA",
		Group: p.Group("data.fragments", "DATA fragments", "The parts of a message that came in several packets.").
			Summary("{data.fragment.count} DATA fragments ({data.reassembled.length} bytes)"),
		Part:   p.FrameRef("data.fragment", "DATA fragment", "A packet with a part of the message."),
		Count:  p.Uint32("data.fragment.count", "DATA fragment count", "How many parts there are.").Derived(),
		Length: p.Uint32("data.reassembled.length", "Reassembled DATA length", "How long the message is.").Derived(),
		In:     p.FrameRef("data.reassembled.in", "Reassembled DATA in frame", "The packet in which the message ends."),
	}
}

// Join puts a body together that came in several packets, shows which, and reads it.
func (f *Fields) Join(d *dissect.D, w Whole, read func()) {
	parts := make([]dissect.Place, w.Count)
	for i := range parts {
		parts[i] = places.At(d, w.first+uint32(i))
		if i == 0 || parts[i].In != parts[i-1].In {
			d.Link(parts[i].In, f.In, nil)
		}
	}
	d.From(f.Title, d.Stream().GatherPlaces(parts), func() {
		d.In(f.Group, func() {
			at := 0
			for _, r := range parts[:min(len(parts), maxShown)] {
				d.Put(f.Part, uint64(r.In), at, int(r.Len))
				at += int(r.Len)
			}
			if f.Count != nil {
				d.Set(f.Count, uint64(w.Count))
				d.Set(f.Length, uint64(w.Size))
			}
		})
		read()
	})
}

// Lines shows the next size bytes as lines, so many that a reader may want to see, and leaves the cursor where it is.
func Lines(d *dissect.D, f *dissect.Field, size int) {
	if !d.Wanted(f) {
		return
	}
	at, b := d.Pos(), d.Data()[:size]
	for n, p := 0, (dissect.Progress{}); len(b) > 0 && p.Down(len(b)); n++ {
		line := firstLine(b)
		if n >= maxLines {
			line = b
		}
		d.Put(f, 0, at, len(line))
		at, b = at+len(line), b[len(line):]
	}
}

// Dot is the line that ends a message in SMTP (RFC 5321 section 4.5.2) and POP (RFC 1939 section 3).
const Dot = ".\r\n"

// CutDot is how long the part of the message is that b begins with, where a line with a dot alone ends the message: up
// to that line, or all there is but what may be its beginning.
func (y *Body) CutDot(b []byte) int {
	if !y.midLine && bytes.HasPrefix(b, []byte(Dot)) {
		return len(Dot)
	}
	if i := bytes.Index(b, []byte("\n"+Dot)); i >= 0 {
		return i + 1 + len(Dot)
	}
	for n := len(Dot) - 1; n > 0; n-- {
		rest := len(b) - n
		if rest == 0 && !y.midLine && string(b) == Dot[:n] {
			return 0
		}
		if rest > 0 && b[rest-1] == '\n' && string(b[rest:]) == Dot[:n] {
			return rest
		}
	}
	return len(b)
}

// AddDot takes a part of a message that a dot ends, and tells whether it is the last.
func (y *Body) AddDot(d *dissect.D, b []byte) (Part, Whole) {
	if y.dotEnds(b) {
		return LastPart, y.Add(d, len(b)-len(Dot), true)
	}
	y.midLine = !bytes.HasSuffix(b, []byte("\n"))
	return OnePart, y.Add(d, len(b), false)
}

// dotEnds tells whether a part is the last.
func (y *Body) dotEnds(b []byte) bool {
	return bytes.HasSuffix(b, []byte("\n"+Dot)) || !y.midLine && string(b) == Dot
}
