// Package keydata has what 802.11 and the frames that agree on its keys tell each other (IEEE 802.11-2020 section
// 12.7.2).
package keydata

import (
	"encoding/binary"
	"strings"
)

// mark begins what Data.Encode writes, so that it is not taken for something else.
const mark = "wlan key data\x00"

// Data is the decrypted key data of a frame, and the keys that proved it and encrypted it.
type Data struct {
	RC4             bool // of the first version, in which the data is the group's key alone
	KCK, KEK, Plain []byte
}

// Encode writes it for dissect.D.SetLayerData.
func (k Data) Encode() []byte {
	kind := byte(0)
	if k.RC4 {
		kind = 1
	}
	b := append([]byte(mark), kind, byte(len(k.KCK)), byte(len(k.KEK)))
	return append(append(append(b, k.KCK...), k.KEK...), k.Plain...)
}

// Decode reads what Encode wrote.
func Decode(b []byte) (k Data, ok bool) {
	s, ok := strings.CutPrefix(string(b), mark)
	if !ok || len(s) < 3 || len(s) < 3+int(s[1])+int(s[2]) {
		return k, false
	}
	k.RC4 = s[0] == 1
	at := 3 + int(s[1])
	k.KCK, k.KEK, k.Plain = []byte(s[3:at]), []byte(s[at:at+int(s[2])]), []byte(s[at+int(s[2]):])
	return k, true
}

// Usual is how long the integrity code of key frames mostly is.
const Usual = 16

// lengthAt is where the length of the key data stands, behind an integrity code of no bytes and counted from the key
// information.
const lengthAt = 2 + 2 + 8 + 32 + 16 + 8 + 8

// Code is how long the integrity code of a key frame is, of which b begins with the key information and ends with the
// frame: the length that makes the key data end there.
func Code(b []byte) int {
	for _, n := range []int{Usual, 24, 32} {
		if at := lengthAt + n; len(b) >= at+2 && int(binary.BigEndian.Uint16(b[at:])) == len(b)-at-2 {
			return n
		}
	}
	return Usual
}

// Padding is how many bytes behind elements only fill up: 0xdd and zeros.
func Padding(b []byte) int {
	s := strings.TrimRight(string(b), "\x00")
	if n := len(b) - len(s); strings.HasSuffix(s, "\xdd") && n+1 < 8 {
		return n + 1
	}
	return 0
}
