package tls

import (
	"encoding/binary"

	"remora/dissect"
)

// An association is what the first pass knows of one conversation of DTLS.
type association struct {
	session
	sides [2]struct {
		epoch  uint16 // that key is of
		key    uint32 // in the list of keys
		misses int
		parts  map[uint16]*fragments // by the number of the message
	}
}

// fragments are the parts of one message that came so far, in their order: parts that come before those in front of
// them are not waited for, since they are sent again.
type fragments struct {
	size, have int
	refs       []dissect.Ref
}

// What waits for its end: so many messages in a direction, of so many parts.
const (
	maxMessages = 32
	maxParts    = 512
)

// A datagramNote is what a record leaves for re-dissections: with Count, the parts of the message that it completes.
type datagramNote struct {
	note
	First, Count uint32 // in the list of refs
}

var associations = dissect.NewStore[association, datagramNote]()

// pass moves the association on by one record that starts at an offset of the source.
func (a *association) pass(d *dissect.D, start int, record []byte) datagramNote {
	n := datagramNote{note: note{Kind: record[0]}}
	body, at := record[datagramHeader:], start+datagramHeader
	if epoch := binary.BigEndian.Uint16(record[3:]); epoch > 0 {
		n.Sealed = true
		content, kind, ok := a.openDatagram(d, epoch, record, &n.note)
		if ok {
			n.Sealed, n.Kind, body, at = false, kind, content, -1
		} else if a.datagram = true; !n.Failed {
			n.Why = a.unreadable(d)
		}
	}
	switch {
	case n.Sealed:
	case n.Kind == typeHandshake:
		a.follow(d, at, body, &n)
	case n.Kind == typeData:
		n.App = a.carries(d, body)
	}
	n.Version, n.Suite = a.version, a.suite
	a.foretell(d)
	return n
}

// openDatagram tries to decrypt a record.
func (a *association) openDatagram(d *dissect.D, epoch uint16, record []byte, n *note) (content []byte, kind uint8,
	ok bool) {
	side, k := &a.sides[d.Dir&1], cipherOf(a.suite)
	if side.epoch != epoch && side.misses < maxMisses && k.form != 0 && a.version < 0x0304 {
		side.misses++
		if master := a.master(d); len(master) == 48 {
			side.epoch, side.key = epoch, keys.Put(d, a.masterKeys(k, master, d.Dir&1 == a.client))
		}
	}
	if side.epoch != epoch || side.key == 0 {
		return nil, 0, false
	}
	seq, as := asStream(record)
	b := keys.At(d, side.key)
	if content, kind, ok = b.open(d, seq, as); ok {
		side.misses, n.Key, n.Seq = 0, side.key, seq
	} else {
		n.Failed = true
	}
	return content, kind, ok
}

// follow takes the messages of a record, of which the source's bytes start at an offset; -1 for what was decrypted.
func (a *association) follow(d *dissect.D, at int, body []byte, n *datagramNote) {
	for p := (dissect.Progress{}); len(body) >= messageHeader && p.Down(len(body)); {
		size, off, part := number24(body[1:]), number24(body[6:]), number24(body[9:])
		if part > len(body)-messageHeader || off+part > size {
			return
		}
		switch {
		case part == size:
			number := binary.BigEndian.Uint16(body[4:])
			a.wholeMessage(d, body[0], number, body[messageHeader:messageHeader+part], n)
		case at >= 0:
			a.part(d, at, body[:messageHeader+part], off, size, n)
		}
		body = body[messageHeader+part:]
		if at >= 0 {
			at += messageHeader + part
		}
	}
}

// part takes a fragment, and the message once it is whole.
func (a *association) part(d *dissect.D, at int, b []byte, off, size int, n *datagramNote) {
	side, number := &a.sides[d.Dir&1], binary.BigEndian.Uint16(b[4:])
	if side.parts == nil {
		side.parts = map[uint16]*fragments{}
	}
	p := side.parts[number]
	if p == nil || p.size != size {
		if len(side.parts) >= maxMessages || size > dissect.MaxReassembly {
			clear(side.parts)
		}
		p = &fragments{size: size}
		side.parts[number] = p
	}
	ref, ok := d.Stream().RefAt(at+messageHeader, len(b)-messageHeader)
	if !ok || off != p.have || len(p.refs) >= maxParts {
		return
	}
	p.refs, p.have = append(p.refs, ref), off+len(b)-messageHeader
	if p.have < size {
		return
	}
	delete(side.parts, number)
	for i, r := range p.refs {
		if at := refs.Put(d, r); i == 0 {
			n.First = at
		}
	}
	n.Count = uint32(len(p.refs))
	a.wholeMessage(d, b[0], number, d.Stream().Gather(p.refs), n)
}

// wholeMessage follows one whole message, as that of TLS that it is made of.
func (a *association) wholeMessage(d *dissect.D, typ byte, number uint16, body []byte, n *datagramNote) {
	sent := body
	b := []byte{typ, byte(len(body) >> 16), byte(len(body) >> 8), byte(len(body))}
	if typ == clientHello {
		body = withoutCookie(body)
	}
	b = append(b, body...)
	if (typ == clientHello || typ == serverHello) && len(b) >= 6 {
		binary.BigEndian.PutUint16(b[4:], tlsVersion(binary.BigEndian.Uint16(b[4:])))
	}
	if typ == helloVerify {
		return
	}
	a.datagram = true
	whole := append([]byte{typ}, b[1:4]...) // as one fragment, which is how the session's secret has it
	whole = binary.BigEndian.AppendUint16(whole, number)
	whole = append(append(whole, 0, 0, 0), b[1:4]...)
	a.collect(d, append(whole, sent...))
	a.read(d, typ, b[4:])
	n.Resumed = n.Resumed || typ == serverHello && a.resumed(b[4:])
}

// withoutCookie is a Client Hello as TLS has it.
func withoutCookie(body []byte) []byte {
	at := 35 // the length of the cookie, behind version, random and session
	if len(body) >= at {
		at += int(body[34])
	}
	if len(body) <= at || len(body) < at+1+int(body[at]) {
		return body
	}
	return append(append([]byte(nil), body[:at]...), body[at+1+int(body[at]):]...)
}

// parts reads the messages and fragments of a record.
func (c *context) parts(result datagramNote) {
	d := c.d
	for more := d.Elements(); more.Next(); {
		size, off, part := int(d.PeekUint(1, 3)), int(d.PeekUint(6, 3)), int(d.PeekUint(9, 3))
		if d.Left() < messageHeader {
			d.Skip(messageHeader)
			return
		}
		d.Within(messageHeader+part, func() { c.fragmentOf(result, part == size, off+part == size) })
	}
}

// fragmentOf reads one message or a part of it; the last part shows the message.
func (c *context) fragmentOf(result datagramNote, whole, last bool) {
	d, f := c.d, dtls()
	typ := uint64(d.Peek(0))
	name := named(handshakeTypes, typ)
	read := func() {
		d.Uint(fType)
		d.Uint(fHsLength)
		d.Uint(f.message)
		d.Uint(f.off)
		d.Uint(f.size)
	}
	d.In(fHandshake, func() {
		d.SetKind(fKind, typeHandshake<<8|typ)
		read()
		switch {
		case whole:
			d.Info().ListBehind(name)
			c.datagramMessage(typ)
		case last && result.Count > 0:
			d.Info().ListBehind(name + " (Reassembled)")
			d.Rest(f.data)
		default:
			d.Info().ListBehind(name + " (Fragment)")
			d.Links().ShowForward(f.within)
			d.Rest(f.data)
		}
	})
	if !whole && last && result.Count > 0 {
		c.reassembled(result, typ)
	}
}

// reassembled reads the message that the record completes.
func (c *context) reassembled(result datagramNote, typ uint64) {
	d, f := c.d, dtls()
	at := make([]dissect.Ref, result.Count)
	for i := range at {
		at[i] = refs.At(d, result.First+uint32(i))
		if at[i].Frame != d.Frame {
			d.Link(at[i].Frame, f.within, nil)
		}
	}
	body := d.Stream().Gather(at)
	d.From("Reassembled DTLS", body, func() {
		d.In(f.fragments, func() {
			off := 0
			for _, r := range at {
				d.Put(f.fragment, uint64(r.Frame), off, int(r.Len))
				off += int(r.Len)
			}
			d.Set(f.count, uint64(len(at)))
			d.Set(f.whole, uint64(len(body)))
		})
		c.datagramMessage(typ)
	})
}

func (c *context) datagramMessage(typ uint64) {
	d, f := c.d, dtls()
	if typ == helloVerify {
		d.Uint(fHsVersion)
		d.Counted(f.cookieLen, f.cookie)
	} else {
		c.messageBody(typ)
	}
	d.Rest(fBody)
}
