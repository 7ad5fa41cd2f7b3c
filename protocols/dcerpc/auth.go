package dcerpc

import "remora/protocols/internal/tables"

var (
	fAuth = proto.Node("auth_info", "Auth Info", "Proves who sends, or protects what is sent.").
		Summary("Auth Info: {dcerpc.auth_type:name}, {dcerpc.auth_level:name}, AuthContextID({dcerpc.auth_ctx_id})")
	fAuthType  = proto.Uint8("auth_type", "Auth type", "How.").Named(authTypes)
	fAuthLevel = proto.Uint8("auth_level", "Auth level", "What is protected.").Named(authLevels)
	fAuthPad   = proto.Uint8("auth_pad_len", "Auth pad len", "How many bytes align the proof.")
	fAuthRes   = proto.Uint8("auth_rsrvd", "Auth Rsrvd", "Unused.")
	fAuthCtx   = proto.Uint32("auth_ctx_id", "Auth Context ID", "Which proof of several.")
	fAuthFill  = proto.Bytes("auth_padding", "Auth Padding", "Bytes that align the proof.")
	fVerifier  = proto.Bytes("auth_credentials", "Auth Credentials", "The proof.")
)

const (
	trailerSize  = 8
	levelPrivacy = 6
)

// trailer is how much of what is left belongs to the proof, with the bytes in front of it that align it (C706 section
// 13.2.6.1).
func (p *pdu) trailer() int {
	if p.auth == 0 {
		return 0
	}
	b := p.d.Data()
	at := len(b) - p.auth - trailerSize
	if at < 0 {
		return 0
	}
	p.level = uint64(b[at+1])
	p.padding = int(b[at+2])
	if p.padding > at {
		p.padding = 0
	}
	return p.auth + trailerSize + p.padding
}

// proof reads the proof at the end of a packet.
func (p *pdu) proof() {
	d := p.d
	if p.auth == 0 || d.Short() {
		return
	}
	n := p.trailer()
	if n == 0 || d.Left() < n {
		return
	}
	if extra := d.Left() - n; extra > 0 {
		d.Bytes(fUnknown, extra)
	}
	if p.padding > 0 {
		d.Bytes(fAuthFill, p.padding)
	}
	d.In(fAuth, func() {
		d.Uint(fAuthType)
		d.Uint(fAuthLevel)
		d.Uint(fAuthPad)
		d.Uint(fAuthRes)
		p.uint(fAuthCtx)
		d.Put(fVerifier, 0, d.Pos(), d.Left())
		p.credentials()
	})
}

// credentials hands on the messages with which both ends prove who they are; verifiers of calls stay bytes.
func (p *pdu) credentials() {
	d := p.d
	switch p.kind {
	case typeBind, typeBindAck, typeAlter, typeAlterResp, typeAuth3:
		d.Below(func() {
			d.Next(tables.GSS, 1)
		})
	default:
	}
	d.Skip(d.Left())
}
