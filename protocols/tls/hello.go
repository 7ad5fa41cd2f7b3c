package tls

import (
	"bytes"
	"fmt"

	"remora/dissect"
)

// The hellos (RFC 8446 section 4.1, RFC 5246 section 7.4.1).
var (
	fHsVersion = proto.Uint16("handshake.version", "Version",
		"The version offered or chosen; TLS 1.3 says 1.2 and means an extension.").Hex().Named(versions)
	fRandom    = proto.Bytes("handshake.random", "Random", "32 bytes that nobody chose.")
	fRandTime  = proto.Time("handshake.random_time", "GMT Unix Time", "The clock of the sender, where it tells it.")
	fRandBytes = proto.Bytes("handshake.random_bytes", "Random Bytes", "The other 28 bytes.")
	fSessLen   = proto.Uint8("handshake.session_id_length", "Session ID Length", "Bytes of the session's name.")
	fSessID    = proto.Bytes("handshake.session_id", "Session ID", "The session's name.")
	fSuitesLen = proto.Uint16("handshake.cipher_suites_length", "Cipher Suites Length", "Bytes of the list.")
	fSuites    = proto.Node("handshake.ciphersuites", "Cipher Suites", "What the client can do, best first.")
	fSuite     = proto.Uint16("handshake.ciphersuite", "Cipher Suite",
		"Algorithms for keys, encryption and authentication.").Hex().Named(suites)
	fCompLen = proto.Uint8("handshake.comp_methods_length", "Compression Methods Length", "Bytes of the list.")
	fComps   = proto.Node("handshake.comp_methods", "Compression Methods", "What the client can do.")
	fComp    = proto.Uint8("handshake.comp_method", "Compression Method", "How records are compressed.").
			Named(compressions)
	fExtsLen  = proto.Uint16("handshake.extensions_length", "Extensions Length", "Bytes of all extensions.")
	fJA3Full  = proto.String("handshake.ja3_full", "JA3 Fullstring", "What JA3 is the digest of.").Derived()
	fJA3      = proto.String("handshake.ja3", "JA3", "A mark of the client's program: MD5 of what it offers.").Derived()
	fJA3SFull = proto.String("handshake.ja3s_full", "JA3S Fullstring", "What JA3S is the digest of.").Derived()
	fJA3S     = proto.String("handshake.ja3s", "JA3S", "A mark of the server's program: MD5 of what it chose.").Derived()
	fJA4      = proto.String("handshake.ja4", "JA4",
		"A mark of the client's program that survives a shuffled order of extensions.").Derived().Own()
	fJA4Raw = proto.String("handshake.ja4_r", "JA4_r", "What JA4 is the digest of.").Derived().Own()
)

// retryRandom is the random of a Server Hello that asks the client to try again (RFC 8446 section 4.1.3).
var retryRandom = []byte{0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
	0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c}

// isRetry tells whether the body of a Server Hello is a Hello Retry Request.
func isRetry(body []byte) bool { return len(body) >= 34 && bytes.Equal(body[2:34], retryRandom) }

// isDraft tells drafts of TLS 1.3 whose Server Hello names no session and no compression.
func isDraft(version uint16) bool { return version >= firstDraft && version < lastDraft }

// counted writes how many of a thing a list has behind the list's label.
func counted(d *dissect.D, list *dissect.Field, n int, one, many string) {
	if !d.Labelling() {
		return
	}
	if n != 1 {
		one = many
	}
	d.Suffix(list, fmt.Sprintf(" (%d %s)", n, one))
}

// numbers reads a list of n bytes that holds numbers.
func numbers(d *dissect.D, list, f *dissect.Field, n int, one, many string) {
	d.Within(n, func() {
		d.In(list, func() {
			counted(d, list, n/f.Size(), one, many)
			for more := d.Elements(); more.Next(); {
				d.Uint(f)
			}
		})
	})
}

// random reads the random; its first four bytes were once a clock.
func random(d *dissect.D) {
	at := d.Pos()
	if d.Left() < 32 {
		d.Skip(32)
		return
	}
	d.Put(fRandTime, d.PeekUint(0, 4)*1e9, at, 4)
	d.Put(fRandBytes, 0, at+4, 28)
	d.Skip(32)
}

// start reads what both hellos begin with.
func (c *context) start() {
	d := c.d
	d.Uint(fHsVersion)
	if d.Left() >= 32 {
		d.Put(fRandom, 0, d.Pos(), 32)
	}
	if c.version >= 0x0304 {
		d.Skip(32)
	} else {
		d.Below(func() { random(d) })
	}
	if isDraft(c.version) {
		return
	}
	if n := d.Uint(fSessLen); n > 0 {
		d.Bytes(fSessID, int(n))
	}
}

func (c *context) clientHello() {
	d := c.d
	body := d.Data()
	c.start()
	if c.datagram {
		if n := d.Uint(dtls().cookieLen); n > 0 {
			d.Bytes(dtls().cookie, int(n))
		}
		body = withoutCookie(body)
	}
	n := int(d.Uint(fSuitesLen))
	numbers(d, fSuites, fSuite, n, "suite", "suites")
	n = int(d.Uint(fCompLen))
	numbers(d, fComps, fComp, n, "method", "methods")
	c.extensions(clientHello)
	if d.CutShort() { // of a part the marks would be others
		return
	}
	if d.Wanted(fJA3) || d.Wanted(fJA3Full) || d.Wanted(fJA4) || d.Wanted(fJA4Raw) {
		c.clientMarks(body)
	}
}

func (c *context) serverHello() {
	d := c.d
	body := d.Data()
	kind := uint64(serverHello)
	if isRetry(body) {
		kind = retried
	}
	c.start()
	d.Uint(fSuite)
	if !isDraft(c.version) {
		d.Uint(fComp)
	}
	c.extensions(kind)
	if c.note.Resumed {
		d.Expert(nResumed)
	}
	if (d.Wanted(fJA3S) || d.Wanted(fJA3SFull)) && !d.CutShort() {
		serverMarks(d, body)
	}
}
