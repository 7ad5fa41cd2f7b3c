package columns_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/protocols"
	"remora/ui/columns"
)

// TestFormats reads columns as Wireshark has them, and writes them again.
func TestFormats(t *testing.T) {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	names, err := columns.FromFormats(reg, []string{`A "b", \`, "%m", "Time", "%Yt", "TTL", "%Cus:ip.ttl:0:R", "To", "%rd",
		"Info", "%i"})
	if err != nil {
		t.Fatal(err)
	}
	list, err := columns.Named(reg, names)
	if err != nil {
		t.Fatal(err)
	}
	text := columns.Formats(list)
	if want := `"A \x22b\x22, \x5c","%m","Time","%t","TTL","%Cus:ip.ttl:0:R","To","%d","Info","%i"`; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	pairs, err := dissect.UnquoteRow(text)
	if err != nil || len(pairs) != 10 || pairs[0] != `A "b", \` {
		t.Errorf("%q, %v", pairs, err)
	}
	for _, c := range [][]string{{"No."}, {"X", "%y"}, {"X", "%Cus:ip.tll"}, {"X", ""}} {
		if names, err := columns.FromFormats(reg, c); err == nil {
			t.Errorf("%q gives %q", c, names)
		}
	}
	off := columns.Standard()
	off[1].Off = true
	if text := columns.Formats(off); strings.Contains(text, "%t") || !strings.Contains(text, `"Info","%i"`) {
		t.Errorf("with Time left out: %s", text)
	}
}
