package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// lineOf is the line of a file of settings that says most of a path: the setting's own, else that of the table around
// it. 0 when there is none.
func lineOf(text string, path []string) int {
	best, found := 0, 0
	var table []string
	rules := map[string]int{}
	open := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if open != "" { // within a text or a list of several lines
			if strings.Contains(line, open) {
				open = ""
			}
			continue
		}
		at := table
		switch key, val, isKey := cutKey(line); {
		case line == "" || line[0] == '#':
			continue
		case strings.HasPrefix(line, "[["):
			name, _, _ := strings.Cut(line[2:], "]]")
			name = strings.TrimSpace(name)
			table = []string{name, fmt.Sprint(rules[name])}
			rules[name]++
			at = table
		case line[0] == '[':
			table = headed(line)
			at = table
		case isKey:
			at = append(slices.Clone(table), key...)
			open = unclosed(val)
		}
		if n := common(at, path); n > best && (n == len(at) || n == len(path)) {
			best, found = n, i+1
		}
	}
	return found
}

// lineOfWord is the line of a text in quotes within the list that begins in line from; from itself where it is not
// found.
func lineOfWord(text string, from int, word string) int {
	lines := strings.Split(text, "\n")
	for i := max(from, 1) - 1; from > 0 && i < len(lines); i++ {
		line, _, _ := strings.Cut(strings.TrimSpace(lines[i]), "#")
		if strings.Contains(line, `"`+word+`"`) || strings.Contains(line, "'"+word+"'") {
			return i + 1
		}
		if strings.Contains(line, "]") {
			break
		}
	}
	return from
}

// headed is the table that a line begins.
func headed(line string) []string {
	var t map[string]any
	md, err := toml.Decode(line, &t)
	if err != nil || len(md.Keys()) == 0 {
		return nil
	}
	return md.Keys()[len(md.Keys())-1]
}

// cutKey takes a line of a setting apart.
func cutKey(line string) (key []string, val string, ok bool) {
	for at := range line {
		if line[at] != '=' {
			continue
		}
		var t map[string]any
		md, err := toml.Decode(line[:at]+"= 0", &t)
		if keys := md.Keys(); err == nil && len(keys) > 0 {
			return keys[len(keys)-1], strings.TrimSpace(line[at+1:]), true
		}
	}
	return nil, "", false
}

// unclosed is what ends a value that goes on in the next line, or "".
func unclosed(val string) string {
	for _, quotes := range []string{`"""`, `'''`} {
		if rest, ok := strings.CutPrefix(val, quotes); ok && !strings.Contains(rest, quotes) {
			return quotes
		}
	}
	if strings.HasPrefix(val, "[") && !strings.Contains(val, "]") {
		return "]"
	}
	return ""
}

// common counts the names that two paths begin with.
func common(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
