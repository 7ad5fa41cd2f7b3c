package ssh

import (
	"bytes"
	"strings"

	"remora/dissect"
)

// A session is what the first pass knows of a connection.
type session struct {
	halves [2]half
	offers [2]offer // of the client, of the server
	method uint8
	frame  dissect.FrameNum // the last one
	major  uint8            // the version of SSH that was said first, 0 while none was

	agreement
	ready  [2]cipherKey // for what comes behind the next New Keys
	why    uint8        // there is none
	id     []byte       // of the session: the digest of the first agreement
	strict bool         // packets are counted anew behind New Keys
	packed bool         // messages are compressed from the login on
}

type half struct {
	spoken bool // the version is said: packets follow
	sealed bool
	tag    int // bytes of the MAC behind encrypted packets whose length can be read, 0 where it cannot
	seq    uint32
	key    uint32 // in the list of keys: what opens the packets, 0 where nothing does
	place  place
	why    uint8
	packed bool
}

// An offer is what one side can do.
type offer struct {
	kex                    string
	ciphers, macs, packing [2]string
}

// A note is what a packet leaves for re-dissections.
type note struct {
	Seq            uint32
	Tag            uint8
	Method         uint8
	Major          uint8 // of the session's version, 0 while it is unknown
	Spoken, Sealed bool
	Further        bool // not the first of its frame
	Packed         bool // it is compressed
	Why            uint8
	Key            uint32 // in the list of keys, where it was opened
	Place          uint32 // in the list of places
}

var (
	sessions = dissect.NewStore[session, note]()
	places   = dissect.NewList[place]()
)

// What keeps packets from being read, where somebody gave keys.
const (
	whyMissing = iota + 1 // no key of the connection is among those given
	whyStart              // the key exchange was not seen
	whyExchange
	whyCipher
	whyWrong
)

var whys = map[uint8]*dissect.Field{
	whyMissing: proto.Expert("decryption.no_key", dissect.Hint, "None of the keys given is of this connection"),
	whyStart: proto.Expert("decryption.no_exchange", dissect.Hint,
		"The key exchange of this connection is not in the capture, and without it keys open nothing"),
	whyExchange: proto.Expert("decryption.exchange", dissect.Hint,
		"Private keys of this key exchange open nothing here; its shared secret does"),
	whyCipher: proto.Expert("decryption.cipher", dissect.Hint, "The cipher is not decrypted here"),
	whyWrong:  proto.Expert("decryption.wrong", dissect.Warn, "The key given does not open the packets"),
}

// The ways to exchange keys, which give the same numbers different meanings.
const (
	methodUnknown = iota
	methodDH
	methodGroups // a group made by the server
	methodECDH
)

// maxList bounds what is kept of a list of algorithms.
const maxList = 4096

// pass moves the session on by one line or packet.
func (s *session) pass(d *dissect.D, server, line bool) note {
	h := &s.halves[d.Dir&1]
	b := d.Data()
	n := note{Sealed: h.sealed, Spoken: h.spoken, Method: s.method, Seq: h.seq, Tag: uint8(h.tag),
		Further: s.frame == d.Frame, Major: s.major}
	s.frame = d.Frame
	switch {
	case h.sealed:
		if plain := s.open(d, h, b, &n); plain != nil {
			s.take(d, h, plain[5:len(plain)-int(plain[4])], server)
		}
		h.seq++
		return n
	case !h.spoken && line:
		if h.spoken = bytes.HasPrefix(b, []byte("SSH-")); h.spoken {
			s.lines[sideOf(server)] = string(bytes.TrimRight(b, "\r\n"))
		}
		if s.major == 0 {
			s.major = major(b)
		}
		n.Major = s.major
		return n
	// no packet in the clear: the capture began later
	case len(b) < 6 || len(b) != packetSize(b, 0) || int(b[4])+2 > len(b)-4:
		h.spoken, h.sealed = true, true
		h.why = s.without(d, whyStart)
		n.Sealed, n.Why = true, h.why
		return n
	}
	s.take(d, h, b[5:len(b)-int(b[4])], server)
	h.seq++
	n.Method = s.method
	return n
}

// without is why there is no key, nothing where nobody gave any.
func (s *session) without(d *dissect.D, why uint8) uint8 {
	if !d.Session().HasSecrets(secrets) {
		return 0
	}
	return why
}

func sideOf(server bool) int {
	if server {
		return 1
	}
	return 0
}

// open decrypts a packet, and tells the note how.
func (s *session) open(d *dissect.D, h *half, b []byte, n *note) []byte {
	if h.key == 0 {
		n.Why = h.why
		return nil
	}
	k := keys.At(d, h.key)
	h.place.Seq = h.seq
	plain, _ := k.open(d, h.place, b)
	if plain == nil {
		h.key, h.why = 0, whyWrong
		n.Why = whyWrong
		return nil
	}
	n.Key, n.Place, n.Packed = h.key, places.Put(d, h.place), h.packed
	h.place = k.after(h.place, b)
	return plain
}

// take follows what a packet says.
func (s *session) take(d *dissect.D, h *half, b []byte, server bool) {
	if len(b) == 0 || h.packed {
		return
	}
	switch code := b[0]; {
	case code == msgKexInit:
		s.inits[sideOf(server)] = bytes.Clone(b)
		s.public, s.host, s.asked, s.group = [2][]byte{}, nil, nil, [2][]byte{}
		s.offer(b[1:], server)
	case code == msgNewKeys:
		s.renew(d, h, server)
	case code == msgLoggedIn:
		s.halves[0].packed, s.halves[1].packed = s.packed, s.packed
	case code >= 30 && code < 35:
		s.exchange(d, uint64(code), b[1:], server)
	}
}

// renew has a direction encrypted with the keys that were agreed on.
func (s *session) renew(d *dissect.D, h *half, server bool) {
	h.sealed, h.tag, h.key, h.why = true, s.tag(server), 0, s.without(d, max(s.why, whyMissing))
	if k := s.ready[sideOf(server)]; k.Form != 0 {
		h.key, h.place = keys.Put(d, k), place{IV: k.IV}
	}
	h.packed = h.packed || s.packing(sideOf(server)) == "zlib"
	s.packed = strings.HasPrefix(s.packing(sideOf(server)), "zlib")
	if s.strict {
		h.seq = ^uint32(0) // the next one is 0
	}
}

// exchange takes what a message of the key exchange makes public; with the server's last one the keys are known.
func (s *session) exchange(d *dissect.D, code uint64, b []byte, server bool) {
	part := func() (out []byte) {
		if len(b) < 4 {
			return nil
		}
		n := min(uint64(uint32(b[0])<<24|uint32(b[1])<<16|uint32(b[2])<<8|uint32(b[3])), uint64(len(b)-4))
		out, b = bytes.Clone(b[4:4+n]), b[4+n:]
		return out
	}
	grouped := s.method == methodGroups
	switch {
	case grouped && (code == 34 || code == 30):
		s.asked = bytes.Clone(b[:min(len(b), 12)])
	case grouped && code == 31:
		s.group = [2][]byte{part(), part()}
	case !server:
		s.public[0] = part()
	default:
		s.host, s.public[1] = part(), part()
		s.agree(d)
	}
}

// agree makes the keys of both directions, where a secret is known.
func (s *session) agree(d *dissect.D) {
	s.ready, s.why = [2]cipherKey{}, whyMissing
	for _, init := range s.inits {
		if len(init) < 1+cookieSize {
			s.why = whyStart
			return
		}
	}
	kex := agreed(s.offers[0].kex, s.offers[1].kex)
	h := hashOf(kex)
	if h == nil || !d.Session().HasSecrets(secrets) {
		s.why = whyExchange
		return
	}
	shared, why := s.shared(d, kex)
	if s.why = why; shared == nil {
		return
	}
	d.Spend(len(s.inits[0]) + len(s.inits[1]) + len(s.host))
	digest := s.hash(h(), shared)
	if s.id == nil {
		s.id = digest
	}
	for way := range s.ready {
		k := s.keyFor(way)
		if k.Form == 0 || k.Tag == 0 {
			s.why = whyCipher
			continue
		}
		k.derive(h, shared, digest, s.id, way)
		s.ready[way] = k
	}
}

func (s *session) cipherName(way int) string {
	return agreed(s.offers[0].ciphers[way], s.offers[1].ciphers[way])
}

func (s *session) macName(way int) string {
	return agreed(s.offers[0].macs[way], s.offers[1].macs[way])
}

func (s *session) packing(way int) string {
	return agreed(s.offers[0].packing[way], s.offers[1].packing[way])
}

// major is the number of the version that a line says (RFC 4253 section 5.1): 1.99 is 2 that can do 1.
func major(line []byte) uint8 {
	switch {
	case bytes.HasPrefix(line, []byte("SSH-2.")), bytes.HasPrefix(line, []byte("SSH-1.99-")):
		return 2
	case bytes.HasPrefix(line, []byte("SSH-1.")):
		return 1
	}
	return 0
}

// offer keeps what one side can do; with both known, the method of the key exchange is (RFC 4253 section 7.1).
func (s *session) offer(b []byte, server bool) {
	var lists [8]string
	b = b[min(16, len(b)):]
	for i := range lists {
		if len(b) < 4 {
			return
		}
		n := int(b[0])<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3])
		if n < 0 || n > len(b)-4 {
			return
		}
		lists[i] = string(b[4 : 4+min(n, maxList)])
		b = b[4+n:]
	}
	s.offers[sideOf(server)] = offer{kex: lists[0], ciphers: [2]string{lists[2], lists[3]},
		macs: [2]string{lists[4], lists[5]}, packing: [2]string{lists[6], lists[7]}}
	s.method = methodOf(agreed(s.offers[0].kex, s.offers[1].kex))
	if s.id == nil {
		s.strict = strings.Contains(s.offers[0].kex, "kex-strict-c-v00@openssh.com") &&
			strings.Contains(s.offers[1].kex, "kex-strict-s-v00@openssh.com")
	}
}

// agreed is the first algorithm of the client's that the server has too.
func agreed(client, server string) string {
	for name := range strings.SplitSeq(client, ",") {
		for other := range strings.SplitSeq(server, ",") {
			if name == other && name != "" {
				return name
			}
		}
	}
	return ""
}

func methodOf(name string) uint8 {
	switch {
	case name == "":
		return methodUnknown
	case strings.HasPrefix(name, "diffie-hellman-group-exchange"):
		return methodGroups
	case strings.HasPrefix(name, "diffie-hellman"):
		return methodDH
	}
	return methodECDH
}

// tag is how many bytes stand behind the packets of a direction where their length can be read: of GCM (RFC 5647) and
// of MACs that are made after encryption.
func (s *session) tag(server bool) int {
	cipher := s.cipherName(sideOf(server))
	if strings.Contains(cipher, "gcm") {
		return 16
	}
	mac := s.macName(sideOf(server))
	if strings.HasPrefix(cipher, "chacha20") || !strings.Contains(mac, "-etm@") {
		return 0
	}
	switch {
	case strings.Contains(mac, "sha2-512"):
		return 64
	case strings.Contains(mac, "sha2-256"):
		return 32
	case strings.Contains(mac, "sha1"):
		return 20
	case strings.Contains(mac, "umac-64"):
		return 8
	case strings.Contains(mac, "umac-128"), strings.Contains(mac, "md5"):
		return 16
	}
	return 0
}
