package names

import (
	"strings"
	"testing"
)

// FuzzHosts reads any file of hosts: each line names at most one address, by a word.
func FuzzHosts(f *testing.F) {
	f.Add("127.0.0.1 localhost\n::1 localhost ip6\n# comment\n192.0.2.1\trouter # the router\n")
	f.Add("fe80::1%lo name\n::ffff:192.0.2.1 mapped\n300.0.0.1 none\n")
	f.Fuzz(func(t *testing.T, text string) {
		h := Hosts{}
		_ = h.read(strings.NewReader(text)) // a line too long ends it
		if len(h) > strings.Count(text, "\n")+strings.Count(text, "\r")+1 {
			t.Fatalf("%d names of %d lines", len(h), strings.Count(text, "\n")+1)
		}
		for a, name := range h {
			if !a.IsValid() || a.Is4In6() || name == "" || strings.ContainsAny(name, " \t\n#") {
				t.Errorf("%v is called %q", a, name)
			}
		}
	})
}
