// Package manual writes the manual page and the topics of help from the declarations of flags, keys, commands and
// statistics, so that neither is ever behind the program.
package manual

import (
	"io"
	"strings"

	"github.com/spf13/pflag"

	"remora/dissect/filter"
	"remora/ui"
	"remora/ui/keys"
	"remora/ui/print"
)

// Write writes the manual page, in the language of groff's man macros.
func (h Help) Write(w io.Writer) error {
	m := &manual{}
	m.line(".TH REMORA 1 \"\" \"remora\" \"User commands\"")
	m.section("NAME", "remora \\- a network packet analyser for the terminal")
	m.section("SYNOPSIS")
	for _, form := range []string{"[FILE]", "-i IFACE... [capture filter]", "-r FILE|- [display filter]", "demo", "-D"} {
		m.line(".B remora")
		m.line(Roff(form))
		m.line(".br")
	}
	m.section("DESCRIPTION",
		Roff("remora captures packets or reads them from files and pipes, and shows them as a list, a tree and bytes that "+
			"follow each other. "+
			"Without a file or an interface it offers a choice, and shows the traffic and the games on each interface. "+
			"With one of the flags that print, or when standard output is no terminal, it prints as tshark does."))
	m.section("OPTIONS")
	h.Flags.VisitAll(m.flag)
	m.section("STATISTICS", Roff("What -z takes:"))
	m.entries(print.Statistics(h.Registry))
	m.section("KEYS", Roff("They can be changed in the settings; remora --print-config lists the names of all actions."))
	for _, g := range keys.Declared() {
		m.line(".SS " + Roff(g.Title))
		for _, k := range g.Keys {
			m.entry(k.Keys, k.Help)
		}
	}
	m.section("COMMANDS",
		Roff("Behind a colon on the screen. Names of actions can be typed there as well, and a number goes to that packet."))
	for _, c := range ui.Commands() {
		m.entry(c.Keys, c.Help)
	}
	m.section("DISPLAY FILTERS")
	m.line(".nf")
	m.text(filter.Help())
	m.line(".fi")
	m.section("EXIT STATUS")
	m.entries(ExitCodes)
	m.section("FILES")
	m.entries(Files)
	m.section("ENVIRONMENT")
	m.entries(h.environment())
	m.section("SIGNALS")
	m.entries(Signals)
	m.section("SEE ALSO")
	m.line(".BR pcap\\-filter (7),")
	m.line(".BR tshark (1),")
	m.line(".BR tcpdump (8)")
	_, err := io.WriteString(w, m.b.String())
	return err
}

// A manual is a page as it grows.
type manual struct{ b strings.Builder }

func (m *manual) line(s string) { m.b.WriteString(s + "\n") }

// section begins one; its paragraphs are in roff already.
func (m *manual) section(title string, paragraphs ...string) {
	m.line(".SH " + title)
	for _, p := range paragraphs {
		m.line(p)
	}
}

// entry is a term with what it means.
func (m *manual) entry(term, text string) {
	m.line(".TP")
	m.line("\\fB" + Roff(term) + "\\fR")
	m.line(guard(Roff(text)))
}

func (m *manual) entries(list [][2]string) {
	for _, e := range list {
		m.entry(e[0], e[1])
	}
}

func (m *manual) flag(f *pflag.Flag) {
	if !f.Hidden {
		m.entry(flagWords(f))
	}
}

// flagWords are a flag as it is typed, with what it does.
func flagWords(f *pflag.Flag) (name, text string) {
	value, text := pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if strings.HasPrefix(value, "string") {
		value = "VALUE"
	}
	if value != "" && f.Value.Type() != "bool" {
		name += " " + value
	}
	return name, text
}

// text is written as it is, line by line.
func (m *manual) text(s string) {
	for l := range strings.Lines(s) {
		m.line(guard(Roff(strings.TrimRight(l, "\n"))))
	}
}
