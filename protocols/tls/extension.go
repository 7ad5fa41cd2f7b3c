package tls

import "remora/dissect"

// The extensions that have fields of their own.
const (
	extServerName     = 0
	extFragment       = 1
	extStatus         = 5
	extGroups         = 10
	extPointFormats   = 11
	extSignatures     = 13
	extHeartbeat      = 15
	extSRTP           = 14
	extALPN           = 16
	extSCT            = 18
	extPadding        = 21
	extCompress       = 27
	extRecordLimit    = 28
	extEncryptThenMAC = 22
	extMasterSecret   = 23
	extTicket         = 35
	extKeyShareDraft  = 40 // until draft 22 of TLS 1.3
	extPSK            = 41
	extEarlyData      = 42
	extVersions       = 43
	extCookie         = 44
	extPSKModes       = 45
	extAuthorities    = 47
	extSignaturesCrt  = 50
	extKeyShare       = 51
	extQUIC           = 57
	extRenegotiation  = 65281
	extQUICDraft      = 65445
)

var (
	fExt = proto.Group("handshake.extension", "Extension", "One extension.").
		Summary("Extension: {handshake.extension.type:name} (len={handshake.extension.len})")
	fExtType = proto.Uint16("handshake.extension.type", "Type", "What the extension is about.").Named(extensionTypes)
	fExtLen  = proto.Uint16("handshake.extension.len", "Length", "Bytes of the extension behind its header.")
	fExtData = proto.Bytes("handshake.extension.data", "Data", "The bytes of the extension.")
	fSNI     = proto.Group("handshake.extensions_server_names", "Server Name Indication extension",
		"The names that the client wants to reach.")
	fSNIList = proto.Uint16("handshake.extensions_server_name_list_len", "Server Name list length",
		"Bytes of the names.")
	fSNIType = proto.Uint8("handshake.extensions_server_name_type", "Server Name Type", "What the name is.").
			Named(dissect.Values{0: "host_name"})
	fSNILen  = proto.Uint16("handshake.extensions_server_name_len", "Server Name length", "Bytes of the name.")
	fSNIName = proto.String("handshake.extensions_server_name", "Server Name",
		"The name that the client wants to reach.")
	fFragLen = proto.Uint8("handshake.max_fragment_length", "Maximum Fragment Length", "How long records may be.").
			Named(fragmentLengths)
	fStatType = proto.Uint8("handshake.extensions_status_request_type", "Certificate Status Type",
		"How the server is to show that its certificate holds.").Named(statusTypes)
	fStatIDs = proto.Uint16("handshake.extensions_status_request_responder_ids_len", "Responder ID list Length",
		"Bytes of the responders that the client trusts.")
	fStatExts = proto.Uint16("handshake.extensions_status_request_exts_len", "Request Extensions Length",
		"Bytes of the request's extensions.")
	fGroupsLen = proto.Uint16("handshake.extensions_supported_groups_length", "Supported Groups List Length",
		"Bytes of the list.")
	fGroups = proto.Node("handshake.extensions_supported_groups", "Supported Groups",
		"Groups for the key exchange, best first.")
	fGroup = proto.Uint16("handshake.extensions_supported_group", "Supported Group", "A group for the key exchange.").
		Hex().Named(groups)
	fPointsLen = proto.Uint8("handshake.extensions_ec_point_formats_length", "EC point formats Length",
		"Bytes of the list.")
	fPoints = proto.Node("handshake.extensions_ec_point_formats", "Elliptic curves point formats",
		"How points may be written.")
	fPoint = proto.Uint8("handshake.extensions_ec_point_format", "EC point format", "A way to write points.").
		Named(pointFormats)
	fSigsLen = proto.Uint16("handshake.sig_hash_alg_len", "Signature Hash Algorithms Length", "Bytes of the list.")
	fSigs    = proto.Node("handshake.sig_hash_algs", "Signature Hash Algorithms",
		"Signatures that are understood, best first.")
	fSig = proto.Uint16("handshake.sig_hash_alg", "Signature Algorithm", "An algorithm for signatures.").Hex().
		Named(signatures)
	fSigHash = proto.Uint8("handshake.sig_hash_hash", "Signature Hash Algorithm Hash",
		"The first byte, as TLS 1.2 reads it.").Named(hashes)
	fSigSign = proto.Uint8("handshake.sig_hash_sig", "Signature Hash Algorithm Signature",
		"The second byte, as TLS 1.2 reads it.").Named(signers)
	fBeatMode = proto.Uint8("handshake.extension.heartbeat.mode", "Mode", "Whether questions are answered.").
			Named(dissect.Values{1: "Peer allowed to send requests", 2: "Peer not allowed to send requests"})
	fSRTPLen = proto.Uint16("use_srtp.protection_profiles_length", "SRTP Protection Profiles Length",
		"Bytes of the list.")
	fSRTP = proto.Uint16("use_srtp.protection_profile", "SRTP Protection Profile", "A way to encrypt SRTP.").Hex().
		Named(dissect.Values{1: "SRTP_AES128_CM_HMAC_SHA1_80", 2: "SRTP_AES128_CM_HMAC_SHA1_32",
			5: "SRTP_NULL_HMAC_SHA1_80", 6: "SRTP_NULL_HMAC_SHA1_32", 7: "SRTP_AEAD_AES_128_GCM",
			8: "SRTP_AEAD_AES_256_GCM"})
	fMKILen   = proto.Uint8("use_srtp.mki_length", "MKI Length", "Bytes of the key's name.")
	fMKI      = proto.Bytes("use_srtp.mki", "MKI", "The key's name.")
	fALPNLen  = proto.Uint16("handshake.extensions_alpn_len", "ALPN Extension Length", "Bytes of the list.")
	fALPNList = proto.Node("handshake.extensions_alpn_list", "ALPN Protocol",
		"Protocols for what is inside, best first.")
	fALPNStrL  = proto.Uint8("handshake.extensions_alpn_str_len", "ALPN string length", "Bytes of the name.")
	fALPNStr   = proto.String("handshake.extensions_alpn_str", "ALPN Next Protocol", "A protocol for what is inside.")
	fPadding   = proto.Bytes("handshake.extensions_padding_data", "Padding Data", "Zeros that make the message longer.")
	fCertCompL = proto.Uint8("compress_certificate.algorithms_length", "Algorithms Length", "Bytes of the list.")
	fCertComp  = proto.Uint16("compress_certificate.algorithm", "Algorithm", "A way to compress certificates.").
			Named(certCompressions)
	fRecLimit = proto.Uint16("record_size_limit", "Record Size Limit", "The longest record that is taken.")
	fTicket   = proto.Bytes("handshake.session_ticket", "Session Ticket",
		"The state of an earlier session, encrypted by the server.")
	fVersLen = proto.Uint8("handshake.extensions.supported_versions_len", "Supported Versions length",
		"Bytes of the list.")
	fVers = proto.Uint16("handshake.extensions.supported_version", "Supported Version",
		"A version offered or the one chosen.").Hex().Named(versions)
	fCookieLen = proto.Uint16("handshake.extensions.cookie_len", "Cookie length", "Bytes of the cookie.")
	fCookie    = proto.Bytes("handshake.extensions.cookie", "Cookie", "What the server gave, given back.")
	fModesLen  = proto.Uint8("extension.psk_ke_modes_length", "PSK Key Exchange Modes Length", "Bytes of the list.")
	fMode      = proto.Uint8("extension.psk_ke_mode", "PSK Key Exchange Mode", "A way to use a shared key.").
			Named(pskModes)
	fMaxEarly = proto.Uint32("early_data.max_early_data_size", "Maximum Early Data Size",
		"How many bytes may come before the handshake is over.")
	fRenegLen = proto.Uint8("handshake.extensions_reneg_info_len", "Renegotiation info extension length",
		"Bytes of the verification.")
	fReneg = proto.Bytes("handshake.extensions_reneg_info", "Renegotiation info",
		"What ties this handshake to the one before.")
	fPSKIDsLen = proto.Uint16("handshake.extensions.psk.identities.length", "Identities Length", "Bytes of the list.")
	fPSKID     = proto.Group("handshake.extensions.psk.identity", "PSK Identity", "A shared key that the client has.")
	fPSKIDLen  = proto.Uint16("handshake.extensions.psk.identity.identity_length", "Identity Length", "Bytes of the name.")
	fPSKIDName = proto.Bytes("handshake.extensions.psk.identity.identity", "Identity",
		"The name of the key: mostly a ticket.")
	fPSKAge = proto.Uint32("handshake.extensions.psk.identity.obfuscated_ticket_age", "Obfuscated Ticket Age",
		"The ticket's age with a number added that hides it.")
	fPSKBindsL = proto.Uint16("handshake.extensions.psk.binders_len", "PSK Binders length", "Bytes of the list.")
	fPSKBinds  = proto.Bytes("handshake.extensions.psk.binders", "PSK Binders", "Proof that the client has the keys.")
	fPSKPick   = proto.Uint16("handshake.extensions.psk.identity.selected", "Selected Identity",
		"Which of the client's keys the server takes, from 0.")
	fShare    = proto.Group("handshake.extensions_key_share", "Key Share extension", "Public keys for the key exchange.")
	fShareLen = proto.Uint16("handshake.extensions_key_share_client_length", "Client Key Share Length",
		"Bytes of the list.")
	fShareOne = proto.Group("handshake.extensions_key_share_entry", "Key Share Entry", "One public key.").
			Summary("Key Share Entry: Group: {handshake.extensions_key_share_group:name}, Key Exchange length: " +
			"{handshake.extensions_key_share_key_exchange_length}")
	fShareGrp  = proto.Uint16("handshake.extensions_key_share_group", "Group", "The group of the key.").Named(groups)
	fShareKeyL = proto.Uint16("handshake.extensions_key_share_key_exchange_length", "Key Exchange Length",
		"Bytes of the key.")
	fShareKey  = proto.Bytes("handshake.extensions_key_share_key_exchange", "Key Exchange", "The public key.")
	fSharePick = proto.Uint16("handshake.extensions_key_share_selected_group", "Selected Group",
		"The group that the server wants instead.").Named(groups)
)

// extensions reads a list of extensions, if there is one. kind is the message that they stand in.
func (c *context) extensions(kind uint64) {
	d := c.d
	if d.Left() < 2 {
		return
	}
	d.Within(int(d.Uint(fExtsLen)), func() {
		for more := d.Elements(); more.Next(); {
			c.extension(kind)
		}
	})
}

func (c *context) extension(kind uint64) {
	d := c.d
	d.In(fExt, func() {
		typ := d.Uint(fExtType)
		n := int(d.Uint(fExtLen))
		d.Within(n, func() {
			if n == 0 && typ != extTicket {
				return
			}
			c.extensionBody(typ, kind)
			d.Rest(fExtData)
		})
	})
}

// extensionBody reads what an extension holds. What nobody reads is left over.
func (c *context) extensionBody(typ, kind uint64) {
	d := c.d
	switch typ {
	case extServerName:
		serverNames(d)
	case extFragment:
		d.Uint(fFragLen)
	case extStatus:
		if kind == clientHello {
			statusRequest(d)
		} else {
			c.statusOf()
		}
	case extGroups:
		n := int(d.Uint(fGroupsLen))
		numbers(d, fGroups, fGroup, n, "group", "groups")
	case extPointFormats:
		n := int(d.Uint(fPointsLen))
		d.Within(n, func() { pointList(d, n) })
	case extSignatures, extSignaturesCrt:
		signatureList(d)
	case extHeartbeat:
		d.Uint(fBeatMode)
	case extALPN:
		alpnList(d)
	case extPadding:
		d.Rest(fPadding)
	case extCompress:
		d.Within(int(d.Uint(fCertCompL)), func() { all(d, fCertComp) })
	case extRecordLimit:
		d.Uint(fRecLimit)
	case extTicket:
		if d.Left() == 0 { // there is no ticket yet
			d.Put(fExtData, 0, d.Pos(), 0)
		}
	case extAuthorities:
		authorities(d)
	case extPSK:
		sharedKeys(d, kind)
	case extEarlyData:
		if kind == newSessionTicket {
			d.Uint(fMaxEarly)
		}
	case extVersions:
		if kind == clientHello {
			d.Within(int(d.Uint(fVersLen)), func() { all(d, fVers) })
		} else {
			d.Uint(fVers)
		}
	case extCookie:
		d.Counted(fCookieLen, fCookie)
	case extPSKModes:
		d.Within(int(d.Uint(fModesLen)), func() { all(d, fMode) })
	case extKeyShare, extKeyShareDraft:
		keyShares(d, kind)
	case extRenegotiation:
		if n := d.Uint(fRenegLen); n > 0 {
			d.Bytes(fReneg, int(n))
		}
	case extSCT:
		timestamps(d)
	case extSRTP:
		d.Within(int(d.Uint(fSRTPLen)), func() { all(d, fSRTP) })
		d.Counted(fMKILen, fMKI)
	case extQUIC, extQUICDraft:
		quicParameters(d)
	}
}

// all reads numbers to the end of the range.
func all(d *dissect.D, f *dissect.Field) {
	for more := d.Elements(); more.Next(); {
		d.Uint(f)
	}
}

func pointList(d *dissect.D, n int) {
	d.In(fPoints, func() {
		if d.Labelling() {
			d.Suffix(fPoints, " ("+itoa(n)+")")
		}
		all(d, fPoint)
	})
}

func serverNames(d *dissect.D) {
	d.In(fSNI, func() {
		d.Within(int(d.Uint(fSNIList)), func() {
			for more := d.Elements(); more.Next(); {
				d.Uint(fSNIType)
				d.Counted(fSNILen, fSNIName)
			}
		})
	})
}

func statusRequest(d *dissect.D) {
	if d.Uint(fStatType) != 1 {
		return
	}
	d.Skip(int(d.Uint(fStatIDs)))
	d.Skip(int(d.Uint(fStatExts)))
}

func signatureList(d *dissect.D) {
	n := int(d.Uint(fSigsLen))
	d.Within(n, func() {
		d.In(fSigs, func() {
			counted(d, fSigs, n/2, "algorithm", "algorithms")
			for more := d.Elements(); more.Next(); {
				signature(d)
			}
		})
	})
}

// signature reads one signature algorithm, with its halves below it.
func signature(d *dissect.D) {
	at := d.Pos()
	v := d.Uint(fSig)
	if d.Short() {
		return
	}
	d.Below(func() {
		d.Put(fSigHash, v>>8, at, 1)
		d.Put(fSigSign, v&0xff, at+1, 1)
	})
}

func alpnList(d *dissect.D) {
	d.Within(int(d.Uint(fALPNLen)), func() {
		d.In(fALPNList, func() {
			for more := d.Elements(); more.Next(); {
				d.Counted(fALPNStrL, fALPNStr)
			}
		})
	})
}

// authorities reads who may have signed the certificate that is asked for.
func authorities(d *dissect.D) {
	n := int(d.Uint(fNamesLen))
	d.Within(n, func() {
		d.In(fNames, func() {
			for more := d.Elements(); more.Next(); {
				d.Counted(fNameLen, fName)
			}
		})
	})
}

func sharedKeys(d *dissect.D, kind uint64) {
	if kind != clientHello {
		d.Uint(fPSKPick)
		return
	}
	d.Within(int(d.Uint(fPSKIDsLen)), func() {
		for more := d.Elements(); more.Next(); {
			d.In(fPSKID, func() {
				d.Counted(fPSKIDLen, fPSKIDName)
				d.Uint(fPSKAge)
			})
		}
	})
	d.Counted(fPSKBindsL, fPSKBinds)
}

func keyShares(d *dissect.D, kind uint64) {
	d.In(fShare, func() {
		switch kind {
		case retried:
			d.Uint(fSharePick)
		case clientHello:
			d.Within(int(d.Uint(fShareLen)), func() {
				for more := d.Elements(); more.Next(); {
					keyShare(d)
				}
			})
		default:
			keyShare(d)
		}
	})
}

func keyShare(d *dissect.D) {
	d.In(fShareOne, func() {
		d.Uint(fShareGrp)
		d.Counted(fShareKeyL, fShareKey)
	})
}
