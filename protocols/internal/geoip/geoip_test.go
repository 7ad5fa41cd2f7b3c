package geoip

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
)

// A maker writes a database: a tree, and behind it the values.
type maker struct {
	bits  int
	nodes [][2]int // next nodes; ^n for the value at n
	data  []byte
}

func header(kind, size int) []byte {
	var extended []byte
	if kind > 7 {
		extended, kind = []byte{byte(kind - 7)}, 0
	}
	switch {
	case size < 29:
		return append([]byte{byte(kind<<5 | size)}, extended...)
	case size < 285:
		return append(append([]byte{byte(kind<<5 | 29)}, extended...), byte(size-29))
	}
	return binary.BigEndian.AppendUint16(append([]byte{byte(kind<<5 | 30)}, extended...), uint16(size-285))
}

// value writes a text, a number, an angle, a pointer or pairs of names and values.
func value(v any) []byte {
	switch v := v.(type) {
	case string:
		return append(header(isText, len(v)), v...)
	case int:
		return binary.BigEndian.AppendUint32(header(6, 4), uint32(v))
	case uint16:
		return binary.BigEndian.AppendUint16(header(5, 2), v)
	case uint64:
		return binary.BigEndian.AppendUint64(header(9, 8), v)
	case float64:
		return binary.BigEndian.AppendUint64(header(isDouble, 8), math.Float64bits(v))
	case float32:
		return binary.BigEndian.AppendUint32(header(isFloat, 4), math.Float32bits(v))
	case bool:
		return header(isBool, 1)
	case []string:
		out := header(isArray, len(v))
		for _, s := range v {
			out = append(out, value(s)...)
		}
		return out
	case pointer:
		return []byte{isPointer<<5 | byte(v>>8), byte(v)}
	}
	pairs := v.(list)
	out := header(isMap, len(pairs)/2)
	for _, p := range pairs {
		out = append(out, value(p)...)
	}
	return out
}

type (
	list    []any
	pointer int // to a value near the start
)

// add has a network lead to a value.
func (m *maker) add(network string, v any) {
	p := netip.MustParsePrefix(network)
	b, n := p.Addr().AsSlice(), p.Bits()
	if p.Addr().Is4() && m.six() {
		b, n = append(make([]byte, 12), b...), n+96
	}
	if m.nodes == nil {
		m.nodes = make([][2]int, 1)
	}
	node := 0
	for i := range n {
		side := b[i/8] >> (7 - i%8) & 1
		if i == n-1 {
			m.nodes[node][side] = ^len(m.data)
			break
		}
		if m.nodes[node][side] == 0 {
			m.nodes = append(m.nodes, [2]int{})
			m.nodes[node][side] = len(m.nodes) - 1
		}
		node = m.nodes[node][side]
	}
	m.data = append(m.data, value(v)...)
}

func (m *maker) six() bool { return m.bits != 24 }

func (m *maker) file() []byte {
	var out []byte
	for _, n := range m.nodes {
		for side, to := range n {
			switch {
			case to < 0:
				to = len(m.nodes) + gap + ^to
			case to == 0:
				to = len(m.nodes)
			}
			n[side] = to
		}
		a, b := n[0], n[1]
		switch m.bits {
		case 24:
			out = append(out, byte(a>>16), byte(a>>8), byte(a), byte(b>>16), byte(b>>8), byte(b))
		case 28:
			out = append(out, byte(a>>16), byte(a>>8), byte(a), byte(a>>24<<4|b>>24), byte(b>>16), byte(b>>8), byte(b))
		case 32:
			out = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(out, uint32(a)), uint32(b))
		}
	}
	version := uint16(4)
	if m.six() {
		version = 6
	}
	out = append(append(append(out, make([]byte, gap)...), m.data...), marker...)
	return append(out, value(list{"node_count", len(m.nodes), "record_size", uint16(m.bits), "ip_version",
		version, "binary_format_major_version", uint16(2), "binary_format_minor_version", uint16(0), "build_epoch", uint64(1),
		"database_type", "Test",
		"languages", []string{"en"}, "description", list{"en", "made by a test"}})...)
}

// cities and systems are two databases, with records of 24, 28 or 32 bits.
func cities(bits int) *maker {
	m := &maker{bits: bits, data: value("names")}
	m.add("192.0.2.0/24", list{"city", list{pointer(0), list{"de", "Dorf", "en", "Village"}}, "country",
		list{"iso_code", "XY", pointer(0), list{"en", "Xylophonia"}}, "location",
		list{"latitude", 12.5, "longitude", float32(-170.25), "accurate", true}, "subdivisions", []string{"a", "b"}})
	m.add("198.51.100.128/25", list{"country", list{"names", list{"en", "Elsewhere"}}})
	if m.six() {
		m.add("2001:db8::/32", list{"city", list{"names", list{"en", "Six"}}})
	}
	return m
}

func systems(bits int) *maker {
	m := &maker{bits: bits}
	m.add("192.0.2.128/25", list{"autonomous_system_number", 64500, "autonomous_system_organization",
		strings.Repeat("Net", 100)})
	return m
}

func TestPlaces(t *testing.T) {
	for _, bits := range []int{24, 28, 32} {
		dir := t.TempDir()
		for name, m := range map[string]*maker{"city.mmdb": cities(bits), "asn.MMDB": systems(bits)} {
			if err := os.WriteFile(filepath.Join(dir, name), m.file(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		made, err := load(dissect.Setting{Rows: [][]string{{dir}}})
		if err != nil {
			t.Fatal(err)
		}
		a := made.(*atlas)
		t.Cleanup(func() { // Windows removes no open files
			for _, db := range a.all {
				db.file.(io.Closer).Close()
			}
		})
		for addr, want := range map[string]string{
			"192.0.2.1": "Village, XY", "192.0.2.200": "Village, XY, ASN 64500, " + strings.Repeat("Net", 100),
			"198.51.100.129": "Elsewhere", "198.51.100.1": "", "2001:db8::1": "Six", "2001:db9::1": "", "0.0.0.0": "",
		} {
			if bits == 24 && strings.Contains(addr, ":") {
				want = ""
			}
			for range 2 { // once more from what is remembered
				got := ""
				if p := a.at(netip.MustParseAddr(addr)); p != nil {
					got = p.summary()
				}
				if got != want {
					t.Errorf("%d bits: %s is %q, want %q", bits, addr, got, want)
				}
			}
		}
		if p := a.at(netip.MustParseAddr("192.0.2.1")); p.lat != 12.5 || p.lon != -170.25 || p.country != "Xylophonia" {
			t.Errorf("%d bits: %+v", bits, p)
		}
	}
}

func TestWrongDatabases(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.mmdb"), []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{dir, filepath.Join(dir, "missing")} {
		if _, err := load(dissect.Setting{Rows: [][]string{{folder}}}); err == nil || !strings.Contains(err.Error(), folder) {
			t.Errorf("%s: %v", folder, err)
		}
	}
}

// TestHostileDatabases changes and cuts databases: each look ends, and says something or nothing.
func TestHostileDatabases(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int{24, 28, 32} {
		whole := cities(bits).file()
		for range 3000 {
			b := bytes.Clone(whole)
			for range 1 + r.IntN(4) {
				b[r.IntN(len(b))] = byte(r.Uint32())
			}
			if r.IntN(4) == 0 {
				b = b[r.IntN(len(b)):]
			}
			db, err := open(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				continue
			}
			for _, addr := range []string{"192.0.2.1", "198.51.100.129", "2001:db8::1", "255.255.255.255"} {
				found := db.find(netip.MustParseAddr(addr))
				new(place).take(found)
			}
		}
	}
	// A map that holds itself, and an array of more than there is.
	for _, v := range [][]byte{{isMap<<5 | 1, isPointer << 5, 0, isPointer << 5, 0}, {31, isArray - 7, 255, 255, 255}} {
		m := &maker{bits: 24, nodes: [][2]int{{^0, ^0}}, data: v}
		b := m.file()
		db, err := open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if found := db.find(netip.MustParseAddr("1.2.3.4")); found != nil {
			t.Errorf("%x is %v", v, found)
		}
	}
}

func FuzzDatabase(f *testing.F) {
	for _, bits := range []int{24, 28, 32} {
		f.Add(cities(bits).file())
	}
	f.Fuzz(func(_ *testing.T, b []byte) {
		if db, err := open(bytes.NewReader(b), int64(len(b))); err == nil {
			new(place).take(db.find(netip.MustParseAddr("192.0.2.1")))
		}
	})
}
