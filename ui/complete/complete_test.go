package complete_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
	"remora/ui/complete"
	"remora/ui/fieldstats"
	"remora/ui/view/viewtest"
)

// sample is what completes filters over the sample, all of it counted.
func sample(t *testing.T) *complete.Completer {
	t.Helper()
	s := dissecttest.Session(t, protocols.All(), 1, viewtest.Sample())
	c := complete.New(s.Registry(), func() []string { return []string{"mine\tdns && udp"} },
		func() []string { return []string{"udp", "dns"} })
	c.Stats = fieldstats.OfCapture(t.Context(), s)
	return c
}

// texts are what is offered.
func texts(list []complete.Offer) (out []string) {
	for _, o := range list {
		out = append(out, o.Text)
	}
	return out
}

// TestWhatIsHereComesFirst: names of what the capture has come first, each with how many packets have it.
func TestWhatIsHereComesFirst(t *testing.T) {
	c := sample(t)
	list := c.Offers("udp.", 4)
	if len(list) < 3 || list[0].Packets <= 0 || !slices.IsSortedFunc(list, func(a, b complete.Offer) int {
		if a.Packets == 0 && b.Packets != 0 {
			return 1
		}
		return 0
	}) {
		t.Errorf("behind udp. there are %v", texts(list))
	}
	values := c.Offers("dns.type == ", 12)
	if got := texts(values); len(got) < 2 ||
		strings.TrimSpace(got[0]) != "QUERY" && strings.TrimSpace(got[0]) != "RESPONSE" || values[0].Packets != 1 {
		t.Errorf("of the types there are %q", got)
	}
	if got := c.Offers("udp", 0); got != nil {
		t.Errorf("in front of a name there are %v", texts(got))
	}
}

// TestAnEmptyLineHasWhatWasUsed: favourites, then the filters used before, the newest first.
func TestAnEmptyLineHasWhatWasUsed(t *testing.T) {
	if got := texts(sample(t).Offers("", 0)); !slices.Equal(got, []string{"dns && udp", "dns", "udp"}) {
		t.Errorf("an empty line has %q", got)
	}
}

// TestMisspeltNamesAreMeant offers what a wrong name may stand for.
func TestMisspeltNamesAreMeant(t *testing.T) {
	c := sample(t)
	_, err := filter.Compile(dissecttest.Registry(t, protocols.All()), "udp.lenth")
	var wrong *filter.Error
	if !errors.As(err, &wrong) {
		t.Fatal(err)
	}
	list := c.Meant(wrong, 9)
	if len(list) != 1 || list[0].Text != "udp.length" || !list[0].Meant || list[0].Packets != 82 {
		t.Errorf("meant are %v", list)
	}
	if text := c.Values(list[0], " to "); !strings.Contains(text, "41") {
		t.Errorf("its values are %q", text)
	}
}

func TestCountedAgainOnceMuchHasChanged(t *testing.T) {
	c := sample(t)
	stats := c.Stats
	c.Forget()
	first := c.Due(100)
	c.Stats = stats
	if !first || c.Due(1000) || !c.Due(2000) {
		t.Error("the capture is counted too often, or not at all")
	}
	if c.Forget(); !c.Due(1) || c.Stats != nil {
		t.Error("another capture is not counted")
	}
}
