package lab

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"
)

// made are messages of a length each, with other random bytes, and with what seal does to them.
func made(n int, length func(i int) int, seal func(b []byte) []byte) (out []Message) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		b := make([]byte, length(i))
		for k := range b {
			b[k] = byte(r.IntN(256)) & 0x1f // neither text nor random
			if k < 2 {
				b[k] = 0x80 // in front of all messages stands the same
			}
		}
		out = append(out, Message{Time: int64(i) * 1e8, Data: seal(b)})
	}
	return out
}

func TestChecksums(t *testing.T) {
	fixed := func(int) int { return 20 }
	for _, c := range []struct {
		want   string
		off    int
		length func(int) int
		seal   func(b []byte) []byte
	}{
		{"CRC-16/MODBUS of what is in front", 18, fixed, func(b []byte) []byte {
			v := uint16(0xffff)
			for _, x := range b[:18] {
				v ^= uint16(x)
				for range 8 {
					if v&1 != 0 {
						v = v>>1 ^ 0xa001
					} else {
						v >>= 1
					}
				}
			}
			binary.LittleEndian.PutUint16(b[18:], v)
			return b
		}},
		{"CRC-32 of what follows", 4, fixed, func(b []byte) []byte {
			binary.BigEndian.PutUint32(b[4:], crc32.ChecksumIEEE(b[8:]))
			return b
		}},
		{"CRC-32C of all with zeros in its place", 4, fixed, func(b []byte) []byte {
			clear(b[4:8])
			binary.LittleEndian.PutUint32(b[4:], crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
			return b
		}},
		{"sum of 8 bits of the rest", 3, fixed, func(b []byte) []byte {
			b[3] = 0
			b[3] = byte(added(b, 1))
			return b
		}},
		{"exclusive or of what is in front", 19, fixed, func(b []byte) []byte {
			for k := range b[2:19] { // few values, but in the checksum
				b[2+k] = b[2+k] & 1 << (k % 5)
			}
			b[19] = 0
			for _, x := range b[:19] {
				b[19] ^= x
			}
			return b
		}},
		{"ends with a checksum: sum of 8 bits of what is in front, but the first byte", 8,
			func(i int) int { return 8 + i%5 }, func(b []byte) []byte {
				b[0] = 0x55
				return append(b, byte(added(b[1:], 1)))
			}},
	} {
		found := ""
		for _, g := range Analyse(made(60, c.length, c.seal), nil).Groups {
			for _, f := range g.Fields {
				if f.Kind == Checksum && f.Off == c.off || strings.HasPrefix(f.Note, "ends") {
					found = f.Note
				}
			}
		}
		if found != c.want {
			t.Errorf("found %q, want %q", found, c.want)
		}
	}
	for _, g := range Analyse(made(200, fixed, func(b []byte) []byte { return b }), nil).Groups {
		for _, f := range g.Fields {
			if f.Kind == Checksum {
				t.Errorf("in messages without a checksum: %s at %d", f.Note, f.Off)
			}
		}
	}
}

func TestCompressedAndRandomBytes(t *testing.T) {
	head := func(b []byte) []byte { return append(append([]byte{7, 7, 7, 7}, b[:1]...), 1, 2, 3) }
	for want, seal := range map[string]func(b []byte) []byte{
		"compressed zlib": func(b []byte) []byte {
			var out bytes.Buffer
			z := zlib.NewWriter(&out)
			z.Write(bytes.Repeat(b, 3))
			z.Close()
			return append(head(b), out.Bytes()...)
		},
		"random or encrypted: no byte is more frequent than others": func(b []byte) []byte {
			r := rand.New(rand.NewPCG(uint64(b[4])<<8|uint64(b[5]), uint64(b[6])<<8|uint64(b[7])))
			out := head(b)
			for range 40 + int(b[3])%9 {
				out = binary.LittleEndian.AppendUint64(out, r.Uint64())
			}
			return out
		},
	} {
		found := ""
		for _, g := range Analyse(made(60, func(i int) int { return 20 + i%7 }, seal), nil).Groups {
			for _, f := range g.Fields {
				if f.Kind == Compressed || f.Kind == Random {
					found = f.Kind.String() + " " + f.Note
				}
			}
		}
		if found != want {
			t.Errorf("found %q, want %q", found, want)
		}
	}
}
