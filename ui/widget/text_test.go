package widget

import (
	"fmt"
	"slices"
	"testing"
)

func TestPropertiesAreWrittenToBeRead(t *testing.T) {
	for in, want := range map[string]string{"5177400 bytes": "5 177 400 bytes", "621, 137478 bytes": "621, 137 478 bytes",
		"57683.92 bytes/s": "57 683.92 bytes/s", "2026-11-21 10:34:00.905497046": "2026-11-21 10:34:00.905497046",
		"0521581a8f502701bee531b9": "0521581a8f502701bee531b9", "62.191454511 seconds": "62.191454511 seconds",
		"12345": "12 345", "by 12345": "by 12 345"} {
		if got := GroupNumbers(in); got != want {
			t.Errorf("%q is written %q, want %q", in, got, want)
		}
	}
	if got := BreakText("0123456789abcdef", 10); !slices.Equal(got, []string{"0123456789", "abcdef"}) {
		t.Errorf("a long word breaks into %q", got)
	}
}

// TestShare: the widest are cut first, none below the least, and what has room stays.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		widths []int
		room   int
		want   string
	}{{[]int{10, 30, 20}, 60, "[10 30 20]"}, {[]int{10, 30, 20}, 40, "[10 15 15]"}, {[]int{10, 30, 20}, 9, "[8 8 8]"},
		{nil, -1, "[]"}} {
		Share(c.widths, c.room, 8)
		if got := fmt.Sprint(c.widths); got != c.want {
			t.Errorf("in %d cells they are %s, want %s", c.room, got, c.want)
		}
	}
}
