package marks_test

import (
	"slices"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/ui/marks"
	"remora/ui/view/viewtest"
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

// TestMarksGoAlongAsComments keeps marks in comments and reads them again.
func TestMarksGoAlongAsComments(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 1, viewtest.Sample())
	m := marks.New()
	if !m.Unread(s.Store()) {
		t.Fatal("the comments were asked already")
	}
	m.Set('k', 5)
	m.Pick(6)
	change := func(n dissect.FrameNum, comments []string) { s.Store().SetComments(int(n)-1, comments) }
	if m.Keep(s.Store(), "old.pcap", change); !m.Changed() {
		t.Error("a file without comments keeps marks")
	}
	if m.Keep(s.Store(), "new.pcapng", change); m.Changed() || !slices.Equal(s.Store().Comments(4), []string{"mark k"}) ||
		!slices.Equal(s.Store().Comments(5), []string{"picked"}) {
		t.Errorf("the comments are %q and %q", s.Store().Comments(4), s.Store().Comments(5))
	}
	again := marks.New()
	again.Set('k', 2) // set here meanwhile
	in, ok := marks.Read(t.Context(), s)
	again.Asked()
	if again.Take(in, s); !ok || again.Frame('k') != 2 || again.Of(6) != marks.PickedSign || again.Unread(s.Store()) {
		t.Errorf("read again, k is on %d and 6 has %q", again.Frame('k'), again.Of(6))
	}
	m.Set('k', 5)
	if m.Keep(s.Store(), "new.pcapng", change); len(s.Store().Comments(4)) != 0 {
		t.Errorf("a mark taken away leaves %q", s.Store().Comments(4))
	}
}
