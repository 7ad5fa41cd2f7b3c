package tls

import (
	"bytes"

	"remora/dissect"
)

// A piece is a part of a message: bytes of what a record carries. The record's own bytes are told by a run of refs.
type piece struct {
	Seq      uint64
	Key      uint32
	FirstRef uint32
	Refs     uint32
	Off, Len uint32 // in what the record carries
	Frame    dissect.FrameNum
}

// A unit is a message in several records: a run of pieces.
type unit struct{ First, Count uint32 }

var (
	refs   = dissect.NewList[dissect.Ref]()
	pieces = dissect.NewList[piece]()
	units  = dissect.NewList[unit]()
)

// An origin is where the bytes of a record are found again. Without refs they are not.
type origin struct {
	piece
	refs []dissect.Ref
}

// refsOf names a record at an offset of the current source. It serves the first pass.
func refsOf(d *dissect.D, start int, record []byte) []dissect.Ref {
	if !d.Session().FirstPass() {
		return nil
	}
	at, _ := d.Stream().RefsAt(start, len(record))
	return at
}

// joining puts messages together from what records carry. It holds bytes only as long as nobody knows how long the
// message is: at first, and once it turned out longer than was told.
type joining struct {
	pieces    []piece
	size      int    // of all pieces
	announced int    // length of the message, or the least it can be; 0 while unknown
	held      []byte // what is there, while the length is unknown: all or nothing
	spent     int    // bytes looked at to find out the length
	pass      int    // bytes to pass over
}

// Limits of what waits for its message to end.
const (
	maxHeld   = 1 << 20
	maxSpent  = 64 << 20
	maxPieces = 1 << 14
)

// feed cuts messages from what a record carries. It returns how many bytes at the start belong to messages that began
// in earlier records. Lengths are asked as dissect.Plugin.Message tells them.
func (j *joining) feed(d *dissect.D, from origin, body []byte, length func([]byte) int,
	each func(cut, []byte)) (used int) {
	if j.pass > 0 {
		used = min(j.pass, len(body))
		j.pass -= used
	} else if j.size > 0 {
		had := j.size
		j.add(d, from, body, 0)
		n := j.length(d, length)
		if n == 0 || j.size == 0 {
			return len(body)
		}
		used = min(max(0, n-had), len(body))
		number := j.finish(d, used)
		u := units.At(d, number)
		each(cut{Unit: number}, u.bytes(d))
	}
	for at, p := used, (dissect.Progress{}); at < len(body) && p.Up(at); {
		switch n := length(body[at:]); {
		case n < 0:
			at += max(-n, 1)
		case n == 0 || n > len(body)-at:
			j.announced = n
			j.add(d, from, body, at)
			return used
		default:
			each(cut{Off: uint32(at), Len: uint32(n)}, body[at:at+n])
			at += n
		}
	}
	return used
}

// add takes the bytes from off on as a piece. A message too long to be put together is passed over.
func (j *joining) add(d *dissect.D, from origin, body []byte, off int) {
	size := j.size + len(body) - off
	if len(from.refs) == 0 || j.announced > dissect.MaxReassembly || j.announced == 0 && size > maxHeld ||
		len(j.pieces) >= maxPieces {
		*j = joining{pass: max(0, j.announced-size)}
		return
	}
	p := from.piece
	for i, r := range from.refs {
		if n := refs.Put(d, r); i == 0 {
			p.FirstRef = n
		}
	}
	p.Refs, p.Off, p.Len = uint32(len(from.refs)), uint32(off), uint32(len(body)-off)
	j.pieces, j.size = append(j.pieces, p), size
	if j.announced == 0 || len(j.held) > 0 {
		j.held = append(j.held, body[off:]...)
	}
}

// interrupt gives up the message that waits, behind which so many bytes are missing. Where its length is known what
// comes behind it is read.
func (j *joining) interrupt(missing int) {
	*j = joining{pass: max(0, max(j.pass, j.announced-j.size)-missing)}
}

// length is the length of the message if it is there as a whole, else 0.
func (j *joining) length(d *dissect.D, ask func([]byte) int) int {
	if j.announced > j.size {
		return 0
	}
	b, n := j.bytes(d), -1
	if j.announced == 0 {
		j.spent += len(b)
	}
	if j.spent <= maxSpent {
		n = ask(b)
	}
	switch {
	case n < 0:
		*j = joining{}
		return 0
	case n == 0: // nobody knows, or not any more
		j.announced, j.held = 0, b
		return 0
	case n <= len(b):
		return n
	case j.announced > 0: // it told the least it could be, and will again
		j.held = b
	default:
		j.held = nil
	}
	j.announced = n
	return 0
}

// bytes is what waits: what is held of it, or made again.
func (j *joining) bytes(d *dissect.D) []byte {
	if len(j.held) == j.size {
		return j.held
	}
	b := make([]byte, 0, j.size)
	for i := range j.pieces {
		b = append(b, j.pieces[i].content(d)...)
	}
	return b
}

// finish puts the message, which takes n bytes of the last piece, in its list.
func (j *joining) finish(d *dissect.D, n int) uint32 {
	j.pieces[len(j.pieces)-1].Len = uint32(n)
	u := unit{Count: uint32(len(j.pieces))}
	for i, p := range j.pieces {
		if at := pieces.Put(d, p); i == 0 {
			u.First = at
		}
	}
	*j = joining{}
	return units.Put(d, u)
}

// content makes the bytes of a piece again: from the frames of its record, decrypted where it was.
func (p *piece) content(d *dissect.D) []byte {
	at := make([]dissect.Ref, p.Refs)
	for i := range at {
		at[i] = refs.At(d, p.FirstRef+uint32(i))
	}
	record := d.Stream().Gather(at)
	body := record[min(len(record), headerSize):]
	if p.Key != 0 {
		k := keys.At(d, p.Key)
		body, _, _ = k.open(d, p.Seq, record)
	}
	return body[min(len(body), int(p.Off)):min(len(body), int(p.Off+p.Len))]
}

// bytes makes the bytes of a message again.
func (u unit) bytes(d *dissect.D) []byte {
	var b bytes.Buffer
	for i := range u.Count {
		p := pieces.At(d, u.First+i)
		b.Write(p.content(d))
	}
	return b.Bytes()
}

// link tells the frames in which the message began where it ends.
func (u unit) link(d *dissect.D, in *dissect.Field) {
	for i := range u.Count {
		if p := pieces.At(d, u.First+i); p.Frame != d.Frame {
			d.Link(p.Frame, in, nil)
		}
	}
}

// joined reads a message that came in several records.
func (c *context) joined(u unit, read func()) {
	u.link(c.d, fJoinedIn)
	c.d.From("Reassembled TLS handshake", u.bytes(c.d), func() {
		c.showPieces(u, fPieces, fPiece, fCount)
		read()
	})
}

func (c *context) showPieces(u unit, group, one, count *dissect.Field) {
	d := c.d
	if !d.Wanted(group) && !d.Wanted(one) && !d.Wanted(count) {
		return
	}
	d.In(group, func() {
		at := 0
		for i := range u.Count {
			p := pieces.At(d, u.First+i)
			d.Put(one, uint64(p.Frame), at, int(p.Len))
			at += int(p.Len)
		}
		d.Set(count, uint64(u.Count))
	})
}
