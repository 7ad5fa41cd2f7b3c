package ui

import (
	"slices"
	"testing"

	"remora/dissect"
)

// TestHitsAreCounted finds a text, counts it, and goes through it both ways; the filter that is on counts, too.
func TestHitsAreCounted(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("40G")
	x.m.find = "GAME_INPUT"
	x.keys("n")
	if x.m.cur != 41 {
		t.Fatalf("n went to %d", x.m.cur)
	}
	x.has("20 of 40 found")
	x.keys("N")
	if x.m.cur != 39 {
		t.Errorf("N went to %d", x.m.cur)
	}
	x.keys("ggn")
	if x.m.cur != 3 {
		t.Errorf("from the first packet n went to %d", x.m.cur)
	}
	x.keys("N")
	x.has("there is no further one")
	x.keys("/udp.srcport == 6000 || frame.number == 5<enter>")
	x.keys("n")
	x.has("of 1 found")
	x.keys("<esc>")
	if x.m.hits != nil || x.m.shown == nil {
		t.Error("the first Esc ends the search, not the filter")
	}
}

// TestHitsFromAnyPlace compares what a search finds, from any place and either way, with what each packet holds.
func TestHitsFromAnyPlace(t *testing.T) {
	x := open(t, 80, 24, Config{})
	for _, text := range []string{"dns", "6000", "f 3", "nothing of it"} {
		fd, err := x.m.newFinder(findAnything, text)
		if err != nil {
			t.Fatal(err)
		}
		var want []dissect.FrameNum
		l := x.m.s.Looker()
		for n := dissect.FrameNum(1); n <= 82; n++ {
			if fd.packet(l, n) {
				want = append(want, n)
			}
		}
		for _, from := range []int{0, 40, 81} {
			for _, way := range []int{1, -1} {
				x.m.endHits()
				x.m.hits = x.m.newHits(fd, text, from, way)
				x.settle()
				h := x.m.hits
				got := slices.Clone(h.behind)
				slices.Reverse(got)
				if got = append(got, h.ahead...); !slices.Equal(got, want) {
					t.Errorf("%q from row %d: %v, want %v", text, from, got, want)
				}
				for i, n := range want {
					if found, known := h.has(n, int(n)-1); !found || !known {
						t.Errorf("%q: packet %d is not among those found", text, n)
					}
					next, prev := dissect.FrameNum(0), dissect.FrameNum(0)
					if i+1 < len(want) {
						next = want[i+1]
					}
					if i > 0 {
						prev = want[i-1]
					}
					if a, known, _ := h.next(n, int(n)-1, 1); a != next || !known {
						t.Errorf("%q from row %d: %d comes behind %d, want %d", text, from, a, n, next)
					}
					if a, known, _ := h.next(n, int(n)-1, -1); a != prev || !known {
						t.Errorf("%q from row %d: %d comes before %d, want %d", text, from, a, n, prev)
					}
					if _, _, place := h.state(n); place != i+1 {
						t.Errorf("%q: packet %d is found as number %d, want %d", text, n, place, i+1)
					}
				}
			}
		}
	}
}

func TestTextIsFoundInEitherCase(t *testing.T) {
	for _, c := range []struct {
		in, what string
		at       int
	}{{"Hello World", "world", 6}, {"ÄRGER", "ärger", 0}, {"abc", "abcd", -1}, {"", "a", -1}, {"aab", "ab", 1}} {
		if got := indexFold(c.in, c.what); got != c.at {
			t.Errorf("%q in %q is at %d, want %d", c.what, c.in, got, c.at)
		}
	}
	x := open(t, 80, 24, Config{})
	for text, want := range map[string]int{"0x41": 1, "0x61": 2, "A": 1, "a": 1} {
		fd, _ := x.m.newFinder(findAnything, text)
		if got := fd.byteAt([]byte("-Aa"), 0, 1); got != want {
			t.Errorf("%s is at %d, want %d", text, got, want)
		}
		if got := fd.byteAt([]byte("-Aa-"), 3, -1); text == "0x41" && got != 1 || text == "a" && got != 2 {
			t.Errorf("backwards %s is at %d", text, got)
		}
	}
}

// TestRibbonTicks puts marks and what was found on the ribbon.
func TestRibbonTicks(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("60Gmq")
	x.keys("5G<space>")
	from, to := x.m.span()
	k := x.m.ribbonTicks(from, to+1, 90)
	if len(k.marks) != 2 || k.hits != nil {
		t.Fatalf("the ticks are %v", k.marks)
	}
	x.has("q")
	x.m.find = "DNS"
	x.keys("n")
	k = x.m.ribbonTicks(from, to+1, 90)
	sum := 0.0
	for _, v := range k.hits {
		sum += v
	}
	if found, _, _ := x.m.hits.state(1); int(sum+0.5) != found || found == 0 {
		t.Errorf("the ribbon has %v of %d found", sum, found)
	}
}
