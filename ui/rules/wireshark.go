package rules

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// mostRules bounds how many rules a file may give: each row that is drawn asks them all.
const mostRules = 500

// Read reads the rules of Wireshark's file colorfilters, where a line is
//
//	@NAME@FILTER@[R,G,B][R,G,B]
//
// with the background first and 16 bits a colour, an exclamation mark in front of rules that are not in use, and # in
// front of comments.
func Read(r io.Reader) ([]Rule, error) {
	var out []Rule
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		rule, ok := readLine(line)
		if !ok {
			return nil, fmt.Errorf("line %d is not a coloring rule: @name@filter@[r,g,b][r,g,b]", n)
		}
		if out = append(out, rule); len(out) > mostRules {
			return nil, fmt.Errorf("there are more than %d rules", mostRules)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("it is not a file of coloring rules: %w", err)
	}
	return out, nil
}

// readLine reads one rule. The colours stand behind the last @: filters may hold further ones in texts.
func readLine(line string) (Rule, bool) {
	var r Rule
	line, r.Off = strings.CutPrefix(line, "!")
	line, ok := strings.CutPrefix(line, "@")
	name, line, found := strings.Cut(line, "@")
	at := strings.LastIndexByte(line, '@')
	if !ok || !found || at < 0 {
		return r, false
	}
	r.Name, r.Filter = strings.TrimSpace(name), strings.TrimSpace(line[:at])
	var back, fore [3]uint16
	n, err := fmt.Sscanf(line[at+1:], "[%d,%d,%d][%d,%d,%d]", &back[0], &back[1], &back[2], &fore[0], &fore[1], &fore[2])
	if err != nil || n != 6 || r.Filter == "" {
		return r, false
	}
	r.Foreground, r.Background = hex(fore), hex(back)
	return r, true
}

func hex(c [3]uint16) string { return fmt.Sprintf("#%02x%02x%02x", c[0]>>8, c[1]>>8, c[2]>>8) }

// mostComments bounds the comments in front of the first rule by which a file of rules is known, in bytes.
const mostComments = 64 << 10

// Recognize tells whether what a file begins with, but for comments, is a rule.
func Recognize(f io.ReaderAt, _ int64) bool {
	lines := bufio.NewScanner(io.NewSectionReader(f, 0, mostComments))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line != "" && line[0] != '#' {
			return strings.HasPrefix(line, "@") || strings.HasPrefix(line, "!@")
		}
	}
	return false
}
