package rpc

import "remora/dissect"

var (
	fCredentials = proto.Group("credentials", "Credentials", "Who calls.").Summary("Credentials: {rpc.auth.flavor:name}")
	fVerifier    = proto.Group("verifier", "Verifier", "Proof of it.").Summary("Verifier: {rpc.auth.flavor:name}")
	fFlavor      = proto.Uint32("auth.flavor", "Flavor", "How it is said.").Named(flavors)
	fAuthLen     = proto.Uint32("auth.length", "Length", "Length of what follows.")
	fStamp       = proto.Uint32("auth.stamp", "Stamp", "An arbitrary number.").Hex()
	fTextLen     = proto.Uint32("opaque_length", "length", "Length of what follows.")
	fMachine     = proto.String("auth.machinename", "Machine Name", "The caller's machine.")
	fUID         = proto.Uint32("auth.uid", "UID", "The caller's user.")
	fGID         = proto.Uint32("auth.gid", "GID", "One of the caller's groups.")
	fGroups      = proto.Uint32("array.len", "num", "How many there are.")
	fFill        = proto.Bytes("fill_bytes", "fill bytes", "Bytes up to the next four.")
	fMore        = proto.Bool("value_follows", "Value Follows", "The list goes on.").Wide(4).TrueFalse("Yes", "No")
	fGSSVersion  = proto.Uint32("authgss.version", "GSS Version", "Version of RPCSEC_GSS (RFC 2203).")
	fGSSProc     = proto.Uint32("authgss.procedure", "GSS Procedure", "What the call is to the security layer.").
			Named(dissect.Values{0: "RPCSEC_GSS_DATA", 1: "RPCSEC_GSS_INIT", 2: "RPCSEC_GSS_CONTINUE_INIT",
			3: "RPCSEC_GSS_DESTROY"})
	fGSSSeq     = proto.Uint32("authgss.seqnum", "GSS Sequence Number", "Counts calls.")
	fGSSService = proto.Uint32("authgss.service", "GSS Service", "What is protected.").
			Named(dissect.Values{1: "rpcsec_gss_svc_none", 2: "rpcsec_gss_svc_integrity", 3: "rpcsec_gss_svc_privacy"})
	fGSSLength  = proto.Uint32("authgss.context.length", "GSS Context Length", "Length of the context.")
	fGSSContext = proto.Bytes("authgss.context", "GSS Context", "Names the security context.")
	fAuthData   = proto.Bytes("opaque_data", "opaque data", "What the flavor makes of it.")
)

// credentials reads who calls, or the proof of it (RFC 5531 section 8.2).
func credentials(d *dissect.D, group *dissect.Field) {
	d.In(group, func() {
		flavor := d.Uint(fFlavor)
		n := int(d.Uint(fAuthLen))
		if n > 400 && !d.Short() {
			d.Expert(nLength)
		}
		d.Within(n, func() {
			switch {
			case d.Left() == 0:
			case flavor == 1:
				d.Uint(fStamp)
				opaque(d, fTextLen, fMachine)
				d.Uint(fUID)
				d.Uint(fGID)
				for i, more := d.Uint(fGroups), d.Elements(); i > 0 && more.Next(); i-- {
					d.Uint(fGID)
				}
			case flavor == 6 && group == fCredentials:
				d.Uint(fGSSVersion)
				d.Uint(fGSSProc)
				d.Uint(fGSSSeq)
				d.Uint(fGSSService)
				opaque(d, fGSSLength, fGSSContext)
			}
			d.Rest(fAuthData)
		})
	})
}

// opaque reads a length, as many bytes, and what fills them up to a multiple of four (RFC 4506 section 4.10).
func opaque(d *dissect.D, length, f *dissect.Field) []byte {
	n := int(d.Uint(length))
	if n > d.Left() && !d.Short() {
		d.Skip(n)
		return nil
	}
	if n == 0 {
		return nil
	}
	b := d.Bytes(f, n)
	if pad := -n & 3; pad > 0 {
		d.Bytes(fFill, min(pad, d.Left()))
	}
	return b
}
