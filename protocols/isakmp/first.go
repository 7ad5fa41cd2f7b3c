package isakmp

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"encoding/binary"
	"hash"

	"golang.org/x/crypto/blowfish" //nolint:staticcheck // what captures hold was encrypted with it
	"golang.org/x/crypto/cast5"    //nolint:staticcheck // likewise

	"remora/dissect"
	"remora/internal/crypt"
	"remora/protocols/internal/ipsec"
)

var (
	fEncData = proto.Node("enc.data", "Encrypted Data", "What only the peers can read.")

	nClosed = proto.Expert("enc.closed", dissect.Hint, "Not decrypted")
)

// An opening is what decrypts a message of version 1, beside the key: the block in front of it.
type opening struct {
	Cipher, KeyBits, Digest uint16
	IV                      [16]byte
	Why                     why
}

// why is the reason for which a message is not decrypted.
type why uint8

const (
	whyNone why = iota
	whyMissed
	whyUnknown
)

var reasons = map[why]string{
	whyMissed:  "Not decrypted: the messages are missing in which the peers agreed on algorithms and exchanged keys",
	whyUnknown: "Not decrypted: cipher or digest are not known",
}

// An exchange is what is known of the agreement of two peers.
type exchange struct {
	source     dissect.Addr // of who sent first
	publics    [2][]byte    // of who sent first, and of the other
	agreed     opening
	ready      bool
	chains     dissect.BoundedMap[uint32, chain]
	last       [16]byte // the last block of phase 1
	identified bool
}

// A chain is a phase: the block in front of the next message, and the last message with that in front of it.
type chain struct{ next, before, sent [16]byte }

// negotiations are the agreements by the initiator's cookie.
type negotiations struct {
	all dissect.BoundedMap[[8]byte, exchange]
}

// Limits of what is remembered.
const (
	maxExchanges = 1 << 12
	maxPhases    = 64
)

var agreements = dissect.NewStore[negotiations, opening]()

// first reads the payloads of version 1, and decrypts them.
func (r *reading) first() {
	d := r.d
	encrypted := r.head.flags&bitEncrypted != 0
	b := d.Data()
	o := agreements.FirstPassIn(d, func(s *negotiations) opening {
		e := s.all.Get(r.head.initiator, maxExchanges)
		if !encrypted {
			e.learn(d, r.head.next, b)
			return opening{}
		}
		return e.open(r.head.id, b)
	})
	if !encrypted {
		r.payloads(r.head.next)
		return
	}
	at := d.Pos()
	d.Put(fEncData, 0, at, len(b))
	known, _ := keys1.Loaded(d).(secrets1)
	key, ok := known[r.head.initiator]
	switch {
	case !ok && len(known) > 0:
		d.ExpertText(nClosed, "Not decrypted: ikev1_decryption_table has no key of this Initiator's COOKIE")
	case ok:
		d.Below(func() { r.decrypt(key, o, b) })
	}
	d.Skip(d.Left())
}

func (r *reading) decrypt(key []byte, o opening, b []byte) {
	d := r.d
	if o.Why != whyNone {
		d.ExpertText(nClosed, reasons[o.Why])
		return
	}
	if d.CutShort() {
		d.ExpertText(nClosed, "Not decrypted: the message is not whole")
		return
	}
	block, err := o.block(key)
	if err != nil {
		d.ExpertText(nClosed, "Not decrypted: the key in ikev1_decryption_table is too short for the cipher")
		return
	}
	size := block.BlockSize()
	if len(b) == 0 || len(b)%size != 0 {
		d.ExpertText(nClosed, "Not decrypted: the encrypted bytes are no whole blocks")
		return
	}
	plain := make([]byte, len(b))
	cipher.NewCBCDecrypter(block, o.IV[:size]).CryptBlocks(plain, b)
	if !chained(r.head.next, plain) {
		d.ExpertText(nClosed, "Not decrypted: the key in ikev1_decryption_table does not fit")
		return
	}
	d.From("Decrypted IKE", plain, func() { r.payloads(r.head.next) })
}

// chained tells whether bytes begin with a payload as they should: what a wrong key makes does not.
func chained(kind uint64, b []byte) bool {
	if len(b) < 4 {
		return false
	}
	n := int(binary.BigEndian.Uint16(b[2:]))
	return kind != payloadNone && b[1] == 0 && n >= 4 && n <= len(b)
}

// block is the cipher that was agreed on, with the part of the key that it takes.
func (o *opening) block(key []byte) (cipher.Block, error) {
	n, make := o.keySize()
	if n == 0 || len(key) < n {
		return nil, ipsec.ErrBlocks
	}
	return make(key[:n])
}

// keySize is how long a key is, and who takes it.
func (o *opening) keySize() (int, func([]byte) (cipher.Block, error)) {
	bits := int(o.KeyBits)
	switch o.Cipher {
	case 1:
		return 8, des.NewCipher
	case 3:
		return max(bits, 128) / 8, func(k []byte) (cipher.Block, error) { return blowfish.NewCipher(k) }
	case 5:
		return 24, des.NewTripleDESCipher
	case 6:
		return 16, func(k []byte) (cipher.Block, error) { return cast5.NewCipher(k) }
	case 7:
		return bits / 8, aes.NewCipher
	case 8:
		return bits / 8, crypt.NewCamellia
	}
	return 0, nil
}

// blockSize is that of the cipher, 0 for one that is not known.
func (o *opening) blockSize() int {
	switch o.Cipher {
	case 1, 3, 5, 6:
		return 8
	case 7, 8:
		return 16
	}
	return 0
}

func (o *opening) digest() hash.Hash {
	switch o.Digest {
	case 1:
		return ipsec.MD5()
	case 2:
		return ipsec.SHA1()
	case 4:
		return ipsec.SHA256()
	case 5:
		return ipsec.SHA384()
	case 6:
		return ipsec.SHA512()
	}
	return nil
}

// learn takes from a message in the clear what both peers agree on, and their public values.
func (e *exchange) learn(d *dissect.D, kind uint64, b []byte) {
	if !e.identified {
		e.source, e.identified = d.Src.Addr, true
	}
	for p := (dissect.Progress{}); kind != payloadNone && len(b) >= 4 && p.Down(len(b)); {
		n := int(binary.BigEndian.Uint16(b[2:]))
		if n < 4 || n > len(b) {
			return
		}
		switch kind {
		case payloadSA:
			e.choose(b[4:n])
		case payloadKE:
			who := 0
			if d.Src.Addr != e.source {
				who = 1
			}
			if e.publics[who] == nil {
				e.publics[who] = append([]byte(nil), b[4:n]...)
			}
		}
		kind, b = uint64(b[0]), b[n:]
	}
}

// choose takes the last transform of phase 1 in a security association: the responder chooses one alone.
func (e *exchange) choose(b []byte) {
	if len(b) < 16 || binary.BigEndian.Uint32(b) != 1 || b[13] != 1 {
		return
	}
	b = b[min(len(b), 16+int(b[14])):]
	for p := (dissect.Progress{}); len(b) >= 8 && p.Down(len(b)); {
		n := int(binary.BigEndian.Uint16(b[2:]))
		if n < 8 || n > len(b) {
			return
		}
		e.agreed = opening{}
		e.agreed.attributes(b[8:n])
		b = b[n:]
	}
}

func (o *opening) attributes(b []byte) {
	for p := (dissect.Progress{}); len(b) >= 4 && p.Down(len(b)); {
		kind, value := binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[2:])
		b = b[4:]
		if kind&0x8000 == 0 {
			b = b[min(len(b), int(value)):]
			continue
		}
		switch kind & 0x7fff {
		case 1:
			o.Cipher = value
		case 2:
			o.Digest = value
		case 14:
			o.KeyBits = value
		}
	}
}

// open finds the block in front of an encrypted message (RFC 2409 appendix B): the last one of the message before it in
// its phase, or a digest. A message that is sent again has the one that it had.
func (e *exchange) open(id uint32, b []byte) opening {
	o := e.agreed
	size, h := o.blockSize(), o.digest()
	switch {
	case e.publics[0] == nil || e.publics[1] == nil || o.Cipher == 0:
		return opening{Why: whyMissed}
	case size == 0 || h == nil:
		return opening{Why: whyUnknown}
	case len(b) < size:
		return o
	}
	if !e.ready {
		h.Write(e.publics[0])
		h.Write(e.publics[1])
		copy(e.last[:size], h.Sum(nil))
		e.ready = true
		h.Reset()
	}
	var sent [16]byte
	copy(sent[:], b)
	known := e.chains.Find(id) != nil
	c := e.chains.Get(id, maxPhases)
	switch {
	case known && c.sent == sent:
		o.IV = c.before
		return o
	case known:
		o.IV = c.next
	case id == 0:
		o.IV = e.last
	default:
		h.Write(e.last[:size])
		h.Write(binary.BigEndian.AppendUint32(nil, id))
		copy(o.IV[:size], h.Sum(nil))
	}
	c.before, c.sent = o.IV, sent
	copy(c.next[:size], b[len(b)-size:])
	if id == 0 {
		e.last = c.next
	}
	return o
}
