// Package capturetest builds captures for tests, without the writers that are tested, and compares what is read.
package capturetest

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"remora/capture"
	"remora/capture/internal/pcapng"
)

// Magic numbers of pcap files.
const (
	Micro    = 0xA1B2C3D4
	Nano     = 0xA1B23C4D
	Modified = 0xA1B2CD34
)

// Sample is a packet that tests write and expect to read: when it was captured, in nanoseconds since 1970, its length
// on the wire, its bytes and the number of its interface.
type Sample struct {
	Time      int64
	Len       uint32
	Data      []byte
	Interface int
}

// Samples makes n packets of 0 to 299 bytes, one microsecond and a bit apart.
func Samples(n int) []Sample {
	rng := rand.New(rand.NewPCG(7, 9))
	list := make([]Sample, n)
	for i := range list {
		data := make([]byte, rng.IntN(300))
		for j := range data {
			data[j] = byte(rng.Uint32())
		}
		list[i] = Sample{Time: 1_600_000_000_000_000_000 + int64(i)*1_001_000, Len: uint32(len(data)) + uint32(i%3)*100,
			Data: data}
	}
	return list
}

// Order is a byte order that can append.
type Order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// Orders are both byte orders by name.
var Orders = map[string]Order{"little": binary.LittleEndian, "big": binary.BigEndian}

// Pcap builds a pcap file; magic is one of the numbers above.
func Pcap(o Order, magic uint32, link uint32, list []Sample) []byte {
	b := o.AppendUint32(nil, magic)
	b = o.AppendUint16(b, 2)
	b = o.AppendUint16(b, 4)
	b = o.AppendUint64(b, 0)
	b = o.AppendUint32(b, 262144)
	b = o.AppendUint32(b, link)
	for _, p := range list {
		frac := p.Time % 1e9
		if magic != Nano {
			frac /= 1000
		}
		b = o.AppendUint32(b, uint32(p.Time/1e9))
		b = o.AppendUint32(b, uint32(frac))
		b = o.AppendUint32(b, uint32(len(p.Data)))
		b = o.AppendUint32(b, p.Len)
		if magic == Modified {
			b = append(b, 1, 2, 3, 4, 5, 6, 7, 8)
		}
		b = append(b, p.Data...)
	}
	return b
}

// NG builds a pcapng file block by block, in Bytes. Each method appends one block and returns the builder.
type NG struct {
	Order
	Bytes []byte
}

// Block appends a block of any type. Its padding is not zero, since nobody promises that it is.
func (g *NG) Block(kind uint32, body []byte) *NG {
	body = slices.Clone(body)
	for len(body)%4 != 0 {
		body = append(body, 0xEE) // padding is not promised to be zero
	}
	g.Bytes = g.AppendUint32(g.Bytes, kind)
	g.Bytes = g.AppendUint32(g.Bytes, uint32(len(body))+12)
	g.Bytes = append(g.Bytes, body...)
	g.Bytes = g.AppendUint32(g.Bytes, uint32(len(body))+12)
	return g
}

// Option gives the bytes of an option, which blocks take.
func (g *NG) Option(code uint16, v []byte) []byte {
	b := g.AppendUint16(nil, code)
	b = g.AppendUint16(b, uint16(len(v)))
	b = append(b, v...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// Cat is all parts in one piece.
func Cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// Section appends a section header of version 1.0.
func (g *NG) Section(opts ...[]byte) *NG {
	b := g.AppendUint32(nil, pcapng.ByteOrderMagic)
	b = g.AppendUint16(b, 1)
	b = g.AppendUint16(b, 0)
	b = append(b, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF)
	return g.Block(pcapng.BlockSection, append(b, Cat(opts...)...))
}

// Interface appends an interface description; link is its LINKTYPE_ value and snap its snapshot length.
func (g *NG) Interface(link uint16, snap uint32, opts ...[]byte) *NG {
	b := g.AppendUint16(nil, link)
	b = g.AppendUint16(b, 0)
	b = g.AppendUint32(b, snap)
	return g.Block(pcapng.BlockInterface, append(b, Cat(opts...)...))
}

// Packet appends an enhanced packet block; stamp is in the units of its interface.
func (g *NG) Packet(iface uint32, stamp uint64, length uint32, data []byte, opts ...[]byte) *NG {
	b := g.AppendUint32(nil, iface)
	b = g.AppendUint32(b, uint32(stamp>>32))
	b = g.AppendUint32(b, uint32(stamp))
	b = g.AppendUint32(b, uint32(len(data)))
	b = g.AppendUint32(b, length)
	b = append(b, data...)
	for n := len(data); n%4 != 0; n++ {
		b = append(b, 0)
	}
	return g.Block(pcapng.BlockPacket, append(b, Cat(opts...)...))
}

// Simple appends a simple packet block.
func (g *NG) Simple(length uint32, data []byte) *NG {
	return g.Block(pcapng.BlockSimple, append(g.AppendUint32(nil, length), data...))
}

// OldPacket appends an obsolete packet block.
func (g *NG) OldPacket(iface uint16, stamp uint64, length uint32, data []byte) *NG {
	b := g.AppendUint16(nil, iface)
	b = g.AppendUint16(b, 3)
	b = g.AppendUint32(b, uint32(stamp>>32))
	b = g.AppendUint32(b, uint32(stamp))
	b = g.AppendUint32(b, uint32(len(data)))
	b = g.AppendUint32(b, length)
	return g.Block(pcapng.BlockOldPacket, append(b, data...))
}

// Pcapng builds a file of one Ethernet interface with time stamps in nanoseconds.
func Pcapng(o Order, list []Sample) []byte {
	g := &NG{Order: o}
	g.Section().Interface(1, 262144, g.Option(pcapng.IfTSResol, []byte{9}))
	for _, p := range list {
		g.Packet(uint32(p.Interface), uint64(p.Time), p.Len, p.Data)
	}
	return g.Bytes
}

// WriteTemp puts bytes into a file of the test's own and gives its path.
func WriteTemp(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Expect fails the test unless a store whose source has ended has the packets that were written.
func Expect(t testing.TB, s *capture.Store, want []Sample) {
	t.Helper()
	if s.Len() != len(want) {
		t.Fatalf("%d packets, want %d; notices %q, error %v", s.Len(), len(want), s.Notices(), s.Status().Err)
	}
	r := s.NewReader()
	for i, w := range want {
		m := s.Meta(i)
		if m.Time != w.Time || m.Len != w.Len || int(m.CapLen) != len(w.Data) || m.Interface != w.Interface {
			t.Fatalf("packet %d is %+v, want time %d, length %d, %d bytes, interface %d", i, m, w.Time, w.Len, len(w.Data),
				w.Interface)
		}
		b, err := r.Bytes(i)
		if err != nil || !bytes.Equal(b, w.Data) {
			t.Fatalf("packet %d: %x, %v; want %x", i, b, err, w.Data)
		}
	}
	if st := s.Status(); !st.Done || st.Live {
		t.Errorf("status after the end: %+v", st)
	}
}

// NoNotices fails the test if a store has notices or an error.
func NoNotices(t testing.TB, s *capture.Store) {
	t.Helper()
	if st := s.Status(); len(st.Notices) > 0 || st.Err != nil {
		t.Errorf("notices %q, error %v", st.Notices, st.Err)
	}
}

// Packed is bytes compressed by gzip, zstd or lz4.
func Packed(t testing.TB, codec string, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	switch codec {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "zstd":
		w, _ = zstd.NewWriter(&out)
	case "lz4":
		z := lz4.NewWriter(&out)
		if err := z.Apply(lz4.BlockSizeOption(lz4.Block64Kb)); err != nil {
			t.Fatal(err)
		}
		w = z
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// WaitFor waits until a store has n packets, which a broken store never has: then the test's time limit speaks.
func WaitFor(t testing.TB, s *capture.Store, n int) {
	t.Helper()
	changed, cancel := s.Subscribe()
	defer cancel()
	for s.Len() < n {
		if st := s.Status(); st.Done && s.Len() < n {
			t.Fatalf("ended with %d packets instead of %d: notices %q, error %v", s.Len(), n, st.Notices, st.Err)
		}
		<-changed
	}
}

// IPPacket is an Ethernet frame with an empty IPv4 packet.
func IPPacket(proto byte) []byte {
	b := make([]byte, 14+20+20)
	b[12], b[14], b[17], b[23] = 8, 0x45, 40, proto
	return b
}

// Wine tells whether the tests run under Wine, which keeps the names of files that are removed until they are closed,
// and renames nothing onto a file that is open. Windows does both.
func Wine() bool { return os.Getenv("REMORA_WINE") != "" }
