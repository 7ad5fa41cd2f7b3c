package dissect

import "testing"

func TestLineAt(t *testing.T) {
	b := []byte("one\r\ntwo\n\r\nrest")
	for at, want := range map[int][2]int{0: {3, 5}, 5: {8, 9}, 9: {9, 11}} {
		if end, next, ok := LineAt(b, at, 100); !ok || end != want[0] || next != want[1] {
			t.Errorf("at %d: %d, %d, %v", at, end, next, ok)
		}
	}
	for _, most := range []int{2, 100} {
		if end, next, ok := LineAt(b, 11, most); ok || end != len(b) || next != len(b) {
			t.Errorf("no end within %d: %d, %d, %v", most, end, next, ok)
		}
	}
}

func TestDotParts(t *testing.T) {
	for _, c := range []struct {
		text    string
		midLine bool
		part    int
		last    bool
	}{
		{".\r\n", false, 3, true},
		{".\r\n", true, 3, false},
		{"a\r\n.\r\nQUIT\r\n", false, 6, false},
		{"a\r\n.\r\n", false, 6, true},
		{"a\r\n.\r", false, 3, false},
		{"a\r\n.", true, 3, false},
		{".\r", false, 0, false},
		{".\r", true, 2, false},
		{"a\r\n", false, 3, false},
		{"..\r\n", false, 4, false},
	} {
		if n := DotPart([]byte(c.text), c.midLine); n != c.part {
			t.Errorf("%q: %d bytes, want %d", c.text, n, c.part)
		}
		if last := DotEnds([]byte(c.text), c.midLine); last != c.last {
			t.Errorf("%q ends the message: %v", c.text, last)
		}
	}
}
