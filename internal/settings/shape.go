package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"remora/internal/sorting"
	"remora/internal/suggest"
)

// The kinds of settings.
const (
	isText  = "a text in quotes"
	isBool  = "true or false"
	isList  = "a list of texts, as in [\"a\", \"b\"]"
	isTable = "a table of texts"
	isRules = "written as [[coloring]], once for each rule"
)

// shape is which settings there are; ruleShape is what a coloring rule holds.
var (
	shape = map[string]string{"theme": isText, "ascii": isBool, "mouse": isBool, "names": isBool, "resolve": isText,
		"memory": isText, "when": isText, "time": isText, "columns": isList, "capture_filter": isText,
		"decode_as": isList, "colorize": isBool, "keys": isTable, "preferences": isTable, "colors": isTable,
		"favourites": isTable,
		"coloring":   isRules}
	ruleShape = map[string]string{"name": isText, "filter": isText, "fg": isText, "bg": isText, "bold": isBool,
		"off": isBool}
)

// mostSyntax is how many lines that are no TOML are told.
const mostSyntax = 50

// parse reads a file of settings and holds it against the shape. What does not fit is left out of the Values, so that
// the rest can be checked as well.
func parse(path, text string) (File, faults) {
	f := File{path: path, text: text, invalid: map[string]bool{}}
	raw, rest := f.decode()
	f.bad = append(f.bad, f.checkShape(nil, raw, shape, "setting")...)
	if len(f.bad) > 0 {
		var b strings.Builder
		if err := toml.NewEncoder(&b).Encode(raw); err != nil {
			return f, f.bad
		}
		rest = b.String()
	}
	if _, err := toml.Decode(rest, &f.Values); err != nil {
		f.bad = append(f.bad, fault{path: path, text: err.Error()})
	}
	return f, f.bad
}

// decode reads the TOML, and goes on without each line that is none, as long as it is clear what belongs to it. It
// returns what there is then as a table and as text.
func (f *File) decode() (map[string]any, string) {
	text := f.text
	for range mostSyntax {
		var raw map[string]any
		_, err := toml.Decode(text, &raw)
		var at toml.ParseError
		switch {
		case err == nil:
			return raw, text
		case !errors.As(err, &at):
			f.bad = append(f.bad, fault{path: f.path, text: err.Error()})
			return nil, ""
		}
		// The position's own line may be the next one.
		n := 1 + strings.Count(text[:min(max(0, at.Position.Start), len(text))], "\n")
		f.bad = append(f.bad, fault{path: f.path, line: n, text: at.Message})
		var ok bool
		if text, ok = f.without(text, n); !ok {
			return nil, ""
		}
	}
	return nil, ""
}

// without empties a line that is no TOML: that of a setting alone, that of a table with all that is in it.
func (f *File) without(text string, n int) (string, bool) {
	lines := strings.Split(text, "\n")
	line := strings.TrimSpace(lines[n-1])
	_, val, _ := cutKey(line)
	switch {
	case line == "" || unclosed(val) != "" || goesOn(lines[:n-1]):
		return "", false
	case strings.HasPrefix(line, "["):
		lines[n-1] = ""
		for i := n; i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), "["); i++ {
			lines[i] = ""
		}
	default:
		f.invalidateRule(lines[:n])
		lines[n-1] = ""
	}
	return strings.Join(lines, "\n"), true
}

// goesOn tells whether a value goes on behind these lines.
func goesOn(lines []string) bool {
	open := ""
	for _, line := range lines {
		if open != "" {
			if strings.Contains(line, open) {
				open = ""
			}
		} else if _, val, isKey := cutKey(strings.TrimSpace(line)); isKey {
			open = unclosed(val)
		}
	}
	return open != ""
}

// invalidateRule notes that the coloring rule at the end of these lines, if that is where they end, is not whole.
func (f *File) invalidateRule(lines []string) {
	rules, within := 0, false
	for _, line := range lines {
		line = strings.ReplaceAll(strings.TrimSpace(line), " ", "")
		if strings.HasPrefix(line, "[") {
			if within = strings.HasPrefix(line, "[[coloring]]"); within {
				rules++
			}
		}
	}
	if within {
		f.invalid[fmt.Sprint(rules-1)] = true
	}
}

// checkShape holds a table against what it may hold, and takes out of it what does not fit.
func (f File) checkShape(path []string, table map[string]any, shape map[string]string, what string) faults {
	var bad faults
	var names []string
	for name := range shape {
		names = append(names, name)
	}
	slices.Sort(names)
	for name, v := range table {
		at := append(slices.Clone(path), name)
		kind, known := shape[name]
		switch {
		case !known:
			hint := "remora --print-config lists them all"
			if near := suggest.One(strings.ToLower(name), names); near != "" {
				hint = "did you mean " + near + "?"
			}
			bad = append(bad,
				fault{path: f.path, line: lineOf(f.text, at), text: fmt.Sprintf("there is no %s called %s; %s", what, name, hint)})
			delete(table, name)
		case kind == isTable:
			more, ok := f.checkTexts(at, v)
			if bad = append(bad, more...); !ok {
				delete(table, name)
			}
		case kind == isRules:
			more, ok := f.checkRules(at, v)
			if bad = append(bad, more...); !ok {
				delete(table, name)
			}
		case !hasKind(v, kind):
			bad = append(bad, f.fault(at, fmt.Sprintf("it is %s, not %s", kind, written(v))))
			delete(table, name)
		}
	}
	sorting.Stable(bad, func(a, b fault) int { return a.line - b.line })
	return bad
}

// checkTexts holds a table of texts against that, and takes out what is none; it tells whether it is a table at all.
func (f File) checkTexts(path []string, v any) (faults, bool) {
	table, ok := v.(map[string]any)
	if !ok {
		return faults{f.fault(path,
				fmt.Sprintf("it is a table: write [%s], and its settings on lines of their own, not %s", path[0], written(v)))},
			false
	}
	var bad faults
	for name, v := range table {
		if at := append(slices.Clone(path), name); !hasKind(v, isText) {
			text := fmt.Sprintf("it is %s, not %s", isText, written(v))
			if _, deeper := v.(map[string]any); deeper {
				text = "a name with a point in it is written in quotes"
			}
			bad = append(bad, f.fault(at, text))
			delete(table, name)
		}
	}
	return bad, true
}

// checkRules holds the coloring rules against their shape, and tells whether they are rules at all.
func (f File) checkRules(path []string, v any) (faults, bool) {
	rules, ok := v.([]map[string]any)
	if none, empty := v.([]any); empty && len(none) == 0 {
		return nil, true
	}
	if !ok {
		return faults{f.fault(path, "it is "+isRules)}, false
	}
	var bad faults
	for i, r := range rules {
		wrong := f.checkShape(append(slices.Clone(path), fmt.Sprint(i)), r, ruleShape, "setting of a coloring rule")
		if bad = append(bad, wrong...); len(wrong) > 0 {
			f.invalid[fmt.Sprint(i)] = true
		}
	}
	return bad, true
}

func hasKind(v any, kind string) bool {
	switch kind {
	case isBool:
		_, ok := v.(bool)
		return ok
	case isList:
		list, ok := v.([]any)
		for _, x := range list {
			ok = ok && hasKind(x, isText)
		}
		return ok
	}
	_, ok := v.(string)
	return ok
}

// written is a value as a person may recognise it.
func written(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the text %q", v)
	case bool:
		return fmt.Sprint(v)
	case []any:
		return "a list of something else"
	case map[string]any, []map[string]any:
		return "a table"
	}
	return "the number " + fmt.Sprint(v)
}

// fault blames the line of a setting.
func (f File) fault(path []string, text string) fault {
	return fault{path: f.path, line: lineOf(f.text, path), key: keyOf(path), text: text}
}

// keyOf is a setting as messages name it: numbers of rules are counted from 1.
func keyOf(path []string) string {
	if len(path) == 3 && path[0] == "coloring" {
		n := 0
		fmt.Sscan(path[1], &n)
		return fmt.Sprintf("coloring rule %d, %s", n+1, path[2])
	}
	if len(path) == 2 {
		return fmt.Sprintf("%s, %q", path[0], path[1])
	}
	return strings.Join(path, ".")
}
