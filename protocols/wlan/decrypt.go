package wlan

import (
	"bytes"
	"encoding/hex"

	"remora/dissect"
	"remora/protocols/internal/keydata"
)

var (
	fTK = proto.String("analysis.tk", "TK", "The temporal key that decrypted the frame.").Derived()
	fGK = proto.String("analysis.gtk", "GTK", "The group's key that decrypted the frame.").Derived()
	fPK = proto.String("analysis.pmk", "PMK", "The pairwise master key that the temporal key was made of.").Derived()
	fCK = proto.String("analysis.kck", "KCK", "The key that proved the frame.").Derived()
	fEK = proto.String("analysis.kek", "KEK", "The key that decrypted the key data.").Derived()

	fSealed  = proto.Bytes("encrypted", "Encrypted data", "The body, encrypted. Wireshark has no name for it.")
	fTrailer = proto.Bytes("mic", "MIC", "What proves the body. Wireshark has no name for it.")
	fGroupK  = proto.Bytes("rsn.ie.gtk_kde.gtk", "GTK", "The group's key.")

	nSealed = proto.Expert("not_decrypted", dissect.Hint, "The frame is not decrypted")
)

// sources name the decrypted bytes.
var sources = map[uint8]string{cipherWEP: "Decrypted WEP data", cipherTKIP: "Decrypted TKIP data",
	cipherCCMP: "Decrypted CCMP data", cipherCCMP256: "Decrypted CCMP data", cipherGCMP: "Decrypted GCMP data",
	cipherGCMP256: "Decrypted GCMP data"}

// decrypted decrypts the body of a frame, which begins at the cursor, and has it read; it tells whether a key fits.
func (h *header) decrypted(d *dissect.D, read func()) bool {
	if !active(d) {
		encryption(d)
		return false
	}
	size := d.Pos() - h.start
	b := h.whole[:size+d.Left()]
	if gap := h.gap; gap > 0 { // what fills the header up is not of the frame
		b = append(bytes.Clone(b[:size-gap]), b[size:]...)
		size -= gap
	}
	note := withKeys(d, func(r *ring) keyNote {
		if d.CutShort() || len(b) < size+8 {
			return keyNote{Why: whyCut}
		}
		return r.open(d, b, size)
	})
	if note.Why != 0 {
		d.ExpertText(nSealed, "The frame is not decrypted: "+whys[note.Why])
	}
	k := kept.At(d, note.Key)
	encryption(d)
	if note.Key == 0 {
		return false
	}
	d.Spend(2 * len(b))
	plain := k.open(b, size)
	if plain == nil {
		return false
	}
	switch { // WEP has no temporal keys
	case k.Cipher == cipherWEP:
	case b[4]&1 != 0:
		putKey(d, fGK, k.tk())
	default:
		putKey(d, fTK, k.tk())
		putKey(d, fPK, k.PMK[:k.PMKs])
	}
	ref, _ := d.Stream().RefAt(h.start, len(b)+h.gap)
	d.Bytes(fSealed, d.Left()-trailer(k.Cipher))
	d.Rest(fTrailer)
	recipe := func() uint32 { return frames.Put(d, sealedFrame{ref, note.Key, uint8(size), uint8(h.gap)}) }
	d.Stream().FromDecrypted(sources[k.Cipher], plain, recipe, read)
	return true
}

// A sealedFrame is an encrypted frame: the number of its key, the bytes of its header, and those that fill that up.
type sealedFrame struct {
	At        dissect.Ref
	Key       uint32
	Size, Gap uint8
}

var frames = dissect.NewList[sealedFrame]()

// remake decrypts a frame again.
func remake(d *dissect.D, n uint32) []byte {
	f := frames.At(d, n)
	b, size := d.Stream().Remade(f.At), int(f.Size)
	if len(b) < size+int(f.Gap) {
		return nil
	}
	k := kept.At(d, f.Key)
	return k.open(append(b[:size], b[size+int(f.Gap):]...), size)
}

// putKey shows a key.
func putKey(d *dissect.D, f *dissect.Field, key []byte) {
	if len(key) > 0 && d.Wanted(f) {
		d.SetText(f, hex.EncodeToString(key))
	}
}

// snap is the header of LLC in front of an EtherType.
var snap = []byte{0xaa, 0xaa, 3, 0, 0, 0}

// agree looks whether a body agrees on keys, and takes what it says of them.
func (h *header) agree(d *dissect.D) {
	b := d.Data()
	if !active(d) || len(b) < 10 || !bytes.HasPrefix(b, snap) {
		return
	}
	id := h.link
	switch {
	case b[6] == 0x88 && b[7] == 0x8e:
		f, ok := keyFrameOf(b[8:])
		if !ok {
			return
		}
		note := withKeys(d, func(r *ring) keyNote { return r.take(d, id, &f) })
		if note.Key == 0 {
			return
		}
		k := kept.At(d, note.Key)
		if plain := f.open(&k); plain != nil {
			d.SetLayerData(keydata.Data{RC4: f.version() == 1, KCK: k.KCK[:k.KCKs], KEK: k.KEK[:k.KEKs], Plain: plain}.Encode())
		}
	case b[6] == 0x89 && b[7] == 0x0d && b[8] == 2 && b[9] == 12:
		withKeys(d, func(r *ring) keyNote { return r.tunnelled(d, b[10:]) })
	}
}

// learn looks at a management frame for the name of its network, and for keys of a fast transition.
func (h *header) learn(d *dissect.D, b []byte) {
	n, known := fixedLength[h.kind]
	if !active(d) || !known || len(b) < n {
		return
	}
	body := b[n:]
	switch h.kind {
	case mgtReassocReq, mgtReassocRsp, mgtAssocReq, mgtAssocResp:
		step := map[uint64]byte{mgtAssocReq: 3, mgtAssocResp: 4, mgtReassocReq: 5, mgtReassocRsp: 6}[h.kind]
		h.nameOf(d, body)
		withKeys(d, func(r *ring) keyNote { return r.reassociated(d, h.link, step, body) })
	case mgtBeacon, mgtProbeResp:
		h.nameOf(d, body)
	}
}

func (h *header) nameOf(d *dissect.D, body []byte) {
	elementsOf(body, func(kind byte, e []byte) {
		if kind == tagSSID && len(bytes.Trim(e[2:], "\x00")) > 0 {
			nameNetwork(d, h.link.ap, e[2:])
		}
	})
}

// carriedKeys reads decrypted key data, and shows the keys that opened it.
func carriedKeys(d *dissect.D) {
	k, ok := keydata.Decode(d.LayerData())
	if ok && k.RC4 {
		d.Rest(fGroupK)
	} else {
		elements(d)
	}
	if ok {
		putKey(d, fCK, k.KCK)
		putKey(d, fEK, k.KEK)
	}
}

// kde reads what is put into key data (IEEE 802.11-2020 section 12.7.2, table 12-9).
func kde(d *dissect.D) {
	d.Put(fVendor, uint64(d.Peek(0)), d.Pos(), 1)
	switch d.Uint(kType) {
	case 1:
		for _, f := range []*dissect.Field{kKeyID, kTx, kRes1} {
			d.Put(f, uint64(d.Peek(0)), d.Pos(), min(1, d.Left()))
		}
		d.Skip(1)
		d.Uint(kRes)
		d.Rest(fGroupK)
	case 3:
		d.Ether(kMAC)
	case 4:
		d.Rest(kPMKID)
	case 9:
		d.Uint(kIGTKID)
		d.Bytes(kIPN, 6)
		d.Rest(kIGTK)
	case 10:
		d.Put(kPTK, uint64(d.Peek(0)), d.Pos(), min(1, d.Left()))
		d.Skip(1)
		d.Rest(kPTKRes)
	}
}

const ouiRSN = 0x000fac

var (
	kType = proto.Uint8("rsn.ie.kde.data_type", "Data Type", "What is told.").
		Named(dissect.Values{1: "GTK KDE", 3: "MAC address KDE", 4: "PMKID KDE", 5: "SMK KDE", 6: "Nonce KDE",
			7: "Lifetime KDE", 8: "Error KDE", 9: "IGTK KDE", 10: "Key ID KDE", 13: "OCI KDE", 14: "BIGTK KDE"})
	kKeyID = proto.Uint8("rsn.ie.gtk_kde.key_id", "Key ID", "Which of the group's keys.").Hex().Masked(0x03)
	kTx    = proto.Bool("rsn.ie.gtk_kde.tx", "Tx", "Whether the station may send with it.").Masked(0x04).
		TrueFalse("Temporal key used for both transmission and reception", "Temporal key used only for reception")
	kRes1   = proto.Uint8("rsn.ie.gtk_kde.res1", "Reserved", "Unused.").Hex().Masked(0xf8)
	kRes    = proto.Uint8("rsn.ie.gtk_kde.res2", "Reserved", "Unused.").Hex()
	kMAC    = proto.Ether("rsn.ie.mac_address_kde.mac_address", "MAC Address", "An address.")
	kPMKID  = proto.Bytes("rsn.ie.pmkid", "PMKID", "Names the pairwise master key.")
	kIGTKID = proto.Uint16("rsn.ie.igtk.kde.keyid", "KeyId", "The number of the key that proves management frames.")
	kIPN    = proto.Bytes("rsn.ie.igtk.kde.ipn", "IPN", "The number of the last frame that it proved.")
	kIGTK   = proto.Bytes("rsn.ie.igtk.kde.igtk", "IGTK", "The key that proves management frames.")

	kPTK    = proto.Uint8("rsn.ie.ptk.keyid", "KeyID", "Which of the link's keys.").Masked(0x03)
	kPTKRes = proto.Bytes("rsn.ie.ptk.reserved", "Reserved", "Unused.")
)
