package tls

import (
	"encoding/binary"
	"sync"

	"remora/dissect"
	"remora/protocols/internal/keylog"
)

// DTLS is TLS in datagrams (RFC 4347, RFC 6347): records with numbers of their own, and handshake messages that come in
// fragments. Its fields are those of TLS under the name dtls, and these.
type dtlsFields struct {
	proto                                           *dissect.Protocol
	epoch, number, message, off, size, data, within *dissect.Field
	fragments, fragment, count, whole               *dissect.Field
	given                                           keyring
	cookieLen, cookie                               *dissect.Field
}

// dtls declares the fields once those of TLS are declared.
var dtls = sync.OnceValue(func() *dtlsFields {
	p := proto.Alias("dtls", "DTLS", "Datagram Transport Layer Security: encrypted and authenticated datagrams.").
		Summary("Datagram Transport Layer Security")
	return &dtlsFields{proto: p,
		given: keyring{
			psk: p.Text("psk", "Pre-Shared Key", "The key that both sides know, in hexadecimal digits.").Loads(loadPSK),
			list: p.Text("keys_list", "RSA keys list (deprecated)",
				"Address,port,protocol,key file,password; and so on. Keys are tried with every server.").Loads(loadList),
			table: p.Rows("dtlsdecrypttablefile", "DTLS Decrypt",
				"RSA keys of servers, and what their ports carry. Keys are tried with every server.", "IP address", "Port",
				"Protocol", "Key File", "Password").Loads(loadTable),
		},
		epoch:     p.Uint16("record.epoch", "Epoch", "How often the sender has changed its keys."),
		number:    p.Uint64("record.sequence_number", "Sequence Number", "Which record of the epoch this is.").Wide(6),
		message:   p.Uint16("handshake.message_seq", "Message Sequence", "Which message of the handshake this is."),
		off:       p.Uint24("handshake.fragment_offset", "Fragment Offset", "Where in the message the fragment starts."),
		size:      p.Uint24("handshake.fragment_length", "Fragment Length", "Bytes of the fragment."),
		data:      p.Bytes("handshake.fragment_data", "Fragment", "A part of a message."),
		within:    p.FrameRef("reassembled.in", "Reassembled in", "The frame in which the message is whole."),
		fragments: p.Group("fragments", "Message fragments", "The frames that the message came in."),
		fragment:  p.FrameRef("fragment", "Message fragment", "A frame that a part of the message came in."),
		count:     p.Uint32("fragment.count", "Message fragment count", "How many parts the message came in.").Derived(),
		whole:     p.Uint32("reassembled.length", "Reassembled DTLS length", "Bytes of the message.").Derived(),
		cookieLen: p.Uint8("handshake.cookie_length", "Cookie Length", "Bytes of the cookie."),
		cookie:    p.Bytes("handshake.cookie", "Cookie", "What shows that the client gets what is sent to its address."),
	}
})

// DTLS attaches DTLS to its ports, and knows it by its first bytes on others.
func DTLS() dissect.Plugin {
	return dissect.Plugin{Protocol: dtls().proto, Keys: keylog.TLS, Dissect: datagram,
		UDP:   []uint16{4433, 4740, 5061, 5349, 5684},
		Guess: guessDatagram}
}

const (
	datagramHeader = 13 // of a record
	messageHeader  = 12 // of a fragment of a message
	helloVerify    = 3
)

// oldDatagrams is the version of OpenSSL's first DTLS, which is read like 1.0.
const oldDatagrams = 0x0100

// plausibleDatagram tells whether a whole record of DTLS stands at the start of b.
func plausibleDatagram(b []byte, missing int) bool {
	return len(b) >= datagramHeader && b[0] >= typeCipher && b[0] <= typeHeartbeat &&
		(b[1] == 0xfe && (b[2] == 0xff || b[2] == 0xfd) || b[1] == 1 && b[2] == 0) &&
		datagramHeader+int(binary.BigEndian.Uint16(b[11:])) <= len(b)+missing
}

// guessDatagram knows a datagram by a fragment of a handshake, and takes two datagrams of records for it.
func guessDatagram(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if !plausibleDatagram(b, d.Missing()) {
		return dissect.No
	}
	if b[0] == typeHandshake && b[3] == 0 && b[4] == 0 && len(b) >= datagramHeader+messageHeader {
		m := b[datagramHeader:]
		if _, known := handshakeTypes[uint64(m[0])]; known && number24(m[6:])+number24(m[9:]) <= number24(m[1:]) {
			return dissect.Strong
		}
	}
	if b[0] == typeAlert && len(b) == datagramHeader+2 && binary.BigEndian.Uint64(b[3:]) < 16 && b[12] == 2 &&
		(b[13] == 1 || b[13] == 2) { // in the clear, of a client that has nothing to offer
		return dissect.Strong
	}
	return dissect.Likely
}

func number24(b []byte) int { return int(b[0])<<16 | int(b[1])<<8 | int(b[2]) }

// tlsVersion is the version of TLS that one of DTLS is made of.
func tlsVersion(v uint16) uint16 {
	switch v {
	case 0xfeff, oldDatagrams:
		return 0x0302
	case 0xfefd:
		return 0x0303
	}
	return v
}

// datagramVersion is a version of DTLS as people say it, by that of TLS.
func datagramVersion(v uint16) string {
	switch v {
	case 0x0302:
		return "DTLSv1.0"
	case 0x0303:
		return "DTLSv1.2"
	}
	return "DTLS"
}

// datagram reads the records of a datagram.
func datagram(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		if d.Left() < datagramHeader {
			d.Skip(datagramHeader)
			return
		}
		d.Message(func() { datagramRecord(d) })
	}
}

// datagramRecord reads one record: its header, then what it carries, decrypted where there are keys.
func datagramRecord(d *dissect.D) {
	f, size, start := dtls(), int(d.PeekUint(11, 2)), d.Pos()
	whole := d.Data()
	whole = whole[:min(len(whole), datagramHeader+size)]
	result := associations.FirstPass(d, func(a *association) datagramNote { return a.pass(d, start, whole) })
	c := context{d: d, note: result.note, version: result.Version, datagram: true}
	if c.note.Kind == 0 {
		c.note.Kind = whole[0]
	}
	version := c.version
	if version == 0 {
		version = tlsVersion(binary.BigEndian.Uint16(whole[1:]))
	}
	d.Info().Protocol(c.datagramTitle(whole))
	d.In(fRecord, func() {
		if d.Labelling() {
			d.Suffix(fRecord, datagramVersion(version)+" Record Layer: "+named(contentTypes, uint64(whole[0]))+" Protocol")
		}
		d.Uint(fContent)
		d.Uint(fVersion)
		d.Uint(f.epoch)
		d.Uint(f.number)
		d.Uint(fLength)
		d.Within(size, func() { c.datagramBody(result) })
	})
	if result.Key != 0 {
		c.opened(result, whole)
	}
}

// datagramTitle is the version of the session, or else of a record that tells it: the first hello's tells the lowest
// that the client speaks.
func (c *context) datagramTitle(record []byte) string {
	told := binary.BigEndian.Uint16(record[1:])
	first := record[0] == typeHandshake && firstHello(record[min(len(record), datagramHeader):])
	switch known := c.agreed(); {
	case told == oldDatagrams && (known != 0 || !first):
		return versions[oldDatagrams]
	case known != 0:
		return datagramVersion(known)
	case first:
		return "DTLS"
	}
	return datagramVersion(tlsVersion(told))
}

// firstHello tells whether a handshake message is a client's hello without a cookie: the server has said nothing yet.
func firstHello(message []byte) bool {
	const header, fixed = 12, 2 + 32 // of the message, and the version and the random of the hello
	if len(message) < header+fixed || message[0] != clientHello {
		return false
	}
	c := cutter(message[header+fixed:])
	c.list(1) // the session
	return len(c.list(1)) == 0
}

func (c *context) datagramBody(result datagramNote) {
	switch {
	case c.note.Key != 0 && c.note.Kind == typeData:
		c.d.Rest(fData)
	case c.note.Key != 0:
		c.d.Rest(fSecret)
	case c.note.Sealed:
		c.sealed(c.note.Kind)
	case c.note.Kind == typeHandshake:
		c.parts(result)
	default:
		c.plain(c.note.Kind)
	}
}

// opened shows what a record carries as bytes of their own.
func (c *context) opened(result datagramNote, whole []byte) {
	k := keys.At(c.d, result.Key)
	seq, record := asStream(whole)
	content, kind, ok := k.open(c.d, seq, record)
	if !ok {
		return
	}
	c.d.From("Decrypted DTLS", content, func() {
		switch kind {
		case typeHandshake:
			c.parts(result)
		case typeData:
			c.d.SetKind(fKind, typeData<<8)
			c.carry()
		default:
			c.plain(kind)
		}
	})
}

// asStream makes a record of TLS of one of DTLS. The epoch and the number together are what TLS counts by itself.
// OpenSSL's first DTLS left the epoch out, and authenticated with the version of TLS 1.0.
func asStream(record []byte) (seq uint64, as []byte) {
	as = append(as, record[:3]...)
	as = append(as, record[11:]...)
	seq = binary.BigEndian.Uint64(record[3:])
	if binary.BigEndian.Uint16(record[1:]) == oldDatagrams {
		as[1], as[2] = 3, 1
		seq &= 1<<48 - 1
	}
	return seq, as
}
