package ssh

import "remora/dissect"

var (
	fPointCLen = proto.Uint32("ecdh.q_c_length", "ECDH client's ephemeral public key length", "Bytes of the key.")
	fPointC    = proto.Bytes("ecdh.q_c", "ECDH client's ephemeral public key (Q_C)",
		"The client's part of the key exchange.")
	fPointSLen = proto.Uint32("ecdh.q_s_length", "ECDH server's ephemeral public key length", "Bytes of the key.")
	fPointS    = proto.Bytes("ecdh.q_s", "ECDH server's ephemeral public key (Q_S)",
		"The server's part of the key exchange.")
	fBigLen  = proto.Uint32("mpint_length", "Multi Precision Integer Length", "Bytes of the number.")
	fDHE     = proto.Bytes("dh.e", "DH client e", "The client's part of the key exchange.")
	fDHF     = proto.Bytes("dh.f", "DH server f", "The server's part of the key exchange.")
	fGexMin  = proto.Uint32("dh_gex.min", "DH GEX Min", "The smallest group that the client takes, in bits.")
	fGexBits = proto.Uint32("dh_gex.nbits", "DH GEX Number of Bits", "The size that the client wants.")
	fGexMax  = proto.Uint32("dh_gex.max", "DH GEX Max", "The largest group that the client takes, in bits.")
	fGexP    = proto.Bytes("dh_gex.p", "DH GEX modulus (P)", "The prime of the group.")
	fGexG    = proto.Bytes("dh_gex.g", "DH GEX base (G)", "The generator of the group.")

	fHostKey = proto.Group("host_key", "KEX host key", "The server's public key.").
			Summary("KEX host key (type: {host_key.type})")
	fHostKeyLen  = proto.Uint32("host_key.length", "Host key length", "Bytes of the key.")
	fHostTypeLen = proto.Uint32("host_key.type_length", "Host key type length", "Bytes of the name.")
	fHostType    = proto.String("host_key.type", "Host key type", "The key's algorithm.")
	fHostData    = proto.Bytes("host_key.data", "Host key data", "The key itself.")
	fRSAE        = proto.Bytes("host_key.rsa.e", "RSA public exponent (e)", "The exponent.")
	fRSAN        = proto.Bytes("host_key.rsa.n", "RSA modulus (N)", "The modulus.")
	fCurveLen    = proto.Uint32("host_key.ecdsa.id_length", "ECDSA elliptic curve identifier length", "Bytes of the name.")
	fCurve       = proto.String("host_key.ecdsa.id", "ECDSA elliptic curve identifier", "The curve.")
	fECKeyLen    = proto.Uint32("host_key.ecdsa.q_length", "ECDSA public key length", "Bytes of the key.")
	fECKey       = proto.Bytes("host_key.ecdsa.q", "ECDSA public key (Q)", "The key itself.")
	fEdKeyLen    = proto.Uint32("host_key.eddsa.key_length", "EdDSA public key length", "Bytes of the key.")
	fEdKey       = proto.Bytes("host_key.eddsa.key", "EdDSA public key", "The key itself.")
	fHostSig     = proto.Group("host_sig", "KEX host signature", "Proof that the server has the key.").
			Summary("KEX host signature (type: {host_sig.type})")
	fHostSigLen  = proto.Uint32("host_sig.length", "Host signature length", "Bytes of the signature.")
	fHostSigTL   = proto.Uint32("host_sig.type_length", "Host signature type length", "Bytes of the name.")
	fHostSigType = proto.String("host_sig.type", "Host signature type", "The signature's algorithm.")
	fHostSigData = proto.Bytes("host_sig.data", "Host signature data", "The signature itself.")
)

// exchange reads the messages of the key exchange, by its method.
func exchange(d *dissect.D, code uint64, method uint8) {
	switch {
	case method == methodECDH && code == 30:
		counted(d, fPointCLen, fPointC)
	case method == methodECDH && code == 31:
		hostKey(d)
		counted(d, fPointSLen, fPointS)
		hostSignature(d)
	case method == methodDH && code == 30, method == methodGroups && code == 32:
		counted(d, fBigLen, fDHE)
	case method == methodDH && code == 31, method == methodGroups && code == 33:
		hostKey(d)
		counted(d, fBigLen, fDHF)
		hostSignature(d)
	case method == methodGroups && code == 30:
		d.Uint(fGexBits)
	case method == methodGroups && code == 31:
		counted(d, fBigLen, fGexP)
		counted(d, fBigLen, fGexG)
	case method == methodGroups && code == 34:
		d.Uint(fGexMin)
		d.Uint(fGexBits)
		d.Uint(fGexMax)
	}
}

// inside bounds read to a field of bytes with its length in front.
func inside(d *dissect.D, length *dissect.Field, read func()) {
	n := d.Uint(length)
	if n > uint64(d.Left()) {
		d.Expert(nLength)
		n = uint64(d.Left())
	}
	d.Within(int(n), read)
}

// hostKey reads a public key (RFC 4253 section 6.6, RFC 5656 section 3.1, RFC 8709 section 4).
func hostKey(d *dissect.D) {
	d.In(fHostKey, func() {
		inside(d, fHostKeyLen, func() {
			n := d.Uint(fHostTypeLen)
			if n > uint64(d.Left()) {
				d.Expert(nLength)
				return
			}
			switch name := string(d.Bytes(fHostType, int(n))); {
			case name == "ssh-rsa":
				counted(d, fBigLen, fRSAE)
				counted(d, fBigLen, fRSAN)
			case len(name) > 10 && name[:10] == "ecdsa-sha2":
				counted(d, fCurveLen, fCurve)
				counted(d, fECKeyLen, fECKey)
			case name == "ssh-ed25519", name == "ssh-ed448":
				counted(d, fEdKeyLen, fEdKey)
			}
			d.Rest(fHostData)
		})
	})
}

func hostSignature(d *dissect.D) {
	d.In(fHostSig, func() {
		inside(d, fHostSigLen, func() {
			counted(d, fHostSigTL, fHostSigType)
			d.Rest(fHostSigData)
		})
	})
}
