package capture

import (
	"encoding/binary"
	"slices"
)

// A sourceMap knows which of a writer's interfaces stands for which of a store's.
type sourceMap struct {
	s   *Store
	ids []int // by the store's number; -1: not added yet
}

// CopyPacket writes packet i of the reader's store, with its comments and options, and adds its interface to the
// file when it is the first of it. A Writer copies from one store only.
func (w *Writer) CopyPacket(r *Reader, i int) error {
	id, err := w.interfaceOf(r.s, r.s.Meta(i).Interface)
	if err != nil {
		return err
	}
	m := r.s.Meta(i)
	p := Packet{Interface: id, Time: m.Time, Len: m.Len, Comments: r.s.Comments(i)}
	if w.format == PcapNG && r.s.ifaces.all()[m.Interface].optOff > 0 {
		if p.options, err = r.packetOptions(i); err != nil {
			return err
		}
	}
	if p.Data, err = r.Bytes(i); err != nil {
		return err
	}
	return w.WritePacket(p)
}

func (w *Writer) interfaceOf(s *Store, n int) (int, error) {
	w.from.s = s
	for len(w.from.ids) <= n {
		w.from.ids = append(w.from.ids, -1)
	}
	if w.from.ids[n] < 0 {
		id, err := w.AddInterface(s.Interface(n))
		if err != nil {
			return 0, err
		}
		w.from.ids[n] = id
	}
	return w.from.ids[n], nil
}

// packetOptions gives the options of packet i as they stand in a pcapng file, without comments and end mark, in
// little-endian order. It looks back from the packet's bytes to the head of its block.
func (r *Reader) packetOptions(i int) ([]byte, error) {
	if i < r.s.First() {
		return nil, leftError(i)
	}
	off, capLen := r.s.index.span(i)
	big := r.s.ifaces.all()[r.s.Meta(i).Interface].bigEndian
	head := off - epbHeader
	data := epbHeader + int(pad4(capLen))
	b, err := r.view(head, epbHeader)
	if err != nil {
		return nil, packetError(i, epbHeader, head, err)
	}
	// A simple packet block has no options. Its head is 12 bytes long, so its length field stands where an enhanced
	// block has the captured length, and is larger by 16 and the padding: the two cannot be confused.
	if u32(b[16:], big) == blockSimple && u32(b[20:], big) == pad4(capLen)+16 {
		return nil, nil
	}
	total := int(u32(b[4:], big))
	if kind := u32(b, big); kind != blockPacket && kind != blockOldPacket || total < data+8 || total > maxCapLen+4096 {
		return nil, nil
	}
	if b, err = r.view(head, total); err != nil {
		return nil, packetError(i, total, head, err)
	}
	return copyOptions(b[data:total-4], big), nil
}

// view is any piece of the file, through the block of Bytes.
func (r *Reader) view(off int64, n int) ([]byte, error) {
	if b := &r.main; off >= b.off && off+int64(n) <= b.off+int64(len(b.buf)) {
		return b.buf[off-b.off:][:n:n], nil
	}
	return r.main.fetch(r.s, off, n)
}

// copyOptions turns packet options into little-endian order. Options with a layout that is not known are copied
// when the order is the same and left out otherwise.
func copyOptions(b []byte, big bool) (out []byte) {
	options(b, big, func(code uint16, v []byte) bool {
		switch {
		case code == optComment:
		case !big || code == epbHash || code == epbVerdict:
			out = appendOption(out, code, v)
		case (code == epbFlags || code == epbQueue) && len(v) == 4,
			(code == epbDropCount || code == epbPacketID) && len(v) == 8:
			v = slices.Clone(v)
			slices.Reverse(v)
			out = appendOption(out, code, v)
		}
		return true
	})
	return out
}

// keptBlocks encodes the blocks to carry over: those to stand before the packets, and those behind them.
func (s *Store) keptBlocks(iface func(int) (int, bool)) (before, after []byte) {
	s.notes.mu.RLock()
	kept := slices.Clone(s.notes.kept)
	s.notes.mu.RUnlock()
	for _, k := range kept {
		b := make([]byte, k.n)
		if got, _ := s.readAt(b, k.off, k.n); got < k.n || k.n < 12 {
			continue
		}
		if k.kind == blockStats {
			after = append(after, s.statsBlock(k, b, iface)...)
			continue
		}
		if !k.big {
			before = append(before, b...)
			continue
		}
		before = append(before, littleBlock(k.kind, b[8:len(b)-4])...)
	}
	return before, after
}

// littleBlock turns a big-endian name resolution or secrets block into little-endian order. The bodies of custom
// blocks and of events are not known, so they are left out.
func littleBlock(kind uint32, body []byte) []byte {
	le := binary.LittleEndian
	switch kind {
	case blockNames:
		return appendBlock(nil, kind, func(b []byte) []byte {
			for len(body) >= 4 {
				code, n := u16(body, true), int(u16(body[2:], true))
				if n > len(body)-4 || code == optEnd {
					break
				}
				b = appendOption(b, code, body[4:4+n])
				body = body[min(4+int(pad4(uint32(n))), len(body)):]
			}
			return appendEnd(b)
		})
	case blockJournal: // text, and binary values of which the journal itself says the order
		return appendBlock(nil, kind, func(b []byte) []byte { return append(b, body...) })
	case blockSecrets:
		if len(body) < 8 || int64(u32(body[4:], true)) > int64(len(body)-8) {
			return nil
		}
		n := u32(body[4:], true)
		return appendBlock(nil, kind, func(b []byte) []byte {
			b = le.AppendUint32(b, u32(body, true))
			b = le.AppendUint32(b, n)
			return append(b, body[8:8+n]...)
		})
	}
	return nil
}

// statsBlock writes an interface statistics block anew, because its times are in its interface's units.
func (s *Store) statsBlock(k keptBlock, b []byte, iface func(int) (int, bool)) []byte {
	if len(b) < 24 {
		return nil
	}
	n := k.first + int(u32(b[8:], k.big))
	id, ok := iface(n)
	if !ok || n >= s.ifaces.Len() {
		return nil
	}
	src := s.ifaces.At(n)
	clk := newClock(src.TimeResolution, src.TimeOffset)
	stamp := func(v []byte) []byte {
		t := uint64(clk.nanos(uint64(u32(v, k.big))<<32 | uint64(u32(v[4:], k.big))))
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(t>>32)), uint32(t))
	}
	return appendBlock(nil, blockStats, func(out []byte) []byte {
		out = binary.LittleEndian.AppendUint32(out, uint32(id))
		out = append(out, stamp(b[12:])...)
		options(b[20:len(b)-4], k.big, func(code uint16, v []byte) bool {
			switch {
			case (code == isbStart || code == isbEnd) && len(v) == 8:
				out = appendOption(out, code, stamp(v))
			case code == optComment:
				out = appendOption(out, code, v)
			case len(v) == 8:
				out = appendOption(out, code, binary.LittleEndian.AppendUint64(nil, u64(v, k.big)))
			case !k.big:
				out = appendOption(out, code, v)
			}
			return true
		})
		return appendEnd(out)
	})
}
