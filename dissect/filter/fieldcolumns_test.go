package filter_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/protocols"
)

// A field that a filter asked for is kept in a column: the next filters for it read no packet and say the same, however
// far the first one came.
func TestFieldColumnsAnswer(t *testing.T) {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	store, err := pcapfile.Open(t.Context(), filepath.Join("..", "..", "fixtures", "demo.pcapng.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	store.Wait()
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Pass(t.Context()); err != nil {
		t.Fatal(err)
	}
	l := s.Dissector()
	for _, step := range []struct {
		text string
		upTo int
		kept bool // the columns have the packets that the filter asks
	}{
		{"tcp.len > 0", s.Passed() / 2, false}, {"tcp.len > 100", s.Passed() / 3, true}, {"tcp.len > 60", s.Passed(), false},
		{"tcp.len == 0 || tcp.len > 600", s.Passed(), true}, {"tcp.flags.syn == 1 && tcp.len == 0", s.Passed(), false},
		{"tcp.flags.syn != 1", s.Passed(), true}, {"udp.length > 60", s.Passed(), false},
		{"!(udp.length < 60) && tcp.flags.syn == 1", s.Passed(), true}, {"dns.qry.type == 1", s.Passed(), false},
		{"dns.qry.type in {1, 28}", s.Passed(), true},
	} {
		f, err := filter.Compile(reg, step.text)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []dissect.FrameNum
		unread := 0
		for n := dissect.FrameNum(1); int(n) <= step.upTo; n++ {
			if filter.MatchReading(f, l, n) {
				want = append(want, n)
			}
			if filter.Recalled(f, l, n) {
				unread++
			}
		}
		if kept := unread == step.upTo; kept != step.kept {
			t.Errorf("%s: %d of %d packets are not read", step.text, unread, step.upTo)
		}
		err = filter.Scan(context.Background(), s, f, 1, dissect.FrameNum(step.upTo),
			func(m []dissect.FrameNum, _ dissect.FrameNum) { got = append(got, m...) })
		if err != nil || !slices.Equal(got, want) || len(want) == 0 && step.upTo == s.Passed() {
			t.Errorf("%s: %v %v, want %v", step.text, err, got, want)
		}
	}
}
