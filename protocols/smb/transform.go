package smb

import (
	"bytes"

	"remora/dissect"
)

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
	fPPart  = proto.Group("header.comp_transform.payload", "COMPRESSION_PAYLOAD_HEADER",
		"One of several parts, each packed in its own way.").Summary("{smb2.header.comp_transform.comp_alg:name}")
	fPLen  = proto.Uint32("header.comp_transform.length", "Length", "Length of the part.")
	fPOrig = proto.Uint32("header.comp_transform.original_payload_size", "OriginalPayloadSize",
		"Length of the part when it is unpacked.")
	fPattern1 = proto.Group("pattern_v1", "Pattern", "A byte that is repeated.").
			Summary("Pattern {smb2.pattern_v1.pattern} repeated {smb2.pattern_v1.repetitions} times")
	fPByte  = proto.Uint8("pattern_v1.pattern", "Pattern", "The byte.").Hex()
	fPRes1  = proto.Bytes("pattern_v1.reserved1", "Reserved1", "Unused.")
	fPRes2  = proto.Bytes("pattern_v1.reserved2", "Reserved2", "Unused.")
	fPTimes = proto.Uint32("pattern_v1.repetitions", "Repetitions", "How often.")
	nPacked = proto.Expert("header.comp_transform.invalid", dissect.Warn, "The messages cannot be unpacked")
	fPData  = proto.Bytes("header.comp_transform.data", "Compressed SMB3 data", "The messages.")
)

// encrypted reads the header of messages that only the two ends can read (MS-SMB2 section 2.2.41).
func encrypted(d *dissect.D) {
	header, size := d.Data()[:min(52, d.Left())], 0
	d.In(fTransform, func() {
		d.Uint(fMagic)
		d.Bytes(fTSign, 16)
		d.Bytes(fNonce, 16)
		size = int(d.Uint(fTSize))
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
	if d.Short() || decrypted(d, header, size) {
		d.Rest(fPad)
		return
	}
	d.Rest(fSecret)
	d.Info().Setf("Encrypted SMB3")
}

// packed reads messages that are packed (MS-SMB2 section 2.2.42): as a whole, or in parts of several kinds.
func packed(d *dissect.D) {
	var plain []byte
	ok := false
	d.In(fPacked, func() {
		d.Uint(fMagic)
		size := int(d.Uint(fPSize))
		if d.PeekUint(2, 1)&1 != 0 {
			plain, ok = parts(d, size)
			return
		}
		how := d.Uint(fPHow)
		d.Uint(fPFlags)
		front := int(d.Uint(fPOff))
		b := d.Data()
		d.Rest(fPData)
		if ok = front <= len(b) && !d.Short(); !ok {
			return
		}
		var rest []byte
		rest, ok = unpacked(d, how, b[front:], size)
		plain = append(b[:front:front], rest...)
	})
	if !ok || len(plain) == 0 {
		d.Info().Setf("Comp. SMB3 (invalid)")
		d.Expert(nPacked)
		return
	}
	d.Info().Setf("Decomp. SMB3")
	d.Info().Glue(";")
	d.From("Decomp. SMB3", plain, func() { packet(d) })
}

// unpacked takes the steps that unpacking takes.
func unpacked(d *dissect.D, how uint64, in []byte, size int) ([]byte, bool) {
	d.Spend(len(in) + min(size, maxUnpacked))
	out := unpack(how, in, size)
	return out, out != nil
}

// parts reads messages that were packed in parts, and gives what they were.
func parts(d *dissect.D, size int) (out []byte, ok bool) {
	ok = size <= maxUnpacked
	for more := d.Elements(); d.Left() >= 8 && more.Next(); {
		d.In(fPPart, func() {
			how := d.Uint(fPHow)
			d.Uint(fPFlags)
			n := int(d.Uint(fPLen))
			d.Within(n, func() {
				b, good := packedPart(d, how, size-len(out))
				out, ok = append(out, b...), ok && good
			})
		})
	}
	return out, ok && len(out) == size && !d.Short()
}

// packedPart reads one part, of which at most so many bytes become.
func packedPart(d *dissect.D, how uint64, most int) ([]byte, bool) {
	switch how {
	case packNone:
		b := d.Data()
		d.Rest(fPData)
		return b, len(b) <= most
	case packPattern:
		return pattern(d, most)
	}
	n := int(d.Uint(fPOrig))
	b := d.Data()
	d.Rest(fPData)
	if n > most || d.Short() {
		return nil, false
	}
	return unpacked(d, how, b, n)
}

// pattern is one byte that is repeated.
func pattern(d *dissect.D, most int) (out []byte, ok bool) {
	d.In(fPattern1, func() {
		b := byte(d.Uint(fPByte))
		d.Bytes(fPRes1, 1)
		d.Bytes(fPRes2, 2)
		n := int(d.Uint(fPTimes))
		if ok = n <= most && !d.Short(); ok {
			d.Spend(n)
			out = bytes.Repeat([]byte{b}, n)
		}
	})
	d.Rest(fPData)
	return out, ok
}
