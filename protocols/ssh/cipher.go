package ssh

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"hash"
	"strings"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/poly1305" //nolint:staticcheck // chacha20poly1305 authenticates in another order than OpenSSH

	"remora/dissect"
)

// The forms of encryption.
const (
	formChaCha = iota + 1 // with two keys, of which one is for the length
	formGCM
	formCTR
	formCBC
)

// What became of the proof that a packet is unchanged, as tshark numbers it.
const (
	macBad = iota
	macGood
	macUnknown
)

const blockSize = aes.BlockSize

// A cipherKey is what opens the packets of one direction until the next New Keys.
type cipherKey struct {
	Key     [64]byte
	MACKey  [64]byte
	IV      [blockSize]byte
	Form    uint8
	Size    uint8 // of the key
	MACSize uint8 // of its key
	Tag     uint8
	Digest  uint8
	Behind  bool // the MAC is made of what is encrypted, and the length is in the clear
}

// A place tells which packet of a key it is.
type place struct {
	IV    [blockSize]byte // with CBC: the end of the packet before
	Count uint64          // packets with GCM, blocks with CTR
	Seq   uint32
}

var keys = dissect.NewList[cipherKey]()

// formOf is how a cipher encrypts, and the size of its key.
func formOf(name string) (form uint8, size int) {
	switch {
	case name == "chacha20-poly1305@openssh.com":
		return formChaCha, 64
	case !strings.HasPrefix(name, "aes") || len(name) < 8:
		return 0, 0
	case strings.Contains(name, "-gcm"):
		form = formGCM
	case strings.HasSuffix(name, "-ctr"):
		form = formCTR
	case strings.HasSuffix(name, "-cbc"):
		form = formCBC
	}
	switch name[3:6] {
	case "128":
		return form, 16
	case "192":
		return form, 24
	case "256":
		return form, 32
	}
	return 0, 0
}

// digests make MACs; the size of their keys is theirs.
var digests = [...]func() hash.Hash{nil, md5.New, sha1.New, sha256.New, sha512.New}

// macOf is the digest of a MAC, 0 where it is not checked here, and the bytes of it that are sent.
func macOf(name string) (digest uint8, size int) {
	for i, word := range [...]string{1: "hmac-md5", "hmac-sha1", "hmac-sha2-256", "hmac-sha2-512"} {
		if i > 0 && strings.HasPrefix(name, word) {
			digest, size = uint8(i), digests[i]().Size()
		}
	}
	switch {
	case strings.HasPrefix(name, "umac-64"):
		size = 8
	case strings.HasPrefix(name, "umac-128"):
		size = 16
	case strings.Contains(name, "-96"):
		size = 12
	}
	return digest, size
}

// keyFor makes the key of a direction, 0 from the client, of which nothing is derived yet.
func (s *session) keyFor(way int) (k cipherKey) {
	form, size := formOf(s.cipherName(way))
	k.Form, k.Size, k.Tag = form, uint8(size), 16
	if form == formCTR || form == formCBC {
		name := s.macName(way)
		digest, size := macOf(name)
		k.Digest, k.Tag, k.Behind = digest, uint8(size), strings.Contains(name, "-etm@")
		if digest != 0 {
			k.MACSize = uint8(digests[digest]().Size())
		}
	}
	if form == formGCM {
		k.Behind = true
	}
	return k
}

// derive fills a key (RFC 4253 section 7.2).
func (k *cipherKey) derive(h func() hash.Hash, shared, digest, id []byte, way int) {
	secret := binary.BigEndian.AppendUint32(nil, uint32(len(shared)))
	secret = append(append(secret, shared...), digest...)
	make := func(letter byte, out []byte) {
		var have []byte
		for range (len(out) + h().Size() - 1) / h().Size() {
			m := h()
			m.Write(secret)
			if len(have) == 0 {
				m.Write([]byte{letter})
				m.Write(id)
			} else {
				m.Write(have)
			}
			have = m.Sum(have)
		}
		copy(out, have)
	}
	make('A'+byte(way), k.IV[:])
	make('C'+byte(way), k.Key[:k.Size])
	make('E'+byte(way), k.MACKey[:k.MACSize])
}

// size is the length of the packet at the start of b, 0 where more bytes have to tell; all where it cannot be one.
func (k *cipherKey) size(p place, b []byte) int {
	var head [blockSize]byte
	need := 4
	if !k.Behind && k.Form != formChaCha {
		need = blockSize
	}
	if len(b) < need {
		return 0
	}
	copy(head[:], b[:need])
	if k.Form == formChaCha {
		k.chacha(k.Key[32:64], p).XORKeyStream(head[:4], head[:4])
	} else if !k.Behind {
		k.stream(p, head[:], head[:])
	}
	n := binary.BigEndian.Uint32(head[:])
	if n < 2 || n > maxPacket {
		return len(b)
	}
	return 4 + int(n) + int(k.Tag)
}

func (*cipherKey) chacha(key []byte, p place) *chacha20.Cipher {
	var nonce [chacha20.NonceSize]byte
	binary.BigEndian.PutUint32(nonce[8:], p.Seq)
	c, err := chacha20.NewUnauthenticatedCipher(key, nonce[:])
	if err != nil {
		panic(err) // the sizes are right
	}
	return c
}

// stream decrypts whole blocks with CTR or CBC.
func (k *cipherKey) stream(p place, to, from []byte) {
	block, err := aes.NewCipher(k.Key[:k.Size])
	if err != nil {
		panic(err) // the size is right
	}
	if k.Form == formCBC {
		cipher.NewCBCDecrypter(block, p.IV[:]).CryptBlocks(to, from)
		return
	}
	iv, carry := k.IV, p.Count
	for i := len(iv) - 1; i >= 0; i-- {
		carry += uint64(iv[i])
		iv[i] = byte(carry)
		carry >>= 8
	}
	cipher.NewCTR(block, iv[:]).XORKeyStream(to, from)
}

// open decrypts a packet: the length, the padding and what is between them come out. A proof that is wrong opens
// nothing.
func (k *cipherKey) open(d *dissect.D, p place, b []byte) (plain []byte, mac uint8) {
	d.Spend(len(b))
	end := len(b) - int(k.Tag)
	if end < 4+blockSize/2 {
		return nil, macBad
	}
	plain, mac = append([]byte(nil), b[:end]...), macGood
	tag := b[end:]
	switch k.Form {
	case formChaCha:
		c := k.chacha(k.Key[:32], p)
		var once [32]byte
		c.XORKeyStream(once[:], once[:])
		if !poly1305.Verify((*[16]byte)(tag), b[:end], &once) {
			return nil, macBad
		}
		c.SetCounter(1)
		c.XORKeyStream(plain[4:], plain[4:])
		k.chacha(k.Key[32:64], p).XORKeyStream(plain[:4], plain[:4])
	case formGCM:
		if !k.gcm(p, plain, b) {
			return nil, macBad
		}
	default:
		if mac = k.blocks(p, plain, b[:end], tag); mac == macBad {
			return nil, macBad
		}
	}
	if n := int(binary.BigEndian.Uint32(plain)); n != end-4 || int(plain[4])+1 >= n {
		return nil, macBad
	}
	return plain, mac
}

// gcm is open for GCM (RFC 5647).
func (k *cipherKey) gcm(p place, plain, b []byte) bool {
	block, err := aes.NewCipher(k.Key[:k.Size])
	if err != nil {
		return false
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return false
	}
	nonce := [12]byte(k.IV[:12])
	binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(nonce[4:])+p.Count)
	_, err = aead.Open(plain[4:4], nonce[:], b[4:], b[:4])
	return err == nil
}

// blocks is open for CTR and CBC.
func (k *cipherKey) blocks(p place, plain, sealed, tag []byte) uint8 {
	from := 0
	if k.Behind {
		from = 4
	}
	if (len(plain)-from)%blockSize != 0 {
		return macBad
	}
	k.stream(p, plain[from:], sealed[from:])
	if k.Digest == 0 {
		return macUnknown
	}
	signed := plain
	if k.Behind {
		signed = sealed
	}
	m := hmac.New(digests[k.Digest], k.MACKey[:k.MACSize])
	m.Write(binary.BigEndian.AppendUint32(nil, p.Seq))
	m.Write(signed)
	if subtle.ConstantTimeCompare(m.Sum(nil)[:len(tag)], tag) != 1 {
		return macBad
	}
	return macGood
}

// after is the place of the packet behind b.
func (k *cipherKey) after(p place, b []byte) place {
	p.Seq++
	end := len(b) - int(k.Tag)
	switch k.Form {
	case formGCM:
		p.Count++
	case formCTR:
		p.Count += uint64(end / blockSize) // also where 4 bytes of it are in the clear
	case formCBC:
		if end >= blockSize {
			p.IV = [blockSize]byte(b[end-blockSize:])
		}
	}
	return p
}
