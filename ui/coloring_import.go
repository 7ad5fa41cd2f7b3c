package ui

import (
	"slices"
	"strings"

	"remora/internal/textfile"
	"remora/ui/humanize"
	"remora/ui/rules"
	"remora/ui/source"
)

// importedRules are the rules of a file.
type importedRules struct {
	path string
	list []Rule
	err  error
}

// mostRulesFile bounds what is read of a file of rules.
const mostRulesFile = 1 << 20

// importRules reads the rules of Wireshark beside the screen.
func (m *model) importRules(path string) {
	path = source.ExpandHome(path)
	m.pending = append(m.pending, func() any {
		f, err := textfile.Open(path, mostRulesFile)
		if err != nil {
			return importedRules{path: path, err: err}
		}
		defer f.Close()
		list, err := rules.Read(f)
		return importedRules{path, list, err}
	})
}

// onImportedRules puts them before all others, for w to keep. Rules whose filters mean nothing here are left out.
func (m *model) onImportedRules(got importedRules) {
	if got.err != nil || len(got.list) == 0 {
		m.notice = "no rules in " + got.path
		if got.err != nil {
			m.notice += ": " + got.err.Error()
		}
		return
	}
	for i := range got.list {
		got.list[i].Profile = m.cfg.Profile
	}
	ready, faults := rules.Prepare(m.reg, m.cfg.Filters, got.list)
	var list []Rule
	for _, r := range ready {
		list = append(list, r.Rule)
	}
	m.openColoring()
	if v, ok := m.views.Over().(*coloringView); ok && len(list) > 0 {
		v.change(slices.Concat(list, m.coloring.list()))
		v.table.Cur = 0
	}
	m.notice = humanize.Of(len(list), "rule") + " imported; " + m.importFaults(got.list, faults)
}

// importFaults says which rules were left out, or what to do next.
func (m *model) importFaults(list []Rule, faults []rules.Fault) string {
	if len(faults) == 0 {
		return "w keeps them"
	}
	var names []string
	for _, f := range faults {
		names = append(names, list[f.Rule].Title())
	}
	return "left out, for remora does not know what they ask: " + strings.Join(slices.Compact(names), ", ")
}
