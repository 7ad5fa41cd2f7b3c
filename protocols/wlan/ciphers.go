package wlan

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rc4"
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"sync"

	"remora/internal/crypt"
)

// A linkKey decrypts frames: with TK those of a link or a group. The others are shown.
type linkKey struct {
	Cipher     uint8
	TK         [32]byte
	TKs        uint8
	PMK        [64]byte
	PMKs       uint8
	KCK        [24]byte
	KEK        [32]byte
	KCKs, KEKs uint8
}

func (k *linkKey) tk() []byte {
	if k.Cipher == cipherTKIP {
		return k.TK[:16]
	}
	return k.TK[:k.TKs]
}

// trailer is how long the proof behind the body is.
func trailer(cipher uint8) int {
	switch cipher {
	case cipherWEP:
		return 4
	case cipherTKIP:
		return 12
	case cipherCCMP:
		return 8
	}
	return 16
}

// open decrypts a frame, of which the header has so many bytes, or gives nil.
func (k *linkKey) open(frame []byte, header int) []byte {
	front := 8
	if k.Cipher == cipherWEP {
		front = 4
	}
	if header < 24 || len(frame) <= header+front+trailer(k.Cipher) {
		return nil
	}
	iv, body := frame[header:header+front], frame[header+front:]
	switch k.Cipher {
	case cipherWEP:
		return checked(append(bytes.Clone(iv[:3]), k.tk()...), body)
	case cipherTKIP:
		if plain := checked(mixed(k.tk(), frame[10:16], iv), body); plain != nil {
			return plain[:len(plain)-8]
		}
		return nil
	}
	block, err := aes.NewCipher(k.tk())
	if err != nil {
		return nil
	}
	extra, priority := guarded(frame, header)
	nonce := append([]byte{priority}, frame[10:16]...)
	nonce = append(nonce, iv[7], iv[6], iv[5], iv[4], iv[1], iv[0])
	var aead cipher.AEAD
	if k.Cipher == cipherCCMP || k.Cipher == cipherCCMP256 {
		aead, err = crypt.NewCCM(block, 13, trailer(k.Cipher))
	} else {
		aead, err = crypt.NewGCM(block, 16)
		nonce = nonce[1:]
	}
	if err != nil {
		return nil
	}
	plain, err := aead.Open(nil, nonce, body, extra)
	if err != nil {
		return nil
	}
	return plain
}

// guarded is what of the header is proved (IEEE 802.11-2020 section 12.5.3.3.3), and the priority for the nonce.
func guarded(frame []byte, header int) (extra []byte, priority byte) {
	managed, quality := frame[0]&0x0c == 0, frame[0]&0x8c == 0x88
	first, second := frame[0], frame[1]&0xc7|0x40
	if !managed {
		first &= 0x8f
	}
	if quality {
		second &= 0x7f
	}
	extra = append([]byte{first, second}, frame[4:22]...)
	extra = append(extra, frame[22]&0x0f, 0)
	at := 24
	if frame[1]&3 == 3 && header >= 30 {
		extra, at = append(extra, frame[24:30]...), 30
	}
	if quality && header >= at+2 {
		priority = frame[at] & 0x0f
		extra = append(extra, priority, 0)
	}
	if managed {
		priority |= 0x10
	}
	return extra, priority
}

// checked decrypts with RC4, and gives nil where the checksum behind is wrong.
func checked(key, b []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil || len(b) < 4 {
		return nil
	}
	out := make([]byte, len(b))
	c.XORKeyStream(out, b)
	n := len(out) - 4
	if crc32.ChecksumIEEE(out[:n]) != binary.LittleEndian.Uint32(out[n:]) {
		return nil
	}
	return out[:n]
}

// substitutes is the table of TKIP, made of that of AES: two and three times its values.
var substitutes = sync.OnceValue(func() *[256]uint16 {
	var table [256]uint16
	p, q := byte(1), byte(1)
	for range 255 {
		p ^= times2(p) // times three
		q ^= q << 1    // divided by three
		q ^= q << 2
		q ^= q << 4
		if q&0x80 != 0 {
			q ^= 0x09
		}
		s := q ^ bits.RotateLeft8(q, 1) ^ bits.RotateLeft8(q, 2) ^ bits.RotateLeft8(q, 3) ^ bits.RotateLeft8(q, 4) ^ 0x63
		table[p] = uint16(times2(s))<<8 | uint16(times2(s)^s)
	}
	table[0] = uint16(times2(0x63))<<8 | uint16(times2(0x63)^0x63)
	return &table
})

// times2 doubles in the field of AES.
func times2(b byte) byte { return b<<1 ^ 0x1b*(b>>7) }

// mixed is the key of one frame of TKIP (IEEE 802.11-2020 section 12.5.2.5).
func mixed(key, sender, iv []byte) []byte {
	table := substitutes()
	sub := func(v uint16) uint16 { return table[v&0xff] ^ bits.ReverseBytes16(table[v>>8]) }
	word := func(b []byte, i int) uint16 { return binary.LittleEndian.Uint16(b[i:]) }
	low := uint16(iv[0])<<8 | uint16(iv[2])
	p := [6]uint16{word(iv, 4), word(iv, 6), word(sender, 0), word(sender, 2), word(sender, 4)}
	for i := range 8 {
		j := 2 * (i & 1)
		for n, k := range []int{0, 4, 8, 12, 0} {
			p[n] += sub(p[(n+4)%5] ^ word(key, k+j))
		}
		p[4] += uint16(i)
	}
	p[5] = p[4] + low
	for n := range 6 {
		p[n] += sub(p[(n+5)%6] ^ word(key, 2*n))
	}
	p[0] += bits.RotateLeft16(p[5]^word(key, 12), -1)
	p[1] += bits.RotateLeft16(p[0]^word(key, 14), -1)
	for n := 2; n < 6; n++ {
		p[n] += bits.RotateLeft16(p[n-1], -1)
	}
	out := []byte{byte(low >> 8), byte(low>>8)&0x5f | 0x20, byte(low), byte((p[5] ^ word(key, 0)) >> 1)}
	for _, v := range p {
		out = binary.LittleEndian.AppendUint16(out, v)
	}
	return out
}
