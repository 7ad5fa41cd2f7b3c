package smb

import "remora/dissect"

var (
	fDialects = proto.Uint16("dialect_count", "Dialect count", "How many dialects follow.")
	fDialect  = proto.Uint16("dialect", "Dialect", "A version of the protocol.").Hex().Named(dialects)
	fSecMode  = proto.Flags8("sec_mode", "Security mode", []dissect.Flag{
		{Name: "sign_enabled", Label: "Signing enabled", Mask: 1, Doc: "Messages can be signed."},
		{Name: "sign_required", Label: "Signing required", Mask: 2, Doc: "Messages must be signed."},
	}, "Whether messages are signed.")
	fCaps = proto.Flags32("capabilities", "Capabilities", []dissect.Flag{
		{Name: "dfs", Label: "DFS", Mask: 0x1, Doc: "Distributed file systems."},
		{Name: "leasing", Label: "LEASING", Mask: 0x2, Doc: "Leases."},
		{Name: "large_mtu", Label: "LARGE MTU", Mask: 0x4, Doc: "Requests of several credits."},
		{Name: "multi_channel", Label: "MULTI CHANNEL", Mask: 0x8, Doc: "Sessions over several connections."},
		{Name: "persistent_handles", Label: "PERSISTENT HANDLES", Mask: 0x10,
			Doc: "Files stay open when the connection breaks."},
		{Name: "directory_leasing", Label: "DIRECTORY LEASING", Mask: 0x20, Doc: "Leases of folders."},
		{Name: "encryption", Label: "ENCRYPTION", Mask: 0x40, Doc: "Encryption."},
	}, "What the sender can do.")
	fClientID = proto.GUID("client_guid", "Client Guid", "Names the client.")
	fServerID = proto.GUID("server_guid", "Server Guid", "Names the server.")
	fCtxOff   = proto.Uint32("negotiate_context.offset", "NegotiateContextOffset",
		"Where the contexts are, counted from the header.").Hex()
	fCtxN = proto.Uint16("negotiate_context.count", "NegotiateContextCount", "How many contexts there are.")
	fCtx  = proto.Group("negotiate_context", "Negotiate Context", "Something else to agree on.").
		Summary("Negotiate Context: {smb2.negotiate_context.type:name}")
	fCtxType  = proto.Uint16("negotiate_context.type", "Type", "What it is about.").Hex().Named(contexts)
	fCtxLen   = proto.Uint16("negotiate_context.data_length", "DataLength", "Length of the context.")
	fHashN    = proto.Uint16("negotiate_context.hash_alg_count", "HashAlgorithmCount", "How many hashes.")
	fHash     = proto.Uint16("negotiate_context.hash_algorithm", "HashAlgorithm", "A hash.").Hex().Named(hashes)
	fSaltN    = proto.Uint16("negotiate_context.salt_length", "SaltLength", "Length of the salt.")
	fSalt     = proto.Bytes("negotiate_context.salt", "Salt", "A number used once.")
	fCipherN  = proto.Uint16("negotiate_context.cipher_count", "CipherCount", "How many ciphers.")
	fCipher   = proto.Uint16("negotiate_context.cipher_id", "CipherId", "A cipher.").Hex().Named(ciphers)
	fSigningN = proto.Uint16("negotiate_context.signing_alg_count", "SigningAlgorithmCount", "How many ways to sign.")
	fSigning  = proto.Uint16("negotiate_context.signing_id", "SigningAlgorithmId", "A way to sign.").Hex().Named(signings)
	fNetname  = proto.String("negotiate_context.netname", "Netname", "What the client calls the server.").
			Encoded(dissect.UTF16LE)
	fCtxData  = proto.Bytes("negotiate_context.data", "Data", "The context.")
	fMaxTrans = proto.Uint32("max_trans_size", "Max Transaction Size", "How much other requests may carry.")
	fMaxRead  = proto.Uint32("max_read_size", "Max Read Size", "How much can be read at once.")
	fMaxWrite = proto.Uint32("max_write_size", "Max Write Size", "How much can be written at once.")
	fNow      = proto.Time("current_time", "Current Time", "The server's time.")
	fBoot     = proto.Time("boot_time", "Boot Time", "When the server started.")
	fSecurity = proto.Bytes("security_blob", "Security Blob", "What proves who somebody is.")

	fPrevious = proto.Uint64("previous_sesid", "Previous Session Id", "The session that this one takes the place of.").
			Hex()
)

func negotiate(m *reader) {
	d := m.d
	n := d.Uint(fDialects)
	d.Uint(fSecMode)
	d.Bytes(fPad, 1)
	m.spare(2)
	d.Uint(fCaps)
	m.guid(fClientID)
	off := d.Uint(fCtxOff)
	count := d.Uint(fCtxN)
	m.spare(2)
	modern := false
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		modern = d.Uint(fDialect) == 0x311 || modern
	}
	if modern {
		m.contexts(off, count)
	}
}

func negotiated(m *reader) {
	d := m.d
	d.Uint(fSecMode)
	d.Bytes(fPad, 1)
	dialect := d.Uint(fDialect)
	count := d.Uint(fCtxN)
	m.guid(fServerID)
	d.Uint(fCaps)
	d.Uint(fMaxTrans)
	d.Uint(fMaxRead)
	d.Uint(fMaxWrite)
	m.time(fNow)
	m.time(fBoot)
	off, n := m.blob()
	where := d.Uint(fCtxOff)
	m.at(off, n, func() { security(d, fSecurity) })
	if dialect == 0x311 {
		m.contexts(where, count)
	}
}

// contexts reads what else is agreed on (MS-SMB2 section 2.2.3.1).
func (m *reader) contexts(off, count uint64) {
	d := m.d
	gap := m.base + int(off) - d.Pos()
	if count == 0 || gap < 0 || gap > d.Left() {
		return
	}
	for more := d.Elements(); count > 0 && more.Next(); count-- {
		if gap > 0 {
			d.Bytes(fPad, min(gap, d.Left()))
		}
		d.In(fCtx, func() {
			kind := d.Uint(fCtxType)
			n := int(d.Uint(fCtxLen))
			m.spare(4)
			d.Within(n, func() { m.context(kind) })
		})
		gap = -(d.Pos() - m.base) & 7
	}
}

func (m *reader) context(kind uint64) {
	d := m.d
	list := func(count, item *dissect.Field) {
		for n, more := d.Uint(count), d.Elements(); n > 0 && more.Next(); n-- {
			d.Uint(item)
		}
	}
	switch kind {
	case 1:
		n := d.Uint(fHashN)
		salt := int(d.Uint(fSaltN))
		for more := d.Elements(); n > 0 && more.Next(); n-- {
			d.Uint(fHash)
		}
		d.Bytes(fSalt, salt)
	case 2:
		list(fCipherN, fCipher)
	case 5:
		d.Rest(fNetname)
	case 8:
		list(fSigningN, fSigning)
	}
	d.Rest(fCtxData)
}

func setup(m *reader) {
	d := m.d
	d.Uint(fReqFlags)
	d.Uint(fSecMode)
	d.Uint(fCaps)
	d.Uint(fChan)
	off, n := m.blob()
	d.Uint(fPrevious)
	m.at(off, n, func() { security(d, fSecurity) })
}

func setUp(m *reader) {
	d := m.d
	d.Uint(fSessFl)
	off, n := m.blob()
	m.at(off, n, func() { security(d, fSecurity) })
}
