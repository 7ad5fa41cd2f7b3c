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
