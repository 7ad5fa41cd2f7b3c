package quic

import (
	"encoding/hex"

	"remora/dissect"
	"remora/protocols/internal/varint"
)

// ids reads the version and the connection IDs (RFC 8999 section 5.1).
func (r *reader) ids(bits ...*dissect.Field) {
	d, h := r.d, &r.head
	d.Bits(bits[0], bits[1:]...)
	d.Uint(fVersion)
	if n := d.Uint(fDCIL); n > 0 {
		h.dcid = d.Bytes(fDCID, int(n))
	}
	if n := d.Uint(fSCIL); n > 0 {
		h.scid = d.Bytes(fSCID, int(n))
	}
	if r.count == 0 {
		r.first = h.dcid
	}
}

// begin starts what the Info column says of a packet.
func (r *reader) begin(name string) {
	if !r.d.Info().Wanted() {
		return
	}
	r.addInfo(name)
	if len(r.head.dcid) > 0 {
		r.addInfo("DCID=" + hex.EncodeToString(r.head.dcid))
	}
	if len(r.head.scid) > 0 {
		r.addInfo("SCID=" + hex.EncodeToString(r.head.scid))
	}
}

// negotiation reads the versions that a server speaks (RFC 9000 section 17.2.1).
func (r *reader) negotiation() {
	d := r.d
	r.head.kind = typeNegotiation
	d.SetKind(fKind, typeNegotiation)
	d.Set(fPktLen, uint64(d.Left()))
	size := d.Left()
	r.ids(fForm, fUnused)
	r.pass(size)
	r.begin(types[typeNegotiation])
	for more := d.Elements(); more.Next(); {
		if v := d.Uint(fSupported); greased(uint32(v)) {
			d.Suffix(fSupported, " (GREASE)")
		}
	}
}

// long reads a packet with a long header (RFC 9000 section 17.2).
func (r *reader) long() {
	d, h := r.d, &r.head
	h.kind = longType(d.Peek(0), h.version)
	d.SetKind(fKind, h.kind)
	typ := fLong1
	if second(h.version) {
		typ = fLong2
	}
	if h.kind == typeRetry {
		r.retry(typ)
		return
	}
	r.ids(fForm, fFixed, typ)
	r.begin(types[h.kind])
	if h.kind == typeInitial {
		n, ok := varint.Read(d, fTokenLen)
		if !ok || n > uint64(d.Left()) {
			d.Skip(d.Left() + 1)
			return
		}
		if n > 0 {
			d.Bytes(fToken, int(n))
		}
	}
	n, ok := varint.Read(d, fLength)
	if !ok || n > uint64(d.Left()) {
		d.Skip(d.Left() + 1)
		return
	}
	h.at = d.Pos()
	size := h.at - h.start + int(n)
	d.Set(fPktLen, uint64(size))
	payload := r.pass(size)
	r.show(payload, int(n), fPayload, fReserved, fNumLen)
}

// retry reads a packet with which the server asks the client to show that it is where it says it is (RFC 9000 section
// 17.2.5).
func (r *reader) retry(typ *dissect.Field) {
	d := r.d
	size := d.Left()
	d.Set(fPktLen, uint64(size))
	r.ids(fForm, typ)
	r.begin(types[typeRetry])
	r.pass(size)
	if !dialectOf(r.head.version).tagged() {
		if n := d.Uint(fODCIL); n > 0 {
			d.Bytes(fODCID, int(n))
		}
		d.Rest(fRetry)
		return
	}
	if d.Left() > 16 {
		d.Bytes(fRetry, d.Left()-16)
	}
	d.Rest(fTag)
	switch r.note.State {
	case stateGenuine:
		d.Suffix(fTag, " [verified]")
	case stateForged:
		d.Expert(nForged)
	case stateCut:
	default:
		d.Expert(nUnproved)
	}
}

// short reads a packet of a connection whose keys are agreed on (RFC 9000 section 17.3). How long its ID is the
// handshake told.
func (r *reader) short() {
	d, h := r.d, &r.head
	h.kind = typeShort
	size := d.Left()
	payload := r.pass(size)
	if r.note.State == stateReset {
		r.reset()
		return
	}
	d.SetKind(fKind, typeShort)
	d.Set(fPktLen, uint64(size))
	d.In(fShort, func() { r.shortHeader(payload) })
}

func (r *reader) shortHeader(payload []byte) {
	d, h := r.d, &r.head
	d.Bits(fForm, fFixed, fSpin)
	if n := int(r.note.IDSize); n > 0 {
		h.dcid = d.Bytes(fDCID, n)
		if r.count == 0 {
			r.first = h.dcid
		}
	}
	name := "Protected Payload (KP0)"
	if rec := packets.At(d, r.note.Packet); rec.First&phaseBit != 0 && r.note.Packet != 0 {
		name = "Protected Payload (KP1)"
	}
	r.begin(name)
	h.at = d.Pos()
	if r.note.Link == 0 && r.note.State != stateCut {
		d.Expert(nUnknown)
	}
	r.show(payload, d.Left(), fProtected, fFixed0, fPhase, fNumLen)
}

// reset reads what a server sends for a connection that it forgot (RFC 9000 section 10.3).
func (r *reader) reset() {
	d := r.d
	d.SetKind(fKind, typeReset)
	d.Set(fPktLen, uint64(d.Left()))
	d.Bits(fForm, fFixed)
	d.Seek(d.Pos() - 1)
	d.Bytes(fRandom, d.Left()-16)
	d.Rest(fReset)
	r.begin("Stateless Reset")
}

// show reads what stands behind the header: n bytes.
func (r *reader) show(payload []byte, n int, sealed *dissect.Field, hidden ...*dissect.Field) {
	d, h := r.d, &r.head
	if r.note.Packet == 0 {
		if r.note.State == stateFailed {
			d.Expert(nFailed)
		} else if r.note.Link != 0 || h.kind != typeShort {
			d.Expert(nClosed)
		}
		d.Bytes(fRest, n)
		return
	}
	rec := packets.At(d, r.note.Packet)
	if payload == nil {
		if payload = rec.open(d); payload == nil {
			d.Bytes(fRest, n)
			return
		}
	}
	for _, f := range hidden {
		d.Put(f, uint64(rec.First), h.start, 1)
	}
	d.Put(fNumber, rec.Number, h.at, int(rec.Size))
	d.Put(sealed, 0, h.at+int(rec.Size), n-int(rec.Size))
	d.Skip(n)
	if d.Info().Wanted() {
		r.addInfo("PKN: " + itoa(rec.Number))
	}
	r.space = spaceData
	switch h.kind {
	case typeInitial:
		r.space = spaceInitial
	case typeHandshake:
		r.space = spaceHandshake
	}
	d.From("Decrypted QUIC", payload, r.frames)
}
