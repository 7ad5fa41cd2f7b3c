package paint

import (
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// A Line collects the styled parts of one row of the screen.
type Line struct {
	b     strings.Builder
	Width int // cells used
	Base  Pen // what the row is drawn in, between the parts
}

// Put writes text with a pen.
func (l *Line) Put(p Pen, s string) {
	if s == "" {
		return
	}
	l.Width += Width(s)
	s = KeepColumns(s)
	if l.Base.Open != "" { // a selected row keeps one look
		l.b.WriteString(s)
		return
	}
	l.b.WriteString(p.Open)
	l.b.WriteString(s)
	l.b.WriteString(p.Close)
}

// PutBars puts bars, which keep a colour of their own in the selected row, too: as bright as its text they would be all
// one sees.
func (l *Line) PutBars(p *Pens, s string) {
	if l.Base.Open == "" || p.barsOn.Open == "" {
		l.Put(p.Bars, s)
		return
	}
	l.Width += Width(s)
	l.b.WriteString(p.barsOn.Open + s + l.Base.Open)
}

// PutOwn puts text that keeps its own look in the selected row, too.
func (l *Line) PutOwn(p Pen, s string) {
	if l.Base.Open == "" {
		l.Put(p, s)
		return
	}
	l.Width += Width(s)
	l.b.WriteString(l.Base.Close + p.Open + KeepColumns(s) + p.Close + l.Base.Open)
}

// Runs puts n cells, joining neighbours of one pen. The gap in front of a marked byte stays unmarked.
func (l *Line) Runs(n int, cell func(i int) (Pen, string), gaps bool) {
	var open Pen
	text := ""
	for i := range n {
		p, s := cell(i)
		if p != open {
			if gaps {
				trimmed := strings.TrimLeft(s, " ")
				text += s[:len(s)-len(trimmed)]
				if open.Open != "" && len(text) > 0 {
					body := strings.TrimRight(text, " ")
					l.Put(open, body)
					l.Put(Pen{}, text[len(body):])
				} else {
					l.Put(open, text)
				}
				open, text = p, trimmed
				continue
			}
			l.Put(open, text)
			open, text = p, ""
		}
		text += s
	}
	l.Put(open, text)
}

// Text is what was put so far.
func (l *Line) Text() string { return l.b.String() }

// End pads the row to n cells and returns it.
func (l *Line) End(n int) string {
	if l.Width < n {
		l.b.WriteString(strings.Repeat(" ", n-l.Width))
	}
	if l.Base.Open != "" {
		return l.Base.Open + l.b.String() + l.Base.Close
	}
	return l.b.String()
}

// KeepColumns keeps text that is written from right to left from pulling what stands behind it over to its other side,
// as terminals do that put such text in order: a mark of no width ends its reach. Escape lets no such mark through from
// outside.
func KeepColumns(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0xd6 && strings.ContainsFunc(s[i:], RightToLeft) { // Hebrew begins with this byte
			return s + LeftToRightMark
		}
	}
	return s
}

// LeftToRightMark ends the reach of text that is written from right to left.
const LeftToRightMark = "\u200e"

// RightToLeft tells whether a character is written from right to left, or is a number of such a script.
func RightToLeft(r rune) bool {
	if r < 0x590 {
		return false
	}
	p, _ := bidi.LookupRune(r)
	switch p.Class() {
	case bidi.R, bidi.AL, bidi.AN:
		return true
	}
	return false
}
