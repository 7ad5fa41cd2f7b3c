//go:build unix

// Command suites runs Wireshark's own test suites, those of the folder test/ in Debian's source package of wireshark
// 4.0, once for tshark and once for remora in its place, and prints how many cases of each suite pass.
//
// The suites are copied into a temporary folder, where two lines are changed: Python 3.11 lacks what subprocesstest.py
// asks of unittest, and what may be skipped is asked of tshark in both runs, so that remora is skipped nothing.
// Programs other than tshark are Wireshark's. With -list it names each case that tshark passes and remora does not.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// standard are the suites that ask tshark for something.
const standard = "clopts decryption dissection fileformats follow follow_dccp follow_multistream io nameres " +
	"outputformats dfilter wslua"

func main() {
	source := flag.String("source", "", "the `FOLDER` of Wireshark's source package (apt-get source wireshark)")
	program := flag.String("program", "remora", "the built `PROGRAM`")
	names := flag.String("suites", standard, "the `NAMES` of the suites, with blanks between")
	cases := flag.String("k", "", "only the cases that an `EXPRESSION` of pytest chooses")
	list := flag.Bool("list", false, "name each case that tshark passes and remora does not")
	only := flag.Bool("remora", false, "run remora alone")
	flag.Parse()
	if err := run(*source, *program, strings.Fields(*names), *cases, *list, *only); err != nil {
		fmt.Fprintln(os.Stderr, "suites:", err)
		os.Exit(1)
	}
}

func run(source, program string, suites []string, cases string, list, only bool) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	if _, err := os.Stat(program); err != nil {
		return fmt.Errorf("%w: make build makes it", err)
	}
	dir, err := os.MkdirTemp("", "remora-suites-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := copySuites(filepath.Join(source, "test"), filepath.Join(dir, "test")); err != nil {
		return err
	}
	theirs, err := programs(filepath.Join(dir, "tshark"), "")
	if err != nil {
		return err
	}
	ours, err := programs(filepath.Join(dir, "remora"), program)
	if err != nil {
		return err
	}
	fmt.Printf("%-22s %7s %7s %8s\n", "suite", "tshark", "remora", "skipped")
	for _, name := range suites {
		t := suite{dir: filepath.Join(dir, "test"), name: name, cases: cases}
		var their results
		if !only {
			if their, err = t.run(theirs); err != nil {
				return err
			}
		}
		our, err := t.run(ours)
		if err != nil {
			return err
		}
		row(os.Stdout, name, their, our, list)
	}
	return nil
}

// row prints what came out for one suite: where tshark ran, remora is counted in the cases that tshark passes.
func row(w io.Writer, name string, their, our results, list bool) {
	asked := their
	if their == nil {
		asked = our
	}
	var missing []string
	passed := 0
	for _, c := range slices.Sorted(maps.Keys(asked)) {
		switch {
		case our[c].state == pass && (their == nil || their[c].state == pass):
			passed++
		case their == nil || their[c].state == pass:
			missing = append(missing, fmt.Sprintf("    %s: %s %s", c, our[c].state, our[c].why))
		}
	}
	fmt.Fprintf(w, "%-22s %7d %7d %8d\n", name, their.count(pass), passed, our.count(skip))
	if list && len(missing) > 0 {
		fmt.Fprintln(w, strings.Join(missing, "\n"))
	}
}
