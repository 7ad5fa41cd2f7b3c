package marks_test

import (
	"slices"
	"testing"

	"remora/dissect"
	"remora/ui/marks"
)

func TestLettersAndPicks(t *testing.T) {
	m := marks.New()
	if !m.Set('b', 7) || !m.Set('a', 3) || m.Of(7) != 'b' || m.Frame('a') != 3 {
		t.Errorf("7 has %q, a is on %d", m.Of(7), m.Frame('a'))
	}
	m.Pick(3)
	m.Pick(9)
	if m.Of(3) != 'a' || m.Of(9) != marks.PickedSign || m.Of(1) != 0 ||
		!slices.Equal(m.All(), []dissect.FrameNum{3, 7, 9}) || !slices.Equal(m.Letters(), []rune("ab")) {
		t.Errorf("marked are %v, the letters %q", m.All(), string(m.Letters()))
	}
	was := m.Clone()
	m.Pick(9)
	if m.Set('a', 3) || m.Frame('a') != 0 || m.Of(9) != 0 || was.Frame('a') != 3 || was.Of(9) == 0 {
		t.Error("what was set twice is not gone, or its copy is")
	}
	if letter, at := m.Last(); letter != 'a' || at != 0 {
		t.Errorf("the last mark is %q on %d", letter, at)
	}
}

// lines is a list in memory.
type lines []string

func (l *lines) Lines() []string       { return *l }
func (l *lines) Add(line string) error { *l = append(*l, line); return nil }
func (l *lines) Remove(line string) error {
	*l = slices.DeleteFunc(*l, func(s string) bool { return s == line })
	return nil
}

// TestMarksAreKeptBesideTheFile under its path, and known again where it has as many packets.
func TestMarksAreKeptBesideTheFile(t *testing.T) {
	kept := &lines{"a=1 9 other.pcap", "hostile", "b=2 x y.pcap", "=,q=,*=0,*=99,!=3,aa=4 82 bad.pcap"}
	same := func(n dissect.FrameNum) dissect.FrameNum { return n }
	m := marks.New().In(kept)
	m.Set('k', 5)
	m.Pick(6)
	m.Keep("a file.pcap", 82, same)
	m.Keep("a file.pcap", 82, same)
	if n := len(*kept); n != 5 || (*kept)[4] != "k=5,*=6 82 a file.pcap" {
		t.Fatalf("kept are %q", *kept)
	}
	for path, packets := range map[string]int{"a file.pcap": 82, "file.pcap": 82, "bad.pcap": 82, "": 82} {
		again := marks.New().In(kept)
		again.Read(path, packets)
		if got := len(again.All()); (got == 2) != (path == "a file.pcap") || path != "a file.pcap" && got > 0 {
			t.Errorf("%q has the marks %v", path, again.All())
		}
	}
	again := marks.New().In(kept)
	again.Set('k', 2) // set here meanwhile
	if again.Read("a file.pcap", 82); again.Frame('k') != 2 || again.Of(6) != marks.PickedSign {
		t.Errorf("read again, k is on %d and 6 has %q", again.Frame('k'), again.Of(6))
	}
	if again = marks.New().In(kept); true {
		again.Read("a file.pcap", 81)
	}
	if len(again.All()) != 0 {
		t.Error("another file has its marks")
	}
	m.Set('k', 5)
	m.Pick(6)
	if m.Keep("a file.pcap", 82, same); len(*kept) != 4 {
		t.Errorf("without marks, kept are %q", *kept)
	}
}
