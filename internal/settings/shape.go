package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"remora/internal/nearest"
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
	shape = map[string]string{"theme": isText, "ascii": isBool, "mouse": isBool, "names": isBool, "resolve": isText, "when": isText, "time": isText, "columns": isList, "capture_filter": isText,
		"decode_as": isList, "colorize": isBool, "keys": isTable, "colors": isTable, "favourites": isTable, "coloring": isRules}
	ruleShape = map[string]string{"name": isText, "filter": isText, "fg": isText, "bg": isText, "bold": isBool, "off": isBool}
)

// parse reads a file of settings and holds it against the shape.
func parse(path, text string) (File, faults) {
	f := File{path: path, text: text}
	var raw map[string]any
	_, err := toml.Decode(text, &raw)
	var at toml.ParseError
	if errors.As(err, &at) {
		return f, faults{{path: path, line: at.Position.Line, text: at.Message}}
	}
	if err != nil {
		return f, faults{{path: path, text: err.Error()}}
	}
	bad := f.checkShape(nil, raw, shape, "setting")
	if len(bad) == 0 {
		if _, err := toml.Decode(text, &f.Values); err != nil {
			bad = faults{{path: path, text: err.Error()}}
		}
	}
	return f, bad
}

// checkShape holds a table against what it may hold.
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
			if near := nearest.One(strings.ToLower(name), names); near != "" {
				hint = "did you mean " + near + "?"
			}
			bad = append(bad, fault{path: f.path, line: lineOf(f.text, at), text: fmt.Sprintf("there is no %s called %s; %s", what, name, hint)})
		case kind == isTable:
			bad = append(bad, f.checkTexts(at, v)...)
		case kind == isRules:
			bad = append(bad, f.checkRules(at, v)...)
		case !hasKind(v, kind):
			bad = append(bad, f.fault(at, fmt.Sprintf("it is %s, not %s", kind, written(v))))
		}
	}
	slices.SortStableFunc(bad, func(a, b fault) int { return a.line - b.line })
	return bad
}

func (f File) checkTexts(path []string, v any) faults {
	table, ok := v.(map[string]any)
	if !ok {
		return faults{f.fault(path, fmt.Sprintf("it is a table: write [%s], and its settings on lines of their own, not %s", path[0], written(v)))}
	}
	var bad faults
	for name, v := range table {
		if at := append(slices.Clone(path), name); !hasKind(v, isText) {
			text := fmt.Sprintf("it is %s, not %s", isText, written(v))
			if _, deeper := v.(map[string]any); deeper {
				text = "a name with a point in it is written in quotes"
			}
			bad = append(bad, f.fault(at, text))
		}
	}
	return bad
}

func (f File) checkRules(path []string, v any) faults {
	rules, ok := v.([]map[string]any)
	if none, empty := v.([]any); empty && len(none) == 0 {
		return nil
	}
	if !ok {
		return faults{f.fault(path, "it is "+isRules)}
	}
	var bad faults
	for i, r := range rules {
		bad = append(bad, f.checkShape(append(slices.Clone(path), fmt.Sprint(i)), r, ruleShape, "setting of a coloring rule")...)
	}
	return bad
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
