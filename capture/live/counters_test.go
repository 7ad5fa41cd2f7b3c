package live

import (
	"encoding/binary"
	"fmt"
	"testing"
)

// TestCountersOfBSD reads messages as the systems write them; what is about addresses stands between them.
func TestCountersOfBSD(t *testing.T) {
	for name, f := range map[string]countForm{
		"darwin":  {0x12, 12, 56, 8},
		"freebsd": {0x0e, 12, 48, 8},
		"openbsd": {0x0e, 6, 48, 8},
		"old":     {0x0e, 12, 36, 4},
	} {
		counted := func(index uint16, from uint64) []byte {
			b := make([]byte, f.first+12*f.word)
			binary.NativeEndian.PutUint16(b, uint16(len(b)))
			binary.NativeEndian.PutUint16(b[f.index:], index)
			b[2], b[3] = 5, f.message
			for i := range uint64(10) {
				if f.word == 4 {
					binary.NativeEndian.PutUint32(b[f.first+int(i)*4:], uint32(from+i))
				} else {
					binary.NativeEndian.PutUint64(b[f.first+int(i)*8:], from+i)
				}
			}
			return b
		}
		address := make([]byte, 20)
		binary.NativeEndian.PutUint16(address, 20)
		address[3] = 0x0c
		first := counted(1, 100)
		all := append(append(append([]byte{}, first...), address...), counted(7, 200)...)
		show := func(b []byte) (text string) {
			for index, c := range f.each(b) {
				text += fmt.Sprintf("%d %d|", index, c)
			}
			return text
		}
		if got, want := show(all), "1 {100 105 102 106 109}|7 {200 205 202 206 209}|"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		for n := range len(first) { // cut anywhere, it gives what is whole
			if got := show(all[:n]); got != "" {
				t.Errorf("%s: %d bytes hold %s", name, n, got)
			}
		}
	}
}
