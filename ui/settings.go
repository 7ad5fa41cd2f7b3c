package ui

import (
	"fmt"
	"slices"
	"strings"

	"remora/dissect"
)

// CheckSettings says what is wrong with columns and keys of a person's own.
func CheckSettings(reg *dissect.Registry, columns []string, keys map[string]string) error {
	if _, err := columnsNamed(reg, columns); err != nil {
		return err
	}
	if _, problems := newKeymap(keys); len(problems) > 0 {
		return problems[0]
	}
	return nil
}

// columnsNamed are the columns of these titles and fields; none are the standard ones. Info is always the last.
func columnsNamed(reg *dissect.Registry, names []string) ([]column, error) {
	standard := standardColumns()
	if len(names) == 0 {
		return standard, nil
	}
	var out []column
	for _, name := range names {
		i := slices.IndexFunc(standard, func(c column) bool { return strings.EqualFold(c.title, name) })
		if i >= 0 {
			out = append(out, standard[i])
			continue
		}
		f := reg.Field(name)
		if f == nil {
			return nil, fmt.Errorf("columns: %q is neither a title of a column nor a field", name)
		}
		out = append(out, fieldColumn(f))
	}
	out = slices.DeleteFunc(out, func(c column) bool { return c.kind == colInfo })
	return append(out, standard[len(standard)-1]), nil
}
