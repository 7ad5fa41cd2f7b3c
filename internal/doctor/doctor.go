// Package doctor looks what of remora works here, and says what to do where something does not. What it writes can be
// shown to anybody: it holds no names of users or machines, and no addresses.
package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// A State is how something is.
type State string

// Fails is what keeps remora from something that it is for; Lacks is what would make it better.
const (
	Works State = "ok"
	Lacks State = "lacks"
	Fails State = "FAILS"
)

// A Line is one thing that was looked at.
type Line struct {
	Part  string `json:"part"`
	Name  string `json:"name"`
	State State  `json:"state"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // what to do, if it is not well
}

// A Report is all that was looked at, and which program did.
type Report struct {
	Program []string `json:"program"` // lines of --version
	System  string   `json:"system"`
	Lines   []Line   `json:"lines"`
}

// A System is what a report is made from, so that tests can have their own.
type System struct {
	Version string
	Getenv  func(name string) string
	Has     func(program string) bool
	Probe   func(question string) (answer string, asked bool) // of the terminal; not asked without one
	Colours string                                            // how many the terminal has
	Private Private
}

// Examine looks at everything.
func Examine(s System) Report {
	r := Report{Program: strings.Split(strings.TrimSpace(s.Version), "\n"), System: system()}
	for _, part := range []struct {
		name string
		look func(System) []Line
	}{{"capture", capturing}, {"kernel", kernel}, {"terminal", terminal}, {"folders", folders}, {"programs", programs}} {
		for _, l := range part.look(s) {
			l.Part, l.Found, l.Do = part.name, s.Private.Hide(l.Found), s.Private.Hide(l.Do)
			r.Lines = append(r.Lines, l)
		}
	}
	for i, l := range r.Program {
		r.Program[i] = s.Private.Hide(l)
	}
	r.System = s.Private.Hide(r.System)
	return r
}

// Well tells whether nothing fails.
func (r Report) Well() bool {
	for _, l := range r.Lines {
		if l.State == Fails {
			return false
		}
	}
	return true
}

// Text writes a report to be read.
func (r Report) Text(w io.Writer) error {
	var out strings.Builder
	for _, l := range r.Program {
		out.WriteString(l + "\n")
	}
	out.WriteString("system " + r.System + "\n")
	part := ""
	for _, l := range r.Lines {
		if l.Part != part {
			part = l.Part
			out.WriteString("\n" + part + "\n")
		}
		fmt.Fprintf(&out, "  %-5s  %-15s  %s\n", l.State, l.Name, strings.ReplaceAll(l.Found, "\n", " "))
		if l.Do != "" {
			for do := range strings.Lines(l.Do) {
				fmt.Fprintf(&out, "         %-15s  -> %s\n", "", strings.TrimSpace(do))
			}
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// JSON writes a report for programs.
func (r Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
