package listed_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/dissect/stats"
	"remora/protocols"
	"remora/ui/filtered"
	"remora/ui/listed"
	"remora/ui/view/viewtest"
)

// sample is the sample capture, all of it read and counted.
func sample(t *testing.T) *listed.Packets {
	t.Helper()
	store, err := pcapfile.OpenBytes(context.Background(), "sample.pcap", dissecttest.Pcap(1, viewtest.Sample()),
		capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s, err := dissect.NewSession(dissecttest.Registry(t, protocols.All()), store)
	if err != nil {
		t.Fatal(err)
	}
	s.Pass(context.Background())
	p := &listed.Packets{Store: store, Session: s, Dissector: s.Dissector(), All: stats.NewTally(s)}
	filtered.Ignored(nil).Count(p.All, 1, dissect.FrameNum(s.Passed()))
	return p
}

// filterBy shows what a filter leaves, all of it.
func filterBy(t *testing.T, p *listed.Packets, text string) {
	t.Helper()
	f, err := filter.Compile(p.Session.Registry(), text)
	if err != nil {
		t.Fatal(err)
	}
	p.Filtered = filtered.Start(p.Session, f, nil)
	t.Cleanup(p.Filtered.Cancel)
	for until := time.Now().Add(time.Minute); !p.Settled(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the filter does not end")
		}
	}
}

// rows are the packets listed.
func rows(p *listed.Packets) (out []dissect.FrameNum) {
	for i := range p.Rows() {
		out = append(out, p.Frame(i))
	}
	return out
}

func TestRowsAndPackets(t *testing.T) {
	p := sample(t)
	all := rows(p)
	if len(all) != p.Session.Passed() || all[0] != 1 {
		t.Fatalf("without a filter the rows are %v", all)
	}
	filterBy(t, p, "frame.number > 2 && frame.number < 6")
	if got := rows(p); !slices.Equal(got, []dissect.FrameNum{3, 4, 5}) {
		t.Fatalf("the filter leaves %v", got)
	}
	for row, n := range rows(p) {
		if p.Row(n) != row || p.Hidden(n) {
			t.Errorf("packet %d is in row %d, hidden %v", n, p.Row(n), p.Hidden(n))
		}
	}
	if !p.Hidden(1) || p.Before(3) != 0 || p.Before(5) != 4 || p.FilterText() == "" {
		t.Errorf("1 hidden: %v, before 3: %d, before 5: %d, filter %q", p.Hidden(1), p.Before(3), p.Before(5), p.FilterText())
	}
	p.Frozen = 4
	if got := rows(p); !slices.Equal(got, []dissect.FrameNum{3, 4}) {
		t.Errorf("frozen at 4 there are %v", got)
	}
}

// TestOrderLeavesNewRowsBelow: rows that came after the list was sorted follow as they came.
func TestOrderLeavesNewRowsBelow(t *testing.T) {
	p := sample(t)
	p.Order = listed.NewOrder(nil, []dissect.FrameNum{3, 1, 2})
	got := rows(p)
	if !slices.Equal(got[:5], []dissect.FrameNum{3, 1, 2, 4, 5}) || p.Unsorted() != len(got)-3 {
		t.Errorf("the rows are %v, %d of them not sorted", got, p.Unsorted())
	}
	beside := p.Frames()
	for row, n := range got {
		if p.Row(n) != row || beside(row) != n {
			t.Errorf("packet %d is in row %d, not in %d; beside the screen there is %d", n, p.Row(n), row, beside(row))
		}
	}
	if p.Before(3) != 2 || p.CapturedRow(3) != 2 {
		t.Errorf("sorted, before 3 there is %d in the capture", p.Before(3))
	}
}

func TestTimes(t *testing.T) {
	p := sample(t)
	from, to := p.Span()
	if p.Epoch() != p.Store.Time(0) || from != p.Store.Time(0) || to <= from || p.Nanos() {
		t.Errorf("epoch %d, span %d to %d, nanoseconds %v", p.Epoch(), from, to, p.Nanos())
	}
	p.TurnReference(5)
	on := p.TurnReference(3)
	if !on || p.Epoch() != p.Store.Time(2) || !slices.Equal(p.References(), []dissect.FrameNum{3, 5}) {
		t.Errorf("the references are %v, the epoch is not the first one's time", p.References())
	}
	for n, want := range map[dissect.FrameNum]int{1: 0, 2: 0, 3: 2, 4: 2, 5: 4, 6: 4} {
		if p.EpochAt(n) != p.Store.Time(want) {
			t.Errorf("the time of packet %d is not relative to packet %d", n, want+1)
		}
	}
	if on := p.TurnReference(3); on || p.IsReference(3) || !p.IsReference(5) {
		t.Error("a reference is not unset")
	}
}
