package main

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// A reason says which differences are meant: of fields, in captures, both by patterns as of file names, where each
// side's value holds one of some texts.
type reason struct {
	captured, fields []string
	want, got        []string // texts of tshark's value, and of remora's
	line             int      // of explained.txt, from 1
	text             string   // that line
	captures         int      // how many of those compared it is for
	count            int      // how many differences it explains
}

func (r *reason) in(capture string) bool { return matches(r.captured, capture) }
func (r *reason) of(field string) bool   { return matches(r.fields, field) }

// holds tells whether a value holds one of the texts.
func holds(texts []string, value string) bool {
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(value, t) })
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { in, _ := path.Match(p, name); return in })
}

// reasons reads explained.txt: on each line fields, or captures and fields with a colon between, and why they differ.
// Behind the fields texts of tshark's value may stand, and then of remora's, with ~ between and _ for each blank.
// Several of a kind have commas between.
func reasons(text string) []*reason {
	var out []*reason
	n := 0
	for line := range strings.Lines(text) {
		n++
		what, _, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || strings.HasPrefix(what, "#") {
			continue
		}
		file, field, ok := strings.Cut(what, ":")
		if !ok {
			file, field = "*/*", what
		}
		field, texts, _ := strings.Cut(field, "~")
		want, got, _ := strings.Cut(strings.ReplaceAll(texts, "_", " "), "~")
		out = append(out, &reason{captured: strings.Split(file, ","), fields: strings.Split(field, ","),
			want: strings.Split(want, ","), got: strings.Split(got, ","), line: n, text: strings.TrimSpace(line)})
	}
	return out
}

// explain is the first reason for a difference, nil when there is none.
func (c *comparison) explain(field string, d difference) *reason {
	for _, r := range c.reasons {
		if r.in(d.file) && r.of(field) && holds(r.want, d.want) && holds(r.got, d.got) {
			r.count++
			return r
		}
	}
	return nil
}

// met notes that a capture was compared.
func (c *comparison) met(file string) {
	for _, r := range c.reasons {
		if r.in(file) {
			r.captures++
		}
	}
}

// unneeded prints the reasons that explain nothing although captures that they are for were compared, and fields, and
// tells whether there are any.
func (c *comparison) unneeded(w io.Writer) (found bool) {
	for _, r := range c.reasons {
		if r.count == 0 && r.captures > 0 && slices.ContainsFunc(c.fields, r.of) {
			fmt.Fprintf(w, "\nexplained.txt line %d explains nothing: %s\n", r.line, r.text)
			found = true
		}
	}
	return found
}
