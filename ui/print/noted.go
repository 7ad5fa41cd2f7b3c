package print

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/term"
)

// A Noted is a field whose values are appended to the Info column of the packets that a filter matches.
type Noted struct {
	filter *filter.Filter
	field  *dissect.Field
}

// notedForm is the word of -z that asks for one.
const notedForm = "proto,colinfo,"

// ParseNoted reads a -z proto,colinfo,FILTER,FIELD; asked tells whether the words are of that form.
func ParseNoted(reg *dissect.Registry, words string, opt filter.Options) (n Noted, asked bool, err error) {
	rest, asked := strings.CutPrefix(words, notedForm)
	if !asked {
		return n, false, nil
	}
	r := request{words: words}
	at := strings.LastIndexByte(rest, ',')
	if at < 0 {
		return n, true, r.wrong("it takes a filter and a field, as in proto,colinfo,tcp.len>0,tcp.len")
	}
	if n.field = reg.Field(rest[at+1:]); n.field == nil {
		return n, true, r.wrong("there is no field called %q", rest[at+1:])
	}
	if text := strings.TrimSpace(rest[:at]); text != "" {
		n.filter, err = filter.CompileWith(reg, text, opt)
	}
	return n, true, err
}

// appendNoted is the Info column with the values of fields behind it.
func (p *Printer) appendNoted(dst []byte, t *dissect.Tree) []byte {
	dst = p.appendInfo(dst, t)
	for _, n := range p.opt.Noted {
		if n.filter != nil && !n.filter.MatchTree(t) {
			continue
		}
		for i := range t.Nodes {
			if f := t.Field(i); f.Name() == n.field.Name() || slices.Contains(f.Aliases(), n.field) {
				dst = append(append(dst, "  "...), n.field.Name()...)
				if value := term.Value(t, i); value != "" {
					dst = append(append(dst, " == "...), value...)
				}
			}
		}
	}
	return dst
}
