package coloring

import (
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/widget"
)

// boxWidth is the most that the box of the rules takes, in cells.
const boxWidth = 118

// Draw draws the rules in half of the room, so that the packets which they colour are seen.
func (v *View) Draw(w, h int) []string {
	lines, style, n := v.r.c.Panes(), v.r.c.Style(), len(v.r.ready)
	v.seen = v.counter.Now()
	v.box = widget.InCorner(w, h, boxWidth, widget.Clamp(n+2, 3, max(6, h/2)))
	body := []string{"   no rules; " + style.Key(act.Column) + " makes one"}
	if inner := v.box.W - 2; n > 0 {
		body = v.table.Draw(inner, v.box.H-2, n, func(i int, selected bool) string { return v.row(i, selected, inner) })
	}
	v.box.Over(lines, style, "coloring rules", body, v.progress())
	return lines
}

// progress says how far the packets are counted, while that is not all.
func (v *View) progress() string {
	if v.lags() {
		return "packets that each takes so far, of " + humanize.Packets(v.seen.UpTo)
	}
	return "packets that each takes"
}

// lags tells whether the counts are of a part of the packets. Live, a few are always on their way.
func (v *View) lags() bool {
	session := v.r.c.Scope().Session
	lag, of := session.Passed()-v.seen.UpTo, session.Store().Len()
	return lag > 0 && (session.Store().Status().Done || lag > max(1000, of/50))
}

func (v *View) row(i int, selected bool, w int) string {
	r, style := &v.r.ready[i], v.r.c.Style()
	var l paint.Line
	if selected {
		l.Base = style.Pens.Selected
	}
	sign, pen := style.Glyph(" ✓ ", " x "), r.Pen
	of := style.Pens.Good
	switch {
	case r.Off:
		sign, pen = "   ", style.Pens.Dim
	case r.Compiled.Stopped() != nil:
		sign, of = " ! ", style.Pens.Warn
	}
	l.Put(of, sign)
	name, look, count, whose := widths(w)
	title := dissect.Escape(r.Title())
	title = paint.Fit(title, min(name, paint.Width(title)))
	l.PutOwn(pen, title)
	l.Put(paint.Pen{}, strings.Repeat(" ", name-paint.Width(title)+1))
	if look > 0 {
		l.Put(style.Pens.Dim, paint.Fit(dissect.Escape(r.Style()), look)+" ")
	}
	if v.r.c.Profile() != "" {
		l.Put(style.Pens.Dim, paint.Fit(dissect.Escape(r.Profile), whose-1)+" ")
	}
	l.Put(paint.Pen{}, paint.Fit(dissect.Escape(r.Filter), max(0, w-l.Width-count-2))+" ")
	l.Put(paint.Pen{}, paint.FitRight(v.countText(i, count), count))
	return paint.Clip(l.End(w), w)
}

// widths are those of the columns on a line of w cells; the filter has the rest.
func widths(w int) (name, look, count, whose int) {
	switch {
	case w >= 100:
		return 24, 20, 18, 11
	case w >= 74:
		return 18, 13, 10, 9
	}
	return 15, 0, 9, 8
}

// countText is how many packets a rule takes, and how many of them rules before it have where there are such.
func (v *View) countText(i, w int) string {
	r, style := &v.r.ready[i], v.r.c.Style()
	if r.Off {
		return "off"
	}
	if r.Compiled.Stopped() != nil {
		return "given up"
	}
	takes, matches, ok := v.seen.Of(i, r.Filter)
	if !ok {
		return style.Glyph("…", "...")
	}
	text := humanize.Group(takes)
	if v.lags() {
		if long := text + " so far"; len(long) <= w {
			return long
		}
		return style.Glyph("≥ ", ">=") + text
	}
	if long := text + " of " + humanize.Group(matches); matches > takes && paint.Width(long) <= w {
		return strings.TrimSpace(long)
	}
	return text
}
