// Package tls dissects Transport Layer Security: SSL 3.0 and TLS 1.0 to 1.3 (RFC 2246, 4346, 5246, 8446). Records are
// cut from the stream and handshake messages from the records. With the secrets of a key log (the format of NSS),
// TLS 1.3 and the suites of TLS 1.0 to 1.2 with AES or triple DES or ChaCha20 are read, renegotiated sessions too, and
// what they carry is handed on by the tables tls.alpn and tls.port.
package tls

import (
	"remora/dissect"
	"remora/protocols/internal/keylog"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("tls", "TLS", "Transport Layer Security: encrypted and authenticated streams.").
	Summary("Transport Layer Security").Traits(dissect.Underlies).Formerly("ssl").Color(dissect.HueMagenta).
	SharesFields(x509af, x509if, x509sat, x509ce)

// ports are those on which TLS starts with the first byte.
var ports = []uint16{443, 465, 563, 614, 636, 853, 989, 990, 992, 993, 994, 995, 3269, 4433, 5061, 5223, 5671, 6514,
	6697, 8443, 8883}

// Plugin attaches TLS to its ports, and knows it by its first bytes on others.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Follow: followModes, Keys: keylog.TLS, Dissect: layer, TCP: ports,
		Guess: guess, GuessTCP: true, Message: cutRecord, Joins: joinsRecords,
		Begun: begun, Closed: true,
		On: []dissect.Key{{Table: tables.TLSHandshake, Value: 0}, {Table: tables.TLS, Value: 0},
			{Table: tables.TLS, Value: methodTTLS}, {Table: tables.TLS, Value: methodPEAP}},
		Make: remake,
	}
}

// begun leaves nothing of what TCP says of a record's first segment.
func begun([]byte) (text string, again, ok bool) { return "", false, true }

// The methods of EAP whose TLS carries something.
const (
	methodTTLS = 21
	methodPEAP = 25
)

// The types of records.
const (
	typeCipher    = 20
	typeAlert     = 21
	typeHandshake = 22
	typeData      = 23
	typeHeartbeat = 24
)

const (
	headerSize = 5
	maxRecord  = 1<<14 + 2048 // RFC 5246 section 6.2.3
)

// plausible tells whether a record's header may stand at the start of b; with fewer than five bytes, whether what is
// there fits.
func plausible(b []byte) bool {
	switch {
	case len(b) > 0 && (b[0] < typeCipher || b[0] > typeHeartbeat), len(b) > 1 && b[1] != 3, len(b) > 2 && b[2] > 4:
		return false
	case len(b) < headerSize:
		return true
	}
	n := int(b[3])<<8 | int(b[4])
	return n <= maxRecord && (n > 0 || b[0] == typeData)
}

// cutRecord cuts records from the stream. What cannot be a record's start is passed over.
func cutRecord(b []byte) int {
	if n := oldHello(b); n != 0 {
		return n
	}
	if plausible(b) {
		if len(b) < headerSize {
			return 0
		}
		return headerSize + int(b[3])<<8 + int(b[4])
	}
	n := 1
	for n < len(b) && !plausible(b[n:]) {
		n++
	}
	return -n
}

// guess knows a stream by a hello, and on its own ports by any record.
func guess(d *dissect.D) dissect.Confidence {
	b := d.Data()
	switch {
	case len(b) >= oldHeader && oldHello(b) > 0:
		return dissect.Strong
	case len(b) < headerSize || !plausible(b):
		return dissect.No
	case b[0] != typeHandshake || len(b) < 11:
		return dissect.Weak
	case (b[5] == clientHello || b[5] == serverHello) && b[6] == 0 && b[9] == 3 && b[10] <= 4:
		return dissect.Strong
	}
	return dissect.Weak
}

// layer reads records, or messages without records.
func layer(d *dissect.D) {
	if d.Inner().Table() == tables.TLSHandshake {
		c := context{d: d, version: 0x0304, quic: true}
		c.note.Kind = typeHandshake
		c.handshakes()
		return
	}
	if d.Left() == 0 {
		closed(d)
		return
	}
	for more := d.Elements(); !d.Short() && more.Next(); {
		d.Message(func() { record(d) })
	}
}
