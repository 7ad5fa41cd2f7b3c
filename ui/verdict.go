package ui

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/paint"
	"remora/ui/term"
)

// judgeFilter says what is wrong with a filter as it is typed, or what may not be meant, and how Tab would mend it.
func (m *model) judgeFilter(text string) {
	f, err := filter.CompileWith(m.reg, text, m.cfg.Filters)
	m.typing.compiled = f
	var e *filter.Error
	if errors.As(err, &e) {
		m.typing.verdict, m.typing.repair = e, repaired(e)
		if m.typing.halfTyped = m.typing.input.Offset() == len(text) && m.mayBecomeRight(e, text); m.typing.halfTyped {
			return
		}
		m.typing.verdict, m.typing.culprit, m.typing.input.Mark = e, [2]int{e.Pos, max(e.End, e.Pos+1)},
			underlined(m.style.Pens.Bad)
		m.typing.repair = repaired(e)
		return
	}
	if e := m.typing.fault(f, text); e != nil {
		m.typing.verdict, m.typing.culprit, m.typing.input.Mark = e, [2]int{e.Pos, e.End}, underlined(m.style.Pens.Bad)
		return
	}
	if m.typing.warnings = f.Warnings(); len(m.typing.warnings) == 0 && text != "" {
		m.typing.warnings = m.doubts(f, text)
	}
	if len(m.typing.warnings) > 0 {
		w := m.typing.warnings[0]
		m.typing.culprit, m.typing.input.Mark = [2]int{w.Pos, max(w.End, w.Pos+1)}, underlined(m.style.Pens.Warn)
	}
}

// fault is what else is wrong with a filter that compiles, for what asks for it.
func (t *typing) fault(f *filter.Filter, text string) *filter.Error {
	if t.edit != editView || t.prompt.Fault == nil {
		return nil
	}
	return t.prompt.Fault(f, text)
}

// mayBecomeRight tells whether a wrong filter is only not finished: what is wrong stands at its end, and something that
// begins so is declared, or more has to follow.
func (m *model) mayBecomeRight(e *filter.Error, text string) bool {
	switch {
	case len(e.More) > 0 || e.End < len(strings.TrimRight(text, " ")):
		return false
	case e.Pos >= len(strings.TrimRight(text, " ")), strings.IndexByte("\"({[", text[e.Pos]) >= 0:
		return true
	}
	return slices.ContainsFunc(filter.Complete(m.reg, text, len(text)), func(c filter.Completion) bool {
		return strings.HasPrefix(c.Text, text[c.From:])
	})
}

func underlined(p paint.Pen) paint.Pen { return paint.Pen{Open: p.Open + "\x1b[4m", Close: "\x1b[m"} }

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
func (m *model) doubts(f *filter.Filter, text string) []filter.Error {
	e, err := filter.Parse(text)
	if err != nil || e == nil {
		return nil
	}
	var out []filter.Error
	if e.Op == "||" {
		for _, a := range e.Args {
			if a.Op == "&&" && a.Quant == "" {
				m.typing.repair = text[:a.Pos] + "(" + text[a.Pos:a.End] + ")" + text[a.End:]
				out = append(out,
					filter.Error{Text: text, Pos: a.Pos, End: a.End, Msg: "&& binds before ||", Hint: "Tab writes the brackets"})
				break
			}
		}
	}
	if m.complete.Stats == nil {
		return out
	}
	for _, field := range f.Fields() {
		at := strings.Index(text, field.Name())
		if at < 0 || !dissect.Indexed(field.Protocol()) || m.complete.Stats.Field(field) != nil {
			continue
		}
		out = append(out,
			filter.Error{Text: text, Pos: at, End: at + len(field.Name()),
				Msg: field.Name() + " was not met in this capture so far"})
	}
	return out
}

// verdictHint is the word that Tab puts in place of a wrong one, or "".
func (m *model) verdictHint() string {
	if m.typing.repair == "" || m.typing.verdict == nil || len(m.typing.offers) > 0 {
		return ""
	}
	return dissect.Escape(strings.TrimSuffix(strings.TrimPrefix(m.typing.verdict.Hint, "did you mean "), "?"))
}

// culprits are the places of all that is wrong with the line.
func (m *model) culprits() [][2]int {
	out := [][2]int{m.typing.culprit}
	if m.typing.verdict != nil && !m.typing.halfTyped {
		for _, e := range m.typing.verdict.More {
			out = append(out, [2]int{e.Pos, max(e.End, e.Pos+1)})
		}
	}
	return out
}

// drawProblem is the line below the filter: the reason, and what Tab would do.
func (m *model) drawProblem(w int) string {
	var l paint.Line
	l.Put(paint.Pen{}, "   ")
	right := ""
	if m.typing.repair != "" && m.typing.verdict != nil && len(m.typing.offers) == 0 {
		right = m.style.Key(act.LineTake) + " mends it "
		if len(m.typing.verdict.More) > 0 {
			right = m.style.Key(act.LineTake) + " mends the first "
		}
		if m.typing.verdict.Hint == "" {
			right = m.style.Key(act.LineTake) + " searches all packets for it "
		}
	}
	text, p := "", m.style.Pens.Bad
	if m.typing.verdict != nil {
		text = m.typing.verdict.Error()
	} else {
		p = m.style.Pens.Warn
		for i, one := range m.typing.warnings {
			if i > 0 {
				text += "; "
			}
			text += one.Error()
		}
	}
	if hint := m.verdictHint(); hint != "" && paint.Width(dissect.Escape(text)) > w-4-paint.Width(right) {
		right = " Tab: " + paint.Fit(hint, min(paint.Width(hint), w/3)) + " " // what would be cut away
		text = m.typing.verdict.Msg
	}
	l.Put(p, paint.Fit(dissect.Escape(text), max(0, w-4-paint.Width(right))))
	l.Put(m.style.Pens.Dim, right)
	return paint.Clip(l.End(w), w)
}

// filterVerdict says what becomes of the text.
func (m *model) filterVerdict() (string, paint.Pen) {
	switch {
	case m.typing.edit == editFindPacket && m.typing.problem != "":
		return m.style.Glyph("✗ ", "x ") + dissect.Escape(m.typing.problem), m.style.Pens.Bad
	case m.typing.edit == editFindPacket && m.typing.input.Value() == "" && m.search.Text != "":
		again := dissect.Escape(paint.Fit(m.search.Text, min(paint.Width(m.search.Text), 20)))
		return m.style.Key(act.LineAccept) + " finds " + again + " again, " + m.style.Key(act.LineTake) + " elsewhere",
			m.style.Pens.Dim
	case m.typing.edit == editFindPacket:
		return m.style.Key(act.LineAccept) + " finds, " + m.style.Key(act.LineTake) + " looks elsewhere", m.style.Pens.Dim
	case m.typing.edit == editFacet:
		return m.style.Key(act.LineAccept) + " keeps them, " + m.style.Key(act.LineCancel) + " shows all", m.style.Pens.Dim
	case m.typing.edit == editCommand && m.typing.input.Value() != "" && len(m.typing.offers) == 0 &&
		!knowsCommand(strings.TrimSpace(m.typing.input.Value())):
		return "No matching command", m.style.Pens.Warn
	case m.typing.choice() != nil:
		return m.choiceVerdict()
	case !m.typing.filters(), m.typing.edit != editFilter && m.typing.input.Value() == "":
		return m.style.Key(act.LineAccept) + " does it, " + m.style.Key(act.LineCancel) + " does not", m.style.Pens.Dim
	case m.typing.input.Value() == "":
		return m.style.Key(act.LineAccept) + " shows all packets", m.style.Pens.Dim
	case m.typing.verdict != nil:
		on := m.stillOn()
		if m.typing.halfTyped {
			return on, m.style.Pens.Dim
		}
		if n := len(m.typing.verdict.More); n > 0 {
			on = strconv.Itoa(n+1) + " problems" + m.style.Glyph(" · ", ", ") + paint.Fit(on, min(paint.Width(on), 24))
		}
		return m.style.Glyph("✗ ", "x ") + on, m.style.Pens.Bad
	case len(m.typing.warnings) > 0:
		if n := len(m.typing.warnings); n > 1 {
			return "! " + strconv.Itoa(n) + " hints" + m.style.Glyph(" · ", ", ") + m.style.Key(act.LineAccept) + " applies",
				m.style.Pens.Warn
		}
		return "! " + m.style.Key(act.LineAccept) + " applies", m.style.Pens.Warn
	}
	if m.typing.edit != editFilter {
		return m.style.Glyph("✓ ", "") + m.style.Key(act.LineAccept) + " takes it", m.style.Pens.Good
	}
	return m.style.Glyph("✓ ", "") + m.style.Key(act.LineAccept) + " applies", m.style.Pens.Good
}

// stillOn is what goes on to count while what is typed is wrong.
func (m *model) stillOn() string {
	on := "all packets"
	switch was := m.packets.FilterText(); {
	case m.typing.edit == editView && m.typing.prompt.Filter:
		return m.typing.prompt.Wrong
	case was != "":
		on = dissect.Escape(was)
	}
	return paint.Fit("still "+on, min(paint.Width("still "+on), 38))
}

// explainOffer says what the line of the completions under the cursor is.
func (m *model) explainOffer() {
	if m.typing.chosen >= len(m.typing.offers) {
		return
	}
	c := m.typing.offers[m.typing.chosen]
	box := &infoBox{title: c.Text, lines: []string{c.Type, "", c.Doc}}
	f := m.reg.Field(strings.TrimSpace(c.Text))
	if f != nil {
		if k := m.complete.Stats.Field(f); k != nil && len(k.Order) > 0 {
			box.lines = append(box.lines, "", "Here it is "+strings.Join(k.Order[:min(8, len(k.Order))], ", ")+".")
		}
	}
	m.info = box
}
