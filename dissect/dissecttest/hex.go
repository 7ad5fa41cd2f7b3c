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
	return made(t, link, packets)
}

func made(t testing.TB, link int, packets []Packet) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "made.pcap")
	if err := os.WriteFile(out, Pcap(link, packets), 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}

// RunMade is Run over packets made in the test.
func RunMade(t *testing.T, plugins []dissect.Plugin, linkType int, packets ...[]byte) {
	t.Helper()
	Run(t, plugins, made(t, linkType, Packets(packets...)))
}

// A Row is what one field of a frame must show, all its values joined by commas. The field "info" is the Info column.
// It is an alias so that tables may leave out the names.
type Row = struct {
	Frame       dissect.FrameNum
	Field, Want string
}

// Check holds a session's frames against a table.
func Check(t testing.TB, s *dissect.Session, table []Row) {
	t.Helper()
	l := s.Dissector()
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

// Holds holds one field of a tree against "name|value|place". The name is one below the protocol, unless it begins with
// an underscore; in front of it, ~ asks for all values, joined by commas. The place is the first and the last byte
// behind the headers of Datagram ("5-8"), "-" for a value that was not read from bytes, and nothing where it does not
// matter. A field that must not be there has the value MISSING.
func Holds(t testing.TB, tree *dissect.Tree, protocol, check string) {
	t.Helper()
	parts := strings.Split(check, "|")
	name, all := strings.CutPrefix(parts[0], "~")
	if !strings.HasPrefix(name, "_") {
		name = protocol + "." + name
	}
	if all {
		if got := All(tree, name); got != parts[1] {
			t.Errorf("all %s are %q, want %q", name, got, parts[1])
		}
		return
	}
	for i, n := range tree.Nodes {
		if tree.Field(i).Name() != name {
			continue
		}
		place := "-"
		if n.Len > 0 {
			place = fmt.Sprintf("%d-%d", int(n.Off)-Headers, int(n.Off+n.Len)-Headers-1)
		}
		if place == "-" && parts[2] != "" && parts[2] != "-" {
			continue // worked out; the one that was read comes later
		}
		if got := tree.Value(i); got != parts[1] || parts[2] != "" && parts[2] != place {
			t.Errorf("%s is %q at %s, want %q at %s", name, got, place, parts[1], parts[2])
		}
		return
	}
	if parts[1] != "MISSING" {
		t.Errorf("there is no %s", name)
	}
}

// A HexRows is a file of packets (see HexFile) with what they must show. It is an alias so that tables may leave out
// the names.
type HexRows = struct {
	Path string
	Rows []Row
}

// CheckHex holds files of packets against their rows; every byte must have a name.
func CheckHex(t *testing.T, plugins []dissect.Plugin, files []HexRows) {
	t.Helper()
	for _, f := range files {
		link, made := HexFile(t, f.Path)
		s := Session(t, plugins, link, made)
		Owned(t, s)
		Check(t, s, f.Rows)
	}
}

// MutateHex is Mutations over files of packets.
func MutateHex(t *testing.T, plugins []dissect.Plugin, files []HexRows, from int) {
	t.Helper()
	for _, f := range files {
		link, made := HexFile(t, f.Path)
		Mutations(t, plugins, Session(t, plugins, link, made), from)
	}
}
