// Package openvpn dissects OpenVPN's outer messages over UDP and TCP: the opcode, sessions, acknowledgements, and what
// tls-auth and tls-crypt put around the control channel, whose TLS is put together and handed on (OpenVPN's protocol
// description, doc/doxygen in its sources).
package openvpn

import (
	"encoding/binary"

	"remora/dissect"
)

var proto = dissect.NewProtocol("openvpn", "OpenVPN", "OpenVPN: an encrypted tunnel over UDP or TCP.").
	Summary("OpenVPN Protocol").Color(dissect.HueMagenta)

var opcodes = dissect.Values{
	1: "P_CONTROL_HARD_RESET_CLIENT_V1", 2: "P_CONTROL_HARD_RESET_SERVER_V1", 3: "P_CONTROL_SOFT_RESET_V1",
	4: "P_CONTROL_V1", 5: "P_ACK_V1", 6: "P_DATA_V1",
	7: "P_CONTROL_HARD_RESET_CLIENT_V2", 8: "P_CONTROL_HARD_RESET_SERVER_V2", 9: "P_DATA_V2",
	10: "P_CONTROL_HARD_RESET_CLIENT_V3", 11: "P_CONTROL_WKC_V1",
}

const (
	control   = 4
	ack       = 5
	data1     = 6
	resetV2   = 7
	answerV2  = 8
	data2     = 9
	resetV3   = 10
	wrapped   = 11
	firstHard = 1
)

var (
	fLength   = proto.Uint16("plen", "Packet Length", "Length of the message on a stream.")
	fType     = proto.Uint8("type", "Type", "Opcode and key.").Hex().Summary(" \\[opcode/key_id\\]")
	fOpcode   = proto.Kind("opcode", "Opcode", opcodes, "What the message is.").Masked(0xf8).Wordless()
	fKey      = proto.Uint8("keyid", "Key ID", "Which of the session's keys is meant.").Masked(0x07)
	fPeer     = proto.Uint24("peerid", "Peer ID", "Number of the client at the server, whatever its address is.")
	fSession  = proto.Uint64("sessionid", "Session ID", "The sender's number for the session.")
	fHMAC     = proto.Bytes("hmac", "HMAC", "Proof that the sender has the shared key.")
	fReplay   = proto.Uint32("pid", "Replay-Packet-ID", "Number of the packet, against repeats.")
	fTime     = proto.Time("net_time", "Net Time", "When the sender's numbers began.")
	fCount    = proto.Uint8("mpidarraylength", "Message Packet-ID Array Length", "How many messages are acknowledged.")
	fAcks     = proto.Group("mpidarray", "Packet-ID Array", "The acknowledged messages.")
	fAcked    = proto.Uint32("mpidarrayelement", "Message Packet-ID Array Element", "Number of an acknowledged message.")
	fRemote   = proto.Uint64("rsessionid", "Remote Session ID", "The receiver's number for the session.")
	fMessage  = proto.Uint32("mpid", "Message Packet-ID", "Number of the message.")
	fFragment = proto.Group("message_fragment", "Message fragment", "A part of the TLS connection inside.")
	fBytes    = proto.Bytes("fragment_bytes", "Fragment bytes", "Bytes of the TLS connection.")
	fData     = proto.Bytes("data", "Data", "Encrypted bytes.")
	fWrapped  = proto.Bytes("wkc", "Wrapped client key", "The client's key for tls-crypt-v2, and its length.")
)

// wrapping is what stands around the control messages of a conversation.
type wrapping struct {
	Known bool
	Crypt bool // tls-crypt: everything behind the authentication code is encrypted
	HMAC  uint8
}

var wrappings = dissect.NewStore[wrapping, wrapping]()

// Plugin attaches OpenVPN to its port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, UDP: []uint16{port}, TCP: []uint16{port}, Message: frame,
		Guess: recognise, GuessAll: true}
}

// frame cuts messages from a stream: two bytes of length stand in front of each.
func frame(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	return 2 + int(b[0])<<8 + int(b[1])
}

// recognise tells on OpenVPN's port how far the bytes can be a packet: control messages are known by what stands around
// them; data only have a type, and room for what encrypts them.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if d.Src.Port != port && d.Dst.Port != port {
		return dissect.No
	}
	if d.Ends().Transport() == dissect.TableTCP {
		if len(b) < 3 || frame(b) > len(b)+d.Missing() {
			return dissect.No
		}
		b = b[2:min(frame(b), len(b))]
	}
	if len(b) == 0 {
		return dissect.No
	}
	switch op := uint64(b[0] >> 3); {
	case op == data1 || op == data2:
		if len(b) > 20 {
			return dissect.Weak
		}
	case op >= firstHard && op <= wrapped && len(b) >= 14 && guessWrapping(b[9:], d.Missing(), op, d.Time()/1e9).Known:
		if op == ack || op == resetV2 || op == answerV2 { // their length is told
			return dissect.Likely
		}
		return dissect.Weak
	}
	return dissect.No
}

const port = 1194

func packet(d *dissect.D) {
	if d.Ends().Transport() == dissect.TableTCP {
		d.Uint(fLength)
	}
	if d.Left() == 0 {
		return
	}
	op := d.Bits(fType, fOpcode, fKey) >> 3
	d.Info().Set("MessageType: {opcode:name}")
	switch {
	case op == data2:
		d.Uint(fPeer)
		d.Rest(fData)
	case op == data1 || op < firstHard || op > wrapped:
		d.Rest(fData)
	default:
		controlMessage(d, op)
	}
}

// controlMessage reads what goes over the reliable channel.
func controlMessage(d *dissect.D, op uint64) {
	d.Uint(fSession)
	b, missing, now := d.Data(), d.Missing(), d.Time()/1e9
	w := wrappings.FirstPass(d, func(w *wrapping) wrapping {
		if !w.Known {
			*w = guessWrapping(b, missing, op, now)
		}
		return *w
	})
	switch {
	case w.Crypt:
		replay(d)
		d.Bytes(fHMAC, int(w.HMAC))
		d.Rest(fData)
		return
	case w.HMAC > 0:
		d.Bytes(fHMAC, int(w.HMAC))
		replay(d)
	}
	if n := d.Uint(fCount); n > 0 {
		d.In(fAcks, func() {
			for more := d.Elements(); n > 0 && more.Next(); n-- {
				d.Uint(fAcked)
			}
		})
		d.Uint(fRemote)
	}
	if op == ack {
		d.Rest(fData)
		return
	}
	number := uint32(d.Uint(fMessage))
	if op == resetV3 && d.Left() > 0 {
		d.Rest(fWrapped)
	}
	carry(d, op, number)
}

func replay(d *dissect.D) {
	d.Uint(fReplay)
	seconds := d.PeekUint(0, 4)
	d.Put(fTime, seconds*1e9, d.Pos(), min(4, d.Left()))
	d.Skip(4)
}

// guessWrapping tells by a message's length and its times what stands around the control messages. b is what follows
// the session number, and missing how much of it the capture cut off; nothing in the packet says it.
func guessWrapping(b []byte, missing int, op uint64, now int64) wrapping {
	if fits(b, missing, op) {
		return wrapping{Known: op != control}
	}
	const day = 24 * 3600
	near := func(at int) bool {
		if len(b) < at+4 {
			return false
		}
		t := int64(b[at])<<24 | int64(b[at+1])<<16 | int64(b[at+2])<<8 | int64(b[at+3])
		return t-now < day && now-t < day
	}
	if near(4) && len(b)+missing >= 8+32 {
		return wrapping{true, true, 32}
	}
	for _, n := range [...]int{20, 32, 64, 16, 48, 28} {
		if near(n+4) && len(b) > n+8 && fits(b[n+8:], missing, op) {
			return wrapping{true, false, uint8(n)}
		}
	}
	for _, n := range [...]int{20, 32, 64} { // the clock was set since: only what opens a session tells enough
		if len(b) > n+8 && opens(b[n+8:], op) && fits(b[n+8:], missing, op) {
			return wrapping{true, false, uint8(n)}
		}
	}
	return wrapping{}
}

// opens tells whether b can be the plain rest of a session's first message, whose number is zero.
func opens(b []byte, op uint64) bool {
	at := 1 + 4*int(b[0])
	if b[0] > 0 {
		at += 8
	}
	return (op == resetV2 || op == answerV2) && len(b) >= at+4 && binary.BigEndian.Uint32(b[at:]) == 0
}

// fits tells whether b can be the plain rest of a control message: its length goes with the number of acknowledgements.
func fits(b []byte, missing int, op uint64) bool {
	if len(b) == 0 || b[0] > 8 {
		return false
	}
	n, size := len(b)+missing, 1+4*int(b[0])
	if b[0] > 0 {
		size += 8
	}
	switch op {
	case ack:
		return n == size
	case firstHard, firstHard + 1, resetV2, answerV2:
		return n == size+4
	case control: // what it carries are pieces of TLS
		return n > size+4 && (len(b) < size+9 || b[size+4] < 20 || b[size+4] > 23 || b[size+5] == 3)
	}
	return n >= size+4
}
