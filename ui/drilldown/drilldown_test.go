package drilldown

import "testing"

// TestOneOfWritesRanges: numbers that follow each other are a range, whatever their order.
func TestOneOfWritesRanges(t *testing.T) {
	for _, c := range []struct {
		numbers []uint32
		want    string
	}{{[]uint32{7}, " == 7"}, {[]uint32{3, 3}, " == 3"}, {[]uint32{9, 1, 2, 3, 5}, " in {1..3, 5, 9}"},
		{[]uint32{1, 2}, " in {1..2}"}} {
		if got := oneOf(c.numbers); got != c.want {
			t.Errorf("%v is %q, want %q", c.numbers, got, c.want)
		}
	}
}

// TestWordsGoBeforeNumbers: conversations are named one by one only where the plain words would show others, and where
// they are not too many.
func TestWordsGoBeforeNumbers(t *testing.T) {
	many := make([]uint32, 3*maxConversations)
	for i := range many {
		many[i] = uint32(2 * i)
	}
	for _, c := range []struct {
		plain bool
		ids   []uint32
		want  string
	}{{true, []uint32{1, 4}, "udp.port == 53"}, {false, []uint32{1, 4}, "talk in {1, 4}"}, {false, many, "udp.port == 53"},
		{false, nil, "udp.port == 53"}} {
		if got := named("udp.port == 53", c.plain, c.ids); got != c.want {
			t.Errorf("%v: %q, want %q", c, got, c.want)
		}
	}
}
