package quic

import (
	"slices"

	"remora/dissect"
)

// A connection is what the first pass knows of one pair of addresses and ports.
type connection struct {
	known  bool
	client int // the direction that the client sends in
	id     [maxID]byte
	size   uint8
	idLen  [2]uint8 // of the ID that each side chose
	halves [2]crypto
}

// crypto is one direction of the handshake: the bytes that no message has taken yet.
type crypto struct {
	pieces []cryptoPiece
	size   int
	done   uint64 // bytes that messages have taken
	closed bool   // too much came
}

type cryptoPiece struct {
	piece
	data []byte
}

// A recipe opens an Initial packet again.
type recipe struct {
	Ref     dissect.Ref
	ID      [maxID]byte
	Size    uint8
	Server  bool
	Version uint32
	Number  uint32 // offset of the packet number
}

// A piece is a part of the handshake: bytes of an opened packet.
type piece struct {
	Packet   uint32 // on the shelf of packets
	Src, Len uint32
	Off      uint64 // in the handshake
}

// A unit is a run of whole handshake messages.
type unit struct {
	First, Count uint32
	Off          uint64
	Size         uint32
}

// A note is what a packet leaves for later looks.
type note struct {
	Packet uint32 // on the shelf of packets, 0 where nothing opens it
	Unit   unit
	IDLen  uint8
}

var (
	connections dissect.Store[connection, note]
	packets     dissect.Shelf[recipe]
	pieces      dissect.Shelf[piece]
)

// Limits of a handshake that waits.
const (
	maxCrypto = 1 << 17
	maxPieces = 512
)

// open makes the packet of a recipe again.
func (r *recipe) open(packet []byte) (opened, bool) {
	k, ok := keysOf(r.Version, r.ID[:r.Size], r.Server)
	if !ok {
		return opened{}, false
	}
	return k.open(packet, int(r.Number))
}

// initial reads what is behind an Initial packet's length.
func initial(d *dissect.D, start, n int, version uint32, dcid []byte, done []unit) []unit {
	at := d.Pos()
	refs, ok := d.RefsAt(start, at+n-start)
	if !ok || len(refs) != 1 {
		d.Bytes(fPayload, n)
		return done
	}
	whole := d.Gather(refs)
	r := recipe{Ref: refs[0], Version: version, Number: uint32(at - start)}
	var o opened
	told := connections.Once(d, func(c *connection) (n note) {
		c.learn(d, whole)
		if n.Packet, ok = c.find(d, r, dcid, whole); ok {
			rec := packets.At(d, n.Packet)
			o, _ = rec.open(whole)
			n.Unit = c.take(d, n.Packet, o.payload)
		}
		return n
	})
	if told.Packet == 0 {
		d.Bytes(fPayload, n)
		d.Mark(nClosed)
		return done
	}
	if o.payload == nil {
		rec := packets.At(d, told.Packet)
		if o, ok = rec.open(whole); !ok {
			return done
		}
	}
	showNumber(d, start, at, o)
	d.Put(fPayload, 0, at+o.size, n-o.size)
	d.Skip(n)
	if d.Texting() {
		d.Listed("PKN: " + itoa(o.number))
	}
	d.From("Decrypted QUIC", o.payload, func() { frames(d) })
	if told.Unit.Count > 0 {
		done = append(done, told.Unit)
	}
	return done
}

// showNumber shows what the protection hid.
func showNumber(d *dissect.D, start, at int, o opened) {
	d.Put(fReserved, uint64(o.first), start, 1)
	d.Put(fNumLen, uint64(o.first), start, 1)
	d.Put(fNumber, o.number, at, o.size)
}

// learn keeps the lengths of the IDs that the sides chose.
func (c *connection) learn(d *dissect.D, packet []byte) {
	if len(packet) < 7 {
		return
	}
	dcil := int(packet[5])
	if 6+dcil < len(packet) {
		c.idLen[d.Dir&1] = packet[6+dcil]
	}
}

// find looks for the keys of a packet: those of the connection, or those of one that begins with it.
func (c *connection) find(d *dissect.D, r recipe, dcid, packet []byte) (uint32, bool) {
	if c.known {
		r.ID, r.Size, r.Server = c.id, c.size, d.Dir&1 != c.client
		if _, ok := r.open(packet); ok {
			return packets.Put(d, r), true
		}
	}
	if len(dcid) > maxID {
		return 0, false
	}
	r.ID, r.Size, r.Server = [maxID]byte{}, uint8(len(dcid)), false
	copy(r.ID[:], dcid)
	if _, ok := r.open(packet); !ok {
		return 0, false
	}
	if c.known && c.client == d.Dir&1 { // another connection, or the same after a Retry
		c.halves = [2]crypto{}
	}
	c.known, c.client, c.id, c.size = true, d.Dir&1, r.ID, r.Size
	return packets.Put(d, r), true
}

// take adds the handshake's bytes in a payload and returns the whole messages that there are now.
func (c *connection) take(d *dissect.D, packet uint32, payload []byte) unit {
	h := &c.halves[d.Dir&1]
	eachCrypto(payload, func(off uint64, at, n int) {
		if h.closed || off > maxCrypto || h.size+n > maxCrypto || len(h.pieces) >= maxPieces {
			h.closed = true
			return
		}
		if off+uint64(n) <= h.done {
			return
		}
		h.pieces = append(h.pieces, cryptoPiece{piece{packet, uint32(at), uint32(n), off}, payload[at : at+n]})
		h.size += n
	})
	return h.whole(d)
}

// whole takes the whole messages from the start of what waits.
func (h *crypto) whole(d *dissect.D) (u unit) {
	slices.SortStableFunc(h.pieces, func(a, b cryptoPiece) int { return int(int64(a.Off) - int64(b.Off)) })
	var b []byte
	for _, p := range h.pieces {
		end := h.done + uint64(len(b))
		if p.Off > end {
			break
		}
		if skip := end - p.Off; skip < uint64(len(p.data)) {
			b = append(b, p.data[skip:]...)
		}
	}
	size := 0
	for {
		rest := b[size:]
		if len(rest) < 4 {
			break
		}
		n := 4 + int(rest[1])<<16 + int(rest[2])<<8 + int(rest[3])
		if n > len(rest) {
			break
		}
		size += n
	}
	if size == 0 {
		return u
	}
	u = unit{Off: h.done, Size: uint32(size)}
	h.done += uint64(size)
	keep := h.pieces[:0]
	h.size = 0
	for _, p := range h.pieces {
		if p.Off < h.done {
			if n := pieces.Put(d, p.piece); u.Count == 0 {
				u.First = n
			}
			u.Count++
		}
		if p.Off+uint64(p.Len) > h.done {
			keep = append(keep, p)
			h.size += len(p.data)
		}
	}
	h.pieces = keep
	return u
}

// bytes makes the messages of a unit again, from the packets that they came in.
func (u unit) bytes(d *dissect.D) []byte {
	out := make([]byte, u.Size)
	last, payload := uint32(0), []byte(nil)
	for i := u.Count; i > 0; i-- { // the first that came wins
		p := pieces.At(d, u.First+i-1)
		if p.Packet != last {
			r := packets.At(d, p.Packet)
			o, _ := r.open(d.Gather([]dissect.Ref{r.Ref}))
			last, payload = p.Packet, o.payload
		}
		data := payload[min(len(payload), int(p.Src)):min(len(payload), int(p.Src+p.Len))]
		switch {
		case p.Off >= u.Off && p.Off-u.Off < uint64(len(out)):
			copy(out[p.Off-u.Off:], data)
		case p.Off < u.Off && u.Off-p.Off < uint64(len(data)):
			copy(out, data[u.Off-p.Off:])
		}
	}
	return out
}
