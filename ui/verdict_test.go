package ui

import (
	"strings"
	"testing"
)

// TestTheFilterLineHelps types what is wrong or doubtful, and has Tab mend it.
func TestTheFilterLineHelps(t *testing.T) {
	for _, c := range []struct{ typed, says, after string }{
		{"udp.lenth > 3", "did you mean udp.length?", "udp.length > 3"},
		{"dns && dns.type == QUERRY", "did you mean", "dns && dns.type == QUERY"},
		{"Hakurei", "Tab searches all packets for it", `frame contains "Hakurei"`},
		{"dns || udp && touhou", "&& binds before ||", "dns || (udp && touhou)"},
		{"ip.src == 10.0.0.1 || (udp && touhou)", "Enter applies", "ip.src == 10.0.0.1 || (udp && touhou)"},
		{"http.host == \"a\"", "was not met in the packets sampled", "http.host == \"a\""},
		{"dns &&", "still all packets", "dns &&"},
	} {
		x := open(t, 120, 36, Config{}).keys("/" + c.typed)
		x.closeOffers()
		x.has(c.says)
		x.keys("<tab>")
		if got := x.m.line.Value(); strings.TrimSpace(got) != c.after &&
			strings.ReplaceAll(got, `"QUERY"`, "QUERY") != c.after {
			t.Errorf("Tab makes %s of %s, want %s", got, c.typed, c.after)
		}
	}
	x := open(t, 120, 36, Config{}).keys("/udp && dns.type == QERY<home><tab>")
	if got := strings.ReplaceAll(x.m.line.Value(), `"QUERY"`, "QUERY"); got != "udp && dns.type == QUERY" {
		t.Errorf("Tab before a right name makes %s", got)
	}
	x = open(t, 120, 36, Config{}).keys("/dns<enter>/ && nonsense.")
	x.has("still dns")
	if n := x.m.packets.Rows(); n != 2 {
		t.Errorf("%d packets are shown while a filter is wrong, want the 2 of the one before", n)
	}
}

// TestCompletionsSayWhatIsHere: values met stand beside the fields, and F1 says more.
func TestCompletionsSayWhatIsHere(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("/udp.srcp")
	x.has("udp.srcport", "40000, 53")
	x.keys("<f1>")
	x.has("Here it is 40000, 53", "any key closes")
	x.keys("<esc>")
	x.has("Tab complete")
}

// TestHalfTypedFiltersAreNoErrors says nothing against a filter that may become right, until Enter asks for it.
func TestHalfTypedFiltersAreNoErrors(t *testing.T) {
	for typed, right := range map[string]bool{
		"ud": true, "udp.": true, "dns && udp.": true, "udp.srcp": true, "udp.srcport =": true, "udp.srcport == ": true,
		"dns && ": true, "dns && ud": true, "dns.type == QUE": true,
		"(dns": true, "udp contains \"ab": true, "udp.xyz": false, "zzz": false, "zzz && ud": false,
		"udp.srcport == 99x": false,
	} {
		x := open(t, 120, 36, Config{}).keys("/" + typed)
		x.closeOffers()
		sign := strings.Contains(strings.Split(x.text(), "\n")[1], "✗")
		if sign == right {
			t.Errorf("%q is shown as wrong: %v", typed, sign)
		}
		if x.keys("<enter>"); !x.m.line.IsOpen() { // it is right
			continue
		}
		x.closeOffers()
		if !strings.Contains(strings.Split(x.text(), "\n")[1], "✗") {
			t.Errorf("%q is not shown as wrong after Enter", typed)
		}
	}
}
