package eapol

import (
	"remora/dissect"
	"remora/protocols/internal/keydata"
	"remora/protocols/internal/tables"
)

var (
	rMessage = rsna.Uint8("keydes.msgnr", "Message number", "Which message of the handshake it is.").Derived()
	rInfo    = rsna.Uint16("keydes.key_info", "Key Information", "What the frame says of the key.").Hex()
	rVersion = rsna.Uint16("keydes.key_info.keydes_version", "Key Descriptor Version",
		"Which algorithms encrypt and prove.").Masked(0x07).
		Named(dissect.Values{1: "RC4 Cipher, HMAC-MD5 MIC", 2: "AES Cipher, HMAC-SHA1 MIC",
			3: "AES Cipher, AES-128-CMAC MIC"})
	rPairwise = rsna.Bool("keydes.key_info.key_type", "Key Type", "The key is for this station alone.").Wide(2).
			Masked(0x08).TrueFalse("Pairwise Key", "Group Key")
	rIndex   = rsna.Uint16("keydes.key_info.key_index", "Key Index", "Number of a group's key.").Masked(0x30)
	rInstall = rsna.Bool("keydes.key_info.install", "Install", "The key shall be used from now on.").Wide(2).Masked(0x40)
	rAck     = rsna.Bool("keydes.key_info.key_ack", "Key ACK", "An answer is expected.").Wide(2).Masked(0x80)
	rMIC     = rsna.Bool("keydes.key_info.key_mic", "Key MIC", "The frame has a message integrity code.").Wide(2).
			Masked(0x100)
	rSecure = rsna.Bool("keydes.key_info.secure", "Secure", "The keys have been agreed on.").Wide(2).Masked(0x200)
	rError  = rsna.Bool("keydes.key_info.error", "Error", "The station saw a wrong integrity code.").Wide(2).
		Masked(0x400)
	rRequest = rsna.Bool("keydes.key_info.request", "Request", "The station asks for a new handshake.").Wide(2).
			Masked(0x800)
	rSealed = rsna.Bool("keydes.key_info.encrypted_key_data", "Encrypted Key Data", "The key data is encrypted.").
		Wide(2).Masked(0x1000)
	rSMK = rsna.Bool("keydes.key_info.smk_message", "SMK Message",
		"The frame is of a handshake between two stations.").Wide(2).Masked(0x2000)
	rNonce   = rsna.Bytes("keydes.nonce", "WPA Key Nonce", "A number used once.")
	rRSC     = rsna.Bytes("keydes.rsc", "WPA Key RSC", "Sequence number of the group's frames.")
	rID      = rsna.Bytes("keydes.id", "WPA Key ID", "Not used.")
	rCode    = rsna.Bytes("keydes.mic", "WPA Key MIC", "The message integrity code.")
	rDataLen = rsna.Uint16("keydes.data_len", "WPA Key Data Length", "Length of the key data in bytes.")
	rData    = rsna.Bytes("keydes.data", "WPA Key Data", "The key data.")
	rPadding = rsna.Bytes("keydes.padding", "WPA Key Data Padding", "Fills the key data up.")
	rExtra   = rsna.Bytes("extraneous", "WPA EAPOL Extraneous Data", "Bytes behind the key data.")
)

// The bits of the key information that tell the messages apart (IEEE 802.11-2020 section 12.7.2).
const (
	infoPairwise = 0x0008
	infoInstall  = 0x0040
	infoAck      = 0x0080
	infoMIC      = 0x0100
	infoError    = 0x0400
	infoRequest  = 0x0800
	infoSealed   = 0x1000

	nonceLength = 32
	// dataAt is how far the length of the key data is behind the key information, without the integrity code.
	dataAt = 2 + 2 + 8 + nonceLength + 16 + 8 + 8
)

// handshake is a key frame of WPA or of IEEE 802.11.
func handshake(d *dissect.D) {
	code := keydata.Code(d.Data())
	info, length := d.PeekUint(0, 2), int(d.PeekUint(dataAt+code, 2))
	message(d, info, length)
	at := d.Pos()
	d.Uint(rInfo)
	if !d.Short() {
		d.Below(func() {
			for _, f := range []*dissect.Field{rVersion, rPairwise, rIndex, rInstall, rAck, rMIC, rSecure, rError, rRequest,
				rSealed, rSMK} {
				d.Put(f, info, at, 2)
			}
		})
	}
	d.Uint(fKeyLen)
	d.Uint(fReplay)
	d.Bytes(rNonce, nonceLength)
	d.Bytes(fIV, 16)
	d.Bytes(rRSC, 8)
	d.Bytes(rID, 8)
	d.Bytes(rCode, code)
	d.Uint(rDataLen)
	if length = min(length, d.Left()); length > 0 && !d.Short() {
		data(d, info, length)
	}
	d.Rest(rExtra)
}

// data is the key data: elements, unless they are encrypted.
func data(d *dissect.D, info uint64, n int) {
	at := d.Pos()
	d.Bytes(rData, n)
	if d.Short() {
		return
	}
	if info&infoSealed != 0 || info&infoPairwise == 0 {
		opened(d)
		return
	}
	end := d.Pos()
	d.Seek(at)
	d.Within(n, func() { d.Next(tables.WLANElements, 0) })
	d.Seek(end)
}

// opened shows the key data that 802.11 around decrypted.
func opened(d *dissect.D) {
	k, ok := keydata.Decode(d.LayerData())
	if !ok || len(k.Plain) == 0 {
		return
	}
	name, padding := "Decrypted RC4 keydata", 0
	if !k.RC4 {
		name, padding = "Decrypted AES keydata", keydata.Padding(k.Plain)
	}
	d.Below(func() {
		d.From(name, k.Plain, func() {
			d.Within(len(k.Plain)-padding, func() { d.Next(tables.WLANElements, 0) })
			d.Rest(rPadding)
		})
	})
}

// message says which message of which handshake the frame is, from its bits.
func message(d *dissect.D, info uint64, length int) {
	number, group := uint64(0), false
	switch {
	case info&infoRequest != 0:
		if info&infoError != 0 {
			d.Info().Set("(Request, Error)")
		} else {
			d.Info().Set("(Request)")
		}
		return
	case info&infoPairwise != 0:
		number = pairwise(info, length)
	default:
		number, group = 2, true
		if info&infoAck != 0 {
			number = 1
		}
	}
	if number == 0 {
		return
	}
	d.Set(rMessage, number)
	switch {
	case !d.Info().Wanted():
	case group:
		d.Info().Setf("(Group Message %d of 2)", number)
	default:
		d.Info().Setf("(Message %d of 4)", number)
	}
}

// pairwise is the number of a message of the four-way handshake, or 0. The last message differs from the second in
// having no key data; some stations set the Secure bit in both.
func pairwise(info uint64, length int) uint64 {
	switch info & (infoInstall | infoAck | infoMIC) {
	case infoAck:
		return 1
	case infoInstall | infoAck | infoMIC:
		return 3
	case infoMIC:
		if length > 0 {
			return 2
		}
		return 4
	}
	return 0
}
