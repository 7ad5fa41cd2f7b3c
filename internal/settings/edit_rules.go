package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"remora/internal/textfile"
	"remora/ui"
)

// KeepColoring writes coloring rules into config.toml and into the file of a profile, each where its rules are others
// than they were, and leaves all else there as it is, comments too. Those beside and right above a rule stay with it.
// It returns what was written. Files that hold other rules than they did when they were read are left alone.
func KeepColoring(profile string, was, now []ui.Rule) (string, error) {
	path, err := Path()
	if err != nil {
		return "", err
	}
	type file struct{ path, text string }
	var todo []file
	for _, name := range slices.Compact([]string{profile, ""}) {
		f := path
		if name != "" {
			f = profilePath(name)
		}
		text, changed, err := withRules(f, rulesOf(was, name), rulesOf(now, name), name == "")
		if err != nil {
			return "", err
		}
		if changed {
			todo = append(todo, file{f, text})
		}
	}
	var done []string
	for _, f := range todo {
		if err := replaceFile(f.path, f.text); err != nil {
			return "", err
		}
		done = append(done, f.path)
	}
	return strings.Join(done, " and "), nil
}

// rulesOf are the rules of a profile, as they are written. Those of everybody are never nil: none at all are the
// program's own.
func rulesOf(list []ui.Rule, profile string) []Rule {
	out := []Rule{}
	for _, r := range list {
		if r.Profile == profile {
			out = append(out, Rule{Name: r.Name, Filter: r.Filter, FG: r.Foreground, BG: r.Background, Bold: r.Bold, Off: r.Off})
		}
	}
	return out
}

// withRules is a file with other rules. In everybody's file none at all stand for the program's own: these are written
// out once any rule is other, and a list that is empty says that there are to be none.
func withRules(path string, was, now []Rule, everybody bool) (text string, changed bool, err error) {
	b, err := textfile.Read(path, maxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", false, err
	}
	text = string(b)
	old, bad := parse(path, text)
	if len(bad) > 0 {
		return "", false, Brief(bad)
	}
	own := everybody && old.Coloring == nil && slices.Equal(was, rulesOf(ui.StandardColoring(), ""))
	if !own && !slices.Equal(old.Coloring, was) {
		return "", false, fmt.Errorf("%s holds other rules by now", path)
	}
	if slices.Equal(was, now) && !own {
		return text, false, nil
	}
	text = layRules(text, now)
	if everybody && len(now) == 0 {
		text = withTop(text, "coloring", "[]")
	}
	then, bad := parse(path, text)
	want := old.Values
	if want.Coloring = now; len(now) == 0 && !everybody {
		want.Coloring = nil
	}
	if len(bad) > 0 || !reflect.DeepEqual(then.Values, want) {
		return "", false,
			fmt.Errorf("%s is written in a way that only you can change: its [[coloring]] are not in lines of their own", path)
	}
	return text, true, nil
}

// A block is a [[coloring]] in a file: the comments right above it, its head and its settings.
type block struct {
	lines    []string // with their ends
	from, to int      // of the lines of the file
	rule     Rule
	used     bool
}

// layRules writes rules into the places where the file has some, and further ones behind the last.
func layRules(text string, now []Rule) string {
	lines := strings.SplitAfter(text, "\n")
	if k := len(lines) - 1; lines[k] == "" {
		lines = lines[:k]
	} else {
		lines[k] += "\n"
	}
	lines = slices.DeleteFunc(lines, func(l string) bool { // "coloring = []", which said that there are none
		key, val, ok := cutKey(strings.TrimSpace(l))
		return ok && slices.Equal(key, []string{"coloring"}) && strings.HasPrefix(strings.ReplaceAll(val, " ", ""), "[]")
	})
	blocks := blocksOf(lines)
	written := make([]string, len(now))
	for _, same := range []func(a, b Rule) bool{ // the rule that a block becomes: itself, else the one that has kept most
		func(a, b Rule) bool { return a == b },
		func(a, b Rule) bool { return a.Name == b.Name && a.Filter == b.Filter },
		func(a, b Rule) bool { return a.Filter == b.Filter },
		func(a, b Rule) bool { return a.Name == b.Name && a.Name != "" },
	} {
		for i, r := range now {
			if k := slices.IndexFunc(blocks, func(b block) bool { return !b.used && same(b.rule, r) }); written[i] == "" &&
				k >= 0 {
				blocks[k].used = true
				written[i] = blocks[k].with(r)
			}
		}
	}
	for i, r := range now {
		if written[i] == "" && len(now) == len(blocks) && !blocks[i].used { // all else of it changed at once
			written[i] = blocks[i].with(r)
		} else if written[i] == "" {
			written[i] = (&block{lines: []string{"[[coloring]]\n"}}).with(r)
		}
	}
	var out strings.Builder
	at := 0
	for k, b := range blocks {
		out.WriteString(strings.Join(lines[at:b.from], ""))
		at = b.to
		if k < len(written) {
			out.WriteString(written[k])
		} else if at < len(lines) && strings.TrimSpace(lines[at]) == "" { // the line that stood between
			at++
		}
		if k == len(blocks)-1 {
			out.WriteString(further(written[min(len(written), len(blocks)):]))
		}
	}
	out.WriteString(strings.Join(lines[at:], ""))
	if len(blocks) == 0 {
		if text := out.String(); text != "" && !strings.HasSuffix(text, "\n\n") {
			out.WriteString("\n")
		}
		out.WriteString(strings.TrimPrefix(further(written), "\n"))
	}
	return out.String()
}

// further are blocks with lines between them.
func further(blocks []string) string {
	var out strings.Builder
	for _, b := range blocks {
		out.WriteString("\n" + b)
	}
	return out.String()
}

// blocksOf finds the rules in a file. Comments right above a rule are its own, but for those that the file begins with,
// and those of the printed file, which explain the settings.
func blocksOf(lines []string) []block {
	var out []block
	for i := 0; i < len(lines); i++ {
		if !isRuleHead(lines[i]) {
			continue
		}
		head, b := i, block{from: i, to: i + 1}
		for j := i + 1; j < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[j]), "["); j++ {
			if key, val, ok := cutKey(strings.TrimSpace(lines[j])); ok && !strings.HasPrefix(strings.TrimSpace(lines[j]), "#") &&
				len(key) > 0 {
				b.to = j + 1
				for end := unclosed(val); end != "" && b.to < len(lines); b.to++ {
					if strings.Contains(lines[b.to], end) {
						end = ""
					}
				}
				j = b.to - 1
			}
		}
		f, _ := parse("", strings.Join(lines[i:b.to], ""))
		if len(f.Coloring) == 1 {
			b.rule = f.Coloring[0]
		}
		i = b.to - 1
		for b.from > 0 && (len(out) == 0 || b.from > out[len(out)-1].to) && ownComment(lines[b.from-1]) {
			b.from--
		}
		if b.from == 0 { // what a file begins with is about the file
			b.from = head
		}
		b.lines = lines[b.from:b.to]
		out = append(out, b)
	}
	return out
}

func isRuleHead(line string) bool {
	name, ok := strings.CutPrefix(strings.TrimSpace(line), "[[")
	name, _, closed := strings.Cut(name, "]]")
	return ok && closed && strings.Trim(strings.TrimSpace(name), `"'`) == "coloring"
}

// ownComment tells whether a line is a comment that is not one of the printed file.
func ownComment(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "#") && !slices.Contains(strings.Split(defaultText, "\n"), line)
}

// with is the block with the settings of a rule: those that it has on their lines, others behind them.
func (b *block) with(r Rule) string {
	lines := slices.Clone(b.lines)
	set := func(key, value string, zero bool) {
		for i, line := range lines {
			name, val, ok := cutKey(strings.TrimSpace(line))
			if !ok || strings.HasPrefix(strings.TrimSpace(line), "#") || !slices.Equal(name, []string{key}) {
				continue
			}
			if end := valueEnd(val); end > 0 {
				at := strings.LastIndex(line, val)
				lines[i] = line[:at] + value + line[at+end:]
			}
			return
		}
		if !zero {
			lines = append(lines, key+" = "+value+"\n")
		}
	}
	text := func(key, value, was string) {
		if value != was {
			set(key, tomlText(value), value == "")
		}
	}
	yes := func(key string, value, was bool) {
		if value != was {
			set(key, strconv.FormatBool(value), !value)
		}
	}
	text("name", r.Name, b.rule.Name)
	text("filter", r.Filter, b.rule.Filter)
	text("fg", r.FG, b.rule.FG)
	text("bg", r.BG, b.rule.BG)
	yes("bold", r.Bold, b.rule.Bold)
	yes("off", r.Off, b.rule.Off)
	return strings.Join(lines, "")
}

// valueEnd is where a value on one line ends: a text in quotes, or a word. 0: it goes on elsewhere.
func valueEnd(val string) int {
	if val == "" || strings.HasPrefix(val, `"""`) || strings.HasPrefix(val, "'''") {
		return 0
	}
	if q := val[0]; q == '"' || q == '\'' {
		for i := 1; i < len(val); i++ {
			if q == '"' && val[i] == '\\' {
				i++
			} else if val[i] == q {
				return i + 1
			}
		}
		return 0
	}
	if end := strings.IndexAny(val, " \t#"); end >= 0 {
		return end
	}
	return len(val)
}

// tomlText writes a text as TOML reads it: as it is within single quotes where double ones would want backslashes.
func tomlText(s string) string {
	plain := !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f || r == '\ufffd' })
	if plain && strings.ContainsAny(s, `"\`) && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	var out strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out.WriteString(`\` + string(r))
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return `"` + out.String() + `"`
}

// withTop writes a setting at the head of a file, before its first table.
func withTop(text, name, value string) string {
	at, after := 0, 0
	for _, line := range strings.SplitAfter(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") {
			break
		}
		if at += len(line); trimmed != "" && trimmed[0] != '#' {
			after = at
		}
	}
	if after > 0 && text[after-1] != '\n' {
		return text[:after] + "\n" + name + " = " + value + "\n" + text[after:]
	}
	return text[:after] + name + " = " + value + "\n" + text[after:]
}
