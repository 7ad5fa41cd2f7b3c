package filter_test

import (
	"errors"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/protocols"
)

// TestAllMistakesAreTold has several mistakes in one filter, some of them within a macro.
func TestAllMistakesAreTold(t *testing.T) {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"nosuch && ip.src == 1.2.3.4":          {"nosuch"},
		"nosuch && (ip.sorce || !ip.dts == 1)": {"nosuch", "ip.sorce", "ip.dts"},
		"ip.src == 1.2.3.4.5 && ip.ttl > y":    {"1.2.3.4.5", "y"},
		"${m} || ip.sorce":                     {"${m}", "ip.sorce"},
	} {
		_, err := filter.CompileWith(reg, text, filter.Options{Macros: filter.Macros{"m": "nosuch"}})
		var e *filter.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, m := range append([]*filter.Error{e}, e.More...) {
			got = append(got, m.Text[m.Pos:m.End])
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: told are %q, want %q", text, got, want)
		}
		if n := strings.Count(e.Carets(), "^"); n != len(want) {
			t.Errorf("%s: %d places are marked:\n%s", text, n, e.Carets())
		}
	}
}
