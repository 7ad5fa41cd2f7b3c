package tls

import "remora/dissect"

// A delivery says which messages of the protocol inside a record holds or completes: a run of cuts in their list.
type delivery struct {
	First, Count uint32
	Used         uint32 // bytes at the start that belong to messages begun earlier
	Whole        bool   // the record is handed on as it came
}

// A cut is one message of the protocol inside: bytes of the record, or with Unit one that began in earlier ones.
type cut struct{ Off, Len, Unit uint32 }

var (
	deliveries = dissect.NewStore[struct{}, delivery]()
	cuts       = dissect.NewList[cut]()
)

// unsealed shows what a record carries as bytes of their own.
func (c *context) unsealed(whole []byte) {
	d := c.d
	k := keys.At(d, c.note.Key)
	at := refsOf(d, d.Pos()-len(whole), whole)
	content, kind, ok := k.open(d, c.note.Seq, whole)
	if !ok {
		return
	}
	n := len(content)
	if k.Version >= 0x0304 {
		content = content[:cap(content)]
	}
	d.Stream().FromMade(sourceDecrypted, content, func() uint32 { return c.recipe(at, n) }, func() {
		if len(content) > n {
			d.Put(fInnerType, uint64(kind), n, 1)
			if len(content) > n+1 {
				d.Put(fInnerPad, 0, n+1, len(content)-n-1)
			}
			d.Limit(n)
		}
		content = content[:n]
		switch kind {
		case typeHandshake:
			c.fragments()
		case typeData:
			d.SetKind(fKind, typeData<<8)
			c.deliver(at, content)
		case typeAlert:
			c.plain(kind)
			if len(content) == 2 && content[1] == closeNotify {
				c.remainder()
			}
		default:
			c.plain(kind)
		}
	})
}

// recipe keeps how the n bytes that a record carries are made again; at is where the record is.
func (c *context) recipe(at []dissect.Ref, n int) uint32 {
	if len(at) == 0 {
		return 0
	}
	p := piece{Key: c.note.Key, Seq: c.note.Seq, Frame: c.d.Frame, Refs: uint32(len(at)), Len: uint32(n)}
	for i, r := range at {
		if number := refs.Put(c.d, r); i == 0 {
			p.FirstRef = number
		}
	}
	return pieces.Put(c.d, p) << 1
}

// remake makes the bytes of a record or of a message in several again.
func remake(d *dissect.D, recipe uint32) []byte {
	if recipe&1 != 0 {
		return units.At(d, recipe>>1).bytes(d)
	}
	p := pieces.At(d, recipe>>1)
	return p.content(d)
}

const closeNotify = 0

// closed is asked when a direction of the stream ends, which sessions need not announce.
func closed(d *dissect.D) {
	c := context{d: d}
	c.note = sessions.FirstPass(d, func(s *session) (n note) {
		if _, wants := d.Stream().Framing(s.inner); wants && s.halves[d.Dir&1].inner.size > 0 {
			n.App = s.inner
		}
		c.session = s
		return n
	})
	if c.note.App == 0 {
		d.Reject()
		return
	}
	c.remainder()
}

// remainder hands on what waits when the stream ends, if the protocol inside takes it.
func (c *context) remainder() {
	d := c.d
	result := deliveries.FirstPass(d, func(*struct{}) (result delivery) {
		if c.session == nil {
			return result
		}
		j := &c.session.halves[d.Dir&1].inner
		if _, wants := d.Stream().Framing(c.note.App); wants && j.size > 0 {
			unit := j.finish(d, int(j.pieces[len(j.pieces)-1].Len))
			result = delivery{First: cuts.Put(d, cut{Unit: unit}), Count: 1}
		}
		return result
	})
	if result.Count > 0 {
		c.handOn(cuts.At(d, result.First))
	}
}

// deliver hands decrypted data to the protocol inside, in messages where that has such.
func (c *context) deliver(at []dissect.Ref, content []byte) {
	d := c.d
	if len(content) == 0 {
		if c.note.App != 0 {
			d.Info().ListBehind("[empty]")
		} else {
			d.Info().ListBehind(fKind.KindName(typeData << 8))
		}
		return
	}
	var result delivery
	if d.Session().FirstPass() && !d.Quoted() {
		result = c.divide(at, content)
	}
	result = deliveries.FirstPass(d, func(*struct{}) delivery { return result })
	if result.Whole {
		c.carry()
		return
	}
	if d.Session().FirstPass() {
		return // divide has handed them on
	}
	if result.Count == 0 && result.Used > 0 {
		c.waiting(0, int(result.Used))
		return
	}
	c.skip(int(result.Used))
	for i := range result.Count {
		at := cuts.At(d, result.First+i)
		c.handOn(at)
		if at.Unit == 0 {
			d.Seek(int(at.Off + at.Len))
		}
	}
	if d.More() {
		c.waiting(d.Pos(), d.Left())
	}
}

// carry hands on what is in the range.
func (c *context) carry() {
	if c.note.App != 0 {
		c.d.Inner().ExportAs(dissect.ExportLayer7, dissect.ExportedAs{Inner: c.note.App})
	}
	name := fKind.KindName(typeData << 8)
	if c.note.App == 0 {
		c.d.Info().ListBehind(name)
	}
	if !c.d.Stream().Carry(c.note.App) && c.note.App != 0 { // it is not what the session carries, after all
		c.d.Info().ListBehind(name)
	}
}

// skip claims the bytes that belong to a message begun earlier.
func (c *context) skip(n int) {
	if n > 0 {
		c.d.Put(fPart, 0, c.d.Pos(), n)
		c.d.Skip(n)
	}
}

// waiting claims the bytes of a message that ends in a later record.
func (c *context) waiting(off, n int) {
	d := c.d
	d.Put(fPart, 0, off, n)
	d.Links().ShowForward(fDataIn)
	if d.Info().Wanted() {
		d.Info().ListBehind("[TLS segment of a reassembled PDU]")
	}
	d.Seek(off + n)
}

// handOn gives one message to the protocol inside.
func (c *context) handOn(at cut) {
	d := c.d
	if at.Unit == 0 {
		d.Seek(int(at.Off))
		d.Within(int(at.Len), func() { c.carry() })
		return
	}
	u := units.At(d, at.Unit)
	u.link(d, fDataIn)
	d.Stream().FromMade("Reassembled TLS", u.bytes(d), func() uint32 { return at.Unit<<1 | 1 }, func() {
		c.showPieces(u, fSegments, fSegment, fSegCount)
		c.carry()
	})
}

// divide cuts the messages of the protocol inside in the first pass and hands each on before it looks for the next,
// since that may depend on it.
func (c *context) divide(at []dissect.Ref, content []byte) (result delivery) {
	d, s := c.d, c.session
	length, _ := d.Stream().Framing(c.note.App)
	if length == nil || s == nil || !joins.On(d) {
		return delivery{Whole: true}
	}
	from := origin{piece{Key: c.note.Key, Seq: c.note.Seq, Frame: d.Frame}, at}
	used := s.halves[d.Dir&1].inner.feed(d, from, content, length, func(at cut, _ []byte) {
		if result.Count >= dissect.MaxMessages {
			return
		}
		if n := cuts.Put(d, at); result.Count == 0 {
			result.First = n
		}
		result.Count++
		c.handOn(at)
	})
	result.Used = uint32(used)
	return result
}
