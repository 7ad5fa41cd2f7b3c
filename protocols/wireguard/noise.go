package wireguard

import (
	"crypto/hmac"
	"encoding/binary"
	"hash"

	"golang.org/x/crypto/blake2s"
	"golang.org/x/crypto/chacha20poly1305"

	"remora/dissect"
	"remora/internal/crypt"
)

const (
	construction = "Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s"
	identifier   = "WireGuard v1 zx2c4 Jason@zx2c4.com"
	labelMAC1    = "mac1----"
)

// An exchange is one handshake as far as keys open it (the protocol's paper, section 5.4). It lives in the first pass.
type exchange struct {
	chain, digest []byte    // C and H of the paper, behind the initiation; nil where keys lack
	ephemeral     []byte    // the initiator's
	receiver      []byte    // the responder's static key
	static        []byte    // the initiator's
	keys          [2]uint32 // in the list of keys: what the initiator sends with, and the responder
	answer        uint32    // the index that the responder gave itself
}

// opened is what a handshake message holds, for re-dissections.
type opened struct {
	Receiver, Static                 [32]byte
	Stamp                            [12]byte
	HasReceiver, HasStatic, HasStamp bool
	ReceiverPrivate                  bool // their private keys are known
	StaticKnown, StaticPrivate       bool
	EphemeralPrivate                 bool
	Tried, OK                        bool // the response
}

var (
	openings  = dissect.NewList[opened]()
	transport = dissect.NewList[[32]byte]()
)

func digestOf(parts ...[]byte) []byte {
	h, _ := blake2s.New256(nil)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

func newDigest() hash.Hash {
	h, _ := blake2s.New256(nil)
	return h
}

func keyed(key []byte, parts ...[]byte) []byte {
	m := hmac.New(newDigest, key)
	for _, p := range parts {
		m.Write(p)
	}
	return m.Sum(nil)
}

// derive makes three keys (KDF of the paper).
func derive(key, input []byte) (a, b, c []byte) {
	start := keyed(key, input)
	a = keyed(start, []byte{1})
	b = keyed(start, a, []byte{2})
	return a, b, keyed(start, b, []byte{3})
}

// open decrypts with a number for the nonce; nil where the key does not fit.
func open(key []byte, counter uint64, sealed, extra []byte) []byte {
	aead, err := chacha20poly1305.New(key)
	if err != nil || len(sealed) < chacha20poly1305.Overhead {
		return nil
	}
	var nonce [12]byte
	binary.LittleEndian.PutUint64(nonce[4:], counter)
	plain, err := aead.Open([]byte{}, nonce[:], sealed, extra)
	if err != nil {
		return nil
	}
	return plain
}

// addressed finds to whose static key a message is, by its first MAC.
func addressed(d *dissect.D, message []byte, at int) []byte {
	for _, key := range statics(d) {
		d.Spend(at)
		m, err := blake2s.New128(digestOf([]byte(labelMAC1), key))
		if err != nil {
			return nil
		}
		m.Write(message[:at])
		if hmac.Equal(m.Sum(nil), message[at:at+16]) {
			return key
		}
	}
	return nil
}

// initiate opens the first message of a handshake.
func initiate(d *dissect.D, b []byte) (e *exchange, n opened) {
	e = &exchange{ephemeral: append([]byte(nil), b[8:40]...), receiver: addressed(d, b, 116)}
	mine := secret(d, byPublic, e.ephemeral)
	n.EphemeralPrivate = mine != nil
	if e.receiver == nil {
		return e, n
	}
	theirs := secret(d, byPublic, e.receiver)
	n.Receiver, n.HasReceiver, n.ReceiverPrivate = [32]byte(e.receiver), true, theirs != nil
	h := digestOf(digestOf(digestOf([]byte(construction)), []byte(identifier)), e.receiver)
	chain, _, _ := derive(digestOf([]byte(construction)), e.ephemeral)
	h = digestOf(h, e.ephemeral)
	var common []byte
	switch {
	case mine != nil:
		common = crypt.X25519(mine, e.receiver)
	case theirs != nil:
		common = crypt.X25519(theirs, e.ephemeral)
	}
	if common == nil {
		return e, n
	}
	chain, key, _ := derive(chain, common)
	static := open(key, 0, b[40:88], h)
	if len(static) != 32 {
		return e, n
	}
	h = digestOf(h, b[40:88])
	e.static = static
	own := secret(d, byPublic, static)
	n.Static, n.HasStatic, n.StaticPrivate = [32]byte(static), true, own != nil
	n.StaticKnown = secret(d, named, static) != nil
	switch {
	case own != nil:
		common = crypt.X25519(own, e.receiver)
	case theirs != nil:
		common = crypt.X25519(theirs, static)
	default:
		return e, n
	}
	chain, key, _ = derive(chain, common)
	stamp := open(key, 0, b[88:116], h)
	if common == nil || len(stamp) != 12 {
		return e, n
	}
	n.Stamp, n.HasStamp = [12]byte(stamp), true
	e.chain, e.digest = chain, digestOf(h, b[88:116])
	return e, n
}

// respond opens the answer, and makes the keys of what follows.
func (e *exchange) respond(d *dissect.D, b []byte) (n opened) {
	ephemeral := b[12:44]
	if key := addressed(d, b, 60); key != nil {
		n.Receiver, n.HasReceiver, n.ReceiverPrivate = [32]byte(key), true, secret(d, byPublic, key) != nil
	}
	own := secret(d, byPublic, ephemeral)
	n.EphemeralPrivate = own != nil
	if e == nil || e.chain == nil {
		return n
	}
	n.Tried = true
	first, second := own, own
	other, static := e.ephemeral, e.static
	if own == nil { // the initiator's keys
		first, second = secret(d, byPublic, e.ephemeral), secret(d, byPublic, e.static)
		other, static = ephemeral, ephemeral
	}
	if first == nil || second == nil {
		return n
	}
	chain, _, _ := derive(e.chain, ephemeral)
	h := digestOf(e.digest, ephemeral)
	one, two := crypt.X25519(first, other), crypt.X25519(second, static)
	if one == nil || two == nil {
		return n
	}
	chain, _, _ = derive(chain, one)
	chain, _, _ = derive(chain, two)
	for _, shared := range append(sharedWith(d, ephemeral), sharedWith(d, e.ephemeral)[1:]...) {
		d.Spend(256)
		last, temporary, key := derive(chain, shared)
		if open(key, 0, b[44:60], digestOf(h, temporary)) == nil {
			continue
		}
		sender, receiver, _ := derive(last, nil)
		e.keys = [2]uint32{transport.Put(d, [32]byte(sender)), transport.Put(d, [32]byte(receiver))}
		n.OK = true
		return n
	}
	return n
}
