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
}

type half struct {
	spoken bool // the version is said: packets follow
	sealed bool
	tag    int // bytes of the MAC behind encrypted packets whose length can be read, 0 where it cannot
	seq    uint32
}

// An offer is what one side can do.
type offer struct{ kex, ciphers, macs [2]string }

// A note is what a packet leaves for re-dissections.
type note struct {
	Seq            uint32
	Tag            uint8
	Method         uint8
	Major          uint8 // of the session's version, 0 while it is unknown
	Spoken, Sealed bool
	Further        bool // not the first of its frame
}

var sessions = dissect.NewStore[session, note]()

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
		h.seq++
		return n
	case !h.spoken && line:
		h.spoken = bytes.HasPrefix(b, []byte("SSH-"))
		if s.major == 0 {
			s.major = major(b)
		}
		n.Major = s.major
		return n
	// no packet in the clear: the capture began later
	case len(b) < 6 || len(b) != packetSize(b, 0) || int(b[4])+2 > len(b)-4:
		h.spoken, h.sealed = true, true
		n.Sealed = true
		return n
	}
	h.seq++
	switch b[5] {
	case msgKexInit:
		s.offer(b[6:len(b)-int(b[4])], server)
	case msgNewKeys:
		h.sealed = true
		h.tag = s.tag(server)
	}
	n.Method = s.method
	return n
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
	var lists [6]string
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
	side := 0
	if server {
		side = 1
	}
	s.offers[side] = offer{kex: [2]string{lists[0]}, ciphers: [2]string{lists[2], lists[3]},
		macs: [2]string{lists[4], lists[5]}}
	s.method = methodOf(agreed(s.offers[0].kex[0], s.offers[1].kex[0]))
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
	dir := 0
	if server {
		dir = 1
	}
	cipher := agreed(s.offers[0].ciphers[dir], s.offers[1].ciphers[dir])
	if strings.Contains(cipher, "gcm") {
		return 16
	}
	mac := agreed(s.offers[0].macs[dir], s.offers[1].macs[dir])
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
