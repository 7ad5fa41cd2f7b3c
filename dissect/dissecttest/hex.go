package dissecttest

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
)

// HexFile reads packets from a text file: a first line "link N" with their link type (LINKTYPE_ value), then one packet
// a line in hexadecimal digits. Empty lines and those that start with # are left out.
func HexFile(t testing.TB, path string) (linkType int, packets []Packet) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if n, _ := fmt.Sscanf(line, "link %d", &linkType); n == 1 {
			continue
		}
		p, err := hex.DecodeString(line)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		packets = append(packets, Packet{Data: p})
	}
	if len(packets) == 0 {
		t.Fatalf("%s holds no packets", path)
	}
	return linkType, packets
}

// HexPcap is HexFile, written as a capture file into a folder of the test's own.
func HexPcap(t testing.TB, path string) string {
	t.Helper()
	link, packets := HexFile(t, path)
	out := filepath.Join(t.TempDir(), "made.pcap")
	if err := os.WriteFile(out, Pcap(link, packets), 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}

// A Row is what one field of a frame must show, all its values joined by commas. The field "info" is the Info column. It is
// an alias so that tables may leave out the names.
type Row = struct {
	Frame       dissect.FrameNum
	Field, Want string
}

// Check holds a session's frames against a table.
func Check(t testing.TB, s *dissect.Session, table []Row) {
	t.Helper()
	l := s.Looker()
	for _, c := range table {
		tree := l.Tree(c.Frame)
		got := tree.InfoLine()
		if c.Field != "info" {
			got = All(tree, c.Field)
		}
		if got != c.Want {
			t.Errorf("frame %d: %s is %q, want %q\n%s", c.Frame, c.Field, got, c.Want, Dump(tree))
		}
	}
}
