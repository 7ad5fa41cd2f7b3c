package gss

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var (
	sCFX         = spnego.Uint8("krb5.cfx_flags", "krb5_cfx_flags", "How the token is made.").Hex()
	sAcceptor    = cfxFlag("send_by_acceptor", "Sendby Acceptor", "The server sent it.", bitAcceptor)
	sSealed      = cfxFlag("sealed", "Sealed", "It is encrypted.", bitSealed)
	sSubkey      = cfxFlag("acceptor_subkey", "AcceptorSubkey", "The key is that of the server.", 4)
	sFiller      = spnego.Bytes("krb5.filler", "krb5_filler", "Bytes that say nothing.")
	sExtra       = spnego.Uint16("krb5.cfx_ec", "krb5_cfx_ec", "Extra count: length of the checksum or the padding.")
	sRotated     = spnego.Uint16("krb5.cfx_rrc", "krb5_cfx_rrc", "By how many bytes it is rotated to the right.")
	sNumber      = spnego.Uint64("krb5.cfx_seq", "krb5_cfx_seq", "Number of the token.")
	sKrbChecksum = spnego.Bytes("krb5.sgn_cksum", "krb5_sgn_cksum", "The proof that nobody changed it.")
)

func cfxFlag(name, label, doc string, mask uint64) *dissect.Field {
	return spnego.Bool("krb5."+name, label, doc).Masked(mask).TrueFalse("Set", "Not set")
}

const (
	bitAcceptor   = 1
	bitSealed     = 2
	protectedSize = 16 // of the header
)

// protected reads a token that proves or encrypts data (RFC 4121 section 4.2.6), from behind its number. Kerberos gets
// the whole of one that is encrypted.
func protected(d *dissect.D, wrap bool) {
	start := d.Pos() - 2
	flags := d.Peek(0)
	d.Uint(sCFX)
	d.Below(func() {
		for _, f := range [...]*dissect.Field{sAcceptor, sSealed, sSubkey} {
			d.Put(f, uint64(flags), start+2, 1)
		}
	})
	if !wrap {
		d.Bytes(sFiller, 5)
		d.Uint(sNumber)
		d.Rest(sKrbChecksum)
		return
	}
	d.Bytes(sFiller, 1)
	extra, rotated := int(d.Uint(sExtra)), int(d.Uint(sRotated))
	d.Uint(sNumber)
	switch {
	case d.Short():
	case flags&bitSealed != 0:
		d.Seek(start)
		d.Next(tables.Kerberos, 1)
		d.Skip(d.Left())
	case extra <= d.Left() && (rotated == 0 || rotated == extra):
		if rotated > 0 {
			d.Bytes(sKrbChecksum, extra)
		}
		n := d.Left()
		if rotated == 0 {
			n -= extra
		}
		if n > 4 && d.Peek(0) == 0x30 {
			d.Within(n, func() { d.Next(tables.GSSPayload, 1) })
		} else {
			d.Bytes(sKrbRest, n)
		}
		d.Rest(sKrbChecksum)
	}
}
