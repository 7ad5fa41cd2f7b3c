package pcapfile

import (
	"encoding/binary"
	"slices"

	"remora/capture"
	"remora/capture/internal/pcapng"
)

// A sourceMap knows which of a writer's interfaces stands for which of a store's.
type sourceMap struct {
	s   *capture.Store
	ids []int // by the store's number; -1: not added yet
}

// CopyPacket writes packet i of the reader's store, with its comments and options, and adds its interface to the
// file when it is the first of it. A Writer copies from one store only.
func (w *Writer) CopyPacket(r *capture.Reader, i int) error {
	s := r.Store()
	m := s.Meta(i)
	id, err := w.interfaceOf(s, m.Interface)
	if err != nil {
		return err
	}
	if w.opt.Rewrite != nil {
		b, err := r.Bytes(i)
		if err != nil {
			return err
		}
		return w.WritePacket(Packet{Interface: id, Time: m.Time, Len: m.Len,
			Data: w.opt.Rewrite.Packet(w.ifaces[id].LinkType, b)})
	}
	p := Packet{Interface: id, Time: m.Time, Len: m.Len, Comments: s.Comments(i)}
	if from := &w.ifaces[id]; w.format == PcapNG && from.PacketOptions {
		if p.options, err = packetOptions(r, i, from.BigEndian); err != nil {
			return err
		}
	}
	if p.Data, err = r.Bytes(i); err != nil {
		return err
	}
	return w.WritePacket(p)
}

// CopyBlocks writes the secrets and the names of hosts that the store's file holds and that were read since the last
// call: called in front of CopyPacket, it puts them in front of the packets that were behind them.
func (w *Writer) CopyBlocks(s *capture.Store) error {
	if w.format == Pcap || w.opt.Rewrite != nil {
		return nil
	}
	kept := s.Blocks(w.copied)
	w.copied += len(kept)
	for _, k := range kept {
		if k.Kind != pcapng.BlockNames && (k.Kind != pcapng.BlockSecrets || w.opt.NoSecrets) {
			continue
		}
		if err := w.begin(); err != nil {
			return err
		}
		if err := w.add(keptBlock(s, k)); err != nil {
			return err
		}
	}
	return nil
}

// keptBlock is a block in little-endian order, or nil where that cannot be had.
func keptBlock(s *capture.Store, k capture.Block) []byte {
	b := s.BlockBytes(k)
	switch {
	case b == nil || k.Len < 12:
		return nil
	case !k.BigEndian:
		return b
	}
	return littleBlock(k.Kind, b[8:len(b)-4])
}

func (w *Writer) interfaceOf(s *capture.Store, n int) (int, error) {
	w.from.s = s
	for len(w.from.ids) <= n {
		w.from.ids = append(w.from.ids, -1)
	}
	if w.from.ids[n] < 0 {
		i := s.Interface(n)
		if r := w.opt.Rewrite; r != nil {
			if err := r.Check(i.LinkType, capture.LinkTypeName(i.LinkType)); err != nil {
				return 0, err
			}
			i = capture.Interface{LinkType: i.LinkType, SnapLen: i.SnapLen, TimeResolution: i.TimeResolution, FCSLen: -1}
		}
		id, err := w.AddInterface(i)
		if err != nil {
			return 0, err
		}
		w.from.ids[n] = id
	}
	return w.from.ids[n], nil
}

// packetOptions gives the options of packet i as they stand in a pcapng file, without comments and end mark, in
// little-endian order. It looks back from the packet's bytes to the head of its block, which is in the order given.
func packetOptions(r *capture.Reader, i int, big bool) ([]byte, error) {
	capLen := r.Store().Meta(i).CapLen
	data := pcapng.EpbHeader + int(pcapng.Pad4(capLen))
	b, err := r.Around(i, pcapng.EpbHeader, pcapng.EpbHeader)
	if err != nil {
		return nil, err
	}
	// A simple packet block has no options. Its head is 12 bytes long, so its length field stands where an enhanced
	// block has the captured length, and is larger by 16 and the padding: the two cannot be confused.
	if pcapng.U32(b[16:], big) == pcapng.BlockSimple && pcapng.U32(b[20:], big) == pcapng.Pad4(capLen)+16 {
		return nil, nil
	}
	total := int(pcapng.U32(b[4:], big))
	kind := pcapng.U32(b, big)
	if kind != pcapng.BlockPacket && kind != pcapng.BlockOldPacket || total < data+8 || total > capture.MaxCapLen+4096 {
		return nil, nil
	}
	if b, err = r.Around(i, pcapng.EpbHeader, total); err != nil {
		return nil, err
	}
	return copyOptions(b[data:total-4], big), nil
}

// copyOptions turns packet options into little-endian order. Options with a layout that is not known are copied
// when the order is the same and left out otherwise.
func copyOptions(b []byte, big bool) (out []byte) {
	pcapng.Options(b, big, func(code uint16, v []byte) bool {
		switch {
		case code == pcapng.OptComment:
		case !big || code == pcapng.EpbHash || code == pcapng.EpbVerdict:
			out = pcapng.AppendOption(out, code, v)
		case (code == pcapng.EpbFlags || code == pcapng.EpbQueue) && len(v) == 4,
			(code == pcapng.EpbDropCount || code == pcapng.EpbPacketID) && len(v) == 8:
			v = slices.Clone(v)
			slices.Reverse(v)
			out = pcapng.AppendOption(out, code, v)
		}
		return true
	})
	return out
}

// keptBlocks encodes the blocks to carry over: those to stand before the packets, and those behind them.
func keptBlocks(s *capture.Store, iface func(int) (int, bool)) (before, after []byte) {
	for _, k := range s.Blocks(0) {
		b := s.BlockBytes(k)
		if b == nil || k.Len < 12 {
			continue
		}
		if k.Kind == pcapng.BlockStats {
			after = append(after, statsBlock(s, k, b, iface)...)
			continue
		}
		before = append(before, keptBlock(s, k)...)
	}
	return before, after
}

// littleBlock turns a big-endian name resolution or secrets block into little-endian order. The bodies of custom
// blocks and of events are not known, so they are left out.
func littleBlock(kind uint32, body []byte) []byte {
	le := binary.LittleEndian
	switch kind {
	case pcapng.BlockNames:
		return pcapng.AppendBlock(nil, kind, func(b []byte) []byte {
			for len(body) >= 4 {
				code, n := pcapng.U16(body, true), int(pcapng.U16(body[2:], true))
				if n > len(body)-4 || code == pcapng.OptEnd {
					break
				}
				b = pcapng.AppendOption(b, code, body[4:4+n])
				body = body[min(4+int(pcapng.Pad4(uint32(n))), len(body)):]
			}
			return pcapng.AppendEnd(b)
		})
	case pcapng.BlockJournal: // text, and binary values of which the journal itself says the order
		return pcapng.AppendBlock(nil, kind, func(b []byte) []byte { return append(b, body...) })
	case pcapng.BlockSecrets:
		if len(body) < 8 || int64(pcapng.U32(body[4:], true)) > int64(len(body)-8) {
			return nil
		}
		n := pcapng.U32(body[4:], true)
		return pcapng.AppendBlock(nil, kind, func(b []byte) []byte {
			b = le.AppendUint32(b, pcapng.U32(body, true))
			b = le.AppendUint32(b, n)
			return append(b, body[8:8+n]...)
		})
	}
	return nil
}

// statsBlock writes an interface statistics block anew, because its times are in its interface's units.
func statsBlock(s *capture.Store, k capture.Block, b []byte, iface func(int) (int, bool)) []byte {
	if len(b) < 24 {
		return nil
	}
	n := k.First + int(pcapng.U32(b[8:], k.BigEndian))
	id, ok := iface(n)
	if !ok || n >= len(s.Interfaces()) {
		return nil
	}
	src := s.Interface(n)
	clk := newClock(src.TimeResolution, src.TimeOffset)
	stamp := func(v []byte) []byte {
		t := uint64(clk.nanos(uint64(pcapng.U32(v, k.BigEndian))<<32 | uint64(pcapng.U32(v[4:], k.BigEndian))))
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(t>>32)), uint32(t))
	}
	return pcapng.AppendBlock(nil, pcapng.BlockStats, func(out []byte) []byte {
		out = binary.LittleEndian.AppendUint32(out, uint32(id))
		out = append(out, stamp(b[12:])...)
		pcapng.Options(b[20:len(b)-4], k.BigEndian, func(code uint16, v []byte) bool {
			switch {
			case (code == pcapng.IsbStart || code == pcapng.IsbEnd) && len(v) == 8:
				out = pcapng.AppendOption(out, code, stamp(v))
			case code == pcapng.OptComment:
				out = pcapng.AppendOption(out, code, v)
			case len(v) == 8:
				out = pcapng.AppendOption(out, code, binary.LittleEndian.AppendUint64(nil, pcapng.U64(v, k.BigEndian)))
			case !k.BigEndian:
				out = pcapng.AppendOption(out, code, v)
			}
			return true
		})
		return pcapng.AppendEnd(out)
	})
}
