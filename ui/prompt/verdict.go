package prompt

import (
	"context"
	"errors"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/fieldstats"
	"remora/ui/paint"
	"remora/ui/term"
)

// forgetVerdict takes back what was said of a filter.
func (l *Line) forgetVerdict() {
	l.culprit, l.verdict, l.halfTyped, l.warnings, l.repair = [2]int{}, nil, false, nil, ""
	if l.input != nil {
		l.input.Mark = paint.Pen{}
	}
}

// judge says what is wrong with a filter as it is typed, or what may not be meant, and how Tab would mend it.
func (l *Line) judge(text string) {
	scope, pens := l.c.Scope(), &l.c.Style().Pens
	reg := scope.Session.Registry()
	f, err := filter.CompileWith(reg, text, scope.Options)
	l.compiled = f
	var e *filter.Error
	if errors.As(err, &e) {
		l.verdict, l.repair = e, repaired(e)
		if l.halfTyped = l.input.Offset() == len(text) && mayBecomeRight(reg, e, text); !l.halfTyped {
			l.underline(*e, pens.Bad)
		}
		return
	}
	if l.prompt.Fault != nil {
		if e := l.prompt.Fault(f, text); e != nil {
			l.verdict = e
			l.underline(*e, pens.Bad)
			return
		}
	}
	if l.warnings = f.Warnings(); len(l.warnings) == 0 && text != "" {
		l.warnings = l.doubts(f, text)
	}
	if len(l.warnings) > 0 {
		l.underline(l.warnings[0], pens.Warn)
	}
}

// mayBecomeRight tells whether a wrong filter is only not finished: what is wrong stands at its end, and something that
// begins so is declared, or more has to follow.
func mayBecomeRight(reg *dissect.Registry, e *filter.Error, text string) bool {
	switch {
	case len(e.More) > 0 || e.End < len(strings.TrimRight(text, " ")):
		return false
	case e.Pos >= len(strings.TrimRight(text, " ")), strings.IndexByte("\"({[", text[e.Pos]) >= 0:
		return true
	}
	return slices.ContainsFunc(filter.Complete(reg, text, len(text)), func(c filter.Completion) bool {
		return strings.HasPrefix(c.Text, text[c.From:])
	})
}

// repaired is the filter with what was meant in the place of a misspelt word, or with a search for a word that is no
// name at all; "" where neither is known.
func repaired(e *filter.Error) string {
	if meant, ok := strings.CutPrefix(e.Hint, "did you mean "); ok {
		return e.Text[:e.Pos] + strings.TrimSuffix(meant, "?") + e.Text[e.End:]
	}
	if e.Hint == "" && e.Pos == 0 && e.End == len(e.Text) && strings.HasSuffix(e.Msg, "neither a field nor a protocol") {
		return "frame contains " + term.Quote(e.Text)
	}
	return ""
}

// doubts are what a valid filter may not be meant to say. They never keep it from being applied.
func (l *Line) doubts(f *filter.Filter, text string) []filter.Error {
	e, err := filter.Parse(text)
	if err != nil || e == nil {
		return nil
	}
	var out []filter.Error
	if e.Op == "||" {
		for _, a := range e.Args {
			if a.Op == "&&" && a.Quant == "" {
				l.repair = text[:a.Pos] + "(" + text[a.Pos:a.End] + ")" + text[a.End:]
				hint := "Tab writes the brackets"
				out = append(out, filter.Error{Text: text, Pos: a.Pos, End: a.End, Msg: "&& binds before ||", Hint: hint})
				break
			}
		}
	}
	if l.Completer.Stats == nil {
		return out
	}
	for _, field := range f.Fields() {
		name := field.Name()
		at := strings.Index(text, name)
		if at < 0 || !dissect.Indexed(field.Protocol()) || l.Completer.Stats.Field(field) != nil {
			continue
		}
		msg := name + " was not met in the packets sampled"
		out = append(out, filter.Error{Text: text, Pos: at, End: at + len(name), Msg: msg})
	}
	return out
}

// culprits are the places of all that is wrong with the line.
func (l *Line) culprits() [][2]int {
	out := [][2]int{l.culprit}
	if l.verdict != nil && !l.halfTyped {
		for _, e := range l.verdict.More {
			out = append(out, [2]int{e.Pos, max(e.End, e.Pos+1)})
		}
	}
	return out
}

// countFields has the capture looked at when a filter is typed.
func (l *Line) countFields() {
	s := l.c.Scope().Session
	if s == nil || !l.Completer.Due(s.Passed()) {
		return
	}
	l.c.Later("counting fields", func(ctx context.Context) func() {
		stats := fieldstats.OfCapture(ctx, s)
		return func() {
			if l.Completer.Stats = stats; l.open {
				l.check()
			}
		}
	})
}
