package quic

import (
	"crypto/cipher"

	"remora/dissect"
)

// A recipe opens a packet again.
type recipe struct {
	Ref    dissect.Ref
	Number uint64
	Key    uint32 // in the list of keys
	At     uint32 // where the packet number stands
	First  byte   // the first byte, without its protection
	Size   uint8  // bytes of the packet number
}

var (
	keys    = dissect.NewList[keyBlock]()
	packets = dissect.NewList[recipe]()
)

// open makes the payload of the recipe's packet again, nil where that fails.
func (r *recipe) open(d *dissect.D) []byte {
	k := keys.At(d, r.Key)
	aead, err := k.aead()
	if err != nil {
		return nil
	}
	return r.unseal(aead, k.IV, d.Stream().Gather([]dissect.Ref{r.Ref}))
}

// unseal decrypts a packet whose number is known (RFC 9001 section 5.3).
func (r *recipe) unseal(aead cipher.AEAD, nonce [12]byte, packet []byte) []byte {
	end := int(r.At) + int(r.Size)
	if end > len(packet) {
		return nil
	}
	header := append([]byte(nil), packet[:end]...)
	header[0] = r.First
	for i := range int(r.Size) {
		header[end-1-i] = byte(r.Number >> (8 * i))
	}
	for i := range 8 {
		nonce[4+i] ^= byte(r.Number >> (56 - 8*i))
	}
	payload, err := aead.Open(nil, nonce[:], packet[end:], header)
	if err != nil {
		return nil
	}
	if payload == nil {
		payload = []byte{}
	}
	return payload
}

// unhide takes the protection off the header of a packet whose number stands at r.At (RFC 9001 section 5.4): it sets
// First and Size, and Number to the part of the number that is sent.
func (r *recipe) unhide(k *keyBlock, packet []byte) bool {
	at := int(r.At)
	if at+4+16 > len(packet) {
		return false
	}
	mask, ok := k.mask(packet[at+4 : at+20])
	if !ok {
		return false
	}
	hidden := byte(0x1f)
	if packet[0]&0x80 != 0 {
		hidden = 0x0f
	}
	r.First = packet[0] ^ mask[0]&hidden
	r.Size, r.Number = r.First&3+1, 0
	for i := range int(r.Size) {
		r.Number = r.Number<<8 | uint64(packet[at+i]^mask[1+i])
	}
	return true
}

// fullNumber is the packet number nearest to the next one expected, of which part was sent in so many bytes (RFC 9000
// appendix A.3).
func fullNumber(expected, part uint64, size uint8) uint64 {
	window := uint64(1) << (8 * size)
	n := expected&^(window-1) | part
	switch {
	case n+window/2 <= expected && n < 1<<62-window:
		return n + window
	case n > expected+window/2 && n >= window:
		return n - window
	}
	return n
}
