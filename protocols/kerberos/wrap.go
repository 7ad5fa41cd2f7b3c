package kerberos

import (
	"slices"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var fWrapped = proto.Bytes("gssapi_encrypted", "GSS-API Encrypted", "What only the peers can read.").Own()

const (
	wrapToken = 0x0504
	wrapSize  = 16 // of the header
)

// inWrap is what a client and a server encrypt. The header stands once more behind it, with the length of the padding.
var inWrap = [2]*content{{usages: []uint32{24}, read: unwrapped}, {usages: []uint32{22}, read: unwrapped}}

// wrapped reads an encrypted token of GSS-API (RFC 4121 section 4.2.4). Bytes at its end may stand in front.
func wrapped(d *dissect.D) {
	whole := d.Data()
	acceptor, rotated := whole[2]&1, int(whole[6])<<8|int(whole[7])
	sealed := slices.Clone(whole[wrapSize:])
	rotated %= len(sealed)
	sealed = append(sealed[rotated:], sealed[:rotated]...)
	d.Rest(fWrapped)
	if pDecrypt.On(d) {
		inWrap[acceptor].open(d, anyType, sealed)
	}
}

func unwrapped(d *dissect.D) {
	n := d.Left() - wrapSize
	if n < 0 {
		return
	}
	if n -= int(d.PeekUint(n+4, 2)); n > 0 {
		d.Within(n, func() { d.Next(tables.GSSPayload, 1) })
	}
}
