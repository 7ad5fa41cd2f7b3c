package capture

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// sample is a packet that tests write and expect to read.
type sample struct {
	time  int64
	len   uint32
	data  []byte
	iface int
}

// samples makes n packets of 0 to 299 bytes, one microsecond and a bit apart.
func samples(n int) []sample {
	rng := rand.New(rand.NewPCG(7, 9))
	list := make([]sample, n)
	for i := range list {
		data := make([]byte, rng.IntN(300))
		for j := range data {
			data[j] = byte(rng.Uint32())
		}
		list[i] = sample{time: 1_600_000_000_000_000_000 + int64(i)*1_001_000, len: uint32(len(data)) + uint32(i%3)*100,
			data: data}
	}
	return list
}

// order is a byte order that can append.
type order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

var orders = map[string]order{"little": binary.LittleEndian, "big": binary.BigEndian}

// pcapBytes builds a pcap file without the package's own writer.
func pcapBytes(o order, magic uint32, link uint32, list []sample) []byte {
	b := o.AppendUint32(nil, magic)
	b = o.AppendUint16(b, 2)
	b = o.AppendUint16(b, 4)
	b = o.AppendUint64(b, 0)
	b = o.AppendUint32(b, 262144)
	b = o.AppendUint32(b, link)
	for _, p := range list {
		frac := p.time % second
		if magic != magicNano {
			frac /= 1000
		}
		b = o.AppendUint32(b, uint32(p.time/second))
		b = o.AppendUint32(b, uint32(frac))
		b = o.AppendUint32(b, uint32(len(p.data)))
		b = o.AppendUint32(b, p.len)
		if magic == magicModified {
			b = append(b, 1, 2, 3, 4, 5, 6, 7, 8)
		}
		b = append(b, p.data...)
	}
	return b
}

// ng builds pcapng files without the package's own writer.
type ng struct {
	order
	b []byte
}

func (g *ng) block(kind uint32, body []byte) *ng {
	body = slices.Clone(body)
	for len(body)%4 != 0 {
		body = append(body, 0xEE) // padding is not promised to be zero
	}
	g.b = g.AppendUint32(g.b, kind)
	g.b = g.AppendUint32(g.b, uint32(len(body))+12)
	g.b = append(g.b, body...)
	g.b = g.AppendUint32(g.b, uint32(len(body))+12)
	return g
}

func (g *ng) opt(code uint16, v []byte) []byte {
	b := g.AppendUint16(nil, code)
	b = g.AppendUint16(b, uint16(len(v)))
	b = append(b, v...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

func cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func (g *ng) section(opts ...[]byte) *ng {
	b := g.AppendUint32(nil, byteOrderMagic)
	b = g.AppendUint16(b, 1)
	b = g.AppendUint16(b, 0)
	b = append(b, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF)
	return g.block(blockSection, append(b, cat(opts...)...))
}

func (g *ng) iface(link uint16, snap uint32, opts ...[]byte) *ng {
	b := g.AppendUint16(nil, link)
	b = g.AppendUint16(b, 0)
	b = g.AppendUint32(b, snap)
	return g.block(blockInterface, append(b, cat(opts...)...))
}

func (g *ng) packet(iface uint32, stamp uint64, length uint32, data []byte, opts ...[]byte) *ng {
	b := g.AppendUint32(nil, iface)
	b = g.AppendUint32(b, uint32(stamp>>32))
	b = g.AppendUint32(b, uint32(stamp))
	b = g.AppendUint32(b, uint32(len(data)))
	b = g.AppendUint32(b, length)
	b = append(b, data...)
	for n := len(data); n%4 != 0; n++ {
		b = append(b, 0)
	}
	return g.block(blockPacket, append(b, cat(opts...)...))
}

func (g *ng) simple(length uint32, data []byte) *ng {
	return g.block(blockSimple, append(g.AppendUint32(nil, length), data...))
}

func (g *ng) oldPacket(iface uint16, stamp uint64, length uint32, data []byte) *ng {
	b := g.AppendUint16(nil, iface)
	b = g.AppendUint16(b, 3)
	b = g.AppendUint32(b, uint32(stamp>>32))
	b = g.AppendUint32(b, uint32(stamp))
	b = g.AppendUint32(b, uint32(len(data)))
	b = g.AppendUint32(b, length)
	return g.block(blockOldPacket, append(b, data...))
}

func ngBytes(o order, list []sample) []byte {
	g := &ng{order: o}
	g.section().iface(1, 262144, g.opt(ifTSResol, []byte{9}))
	for _, p := range list {
		g.packet(uint32(p.iface), uint64(p.time), p.len, p.data)
	}
	return g.b
}

// writeTemp puts bytes into a file of the test's own.
func writeTemp(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a file, with spools in a folder of the test's own, and waits for its end.
func open(t testing.TB, path string, opt Options) *Store {
	t.Helper()
	if opt.SpoolDir == "" {
		opt.SpoolDir = t.TempDir()
	}
	s, err := Open(context.Background(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.Wait()
	return s
}

// memory opens bytes in memory and waits for the end.
func memory(t testing.TB, b []byte) *Store {
	t.Helper()
	s, err := OpenBytes(context.Background(), "memory", b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.Wait()
	return s
}

// expect compares a store with what was written.
func expect(t testing.TB, s *Store, want []sample) {
	t.Helper()
	if s.Len() != len(want) {
		t.Fatalf("%d packets, want %d; notices %q, error %v", s.Len(), len(want), s.Notices(), s.Status().Err)
	}
	r := s.NewReader()
	for i, w := range want {
		m := s.Meta(i)
		if m.Time != w.time || m.Len != w.len || int(m.CapLen) != len(w.data) || m.Interface != w.iface {
			t.Fatalf("packet %d is %+v, want time %d, length %d, %d bytes, interface %d", i, m, w.time, w.len, len(w.data),
				w.iface)
		}
		b, err := r.Bytes(i)
		if err != nil || !bytes.Equal(b, w.data) {
			t.Fatalf("packet %d: %x, %v; want %x", i, b, err, w.data)
		}
	}
	if st := s.Status(); !st.Done || st.Live {
		t.Errorf("status after the end: %+v", st)
	}
}

func noNotices(t testing.TB, s *Store) {
	t.Helper()
	if st := s.Status(); len(st.Notices) > 0 || st.Err != nil {
		t.Errorf("notices %q, error %v", st.Notices, st.Err)
	}
}
