package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/home"
	"remora/internal/nearest"
	"remora/ui"
)

// A settingsFile is one file of settings as it was read.
type settingsFile struct {
	path, text string
	settings
}

// settingsFiles are config.toml and the profile over it, each where there is one.
type settingsFiles []settingsFile

func (fs settingsFiles) merged() settings {
	var s settings
	for _, f := range fs {
		s = f.settings.over(s)
	}
	return s
}

// A fault is something wrong with a file of settings.
type fault struct {
	path string
	line int // 0 when no line is to blame
	key  string
	text string
	more string // further lines, to be read below
}

func (f fault) where(path string) string {
	if f.line > 0 {
		path += fmt.Sprintf(", line %d", f.line)
	}
	if f.key != "" {
		path += ": " + f.key
	}
	return dissect.Escape(path + ": " + f.text)
}

// faults are all that is wrong with the settings.
type faults []fault

// Error says everything, a line for each fault.
func (fs faults) Error() string {
	var lines []string
	for _, f := range fs {
		lines = append(lines, f.where(f.path))
		if f.more != "" {
			lines = append(lines, f.more)
		}
	}
	return strings.Join(lines, "\n")
}

// brief is an error in one line: of faults the first, with the number of the others.
func brief(err error) error {
	var all faults
	if !errors.As(err, &all) {
		return err
	}
	text := all[0].where(filepath.Base(all[0].path))
	if n := len(all) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return errors.New(text)
}

// readSettings reads config.toml, and a profile over it unless its name is "". Without a file there are no settings.
func readSettings(profile string) (settingsFiles, error) {
	path, err := settingsPath()
	if err != nil && profile == "" {
		return nil, nil // a user without a home has no settings
	}
	if err != nil {
		return nil, usage("there are no profiles: %v", err)
	}
	var files settingsFiles
	var wrong faults
	paths := []string{path}
	if profile != "" {
		paths = append(paths, profilePath(profile))
	}
	for i, path := range paths {
		b, err := os.ReadFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && i == 0:
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, noProfile(profile)
		case err != nil:
			return nil, usage("the settings cannot be read: %v", err)
		}
		f, bad := parseSettings(path, string(b))
		files, wrong = append(files, f), append(wrong, bad...)
	}
	if len(wrong) > 0 {
		return nil, usageError{wrong}
	}
	return files, nil
}

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
	ruleShape = map[string]string{"name": isText, "filter": isText, "fg": isText, "bg": isText, "bold": isBool}
)

// parseSettings reads a file of settings and holds it against the shape.
func parseSettings(path, text string) (settingsFile, faults) {
	f := settingsFile{path: path, text: text}
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
		if _, err := toml.Decode(text, &f.settings); err != nil {
			bad = faults{{path: path, text: err.Error()}}
		}
	}
	return f, bad
}

// checkShape holds a table against what it may hold.
func (f settingsFile) checkShape(path []string, table map[string]any, shape map[string]string, what string) faults {
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

func (f settingsFile) checkTexts(path []string, v any) faults {
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

func (f settingsFile) checkRules(path []string, v any) faults {
	rules, ok := v.([]map[string]any)
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
func (f settingsFile) fault(path []string, text string) fault {
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

// check holds the settings against the protocols, and with screen those of the screen against what there is.
func (fs settingsFiles) check(reg *dissect.Registry, opt filter.Options, screen bool) error {
	var bad faults
	for i, f := range fs {
		if i == 0 && value(f.When) != "" && filepath.Base(filepath.Dir(f.path)) != "profiles" {
			bad = append(bad, f.fault([]string{"when"}, "only a profile says which traffic it is for"))
		}
		problems := ui.CheckWords(f.screen())
		if screen {
			problems = ui.Check(reg, opt, f.screen())
		}
		for _, p := range problems {
			x := f.fault(p.Path, p.Text)
			x.more = p.More
			bad = append(bad, x)
		}
		if err := checkNames("", value(f.Resolve)); err != nil {
			bad = append(bad, f.fault([]string{"resolve"}, strings.TrimSpace(err.Error())))
		}
		if _, err := parseDecodeAs(reg, f.DecodeAs); err != nil {
			bad = append(bad, f.fault([]string{"decode_as"}, strings.TrimPrefix(err.Error(), "-d ")))
		}
	}
	if len(bad) == 0 && len(fs) > 1 && screen { // keys of a profile can be at odds with those below
		last := fs[len(fs)-1]
		for _, p := range ui.Check(reg, opt, ui.Settings{Keys: fs.merged().Keys}) {
			bad = append(bad, last.fault(p.Path, p.Text))
		}
	}
	if len(bad) > 0 {
		return usageError{bad}
	}
	return nil
}

// profilePath is the file of a profile.
func profilePath(name string) string {
	dir, _ := home.Config()
	return filepath.Join(dir, "profiles", name+".toml")
}

// profiles are the names of all profiles.
func profiles() []string {
	dir, err := home.Config()
	if err != nil {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(dir, "profiles", "*.toml"))
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".toml"))
	}
	return names
}

// profileRules are the profiles that say which traffic they are for. One that cannot be read is told of when it is asked for.
func profileRules() []ui.ProfileRule {
	var out []ui.ProfileRule
	for _, name := range profiles() {
		b, err := os.ReadFile(profilePath(name))
		if err != nil {
			continue
		}
		if f, bad := parseSettings(profilePath(name), string(b)); len(bad) == 0 && value(f.When) != "" {
			out = append(out, ui.ProfileRule{Name: name, Filter: *f.When})
		}
	}
	return out
}

func noProfile(name string) error {
	all := profiles()
	hint := "save one as " + profilePath(name)
	if strings.ContainsRune(name, filepath.Separator) {
		hint = "a profile is called by its name alone"
	} else if near := nearest.One(name, all); near != "" {
		hint = "did you mean " + near + "?"
	} else if len(all) > 0 {
		hint = "there are " + strings.Join(all, ", ")
	}
	return usage("there is no profile called %s; %s", dissect.Escape(name), dissect.Escape(hint))
}

// stampOfSettings changes when config.toml or the file of the profile does.
func stampOfSettings(profile string) string {
	path, err := settingsPath()
	if err != nil {
		return ""
	}
	paths := []string{path}
	if profile != "" {
		paths = append(paths, profilePath(profile))
	}
	stamp := ""
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			stamp += fmt.Sprintf("%d %d;", info.ModTime().UnixNano(), info.Size())
		} else {
			stamp += "none;"
		}
	}
	return stamp
}
