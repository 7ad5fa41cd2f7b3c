package main

import (
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// mayRepeat is how many tests may fail for them to be run once more. More failures are no accident.
const mayRepeat = 3

// A failure is a package whose tests failed, with the tests' names. Without names it did not compile, or it ended
// before its tests did.
type failure struct {
	pkg   string
	tests []string
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\S+) \(|^FAIL\t(\S+)\t?|^(panic: |fatal error: )`)

// failures reads what go test wrote.
func failures(output string) (list []failure) {
	var tests []string
	ended := false
	for _, m := range failedTest.FindAllStringSubmatch(output, -1) {
		switch {
		case m[1] != "":
			tests = append(tests, m[1])
		case m[3] != "":
			ended = true
		default:
			if ended {
				tests = nil
			}
			list = append(list, failure{m[2], tests})
			tests, ended = nil, false
		}
	}
	return list
}

// repeatable tells whether few tests failed, and each of them by name.
func repeatable(list []failure) bool {
	n := 0
	for _, f := range list {
		if n += len(f.tests); len(f.tests) == 0 {
			return false
		}
	}
	return n > 0 && n <= mayRepeat
}

// again runs tests that failed once more, by themselves. Tests of the built program meet real terminals, processes and
// sockets, and what else the machine does can make one of them fail. A test that fails twice has failed, and one that
// passes now is named, for its dependence on the machine is a mistake too.
func again(list []failure, out io.Writer, command func(args ...string) *exec.Cmd) error {
	for _, f := range list {
		slices.Sort(f.tests)
		fmt.Fprintf(out, "\ntestrun: once more, alone: %s of %s\n", strings.Join(f.tests, ", "), f.pkg)
		cmd := command("-count=1", "-run", "^("+strings.Join(f.tests, "|")+")$", f.pkg)
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	for _, f := range list {
		fmt.Fprintf(out, "testrun: PASSED ONLY WHEN RUN ALONE, and should pass always: %s of %s\n",
			strings.Join(f.tests, ", "), f.pkg)
	}
	return nil
}
