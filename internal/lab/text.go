package lab

import (
	"fmt"
	"io"
	"strings"
)

// Write writes the report for people.
func (r *Report) Write(w io.Writer) {
	fmt.Fprintf(w, "%d messages", r.Messages)
	if r.Framing != nil {
		fmt.Fprintf(w, ", each with %v", r.Framing)
	}
	fmt.Fprintln(w)
	if r.Records != nil {
		fmt.Fprintf(w, "Behind %d bytes stands a list of records, each with %v. What follows is of the records.\n",
			r.Records.Behind, &r.Records.Framing)
		for _, f := range r.Head.Fields {
			fmt.Fprintf(w, "%6d %4d  %s %s\n", f.Off, f.Size, f.Kind, f.Note)
		}
	}
	if len(r.Pairs) > 0 {
		fmt.Fprintln(w, "\nRequests and responses")
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		fmt.Fprintf(w, "  group %d is answered by group %d: %s\n", r.Number(p.Request), r.Number(p.Response), p)
	}
	for i, g := range r.Groups {
		fmt.Fprintf(w, "\nGroup %d: %s\n", i+1, g)
		fmt.Fprintln(w, "  from size  what         order   sure  how")
		for _, f := range g.Fields {
			fmt.Fprintf(w, "%6d %4s  %-12s %-6s %4.0f%%  %s\n", f.Off, f.size(), f.Kind, f.order(), 100*f.Confidence, f.how())
		}
	}
}

// String says how many messages a group has, and what they have in common.
func (g *Group) String() string {
	text := fmt.Sprintf("%d messages of %d", len(g.Messages), g.Min)
	if g.Max > g.Min {
		text += fmt.Sprintf(" to %d", g.Max)
	}
	text += " bytes"
	for i, m := range g.Match {
		text += []string{", ", ": "}[b2i(i == 0)] + fmt.Sprintf("byte %d is %s", m.Off, m.text())
	}
	if g.Direction >= 0 {
		text += []string{", forth", ", back"}[g.Direction]
	}
	return text
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// text is the value of a match: a number, or the characters of a tag.
func (m Match) text() string {
	if m.Size == 4 {
		return fmt.Sprintf("%q", string([]byte{byte(m.Value >> 24), byte(m.Value >> 16), byte(m.Value >> 8), byte(m.Value)}))
	}
	return fmt.Sprintf("%#02x", m.Value)
}

func (f Field) size() string {
	if f.Size == 0 {
		return "…"
	}
	return fmt.Sprint(f.Size)
}

func (f Field) order() string {
	switch {
	case f.Size < 2 || f.Kind == Unknown || f.Kind == Constant || f.Kind == Text || f.Kind == Type:
		return ""
	case f.Little:
		return "little"
	}
	return "big"
}

func (f Field) how() string {
	switch f.Kind {
	case Constant:
		return fmt.Sprintf("%#x", f.Value)
	case Enumeration:
		var all []string
		for _, v := range f.Values {
			all = append(all, fmt.Sprintf("%#x", v))
		}
		return strings.Join(all, " ")
	case Type:
		return Match{f.Off, f.Size, f.Value}.text()
	}
	return f.Note
}
