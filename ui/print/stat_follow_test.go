package print

import (
	"bufio"
	"strings"
	"testing"

	"remora/dissect/follow"
)

// TestForms has one packet in the forms that are not text as it stands.
func TestForms(t *testing.T) {
	u := follow.Unit{Frame: 7, Dir: 1, Time: 1_600_000_000_250_000_000, Data: []byte("\xc8\x85\x93\x93\x96\x15\x5a\x00")}
	for form, want := range map[string]string{"ebcdic": "\t8\nHello\n!.\n",
		"yaml": "  - packet: 7\n    peer: 1\n    timestamp: 1600000000.250000000\n    data: !!binary |\n" +
			"      yIWTk5YVWgA=\n"} {
		var b strings.Builder
		w := bufio.NewWriter(&b)
		(&followed{form: form}).unit(w, &u, 0)
		w.Flush()
		if b.String() != want {
			t.Errorf("%s: %q, want %q", form, b.String(), want)
		}
	}
}
