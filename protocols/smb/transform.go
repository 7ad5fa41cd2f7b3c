package smb

import "remora/dissect"

var (
	fTransform = proto.Group("header.transform", "SMB2 Transform Header", "What stands in front of encrypted messages.")
	fTSign     = proto.Bytes("header.transform.signature", "Signature", "Proof that nobody changed the messages.")
	fNonce     = proto.Bytes("header.transform.nonce", "Nonce", "A number used once.")
	fTSize     = proto.Uint32("header.transform.msg_size", "Message size", "Length of the messages.")
	fTRes      = proto.Bytes("header.transform.reserved", "Reserved", "Unused.")
	fSecret    = proto.Bytes("header.transform.enc_data", "Encrypted SMB3 data", "The messages.")
	fPacked    = proto.Group("header.comp_transform", "SMB2 Compression Transform Header",
		"What stands in front of packed messages.")
	fPSize = proto.Uint32("header.comp_transform.original_size", "OriginalSize",
		"Length of the messages when they are unpacked.")
	fPHow = proto.Uint16("header.comp_transform.comp_alg", "CompressionAlgorithm", "How they are packed.").
		Named(dissect.Values{0: "None", 1: "LZNT1", 2: "LZ77", 3: "LZ77+Huffman", 4: "Pattern_V1", 5: "LZ4"})
	fPFlags = proto.Uint16("header.comp_transform.flags", "Flags", "Whether several parts follow.").Hex()
	fPOff   = proto.Uint32("header.comp_transform.offset", "Offset", "How many bytes in front are not packed.")
	fPData  = proto.Bytes("header.comp_transform.data", "Compressed SMB3 data", "The messages.")
)

// encrypted reads the header of messages that only the two ends can read (MS-SMB2 section 2.2.41).
func encrypted(d *dissect.D) {
	d.In(fTransform, func() {
		d.Uint(fMagic)
		d.Bytes(fTSign, 16)
		d.Bytes(fNonce, 16)
		d.Uint(fTSize)
		d.Bytes(fTRes, 2)
		d.Uint(fTFlags)
		id := little(d.Data(), 0, 8)
		d.Uint(fSession)
		m := &reader{d: d}
		m.note = shares.FirstPass(d, func(s *shareState) note {
			s.bound()
			return note{Session: s.session(d, id, m)}
		})
		d.Below(m.session)
	})
	d.Rest(fSecret)
	d.Info().Setf("Encrypted SMB3")
}

// packed reads the header of messages that are packed (MS-SMB2 section 2.2.42).
func packed(d *dissect.D) {
	d.In(fPacked, func() {
		d.Uint(fMagic)
		d.Uint(fPSize)
		d.Uint(fPHow)
		d.Uint(fPFlags)
		d.Uint(fPOff)
	})
	d.Rest(fPData)
	d.Info().Setf("Compressed SMB3")
}
