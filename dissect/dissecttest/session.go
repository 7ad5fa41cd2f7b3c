// Package dissecttest holds what every plugin is tested with: sessions over packets made in the test, the standard
// tests that must hold for any plugin and any capture, and golden trees.
package dissecttest

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
)

// A Packet is one packet of a capture made in a test. Len is its length on the wire when that is more than what was
// captured; Gap the nanoseconds since the packet before (0: one millisecond).
type Packet struct {
	Data []byte
	Len  int
	Gap  int64
}

// Packets makes Packets of plain bytes.
func Packets(data ...[]byte) []Packet {
	out := make([]Packet, len(data))
	for i, b := range data {
		out[i].Data = b
	}
	return out
}

// Pcap writes packets as a pcap file with nanoseconds, starting at 2024-01-01 00:00:00 UTC.
func Pcap(linkType int, packets []Packet) []byte {
	le := binary.LittleEndian
	out := le.AppendUint32(nil, 0xa1b23c4d)
	out = le.AppendUint16(out, 2)
	out = le.AppendUint16(out, 4)
	out = append(out, make([]byte, 8)...)
	out = le.AppendUint32(out, 262144)
	out = le.AppendUint32(out, uint32(linkType))
	now := int64(1704067200e9)
	for _, p := range packets {
		gap := p.Gap
		if gap == 0 {
			gap = 1e6
		}
		now += gap
		out = le.AppendUint32(out, uint32(now/1e9))
		out = le.AppendUint32(out, uint32(now%1e9))
		out = le.AppendUint32(out, uint32(len(p.Data)))
		out = le.AppendUint32(out, uint32(max(p.Len, len(p.Data))))
		out = append(out, p.Data...)
	}
	return out
}

// Registry joins plugins strictly: a panic in one fails the test.
func Registry(t testing.TB, plugins []dissect.Plugin) *dissect.Registry {
	t.Helper()
	reg, err := dissect.NewRegistry(plugins...)
	if err != nil {
		t.Fatal(err)
	}
	reg.Strict = true
	for _, f := range reg.Preferences() { // what the check says is tested, too
		if strings.HasSuffix(f.Name(), ".check_checksum") {
			reg.SetPreference(f, dissect.Setting{On: true})
		}
	}
	return reg
}

// Session passes over packets made in the test.
func Session(t testing.TB, plugins []dissect.Plugin, linkType int, packets []Packet,
	as ...dissect.DecodeAs) *dissect.Session {
	t.Helper()
	return SessionOf(t, Registry(t, plugins), linkType, packets, as...)
}

// SessionOf is Session with a registry of the caller's own.
func SessionOf(t testing.TB, reg *dissect.Registry, linkType int, packets []Packet,
	as ...dissect.DecodeAs) *dissect.Session {
	t.Helper()
	store, err := pcapfile.OpenBytes(context.Background(), "test", Pcap(linkType, packets), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return pass(t, reg, store, as)
}

// Load passes over a capture file.
func Load(t testing.TB, plugins []dissect.Plugin, path string, as ...dissect.DecodeAs) *dissect.Session {
	t.Helper()
	return LoadOf(t, Registry(t, plugins), path, as...)
}

// LoadOf passes over a capture file with a registry.
func LoadOf(t testing.TB, reg *dissect.Registry, path string, as ...dissect.DecodeAs) *dissect.Session {
	t.Helper()
	return pass(t, reg, openFile(t, path), as)
}

func openFile(t testing.TB, path string) *capture.Store {
	t.Helper()
	store, err := pcapfile.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	store.Wait()
	return store
}

func pass(t testing.TB, reg *dissect.Registry, store *capture.Store, as []dissect.DecodeAs) *dissect.Session {
	t.Helper()
	s := session(t, reg, store, as...)
	if err := s.Pass(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// session is one that has passed nothing yet.
func session(t testing.TB, reg *dissect.Registry, store *capture.Store, as ...dissect.DecodeAs) *dissect.Session {
	t.Helper()
	t.Cleanup(func() { store.Close() })
	s, err := dissect.NewSession(reg, store, as...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Captures are the capture files of a folder, sorted, and those of the folder that REMORA_CAPTURES names, if it is
// set. The folder given must have some.
func Captures(t testing.TB, folder string) []string {
	t.Helper()
	files := captureFiles(folder)
	if len(files) == 0 {
		t.Fatalf("%s holds no captures", folder)
	}
	if more := os.Getenv("REMORA_CAPTURES"); more != "" {
		files = append(files, captureFiles(more)...)
	}
	return files
}

func captureFiles(folder string) []string {
	var files []string
	for _, ending := range []string{"*.pcap", "*.pcapng"} {
		m, _ := filepath.Glob(filepath.Join(folder, ending))
		files = append(files, m...)
	}
	sort.Strings(files)
	return files
}

// shuffled are frames in an order of a seed's own.
func shuffled(frames []dissect.FrameNum, seed uint64) []dissect.FrameNum {
	r := rand.New(rand.NewPCG(seed, seed))
	out := make([]dissect.FrameNum, len(frames))
	for i, j := range r.Perm(len(frames)) {
		out[i] = frames[j]
	}
	return out
}

// Find is the display text of the first node with the filter name in a tree, and whether there is one.
func Find(t *dissect.Tree, name string) (string, bool) {
	for i := range t.Nodes {
		if t.Field(i).Name() == name {
			return t.Value(i), true
		}
	}
	return "", false
}

// All are the display texts of all nodes with the filter name, joined by commas.
func All(t *dissect.Tree, name string) string {
	var out []string
	for i := range t.Nodes {
		if t.Field(i).Name() == name {
			out = append(out, t.Value(i))
		}
	}
	return strings.Join(out, ",")
}
