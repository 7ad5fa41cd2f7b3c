package protocols

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestRowWords holds that rows of packets whose protocols tell all their words have no others, so that a search may
// leave them out unless they tell of a message, and that there are many such packets.
func TestRowWords(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../fixtures/captures/*/*.pcap*", "*/testdata/*.pcap*", "*/testdata/*.hex"} {
		found, _ := filepath.Glob(filepath.FromSlash(pattern))
		files = append(files, found...)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return filepath.Ext(f) == ".tree" })
	known, all := 0, 0
	for _, file := range files {
		if filepath.Ext(file) == ".hex" {
			file = dissecttest.HexPcap(t, file)
		}
		s := dissecttest.Load(t, All(), file)
		row, l := s.Registry().RowWants(), s.Dissector()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			all++
			words, copies, ok := s.RowWords(s.LayerStackOf(n))
			if !ok || l.TellsMessage(n) {
				continue
			}
			known++
			tree := l.Redissect(n, row)
			text := strings.Join([]string{tree.Info(), tree.Kind(), tree.ProtocolText(), tree.Src.String(), tree.Dst.String()},
				"\n")
			for _, run := range letters(escapes.ReplaceAllString(text, " ")) {
				named := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(letters(w), run) })
				if !named && !(copies && holds(l, n, run)) {
					t.Fatalf("%s, packet %d: %q of %q is none of the words", file, n, run, text)
				}
			}
		}
	}
	if known*6 < all {
		t.Errorf("the words of %d rows are known, of %d", known, all)
	}
}

// escapes stand for bytes that are no letters.
var escapes = regexp.MustCompile(`\\[0-7]{3}|\\[a-z]`)

// holds tells whether a text in small letters stands among the bytes of a packet, or among those made of them.
func holds(l *dissect.Dissector, n dissect.FrameNum, text string) bool {
	sources, _ := l.Sources(n)
	return slices.ContainsFunc(sources, func(s dissect.Source) bool {
		return bytes.Contains(bytes.ToLower(s.Data), []byte(text))
	})
}

// letters are the runs of letters of a text that are no hexadecimal numbers.
func letters(text string) []string {
	runs := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.DeleteFunc(runs, func(r string) bool { return strings.Trim(r, "abcdefx") == "" })
}
