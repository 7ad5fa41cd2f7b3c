package plot

import (
	"strings"
	"testing"

	"remora/protocols"
	"remora/ui/view/viewtest"
)

func sample(t *testing.T, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenSample(t, protocols.All(), w, h)
}

// TestPlotsSeveralFields adds a curve for another field of the tree, moves list and cursor together, and takes curves
// away.
func TestPlotsSeveralFields(t *testing.T) {
	x := sample(t, 120, 32)
	reg := x.Scope().Session.Registry()
	x.GoTo(3)
	v := New(x)
	v.Add(reg.Field("touhou.input.frame"))
	x.Show(v).Has("touhou.input.frame = 0", "40 values, 0 … 39", "No. Info") // the list stands above
	v.Add(reg.Field("udp.length"))
	v.Add(reg.Field("ip.ttl"))
	if len(v.curves) != 3 || v.chosen != 2 {
		t.Fatalf("%d curves, chosen %d", len(v.curves), v.chosen)
	}
	// the first curve: two values further
	x.Settle().Has("udp.length = ", "ip.ttl = 64", "82 values, 64 … 64").Keys("<tab>ll")
	if cur := x.List().Current(); cur != 7 {
		t.Errorf("two values on is packet %d", cur)
	}
	x.Has("touhou.input.frame = 2").Keys("j").Has("no value; the last one is in packet 7") // a packet that has none
	if cur := x.List().Current(); cur != 8 {
		t.Errorf("j goes to packet %d", cur)
	}
	if x.Keys("h"); x.List().Current() != 7 {
		t.Errorf("h goes to packet %d", x.List().Current())
	}
	if x.Keys("xq"); x.View != nil || x.List().Current() != 7 || len(v.curves) != 2 {
		t.Errorf("over %v, packet %d", x.View, x.List().Current())
	}
	x.Show(v).Keys("<tab>o")
	x.Filter("udp.srcport == 6000")
	x.Settle().Has("40 values").Keys("x")
	if x.View != nil || !v.Empty() {
		t.Error("the view stays without a curve")
	}
}

// TestPlotForms goes through the forms: sparse values are joined by lines at first.
func TestPlotForms(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		x := sample(t, 80, 20)
		x.Style().ASCII = ascii
		v := New(x)
		v.Add(x.Scope().Session.Registry().Field("touhou.input.frame"))
		x.Show(v)
		before := ""
		for form := range forms {
			if v.curves[0].drawn.form != form {
				t.Errorf("form %d, want %d", v.curves[0].drawn.form, form)
			}
			if now := x.Text(); now == before && !ascii {
				t.Errorf("form %d looks like the one before", form)
			} else {
				before = now
			}
			x.Keys("v")
		}
		if ascii && strings.ContainsAny(x.Text(), "⠁━│") {
			t.Error("signs beyond ASCII")
		}
	}
}

// TestUnits: the numbers of a curve have their unit.
func TestUnits(t *testing.T) {
	reg := sample(t, 120, 32).Scope().Session.Registry()
	for name, want := range map[string]string{"touhou.client.rate": " /s", "dns.time": " ms", "udp.length": ""} {
		if got := unitOf(reg.Field(name)); got != want {
			t.Errorf("%s is in %q, want %q", name, got, want)
		}
	}
}
