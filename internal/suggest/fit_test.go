package suggest

import (
	"slices"
	"testing"
)

func TestFit(t *testing.T) {
	names := []string{"view.notes", "packet.next-of-type", "list.freeze", "packet.next", "field.plot", "pane.next"}
	for text, want := range map[string][]string{
		"packet.next": {"packet.next", "packet.next-of-type"},
		"next":        {"packet.next-of-type", "packet.next", "pane.next"},
		"frz":         {"list.freeze"},
		"pnt":         {"packet.next-of-type", "packet.next", "pane.next"},
		"eeze":        {"list.freeze"},
		"LIST":        {"list.freeze"},
		"plt":         {"field.plot"},
		"zzz":         nil,
	} {
		var got []string
		for _, n := range names {
			if _, ok := Fit(text, n); ok {
				got = append(got, n)
			}
		}
		far := func(n string) int { f, _ := Fit(text, n); return f }
		slices.SortStableFunc(got, func(a, b string) int { return far(a) - far(b) })
		if !slices.Equal(got, want) {
			t.Errorf("%q fits %v, want %v", text, got, want)
		}
	}
	for _, x := range []struct {
		text, name string
		far        int
	}{{"a", "a", 0}, {"a", "ab", 1}, {"b", "a.b", 2}, {"b", "ab", 3}, {"pn", "p.n", 5}} {
		if far, ok := Fit(x.text, x.name); !ok || far != x.far {
			t.Errorf("%q in %q: %d, %v, want %d", x.text, x.name, far, ok, x.far)
		}
	}
}
