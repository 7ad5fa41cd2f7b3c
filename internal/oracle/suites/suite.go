//go:build unix

package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// A state is how a case ended.
type state string

// The states.
const (
	pass state = "passes"
	fail state = "fails"
	skip state = "is skipped"
)

// An outcome is how one case ended, and what was said of it.
type outcome struct {
	state state
	why   string
}

// results are the outcomes of a suite by case.
type results map[string]outcome

func (r results) count(s state) (n int) {
	for _, o := range r {
		if o.state == s {
			n++
		}
	}
	return n
}

// mostSaid is how much is told of why a case does not pass, in bytes.
const mostSaid = 160

// A suite is one file or folder of Wireshark's tests.
type suite struct{ dir, name, cases string }

// run runs the suite with the programs of a folder.
func (s suite) run(programs string) (results, error) {
	path := "suite_" + s.name
	if _, err := os.Stat(filepath.Join(s.dir, path)); err != nil {
		path += ".py"
	} else if path == "suite_dfilter" {
		path += "/group_*.py"
	}
	report := filepath.Join(s.dir, "report.xml")
	args := []string{"-q", "-p", "no:cacheprovider", "--program-path=" + programs, "--junitxml", report}
	if s.cases != "" {
		args = append(args, "-k", s.cases)
	}
	files, err := filepath.Glob(filepath.Join(s.dir, path))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there is no suite %s in %s", s.name, s.dir)
	}
	cmd := exec.Command("pytest", append(args, files...)...)
	cmd.Dir = s.dir
	if s.name == "dfilter" {
		if err := s.asNobody(cmd); err != nil {
			return nil, err
		}
	}
	out, err := cmd.CombinedOutput()
	if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
		return nil, err
	}
	r, err := readReport(report)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", s.name, err, out)
	}
	return r, os.Remove(report)
}

// asNobody has the command run without root's rights: tshark warns of them in a line, and this suite counts lines.
func (s suite) asNobody(cmd *exec.Cmd) error {
	if os.Geteuid() != 0 {
		return nil
	}
	home := filepath.Join(s.dir, "nobody")
	if err := os.MkdirAll(home, 0o777); err != nil {
		return err
	}
	for dir, mode := range map[string]os.FileMode{home: 0o777, s.dir: 0o777, filepath.Dir(s.dir): 0o755} {
		if err := os.Chmod(dir, mode); err != nil {
			return err
		}
	}
	cmd.Env = append(os.Environ(), "HOME="+home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return nil
}

// nobody is the user without rights.
const nobody = 65534

// readReport reads what pytest says in the form of JUnit.
func readReport(path string) (results, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var report struct {
		Cases []struct {
			Class   string  `xml:"classname,attr"`
			Name    string  `xml:"name,attr"`
			Failure *saying `xml:"failure"`
			Error   *saying `xml:"error"`
			Skipped *saying `xml:"skipped"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal(text, &report); err != nil {
		return nil, err
	}
	r := results{}
	for _, c := range report.Cases {
		class := c.Class[strings.LastIndexByte(c.Class, '.')+1:]
		o := outcome{state: pass}
		for _, w := range []struct {
			*saying
			state
		}{{c.Skipped, skip}, {c.Failure, fail}, {c.Error, fail}} {
			if w.saying != nil {
				why, _, _ := strings.Cut(w.Message, "\n")
				o = outcome{w.state, why[:min(len(why), mostSaid)]}
			}
		}
		r[class+"."+c.Name] = o
	}
	return r, nil
}

// A saying is what is told of a case that did not pass.
type saying struct {
	Message string `xml:"message,attr"`
}
