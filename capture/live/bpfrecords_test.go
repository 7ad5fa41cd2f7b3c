package live

import (
	"encoding/binary"
	"fmt"
	"testing"
)

// recorded is a packet as the kernel of a BSD system writes it, without what fills it up to the next one.
func recorded(f recordForm, head int, sec, usec uint64, length uint32, data string) []byte {
	b := make([]byte, head, head+len(data))
	for i, v := range []uint64{sec, usec} {
		if f.word == 4 {
			binary.NativeEndian.PutUint32(b[i*4:], uint32(v))
		} else {
			binary.NativeEndian.PutUint64(b[i*8:], v)
		}
	}
	binary.NativeEndian.PutUint32(b[2*f.word:], uint32(len(data)))
	binary.NativeEndian.PutUint32(b[2*f.word+4:], length)
	binary.NativeEndian.PutUint16(b[2*f.word+8:], uint16(head))
	return append(b, data...)
}

func TestRecordsOfBPF(t *testing.T) {
	for name, c := range map[string]struct {
		form recordForm
		head int // with the bytes that let the payload begin at a multiple of four
	}{
		"darwin":  {recordForm{4, 4}, 18},
		"freebsd": {recordForm{8, 8}, 26},
		"openbsd": {recordForm{4, 4}, 24},
	} {
		first := recorded(c.form, c.head, 1700000000, 999999, 60, "hello")
		buf := append(first, make([]byte, -len(first)&(c.form.align-1))...)
		last := recorded(c.form, c.head, 1700000001, 7, 3, "abc")
		buf = append(buf, last...)
		var got string
		for r := range c.form.each(buf) {
			got += fmt.Sprintf("%d %d %s|", r.time, r.length, r.data)
		}
		if want := "1700000000999999000 60 hello|1700000001000007000 3 abc|"; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		for n := range buf { // cut anywhere, it gives what is whole
			for r := range c.form.each(buf[:n]) {
				if string(r.data) != "hello" || n < len(first) {
					t.Errorf("%s: %d bytes hold %q", name, n, r.data)
				}
			}
		}
		binary.NativeEndian.PutUint16(buf[2*c.form.word+8:], 0)
		for r := range c.form.each(buf) {
			t.Errorf("%s: a head of no bytes: %v", name, r)
		}
	}
}
