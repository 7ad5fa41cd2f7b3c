package rates

import (
	"testing"

	"remora/protocols"
	"remora/ui/view/viewtest"
)

func sample(t *testing.T, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenSample(t, protocols.All(), w, h)
}

// TestRatesOfFilters adds curves for filters, goes to a packet of one, and takes them away, which ends their filters.
func TestRatesOfFilters(t *testing.T) {
	x := sample(t, 120, 32)
	x.GoTo(3)
	v := New(x)
	x.Show(v).Keys("P")
	if p := x.Asked; p == nil || !p.Filter || p.Wrong == "" {
		t.Fatalf("asked for %+v", p)
	}
	x.Type("touhou").Has("all packets", "82 packets", "touhou", "40 packets")
	if len(v.series) != 2 || v.chosen != 1 {
		t.Errorf("%d curves, the chosen one is %d", len(v.series), v.chosen)
	}
	if x.Keys("G<enter>"); x.List().Current() != 81 || x.View != nil || x.Scope().FilterText() != "" {
		t.Errorf("packet %d, filter %q", x.List().Current(), x.Scope().FilterText())
	}
	v = New(x, "touhou", "dns")
	x.Show(v)
	ended := 0
	for _, s := range v.series[1:] {
		cancel := s.of.Cancel
		s.of.Cancel = func() { ended++; cancel() }
	}
	if len(v.series) != 3 {
		t.Errorf("%d curves", len(v.series))
	}
	if x.Keys("x"); len(v.series) != 2 || ended != 1 {
		t.Errorf("%d curves stay, %d ended", len(v.series), ended)
	}
	if x.Keys("q"); ended != 2 {
		t.Error("the filter of the curve goes on when the view is closed")
	}
}
