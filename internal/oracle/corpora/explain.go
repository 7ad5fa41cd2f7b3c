//go:build unix

package main

import (
	"path"
	"strings"
)

// A reason says why some captures may differ.
type reason struct {
	pattern, text string
	line, count   int
}

// readReasons reads explained.txt: on each line a pattern as of file names and why what it matches differs. A pattern
// begins with the package, without its version, and names a file below the package's folder.
func readReasons(text string) []*reason {
	var list []*reason
	n := 0
	for line := range strings.Lines(text) {
		n++
		pattern, why, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok && pattern != "#" {
			list = append(list, &reason{pattern: pattern, text: why, line: n})
		}
	}
	return list
}

// explain is the reason for which a file of a folder may differ, nil when there is none.
func explain(reasons []*reason, root, file string) *reason {
	pkg, _, _ := strings.Cut(root, "-")
	for _, r := range reasons {
		if ok, _ := path.Match(r.pattern, pkg+"/"+file); ok {
			r.count++
			return r
		}
	}
	return nil
}
