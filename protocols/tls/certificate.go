package tls

import "remora/dissect"

var (
	fCertsLen = proto.Uint24("handshake.certificates_length", "Certificates Length", "Bytes of the chain.")
	fCerts    = proto.Node("handshake.certificates", "Certificates",
		"The chain: the sender's first, each signed by the next.")
	fCertLen = proto.Uint24("handshake.certificate_length", "Certificate Length", "Bytes of the certificate.")
	fCert    = proto.Bytes("handshake.certificate", "Certificate", "A certificate (RFC 5280), in DER.").
			Summary("[ ({x509.subject})]")
	fContextL = proto.Uint8("handshake.certificate_request_context_length", "Certificate Request Context Length",
		"Bytes of the context.")
	fContextB = proto.Bytes("handshake.certificate_request_context", "Certificate Request Context",
		"What tells this request from others.")
	fTypesCnt = proto.Uint8("handshake.cert_types_count", "Certificate types count", "How many kinds are taken.")
	fTypes    = proto.Node("handshake.cert_types", "Certificate types", "The kinds of certificate that are taken.")
	fCertType = proto.Uint8("handshake.cert_type", "Certificate type", "A kind of certificate.").Named(clientCertTypes)
	fNamesLen = proto.Uint16("handshake.dnames_len", "Distinguished Names Length", "Bytes of the list.")
	fNames    = proto.Node("handshake.dnames", "Distinguished Names", "Who may have signed the certificate.")
	fNameLen  = proto.Uint16("handshake.dname_len", "Distinguished Name Length", "Bytes of the name.")
	fName     = proto.Bytes("handshake.dname", "Distinguished Name", "Who may have signed the certificate, in DER.")
	fOCSPLen  = proto.Uint24("handshake.ocsp_response_len", "OCSP Response Length", "Bytes of the answer.")
	fOCSP     = proto.Bytes("handshake.ocsp_response", "OCSP Response",
		"An authority's word that the certificate holds (RFC 6960), in DER.")
	fCompAlg = proto.Uint16("compress_certificate.algorithm", "Algorithm", "How the chain is compressed.").
			Named(certCompressions)
	fCompSize = proto.Uint24("compress_certificate.uncompressed_length", "Uncompressed Length",
		"Bytes of the chain when it is not compressed.")
	fCompMsgL = proto.Uint24("compress_certificate.compressed_certificate_message.length", "Length",
		"Bytes of the compressed chain.")
	fCompMsg = proto.Bytes("compress_certificate.compressed_certificate_message", "Compressed Certificate Message",
		"The chain, compressed.")
	fSCTsLen = proto.Uint16("sct.scts_length", "Serialized SCT List Length", "Bytes of the list.")
	fSCT     = proto.Group("sct", "Signed Certificate Timestamp",
		"A log's word that it knows the certificate (RFC 6962).").Summary("Signed Certificate Timestamp")
	fSCTLen   = proto.Uint16("sct.sct_length", "Serialized SCT Length", "Bytes of the timestamp.")
	fSCTVer   = proto.Uint8("sct.sct_version", "SCT Version", "The version of the format.").Named(dissect.Values{0: "v1"})
	fSCTLog   = proto.Bytes("sct.sct_logid", "Log ID", "Which log it is: SHA-256 of its key.")
	fSCTTime  = proto.Time("sct.sct_timestamp", "Timestamp", "When the log took the certificate in.")
	fSCTExtsL = proto.Uint16("sct.sct_extensions_length", "Extensions length", "Bytes of the extensions.")
	fSCTExts  = proto.Bytes("sct.sct_extensions", "Extensions", "There are none yet.")
	fSCTSigL  = proto.Uint16("sct.sct_signature_length", "Signature Length", "Bytes of the signature.")
	fSCTSig   = proto.Bytes("sct.sct_signature", "Signature", "The log's signature.")
)

// certificates reads a chain (RFC 5246 section 7.4.2, RFC 8446 section 4.4.2).
func (c *context) certificates() {
	d := c.d
	modern := c.version >= 0x0304
	if modern {
		c.requestContext()
	}
	d.Within(int(d.Uint(fCertsLen)), func() {
		d.In(fCerts, func() {
			for more := d.Elements(); more.Next(); {
				c.certificate()
				if modern {
					c.extensions(certificate)
				}
			}
		})
	})
}

func (c *context) requestContext() {
	if n := c.d.Uint(fContextL); n > 0 {
		c.d.Bytes(fContextB, int(n))
	}
}

// certificate reads one certificate, with what it says below it.
func (c *context) certificate() {
	d := c.d
	n := int(d.Uint(fCertLen))
	if n == 0 || n > d.Left() {
		d.Skip(n)
		return
	}
	at := d.Pos()
	d.Bytes(fCert, n)
	if d.WantedOf(x509af) || d.WantedOf(x509if) || d.WantedOf(x509sat) || d.WantedOf(x509ce) {
		end := d.Pos()
		d.Seek(at)
		d.Below(func() { d.Within(n, func() { showCertificate(d) }) })
		d.Seek(end)
	}
}

func (c *context) certificateRequest() {
	d := c.d
	if c.version >= 0x0304 {
		c.requestContext()
		c.extensions(certificateReq)
		return
	}
	n := int(d.Uint(fTypesCnt))
	numbers(d, fTypes, fCertType, n, "type", "types")
	if c.version >= 0x0303 {
		signatureList(d)
	}
	authorities(d)
}

// statusOf reads what an authority says of a certificate (RFC 6066 section 8).
func (c *context) statusOf() {
	d := c.d
	if d.Uint(fStatType) == 1 {
		d.Counted(fOCSPLen, fOCSP)
	}
}

func (c *context) compressed() {
	d := c.d
	d.Uint(fCompAlg)
	d.Uint(fCompSize)
	d.Counted(fCompMsgL, fCompMsg)
}

// timestamps reads what logs say of a certificate.
func timestamps(d *dissect.D) {
	d.Within(int(d.Uint(fSCTsLen)), func() {
		for more := d.Elements(); more.Next(); {
			d.In(fSCT, func() {
				d.Within(int(d.Uint(fSCTLen)), func() { timestamp(d) })
			})
		}
	})
}

func timestamp(d *dissect.D) {
	d.Uint(fSCTVer)
	d.Bytes(fSCTLog, 32)
	if d.Left() >= 8 {
		d.Put(fSCTTime, d.PeekUint(0, 8)*1e6, d.Pos(), 8)
	}
	d.Skip(8)
	if n := d.Uint(fSCTExtsL); n > 0 {
		d.Bytes(fSCTExts, int(n))
	}
	signature(d)
	d.Counted(fSCTSigL, fSCTSig)
}
