package source

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"remora/internal/sorting"
)

// inSet are the names of files of a set as dumpcap and -b make them: a number and the time at which the file was begun,
// or these in the other order.
var inSet = regexp.MustCompile(`^(.*)_(?:(\d{5,9})_(\d{14})|(\d{14})_(\d{5,9}))((?:\.[^.]*)*)$`)

// mostInSet bounds the files of a folder that are looked at.
const mostInSet = 100_000

// A setName is the name of a file of a set.
type setName struct {
	before, behind string // what all files of the set have alike
	timeFirst      bool
	time           string
	number         int
}

// parseSetName reads a name; ok is false where it is none of a set.
func parseSetName(name string) (n setName, ok bool) {
	p := inSet.FindStringSubmatch(name)
	if p == nil {
		return n, false
	}
	number, err := strconv.Atoi(p[2] + p[5])
	return setName{before: p[1], behind: p[6], timeFirst: p[4] != "", time: p[3] + p[4], number: number}, err == nil
}

// FileSet are the files of the set that a file belongs to, in the order in which they were written; nil: it is of none.
func FileSet(path string) []string {
	own, ok := parseSetName(filepath.Base(path))
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if !ok || path == "" || err != nil {
		return nil
	}
	var set []setName
	names := map[setName]string{}
	for _, e := range entries[:min(len(entries), mostInSet)] {
		n, ok := parseSetName(e.Name())
		if ok && n.before == own.before && n.behind == own.behind && n.timeFirst == own.timeFirst && !e.IsDir() {
			set = append(set, n)
			names[n] = filepath.Join(dir, e.Name())
		}
	}
	sorting.Stable(set, func(a, b setName) int {
		if c := strings.Compare(a.time, b.time); c != 0 {
			return c
		}
		return a.number - b.number
	})
	out := make([]string, len(set))
	for i, n := range set {
		out[i] = names[n]
	}
	return out
}
