// Package ssh dissects Secure Shell (RFC 4253, 4419, 5656, 8731): the versions, the lists of algorithms and the key
// exchange, which travel in the clear. What is encrypted afterwards is shown as packets where their length is told,
// else as segments.
package ssh

import (
	"bytes"
	"fmt"

	"remora/dissect"
)

var proto = dissect.NewProtocol("ssh", "SSH", "Secure Shell: logins, commands and tunnels, encrypted.").
	Summary("SSH Protocol").Color(dissect.HueMagenta)

var (
	fProtocol  = proto.String("protocol", "Protocol", "The version and the program, as it introduces itself.")
	fBanner    = proto.String("banner", "Line before the version", "What a server may say before its version.")
	fDirection = proto.Bool("direction", "Direction", "Which side sends.").
			TrueFalse("server-to-client", "client-to-server").Derived()
	fPacket    = proto.Group("packet", "SSH Version 2", "One packet.")
	fLength    = proto.Uint32("packet_length", "Packet Length", "Bytes of the packet behind this, without the MAC.")
	fLengthEnc = proto.Bytes("packet_length_encrypted", "Packet Length (encrypted)", "The length, encrypted.")
	fPadLen    = proto.Uint8("padding_length", "Padding Length", "Bytes of padding at the end.")
	fCode      = proto.Kind("message_code", "Message Code", codes, "Which message it is.").Dec().Wordless()
	fPayload   = proto.Bytes("payload", "Payload", "What the message holds.")
	fPadding   = proto.Bytes("padding_string", "Padding String", "Bytes without meaning.")
	fSeq       = proto.Uint32("seq_num", "Sequence number", "The number of the packet in its direction, from 0.").Derived()
	fEncrypted = proto.Bytes("encrypted_packet", "Encrypted Packet", "A packet or a part of one, encrypted.")
	fMAC       = proto.Bytes("mac", "MAC", "What proves that nobody changed the packet.")
	nLength    = proto.Expert("packet_length.error", dissect.Warn, "Overly large number: no packet is that long")
)

// Plugin attaches SSH to its port, and knows it by its first line on others.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Dissect: packet, TCP: []uint16{22}, Guess: guess, GuessTCP: true, Fits: begins,
		Cut: cut, Message: func(b []byte) int { return clear(b) }, Keys: secrets,
	}
}

// guess knows the line in which each side says its version (RFC 4253 section 4.2).
func guess(d *dissect.D) dissect.Confidence {
	if bytes.HasPrefix(d.Data(), []byte("SSH-2.0-")) || bytes.HasPrefix(d.Data(), []byte("SSH-1.")) {
		return dissect.Strong
	}
	return dissect.Weak
}

// begins takes lines and clear packets on SSH's port, and anything of a connection whose begin the capture lacks: it is
// encrypted.
func begins(d *dissect.D) bool {
	n, padding := int(d.PeekUint(0, 4)), int(d.Peek(4))
	return !d.Stream().FromStart() || dissect.IsText(d.Data()) || n <= maxPacket && padding >= 4 && padding < n
}

// The sizes of things (RFC 4253 sections 4.2 and 6.1).
const (
	maxLine   = 4096
	maxPacket = 1 << 18
)

// cut finds the end of a line, of a packet, or of an encrypted packet where the algorithms let one.
func cut(d *dissect.D, b []byte) int {
	s := sessions.Peek(d)
	if s == nil {
		return clear(b)
	}
	h := &s.halves[d.Dir&1]
	switch {
	case h.key != 0:
		k := keys.At(d, h.key)
		h.place.Seq = h.seq
		return k.size(h.place, b)
	case h.sealed && h.tag == 0:
		return len(b)
	case h.sealed:
		return packetSize(b, h.tag)
	case h.spoken:
		return packetSize(b, 0)
	}
	return clear(b)
}

// clear finds the end of what comes before anything is encrypted.
func clear(b []byte) int {
	if b[0] < 0x20 || b[0] >= 0x7f { // the capture began later
		return packetSize(b, 0)
	}
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	if len(b) > maxLine {
		return len(b)
	}
	return 0
}

// packetSize is the length of the packet at the start of b with tag bytes behind it. What cannot be one is taken as it
// is.
func packetSize(b []byte, tag int) int {
	if len(b) < 4 {
		return 0
	}
	n := int(b[0])<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3])
	if n < 2 || n > maxPacket {
		return len(b)
	}
	return 4 + n + tag
}

// packet reads one line or packet.
func packet(d *dissect.D) {
	server := fromServer(d)
	side := "Client"
	if server {
		side = "Server"
	}
	line := d.Peek(0) >= 0x20 && d.Peek(0) < 0x7f
	n := sessions.FirstPass(d, func(s *session) note { return s.pass(d, server, line) })
	if n.Further {
		side = ""
	}
	if n.Major != 0 {
		d.Info().Protocol("SSHv" + string('0'+rune(n.Major)))
	}
	d.Message(func() {
		switch {
		case n.Sealed && n.Key != 0:
			opened(d, n, side)
		case n.Sealed:
			sealed(d, n, side)
		case n.Spoken || !line:
			plain(d, n, side)
		default:
			version(d, side)
		}
		if server {
			d.Set(fDirection, 1)
		} else {
			d.Set(fDirection, 0)
		}
	})
}

// fromServer tells which side sends: by the port, or by who opened the connection.
func fromServer(d *dissect.D) bool {
	switch {
	case d.Dst.Port == 22:
		return false
	case d.Src.Port == 22:
		return true
	}
	return d.Dir == 1
}

// say adds to the Info column: who speaks, then what, with commas.
func appendInfo(d *dissect.D, side, what string) {
	if !d.Info().Wanted() {
		return
	}
	if side != "" {
		what = side + ": " + what
	}
	d.Info().List(what)
}

func version(d *dissect.D, side string) {
	b := d.Data()
	text := bytes.TrimRight(b, "\r\n")
	f := fProtocol
	if !bytes.HasPrefix(b, []byte("SSH-")) {
		f = fBanner
	} else {
		appendInfo(d, side, fmt.Sprintf("Protocol (%s)", text))
	}
	d.PutText(f, string(text), d.Pos(), len(b))
	d.Skip(len(b))
}

// plain reads a packet in the clear (RFC 4253 section 6).
func plain(d *dissect.D, n note, side string) {
	d.In(fPacket, func() {
		size := d.Uint(fLength)
		if size > maxPacket || d.Left() < int(size) {
			d.Expert(nLength)
			d.Rest(fPayload)
			return
		}
		padding := int(d.Uint(fPadLen))
		if padding > d.Left() {
			d.Expert(nLength)
			d.Rest(fPayload)
			return
		}
		d.Within(d.Left()-padding, func() { message(d, n, side, fromServer(d)) })
		d.Rest(fPadding)
		d.Set(fSeq, uint64(n.Seq))
	})
}

// sealed shows what is encrypted.
func sealed(d *dissect.D, n note, side string) {
	appendInfo(d, side, fmt.Sprintf("Encrypted packet (len=%d)", d.Left()))
	d.In(fPacket, func() {
		if why := whys[n.Why]; why != nil {
			d.Expert(why)
		}
		tag := int(n.Tag)
		if tag == 0 {
			if d.Left() >= 4 {
				d.Bytes(fLengthEnc, 4)
			}
			d.Rest(fEncrypted)
			return
		}
		d.Uint(fLength)
		if d.Left() > tag {
			d.Bytes(fEncrypted, d.Left()-tag)
		}
		d.Rest(fMAC)
		d.Set(fSeq, uint64(n.Seq))
	})
}
