package quic

import (
	"cmp"
	"crypto/cipher"

	"remora/dissect"
	"remora/protocols/internal/keylog"
	"remora/protocols/internal/tables"
)

// The sides of a connection.
const (
	client = iota
	server
)

// The spaces that packets are numbered in (RFC 9000 section 12.3).
const (
	spaceInitial = iota
	spaceHandshake
	spaceData
)

// maxID is the length of connection IDs at most (RFC 9000 section 17.2).
const maxID = 20

// An id is a connection ID.
type id struct {
	bytes [maxID]byte
	size  uint8
}

func idOf(b []byte) (i id) {
	i.size = uint8(copy(i.bytes[:], b))
	return i
}

// A link is what the first pass knows of one connection. It may move between addresses.
type link struct {
	number  uint32 // counted from 1
	version uint32
	latest  dissect.FrameNum // its newest frame
	began   id               // what the client began with, from which the first keys come
	hello   hello
	sides   [2]side
}

// A side is what one end of a connection sends.
type side struct {
	idSize  uint8     // of the IDs that it chose
	expects [3]uint64 // the next packet number, by spaces
	initial *keeper
	early   *keeper
	shake   *keeper
	data    *keeper
	before  *keeper // the keys of data before the last update
	secret  []byte  // from which the keys of data come
	phase   bool    // of the keys of data
	crypto  [3]flow
	lasting dissect.BoundedMap[uint64, flow] // the first streams, which stay
	streams dissect.BoundedMap[uint64, flow]
}

// A keeper is a key ready for use.
type keeper struct {
	block keyBlock
	aead  cipher.AEAD
	ref   uint32 // in the list of keys, 0 before it opened anything
}

func keep(b keyBlock) *keeper {
	aead, err := b.aead()
	if err != nil {
		return nil
	}
	return &keeper{block: b, aead: aead}
}

// try opens a packet whose header is open already.
func (k *keeper) try(d *dissect.D, r *recipe, packet []byte) []byte {
	d.Spend(len(packet))
	payload := r.unseal(k.aead, k.block.IV, packet)
	if payload != nil && k.ref == 0 {
		k.ref = keys.Put(d, k.block)
	}
	r.Key = k.ref
	return payload
}

// labels are the words for the secrets in a key log, by sides.
var (
	labelsShake = [2]string{"CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET"}
	labelsData  = [2]string{"CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0"}
)

const labelEarly = "CLIENT_EARLY_TRAFFIC_SECRET"

// restart forgets the first keys: those of a new version, or after a Retry.
func (l *link) restart(version uint32, began id) {
	if version != l.version || began != l.began {
		l.version, l.began = version, began
		l.sides[client].initial, l.sides[server].initial = nil, nil
	}
}

// open opens a packet of a side, and tells which number it has. It returns nil where it cannot.
func (l *link) open(d *dissect.D, h *head, from int, r *recipe, packet []byte) (payload []byte) {
	s := &l.sides[from]
	switch h.kind {
	case typeInitial:
		if s.initial == nil {
			s.initial = keep(keysOf(l.version, suite128, initialSecret(l.version, l.began.bytes[:l.began.size], from == server)))
		}
		return l.with(d, s.initial, spaceInitial, from, r, packet)
	case typeHandshake:
		if s.shake == nil {
			s.shake, _ = l.logged(d, labelsShake[from])
		}
		return l.with(d, s.shake, spaceHandshake, from, r, packet)
	case typeEarly:
		return l.openEarly(d, from, r, packet)
	}
	return l.openData(d, from, r, packet)
}

// logged are the keys of a secret of the key log.
func (l *link) logged(d *dissect.D, label string) (*keeper, []byte) {
	s, ok := suites[l.hello.suite]
	if !ok {
		return nil, nil
	}
	secret := d.Session().Secret(keylog.TLS, label, l.hello.random[:])
	if secret == nil {
		return nil, nil
	}
	return keep(keysOf(l.version, s, secret)), secret
}

// with opens a packet with keys that hold for all of its space.
func (l *link) with(d *dissect.D, k *keeper, space, from int, r *recipe, packet []byte) []byte {
	if k == nil || !r.unhide(&k.block, packet) {
		return nil
	}
	l.count(space, from, r)
	payload := k.try(d, r, packet)
	l.counted(space, from, r, payload)
	return payload
}

func (l *link) count(space, from int, r *recipe) {
	r.Number = fullNumber(l.sides[from].expects[space], r.Number, r.Size)
}

// counted remembers the number of a packet that was opened.
func (l *link) counted(space, from int, r *recipe, payload []byte) {
	if payload != nil {
		l.sides[from].expects[space] = max(l.sides[from].expects[space], r.Number+1)
	}
}

// openEarly opens a 0-RTT packet. The suite is that of an earlier session, which only the packet itself can tell.
func (l *link) openEarly(d *dissect.D, from int, r *recipe, packet []byte) []byte {
	s := &l.sides[from]
	if s.early != nil {
		return l.with(d, s.early, spaceData, from, r, packet)
	}
	secret := d.Session().Secret(keylog.TLS, labelEarly, l.hello.random[:])
	for _, number := range [...]uint16{0x1301, 0x1302, 0x1303, 0x1304} {
		if secret == nil || suites[number].hash().Size() != len(secret) {
			continue
		}
		k := keep(keysOf(l.version, suites[number], secret))
		if payload := l.with(d, k, spaceData, from, r, packet); payload != nil {
			s.early = k
			return payload
		}
	}
	return nil
}

// openData opens a 1-RTT packet, whose key phase tells when its side changed its keys (RFC 9001 section 6).
func (l *link) openData(d *dissect.D, from int, r *recipe, packet []byte) (payload []byte) {
	s := &l.sides[from]
	if s.data == nil {
		if s.data, s.secret = l.logged(d, labelsData[from]); s.data == nil {
			return nil
		}
	}
	if !r.unhide(&s.data.block, packet) {
		return nil
	}
	l.count(spaceData, from, r)
	defer func() { l.counted(spaceData, from, r, payload) }()
	if r.First&phaseBit != 0 == s.phase {
		return s.data.try(d, r, packet)
	}
	if s.before != nil {
		if payload = s.before.try(d, r, packet); payload != nil {
			return payload
		}
	}
	secret, block := s.data.block.update(l.version, suites[l.hello.suite], s.secret)
	next := keep(block)
	if next == nil {
		return nil
	}
	if payload = next.try(d, r, packet); payload != nil {
		s.before, s.data, s.secret, s.phase = s.data, next, secret, !s.phase
	}
	return payload
}

// phaseBit is the key phase in the first byte of a 1-RTT packet.
const phaseBit = 0x04

// Limits of the streams of a side that are followed: the first ones, which may last as long as the connection does, and
// the latest of all others.
const (
	maxLasting = 16
	maxStreams = 1024
)

// stream is the flow of a stream.
func (s *side) stream(number uint64) *flow {
	if number < maxLasting {
		return s.lasting.Get(number, maxLasting)
	}
	return s.streams.Get(number, maxStreams)
}

// app is what the connection's streams carry: what the server chose, or before that what the client would like best.
func (l *link) app(d *dissect.D) dissect.InnerProtocol {
	if name := cmp.Or(l.hello.alpn, l.hello.asked); name != "" {
		return d.Inner().Find(tables.TLSALPN, dissect.Word(name))
	}
	return 0
}
