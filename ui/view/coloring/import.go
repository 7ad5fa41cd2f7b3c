package coloring

import (
	"context"
	"slices"
	"strings"

	"remora/internal/textfile"
	"remora/ui/humanize"
	"remora/ui/rules"
	"remora/ui/source"
)

// mostRulesFile bounds what is read of a file of rules, in bytes.
const mostRulesFile = 1 << 20

// importFile reads the rules of Wireshark beside the screen.
func (r *Rules) importFile(path string) {
	path = source.ExpandHome(path)
	r.c.Later("reading rules", func(context.Context) func() {
		list, err := readFile(path)
		return func() { r.imported(path, list, err) }
	})
}

func readFile(path string) ([]rules.Rule, error) {
	f, err := textfile.Open(path, mostRulesFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return rules.Read(f)
}

// imported puts the rules of a file before all others, for w to keep. Rules whose filters mean nothing here are left
// out.
func (r *Rules) imported(path string, got []rules.Rule, err error) {
	if err != nil || len(got) == 0 {
		notice := "no rules in " + path
		if err != nil {
			notice += ": " + err.Error()
		}
		r.c.Notify(notice)
		return
	}
	for i := range got {
		got[i].Profile = r.c.Profile()
	}
	ready, faults := rules.Prepare(r.reg, r.options, got)
	var list []rules.Rule
	for _, one := range ready {
		list = append(list, one.Rule)
	}
	r.Open()
	if len(list) > 0 {
		r.box.change(slices.Concat(list, r.List()))
		r.box.table.Cur = 0
	}
	r.c.Notify(humanize.Of(len(list), "rule") + " imported; " + leftOut(got, faults))
}

// leftOut says which rules were left out, or what to do next.
func leftOut(list []rules.Rule, faults []rules.Fault) string {
	if len(faults) == 0 {
		return "w keeps them"
	}
	var names []string
	for _, f := range faults {
		names = append(names, list[f.Rule].Title())
	}
	return "left out, for remora does not know what they ask: " + strings.Join(slices.Compact(names), ", ")
}
