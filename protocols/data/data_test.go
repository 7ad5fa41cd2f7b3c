package data_test

import (
	"os"
	"path/filepath"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), data.Plugin()}
}

// standard runs the standard tests over packets made here.
func standard(t *testing.T, link int, packets ...[]byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.pcap")
	if err := os.WriteFile(path, dissecttest.Pcap(link, dissecttest.Packets(packets...)), 0o600); err != nil {
		t.Fatal(err)
	}
	dissecttest.Run(t, plugins(), path)
}

// check holds values of fields in a session's frames against a table.
func check(t *testing.T, s *dissect.Session, table []row) {
	t.Helper()
	l := s.Looker()
	for _, c := range table {
		tree := l.Tree(c.frame)
		got := tree.InfoLine()
		if c.field != "info" {
			got = dissecttest.All(tree, c.field)
		}
		if got != c.want {
			t.Errorf("frame %d: %s is %q, want %q\n%s", c.frame, c.field, got, c.want, dissecttest.Dump(tree))
		}
	}
}

type row struct {
	frame       dissect.FrameNum
	field, want string
}

func TestData(t *testing.T) {
	check(t, dissecttest.Session(t, plugins(), 1, dissecttest.Packets([]byte("hi"), nil)), []row{
		{1, "data.data", "6869"}, {1, "data.len", "2"}, {2, "data.data", ""},
	})
}

func TestStandard(t *testing.T) { standard(t, 1, []byte("hi"), nil, []byte{0}) }
