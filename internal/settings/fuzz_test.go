package settings

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/protocols"
)

// FuzzSettings reads and checks any file of settings: every fault is of a line that it has, in words that can be
// printed.
func FuzzSettings(f *testing.F) {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{Text(), "theme = \n", "\nthem = 1\n",
		"[[coloring]]\nname = \"a\"\nfilter = \"tcp && ip.sorce == 1.2.3.4\"\n",
		"[keys]\n\"\x1b[2J\" = \"quit\"\n", "columns = [\"no\", {title = 1}]\n", "a = [[[[[[[[1]]]]]]]]\n",
		"decode-as = [\"udp.port==1,x\"]\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		file, _ := parse("config.toml", text)
		bad := file.check(reg, filter.Options{}, true, true)
		lines := strings.Count(text, "\n") + 1
		for _, fault := range bad {
			where := fault.where(fault.path)
			if fault.line < 0 || fault.line > lines || dissect.Escape(where) != where {
				t.Errorf("%q of %d lines: %q", text, lines, where)
			}
		}
	})
}
