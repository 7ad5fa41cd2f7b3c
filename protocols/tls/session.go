package tls

import (
	"cmp"
	"slices"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// A session is what the first pass knows of one connection.
type session struct {
	clientRandom [32]byte
	offered      string   // the session that the client wants to go on with
	ticket       string   // and its ticket
	origin       [32]byte // the client's random of the session that the secret is of
	serverRandom [32]byte
	version      uint16
	suite        uint16
	client       int // the direction that the client sends in
	known        bool
	port         uint16 // the server's
	alpn         string
	behind       bool // the MAC stands behind what is encrypted (RFC 7366)
	inner        dissect.InnerProtocol
	early        []dissect.FrameNum // with records from before the version was agreed on
	asked        int                // records looked at to find out what is inside
	halves       [2]half

	datagram   bool   // of DTLS
	name       string // by which it can be gone on with
	extended   bool   // the master secret is made of the whole handshake (RFC 7627)
	own        []byte // the master secret, made with a key
	transcript []byte // of the handshake, while it is collected
	collecting bool
	why        uint8 // the key exchange gave no master secret
}

// A half is one direction of a session.
type half struct {
	sealed  bool   // what comes is encrypted
	key     uint32 // in the list of keys, 0 when there is none
	stage   int    // which of the direction's secrets the key is of
	seq     uint64 // of the next record
	pending joining
	inner   joining // of what is decrypted
	secret  []byte  // of which the key is, for the next one
	misses  int     // records in a row that no key opened
}

// Limits: how many records are tried before a direction is given up, and looked at to know what is inside.
const (
	maxMisses = 64
	maxAsked  = 4
)

// A note is what a record leaves for re-dissections.
type note struct {
	Seq     uint64                // with Key: the number of the record
	Key     uint32                // in the list of keys: what opens the record
	Unit    uint32                // in the list of units: the message that began earlier and ends here
	Used    uint32                // bytes at the start that belong to messages begun earlier
	App     dissect.InnerProtocol // what is carried
	Version uint16                // of the session, 0 while unknown
	Suite   uint16
	Kind    uint8 // what the record really carries
	Sealed  bool  // it is encrypted, and nothing opens it
	Resumed bool  // the server goes on with an earlier session
	Failed  bool  // there was a key, and it does not open it
	Why     uint8 // what keeps it sealed, where there were keys and none was of it
}

var (
	sessions = dissect.NewStore[session, note]()
	keys     = dissect.NewList[keyBlock]()
)

// pass moves the session on by one record that starts at an offset of the source.
func (s *session) pass(d *dissect.D, start int, record []byte) note {
	h := &s.halves[d.Dir&1]
	n := note{Kind: record[0]}
	body := record[headerSize:]
	if h.sealed && mayBeSealed(&n, s.version >= 0x0304 || h.stage == stageEarly, body) {
		n.Sealed = true
		if content, kind, ok := s.open(d, h, record, &n); ok {
			n.Sealed, n.Kind, body = false, kind, content
		}
		if cutOff(record) > 0 { // the key may be right
			n.Failed, h.inner = false, joining{}
		} else if n.Sealed && !n.Failed {
			n.Why = s.unreadable(d)
		}
	}
	switch {
	case !n.Sealed:
		s.take(d, h, start, record, body, &n)
	case n.Kind == typeData:
		n.App = s.carries(d, nil)
	}
	n.Version, n.Suite = s.version, s.suite
	if s.version == 0 && (n.Key != 0 || h.stage == stageEarly && record[0] != typeHandshake) { // early data
		n.Version = 0x0304
	}
	s.foretell(d)
	return n
}

// mayBeSealed tells whether a record may be encrypted: TLS 1.3 calls all that is data, and in earlier versions what is
// encrypted is longer than a message without contents.
func mayBeSealed(n *note, modern bool, body []byte) bool {
	if modern {
		return n.Kind == typeData
	}
	return n.Kind != typeHandshake || len(body) > 4 || whole(body) != 4
}

// maxEarly bounds the frames that learn the version later.
const maxEarly = 16

// foretell gives the version, once it is agreed on, to the frames that came before.
func (s *session) foretell(d *dissect.D) {
	switch n := len(s.early); {
	case s.version == 0 && n < maxEarly && (n == 0 || s.early[n-1] != d.Frame):
		s.early = append(s.early, d.Frame)
	case s.version != 0 && n > 0:
		for _, frame := range s.early {
			d.Links().SetForward(frame, fAgreed, uint32(s.version))
		}
		s.early = nil
	}
}

// agreed is the version of the session for the Protocol column: also in front of the message that tells it.
func (c *context) agreed() uint16 {
	result := uint16(c.d.Links().ForwardValue(fAgreed))
	if result != 0 && c.d.Wanted(fAgreed) {
		c.d.Set(fAgreed, uint64(result))
	}
	return cmp.Or(c.version, result)
}

// take follows what a record carries.
func (s *session) take(d *dissect.D, h *half, start int, record, body []byte, n *note) {
	switch n.Kind {
	case typeCipher:
		if s.version < 0x0304 && h.stage != stageEarly {
			h.sealed, h.seq, h.stage, h.key, h.misses = true, 0, 0, 0, 0
		}
	case typeHandshake:
		from := origin{piece{Key: n.Key, Seq: n.Seq, Frame: d.Frame}, refsOf(d, start, record)}
		n.Used = uint32(h.pending.feed(d, from, body, whole, func(at cut, b []byte) {
			n.Unit = max(n.Unit, at.Unit)
			s.message(d, b)
			n.Resumed = n.Resumed || b[0] == serverHello && s.resumed(b[4:])
		}))
		if missing := cutOff(record); missing > 0 {
			s.cutMessage(d, &h.pending, body)
			h.pending.interrupt(missing)
		}
	case typeAlert:
		n.App = s.inner
		if v := uint16(record[1])<<8 | uint16(record[2]); s.version == 0 && record[0] == typeAlert && v >= 0x0300 &&
			v <= 0x0303 {
			s.version = v // of a server that agrees to nothing
		}
	case typeData:
		n.App = s.carries(d, body)
	}
}

// cutOff is how many bytes of a record the capture has cut off.
func cutOff(record []byte) int { return headerSize + int(record[3])<<8 + int(record[4]) - len(record) }

// cutMessage follows a hello that began in this record and of which the capture has cut off the end.
func (s *session) cutMessage(d *dissect.D, j *joining, body []byte) {
	if len(j.pieces) != 1 || j.pieces[0].Frame != d.Frame {
		return
	}
	b := body[min(len(body), int(j.pieces[0].Off)):]
	if len(b) >= 4+2+32 && (b[0] == clientHello || b[0] == serverHello) {
		s.message(d, b)
	}
}

// message follows one handshake message.
func (s *session) message(d *dissect.D, b []byte) {
	if len(b) < 4 {
		return
	}
	s.collect(d, b)
	s.read(d, b[0], b[4:])
}

// read takes what a handshake message says.
func (s *session) read(d *dissect.D, typ byte, body []byte) {
	switch typ {
	case clientKeyExchange:
		s.exchanged(d, body)
	case clientHello:
		s.client, s.known, s.port = d.Dir&1, true, d.Dst.Port
		h := parseHello(body, true)
		copy(s.clientRandom[:], h.random)
		s.offered, s.ticket, s.origin = h.session, h.ticket, s.clientRandom
		if !s.halves[s.client].sealed || s.version >= 0x0304 { // else it is a new handshake within the old one
			s.version, s.suite, s.alpn, s.inner = 0, 0, "", 0
		}
		if h.early {
			s.halves[s.client].sealed = true
			s.halves[s.client].stage = stageEarly
		}
	case serverHello:
		s.serverHello(d, body)
	case newSessionTicket:
		if c := cutter(body); s.version < 0x0304 {
			c.number(4)
			s.remember(d, c.list(2))
		}
	case encryptedExts:
		c := cutter(body)
		for all, p := c.list(2), (dissect.Progress{}); len(all) >= 4 && p.Down(len(all)); {
			s.chosen(uint16(all.number(2)), all.list(2))
		}
	}
}

func (s *session) serverHello(d *dissect.D, body []byte) {
	h := parseHello(body, false)
	s.client, s.version, s.suite = 1-d.Dir&1, h.version, h.suites[0]
	if s.port == 0 {
		s.port = d.Src.Port
	}
	copy(s.serverRandom[:], h.random)
	s.behind = slices.Contains(h.extensions, extEncryptThenMAC)
	s.extended = slices.Contains(h.extensions, extMasterSecret)
	if len(h.alpn) > 0 {
		s.alpn = h.alpn[0]
	}
	if len(h.versions) > 0 {
		s.version = h.versions[0]
	}
	if s.version >= 0x0304 {
		s.collecting, s.transcript = false, nil
	}
	if s.version < 0x0304 && s.resumed(body) {
		s.recall(d, s.offered, s.ticket)
	} else if s.version < 0x0304 {
		s.name = h.session
		s.remember(d, []byte(h.session))
	}
	if s.version < 0x0304 || isRetry(body) {
		return
	}
	for i := range s.halves {
		half := &s.halves[i]
		if half.stage != stageEarly {
			half.stage, half.seq, half.key = stageHandshake, 0, 0
		}
		half.sealed = true
	}
}

// resumed tells whether a Server Hello goes on with the session that the client named. TLS 1.3 has other ways.
func (s *session) resumed(body []byte) bool {
	return s.version < 0x0304 && s.offered != "" && parseHello(body, false).session == s.offered
}

// chosen takes what the server chose in its encrypted extensions.
func (s *session) chosen(typ uint16, b cutter) {
	if typ == extALPN {
		list := b.list(2)
		s.alpn = string(list.list(1))
	}
}

// carries is what the session carries: by the name that client and server agreed on, by what the stream was before TLS,
// by the server's port, or by what it looks like.
func (s *session) carries(d *dissect.D, b []byte) dissect.InnerProtocol {
	if s.inner == 0 && s.alpn != "" {
		s.inner = d.Inner().Find(tables.TLSALPN, dissect.Word(s.alpn))
	}
	if s.inner == 0 { // after STARTTLS
		s.inner = d.Inner().Former()
	}
	if s.inner == 0 {
		s.inner = keyringOf(s.datagram).inside(d, s.port)
	}
	if s.inner == 0 && s.port != 0 {
		s.inner = d.Inner().Find(tables.TLSPort, uint32(s.port))
	}
	if s.inner == 0 && len(b) > 0 && s.asked < maxAsked {
		s.asked++
		s.inner = d.Inner().Guess(b)
	}
	return s.inner
}
