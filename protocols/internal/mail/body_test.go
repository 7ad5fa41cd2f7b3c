package mail

import "testing"

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
		y := Body{midLine: c.midLine}
		if n := y.CutDot([]byte(c.text)); n != c.part {
			t.Errorf("%q: %d bytes, want %d", c.text, n, c.part)
		}
		if last := y.dotEnds([]byte(c.text)); last != c.last {
			t.Errorf("%q ends the message: %v", c.text, last)
		}
	}
}
