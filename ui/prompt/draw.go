package prompt

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// Where the line is on the screen, and the list of offers.
const (
	lineRow      = 1
	listX, listY = 3, 3
)

// label is what stands in front of the line.
func (l *Line) label() string {
	if l.prompt.Mode != nil {
		return l.prompt.Mode()
	}
	return l.prompt.Label
}

// width is the room for what is typed on a line of w cells: what the verdict at the right leaves, and not less than
// half.
func (l *Line) width(w int) int {
	right, _ := l.says()
	return w - paint.Width(l.label()) - widget.Clamp(paint.Width(right)+2, 20, min(42, w/2))
}

// Draw draws the line in w cells.
func (l *Line) Draw(w int) string {
	var out paint.Line
	out.Put(l.c.Style().Pens.Bold, l.label())
	l.input.Draw(&out, l.width(w), l.culprits()...)
	right, p := l.says()
	right = paint.FitRight(right, min(40, w-out.Width-1))
	out.Put(paint.Pen{}, strings.Repeat(" ", max(0, w-out.Width-paint.Width(right)-1)))
	out.Put(p, right)
	return paint.Clip(out.End(w), w)
}

// says is what becomes of the text.
func (l *Line) says() (string, paint.Pen) {
	s := l.c.Style()
	if l.problem != "" {
		return s.Glyph("✗ ", "x ") + dissect.Escape(l.problem), s.Pens.Bad
	}
	if l.prompt.Says != nil {
		if text, p := l.prompt.Says(l.typed()); text != "" {
			return text, p
		}
	}
	enter := s.Key(act.LineAccept)
	switch empty := l.input.Value() == ""; {
	case !l.prompt.Filter, empty && !l.prompt.Lists:
		return enter + ": run" + s.Glyph(" · ", ", ") + s.Key(act.LineCancel) + ": cancel", s.Pens.Dim
	case empty:
		return enter + " shows all packets", s.Pens.Dim
	case l.verdict != nil:
		return l.saysWrong()
	case len(l.warnings) > 1:
		return "! " + strconv.Itoa(len(l.warnings)) + " hints" + s.Glyph(" · ", ", ") + enter + " applies", s.Pens.Warn
	case len(l.warnings) > 0:
		return "! " + enter + " applies", s.Pens.Warn
	case l.prompt.Lists:
		return s.Glyph("✓ ", "") + enter + " applies", s.Pens.Good
	}
	return s.Glyph("✓ ", "") + enter + ": accept", s.Pens.Good
}

// saysWrong is what goes on to count while a filter is wrong.
func (l *Line) saysWrong() (string, paint.Pen) {
	s, on := l.c.Style(), l.prompt.Wrong
	if l.prompt.Lists {
		text := l.c.Scope().FilterText()
		if on = "still all packets"; text != "" {
			on = "still " + dissect.Escape(text)
		}
		on = paint.Fit(on, min(paint.Width(on), 38))
	}
	if l.halfTyped {
		return on, s.Pens.Dim
	}
	if n := len(l.verdict.More); n > 0 {
		on = strconv.Itoa(n+1) + " problems" + s.Glyph(" · ", ", ") + paint.Fit(on, min(paint.Width(on), 24))
	}
	return s.Glyph("✗ ", "x ") + on, s.Pens.Bad
}

// hint is the word that Tab puts in place of a wrong one, or "".
func (l *Line) hint() string {
	if l.repair == "" || l.verdict == nil || len(l.offers) > 0 {
		return ""
	}
	return dissect.Escape(strings.TrimSuffix(strings.TrimPrefix(l.verdict.Hint, "did you mean "), "?"))
}

// mends says what Tab would do about a wrong filter.
func (l *Line) mends() string {
	if l.repair == "" || l.verdict == nil || len(l.offers) > 0 {
		return ""
	}
	tab := l.c.Style().Key(act.LineTake)
	switch {
	case l.verdict.Hint == "":
		return tab + " searches all packets for it "
	case len(l.verdict.More) > 0:
		return tab + " mends the first "
	}
	return tab + " mends it "
}

// Problem is the line below the filter, in w cells: the reason why it is wrong, and what Tab would do; "" where there
// is none.
func (l *Line) Problem(w int) string {
	if !l.open || !l.prompt.Filter || (l.verdict == nil || l.halfTyped) && len(l.warnings) == 0 {
		return ""
	}
	pens := &l.c.Style().Pens
	var out paint.Line
	out.Put(paint.Pen{}, "   ")
	right, text, p := l.mends(), "", pens.Bad
	if l.verdict != nil {
		text = l.verdict.Error()
	} else {
		p = pens.Warn
		var all []string
		for _, one := range l.warnings {
			all = append(all, one.Error())
		}
		text = strings.Join(all, "; ")
	}
	if hint := l.hint(); hint != "" && paint.Width(dissect.Escape(text)) > w-4-paint.Width(right) {
		right = " Tab: " + paint.Fit(hint, min(paint.Width(hint), w/3)) + " " // what would be cut away
		text = l.verdict.Msg
	}
	out.Put(p, paint.Fit(dissect.Escape(text), max(0, w-4-paint.Width(right))))
	out.Put(pens.Dim, right)
	return paint.Clip(out.End(w), w)
}

// Over draws the offers over the lines of a screen.
func (l *Line) Over(lines []string) {
	if !l.Lists() {
		return
	}
	rows := l.completions
	if l.prompt.Rows != nil {
		rows = l.prompt.Rows
	}
	r := rows(l.offers)
	h := min(len(l.offers), r.Height)
	from := widget.Clamp(l.chosen-h/2, 0, len(l.offers)-h)
	var body []string
	for i := from; i < from+h; i++ {
		body = append(body, r.Draw(l.offers[i], i == l.chosen))
	}
	l.drawn = widget.NewPopup(listX, listY, r.Width, len(body), 0, from, h)
	title := strconv.Itoa(l.chosen+1) + " of " + strconv.Itoa(len(l.offers))
	if l.offers[l.chosen].Meant {
		title = "did you mean"
	}
	paint.Over(lines, l.c.Style().Box(title, body, r.Width, r.Foot), listX, listY)
}

// completions is how what may stand in a filter is listed: with what the capture has of it.
func (l *Line) completions(offers []complete.Offer) view.Rows {
	s := l.c.Style()
	roomW, roomH := l.c.Room()
	w, h := min(roomW, 140), min(8, roomH-2)
	shown := min(h, len(offers))
	from := widget.Clamp(l.chosen-shown/2, 0, len(offers)-shown)
	most, names := 1.0, 16
	for _, c := range offers {
		most = max(most, c.Packets)
	}
	for _, c := range offers[from : from+shown] {
		names = min(32, max(names, paint.Width(c.Text)))
	}
	dot := s.Glyph(" · ", ", ")
	foot := s.Glyph("↑↓ choose", "up, down choose") + dot + s.Key(act.LineTake) + " complete" + dot +
		s.Key(act.LineExplain) + " explain"
	return view.Rows{Width: w, Height: h, Foot: foot, Draw: func(o complete.Offer, selected bool) string {
		return l.completion(o, selected, w, names, most)
	}}
}

// completion draws an offer in the list of w cells; most is the highest count in it.
func (l *Line) completion(o complete.Offer, selected bool, w, names int, most float64) string {
	s, count := l.c.Style(), ""
	switch {
	case o.Packets == 0:
		count = "not here"
	case o.Packets > 0:
		count = s.Glyph("≈ ", "~") + humanize.Group(int(o.Packets+0.5))
	}
	isValue := o.Type == "value" || o.Type == "value here"
	kind, doc := o.Type, dissect.Escape(o.Doc)
	if o.Type == "value here" {
		kind = ""
	}
	if isValue {
		kind, doc = valueNumber(o.Text, o.Doc), s.Bar(max(0, o.Packets)/most, max(0, w-30-names))
	}
	var out paint.Line
	p := paint.Pen{}
	switch {
	case selected:
		out.Base = s.Pens.Selected
	case o.Packets == 0:
		p = s.Pens.Dim
	}
	out.Put(p, " "+paint.Fit(dissect.Escape(o.Text), names)+" "+paint.Fit(kind, 12)+paint.FitRight(count, 11)+"  ")
	if isValue {
		out.PutBars(&s.Pens, doc)
	} else {
		if values := l.Completer.Values(o, s.Glyph(" … ", " to ")); w >= 90 {
			out.Put(p, paint.Fit(dissect.Escape(values), (w-out.Width)/3)+"  ")
		}
		out.Put(p, paint.Fit(doc, max(0, w-2-out.Width)))
	}
	return paint.Clip(out.End(w-2), w-2)
}

// valueNumber is the number behind the name of a value, as in GAME_INPUT (0x0e); the bar says more than the name again.
func valueNumber(name, doc string) string {
	number, ok := strings.CutSuffix(strings.TrimPrefix(doc, strings.Trim(name, `"`)+" ("), ")")
	if !ok {
		return "value"
	}
	return dissect.Escape(number)
}
