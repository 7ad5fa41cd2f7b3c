package protocols_test

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// TestSourcesAreKnown: who looks for bytes alone finds all that a whole tree has.
func TestSourcesAreKnown(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	with, all := 0, 0
	err := filepath.WalkDir("../fixtures/captures", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".pcap") && !strings.HasSuffix(path, ".pcapng") {
			return err
		}
		s := dissecttest.LoadOf(t, reg, path)
		whole, light := s.Dissector(), s.Dissector()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			all++
			want := whole.Tree(n).Sources()
			if len(want) > 1 {
				with++
			}
			got, err := light.Sources(n)
			same := slices.EqualFunc(got, want, func(a, b dissect.Source) bool {
				return a.Name == b.Name && bytes.Equal(a.Data, b.Data)
			})
			if err != nil || !same {
				t.Errorf("%s: packet %d has %d sources without a tree, %d with one (%v): does it need Unpacks?", path, n,
					len(got), len(want), err)
				return nil
			}
		}
		return nil
	})
	if err != nil || with == 0 || with == all {
		t.Errorf("%d of %d packets have sources: %v", with, all, err)
	}
}
