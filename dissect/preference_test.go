package dissect_test

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
)

func TestPreferenceParses(t *testing.T) {
	p := dissect.NewProtocol("prefs", "Prefs", "A protocol with preferences.")
	on := p.Switch("on", "On", "On or off.", false)
	size := p.Amount("size", "Size", "How many.", 7)
	mode := p.Choice("mode", "Mode", "How.", "none", "all")
	rows := p.Rows("table", "Table", "A table.", "Path", "Used")
	even := p.Amount("even", "Even", "An even number.", 0).Checked(func(s dissect.Setting) error {
		if s.Number%2 == 1 {
			return fmt.Errorf("%d is odd", s.Number)
		}
		return nil
	})
	for _, c := range []struct {
		f           *dissect.Preference
		value, want string
		bad         string
	}{
		{on, " true", "TRUE", ""},
		{on, "FALSE", "FALSE", ""},
		{on, "1", "", `prefs.on is TRUE or FALSE, not "1"`},
		{size, "12", "12", ""},
		{size, "-1", "", "prefs.size is a number"},
		{mode, "ALL", "all", ""},
		{mode, "some", "", "prefs.mode is one of none, all"},
		{rows, `"a, \"b\"\x41" , "TRUE"`, `"a, \"b\"A","TRUE"`, ""},
		{rows, `"a"`, "", "has 2 columns (Path, Used)"},
		{rows, `"a","b`, "", "not closed"},
		{rows, `a1, "b"`, `"a1","b"`, ""},
		{rows, `a1,`, `"a1",""`, ""},
		{rows, `,a1`, `"","a1"`, ""},
		{rows, `a"b"`, "", "comma"},
		{even, "3", "", "prefs.even: 3 is odd"},
		{rows, `"a";"b"`, "", "comma"},
	} {
		s, err := c.f.Parse(c.value)
		switch {
		case c.bad != "":
			if err == nil || !strings.Contains(err.Error(), c.bad) {
				t.Errorf("%s:%s: %v, want %q", c.f.Name(), c.value, err, c.bad)
			}
		case err != nil || c.f.Format(s) != c.want:
			t.Errorf("%s:%s is %q, %v; want %q", c.f.Name(), c.value, c.f.Format(s), err, c.want)
		}
	}
}
