package quic

import (
	"encoding/binary"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var (
	fParts = proto.Node("fragments", "Reassembled QUIC STREAM Data Fragments",
		"The packets that what is handed on came in.")
	fPart      = proto.FrameRef("fragment", "QUIC STREAM Data Fragment", "A frame that a part came in.")
	fPartCount = proto.Uint32("fragment.count", "Fragment count", "How many parts there are.").Derived()
	fJoinedLen = proto.Uint32("reassembled.length", "Reassembled QUIC STREAM Data length", "Bytes of all parts.").
			Derived()
	fJoinedIn   = proto.FrameRef("reassembled_in", "Reassembled PDU in frame", "The frame in which the message ends.")
	fCryptParts = proto.Node("crypto.fragments", "Reassembled QUIC CRYPTO Data Fragments",
		"The packets that the messages came in.")
	fCryptPart  = proto.FrameRef("crypto.fragment", "QUIC CRYPTO Data Fragment", "A frame that a part came in.")
	fCryptCount = proto.Uint32("crypto.fragment.count", "Fragment count", "How many parts there are.").Derived()
	fCryptIn    = proto.FrameRef("crypto.reassembled_in", "Reassembled PDU in frame",
		"The frame in which the message ends.")
	nAgain = proto.Expert("retransmission", dissect.Hint,
		"This QUIC frame has a reused stream offset (retransmission?)").About(dissect.AboutSequence)
)

// joinedFields are those of what several packets carry.
type joinedFields struct{ group, part, count, in *dissect.Field }

var (
	streamJoined = joinedFields{fParts, fPart, fPartCount, fJoinedIn}
	cryptoJoined = joinedFields{fCryptParts, fCryptPart, fCryptCount, fCryptIn}
)

// A handover is what a frame of data completes.
type handover struct {
	run
	Stream uint64
	Link   uint32 // the number of the connection
	App    dissect.InnerProtocol
	Head   [headSize]byte // how the stream begins
	Crypto bool           // it is the handshake
	Server bool           // the server sent it
	Again  bool           // it came before
	Last   bool           // the stream ends with it
}

// What a frame completes stands in a list, and its number is the note: most frames complete nothing.
var (
	handovers = dissect.NewStore[struct{}, uint32]()
	hands     = dissect.NewList[handover]()
)

// maxHands is how many frames of a datagram are handed on: beyond it they were cut up to cost a lot.
const maxHands = 64

// hand keeps what a frame completes; complete runs in the first pass.
func (r *reader) hand(complete func() handover) (h handover, number uint32) {
	d := r.d
	number = handovers.FirstPassIn(d, func(*struct{}) uint32 {
		if r.link == nil || r.hands >= maxHands {
			return 0
		}
		if h := complete(); h.Size > 0 {
			return hands.Put(d, h)
		}
		return 0
	})
	return hands.At(d, number), number
}

// layerDataSize is how many bytes the protocol inside is told of what it gets (D.LayerData): the number of the
// connection in 4 bytes, the number of the stream in 8, the offset in it in 8, its first 8 bytes, and one of flags: 1
// when the server sent it, 2 when it came before, 4 when the stream ends with it.
const layerDataSize = 4 + 8 + 8 + headSize + 1

func (h *handover) layerData(off uint64) []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, layerDataSize), h.Link)
	b = binary.BigEndian.AppendUint64(b, h.Stream)
	b = binary.BigEndian.AppendUint64(b, off)
	b = append(b, h.Head[:]...)
	flags := byte(0)
	if h.Server {
		flags |= 1
	}
	if h.Again {
		flags |= 2
	}
	if h.Last {
		flags |= 4
	}
	return append(b, flags)
}

// crypto takes in n bytes of the handshake that stand at the cursor.
func (r *reader) crypto(off uint64, n int) {
	d := r.d
	data := d.Data()[:n]
	h, number := r.hand(func() (h handover) {
		h = handover{Crypto: true, Link: r.note.Link, Server: r.note.Server}
		var b []byte
		h.run, b, h.Again = r.link.sides[r.from].crypto[r.space].take(d, r.piece(off, n), data,
			func(_ uint64, b []byte) int { return whole(b) })
		r.link.hello.learn(b)
		return h
	})
	worlds.FirstPassIn(d, func(w *world) note {
		if r.link != nil {
			r.tokens(w)
		}
		return note{}
	})
	r.done(h, number, n, &cryptoJoined)
}

// tokens moves what the handshake told of resets and of the preferred address to where it is looked for.
func (r *reader) tokens(w *world) {
	for _, t := range r.link.hello.tokens {
		w.token(t)
	}
	w.add(r.link.hello.moved, end{r.link, server})
	r.link.hello.tokens, r.link.hello.moved = nil, nil
}

// stream takes in n bytes of a stream that stand at the cursor, which may be its last.
func (r *reader) stream(number, off uint64, n int, last bool) {
	d := r.d
	data := d.Data()[:n]
	h, hand := r.hand(func() (h handover) {
		if r.space != spaceData { // RFC 9000 section 12.4: handshakes carry no streams
			return h
		}
		h = handover{Stream: number, Link: r.note.Link, Server: r.note.Server, App: r.link.app(d)}
		if h.App == 0 {
			return handover{}
		}
		f := r.link.sides[r.from].stream(number)
		f.begin(off, data)
		h.Head = f.head
		cut, _ := d.Stream().Framing(h.App)
		layerData := d.LayerData()
		defer d.SetLayerData(layerData)
		h.run, _, h.Again = f.take(d, r.piece(off, n), data, func(off uint64, b []byte) int {
			if cut == nil {
				return len(b)
			}
			d.SetLayerData(h.layerData(off))
			return cut(b)
		})
		if last {
			f.fin = off + uint64(n)
		}
		h.Last = f.fin > 0 && h.Off+uint64(h.Size) == f.fin
		return h
	})
	r.done(h, hand, n, &streamJoined)
}

func (r *reader) piece(off uint64, n int) piece {
	return piece{off, r.note.Packet, uint32(r.d.Pos()), uint32(n)}
}

// done keeps what a frame completes for when the packet is read, and says where the rest ends.
func (r *reader) done(h handover, number uint32, n int, f *joinedFields) {
	if h.Size > 0 {
		r.hands++
		r.parts(&h, f)
		r.items = append(r.items, item{hand: &h, number: number})
		if h.Again {
			r.d.Expert(nAgain)
		}
	}
	if h.Size == 0 || h.Count > 0 && int(h.Size) < n {
		r.d.Links().ShowForward(f.in)
	}
}

// An item is something to say in the Info column, or to hand on.
type item struct {
	text   string
	hand   *handover
	number uint32 // in its list
}

// say adds to what the Info column says of the packet, if anybody reads it.
func (r *reader) addInfo(text string) {
	if r.d.Info().Wanted() {
		r.items = append(r.items, item{text: text})
	}
}

// drop forgets what there was to say of the packet before: as in Wireshark, the last of a datagram has the Info column.
func (r *reader) drop() {
	keep := r.items[:0]
	for _, i := range r.items {
		if i.hand != nil {
			keep = append(keep, i)
		}
	}
	r.items, r.early = keep, len(keep)
}

// conclude says what there is to say, and hands on what is complete.
func (r *reader) conclude() {
	d := r.d
	for _, i := range r.items[:r.early] {
		d.Info().Suppress(func() { r.handOn(i) })
	}
	rest := r.items[r.early:]
	if len(rest) > 0 && rest[0].hand == nil { // the first words push aside what the layers around said
		d.Info().List(rest[0].text)
		rest = rest[1:]
	}
	d.Info().Append(func() {
		for _, i := range rest {
			switch {
			case i.hand == nil:
				d.Info().List(i.text)
			case i.hand.Crypto:
				d.Info().Suppress(func() { r.handOn(i) })
			default:
				r.handOn(i)
			}
		}
	})
}

// handOn gives whole messages to the protocol that they are of.
func (r *reader) handOn(i item) {
	d, h := r.d, i.hand
	if h.Crypto && h.Again { // it was read when it came first
		return
	}
	if h.Crypto {
		d.From("QUIC CRYPTO", h.bytes(d), func() { d.Next(tables.TLSHandshake, 0) })
		return
	}
	layerData := d.LayerData()
	d.SetLayerData(h.layerData(h.Off))
	d.Stream().FromMade(sourceStream+itoa(h.Stream), h.bytes(d), func() uint32 { return i.number },
		func() { d.Stream().Carry(h.App) })
	d.SetLayerData(layerData)
}

// parts shows the frames that several parts came in.
func (r *reader) parts(h *handover, f *joinedFields) {
	d := r.d
	if h.Count < 2 {
		return
	}
	d.In(f.group, func() {
		for i := range h.Count {
			p := pieces.At(d, h.First+i)
			rec := packets.At(d, p.Packet)
			d.Set(f.part, uint64(rec.Ref.Frame))
			if rec.Ref.Frame != d.Frame {
				d.Link(rec.Ref.Frame, f.in, nil)
			}
		}
		d.Set(f.count, uint64(h.Count))
		if !h.Crypto {
			d.Set(fJoinedLen, uint64(h.Size))
		}
	})
}

// streamText is how Wireshark sums up a frame of a stream.
func streamText(typ, number, off uint64, n int) string {
	var b strings.Builder
	b.WriteString(" id=" + itoa(number) + " fin=" + itoa(typ&1) + " off=" + itoa(off) + " len=" + itoa(uint64(n)))
	b.WriteString(" dir=" + directions[number>>1&1] + " origin=" + initiators[number&1])
	return b.String()
}
