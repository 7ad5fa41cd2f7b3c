package main

import (
	"bytes"
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		output     string
		want       []failure
		repeatable bool
	}{
		{"ok  \ta\t1s\n", nil, false},
		{"--- FAIL: TestA (0.1s)\n    x_test.go:1: no\n    --- FAIL: TestA/sub (0s)\nFAIL\nFAIL\tp/a\t2s\nok  \tp/b\t1s\n",
			[]failure{{"p/a", []string{"TestA"}}}, true},
		{"--- FAIL: TestA (0s)\nFAIL\nFAIL\tp/a\t2s\n--- FAIL: TestB (0s)\n--- FAIL: TestC (0s)\nFAIL\nFAIL\tp/b\t1s\nFAIL\n",
			[]failure{{"p/a", []string{"TestA"}}, {"p/b", []string{"TestB", "TestC"}}}, true},
		{"# p/a\nx.go:1: no\nFAIL\tp/a [build failed]\nFAIL\n", []failure{{"p/a", nil}}, false},
		{"--- FAIL: TestA (0s)\npanic: no [recovered]\nFAIL\tp/a\t2s\n", []failure{{"p/a", nil}}, false},
		{strings.Repeat("--- FAIL: TestA (0s)\n", mayRepeat+1) + "FAIL\tp/a\t2s\n",
			[]failure{{"p/a", []string{"TestA", "TestA", "TestA", "TestA"}}}, false},
	} {
		got := failures(c.output)
		if !reflect.DeepEqual(got, c.want) || repeatable(got) != c.repeatable {
			t.Errorf("failures(%q) = %v, %v", c.output, got, repeatable(got))
		}
	}
}

func TestAgain(t *testing.T) {
	list := []failure{{"p/a", []string{"TestB", "TestA"}}}
	var out bytes.Buffer
	var asked []string
	passes := func(args ...string) *exec.Cmd {
		asked = args
		return exec.Command("true")
	}
	if err := again(list, &out, passes); err != nil || !strings.Contains(out.String(), "PASSED ONLY WHEN RUN ALONE") {
		t.Errorf("%v, said %q", err, out.String())
	}
	if want := []string{"-count=1", "-run", "^(TestA|TestB)$", "p/a"}; !reflect.DeepEqual(asked, want) {
		t.Errorf("ran %q, want %q", asked, want)
	}
	out.Reset()
	fails := func(...string) *exec.Cmd { return exec.Command("false") }
	if err := again(list, &out, fails); err == nil || strings.Contains(out.String(), "PASSED") {
		t.Errorf("what fails twice has not failed: %q", out.String())
	}
}
