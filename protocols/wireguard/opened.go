package wireguard

import (
	"encoding/base64"
	"encoding/binary"

	"remora/dissect"
)

// What keys open of a handshake.
var (
	fReceiverKey = proto.String("receiver_pubkey", "Receiver Static Public Key",
		"The lasting public key of whom the message is for, in Base64.").Derived()
	fReceiverPrivate = proto.Bool("receiver_pubkey.known_privkey", "Has Private Key",
		"Whether its private key was given.").TrueFalse("True", "False").Derived()
	fEphemeralPrivate = proto.Bool("ephemeral.known_privkey", "Has Private Key",
		"Whether its private key was given.").TrueFalse("True", "False").Derived()
	fStaticKey   = proto.String("static", "Static Public Key", "The sender's lasting public key, in Base64.")
	fStaticKnown = proto.Bool("static.known_pubkey", "Known Public Key", "Whether the key was given.").
			TrueFalse("True", "False").Derived()
	fStaticOwn = proto.Bool("static.known_privkey", "Has Private Key", "Whether its private key was given.").
			TrueFalse("True", "False").Derived()
	fStampValue = proto.Time("timestamp.value", "Timestamp", "When the handshake began.")
	fStampLabel = proto.Uint64("timestamp.tai64_label", "TAI64 Label", "Seconds in atomic time, from 2 to the 62 on.")
	fStampNano  = proto.Uint32("timestamp.nanoseconds", "Nanoseconds", "Nanoseconds of the second.")
	fOK         = proto.Bool("handshake_ok", "Handshake decryption successful", "Whether the keys open the answer.").
			TrueFalse("True", "False").
			Derived()

	nSealed = proto.Expert("decryption_error", dissect.Warn, "The keys of the handshake do not open this packet").
		About(dissect.AboutDecryption)
)

// What keeps data from being read, where somebody gave keys.
const (
	whyMissing = iota + 1
	whyStart
)

var whys = map[uint8]*dissect.Field{
	whyMissing: proto.Expert("decryption.no_key", dissect.Hint, "The keys given do not open this session's handshake").
		About(dissect.AboutDecryption),
	whyStart: proto.Expert("decryption.no_handshake", dissect.Hint,
		"The handshake of this session is not in the capture, and without it keys open nothing").
		About(dissect.AboutDecryption),
}

// epoch is the label of TAI64 at the begin of 1970, ten seconds of leap included.
const epoch = 1<<62 + 10

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// private tells whether a private key is known, where there are keys at all.
func private(d *dissect.D, n streamNote, f *dissect.Field, known bool) {
	if n.Opened != 0 {
		d.Set(f, truth(known))
	}
}

func (o *opened) showStatic(d *dissect.D) {
	if !o.HasStatic {
		return
	}
	d.From("Decrypted Static", o.Static[:], func() {
		d.PutText(fStaticKey, base64.StdEncoding.EncodeToString(o.Static[:]), 0, 32)
		d.Set(fStaticKnown, truth(o.StaticKnown))
		d.Set(fStaticOwn, truth(o.StaticPrivate))
		d.Skip(32)
	})
}

func (o *opened) showStamp(d *dissect.D) {
	if !o.HasStamp {
		return
	}
	d.From("Decrypted Timestamp", o.Stamp[:], func() {
		seconds, nano := binary.BigEndian.Uint64(o.Stamp[:]), binary.BigEndian.Uint32(o.Stamp[8:])
		d.Put(fStampValue, (seconds-epoch)*1e9+uint64(nano), 0, 12)
		d.Put(fStampLabel, seconds, 0, 8)
		d.Put(fStampNano, uint64(nano), 8, 4)
		d.Skip(12)
	})
}

// macs reads the two MACs; the first tells whom the message is for.
func (o *opened) macs(d *dissect.D) {
	d.Bytes(fMAC1, 16)
	if o.HasReceiver {
		d.SetText(fReceiverKey, base64.StdEncoding.EncodeToString(o.Receiver[:]))
		d.Set(fReceiverPrivate, truth(o.ReceiverPrivate))
	}
	d.Bytes(fMAC2, 16)
}
