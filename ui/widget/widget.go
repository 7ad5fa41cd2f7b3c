// Package widget holds what views draw with and move in: a table's cursor, rules and boxes, bars, axes and curves,
// texts of times.
package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/keys"
	"remora/ui/paint"
	"remora/ui/plot"
)

// A Style is how the screen draws: pens, the signs that the terminal has, and the names of keys.
type Style struct {
	Pens   paint.Pens
	ASCII  bool // no signs beyond ASCII
	Colour bool // the terminal shows colours
	Dark   bool // the theme is one for a dark background
	Keys   *keys.Map
}

// Glyph is a sign, or what stands for it where the terminal has ASCII alone.
func (s *Style) Glyph(unicode, ascii string) string {
	if s.ASCII {
		return ascii
	}
	return unicode
}

var plainSigns = strings.NewReplacer("–", "-", "·", "*", "…", "..", "≈", "~", "→", ">", "←", "<", "⇄", "<>", "⋯", "...",
	"−", "-")

// Plain is a text of our own with the signs that the terminal has.
func (s *Style) Plain(text string) string {
	if s.ASCII {
		return plainSigns.Replace(text)
	}
	return text
}

// usualKeys are the keys by which actions are called where there is room for one only.
var usualKeys = map[act.Action]string{
	act.LineExplain: "F1", act.Help: "?", act.LineCancel: "Esc", act.LineAccept: "Enter", act.LineTake: "Tab",
	act.AnswerNo: "n", act.AnswerYes: "y", act.AnswerKeep: "k", act.AnswerRun: "t", act.AnswerSave: "w",
	act.AnswerDiscard: "d",
	act.Quit:          "q", act.NextPane: "Tab", act.Undo: "u", act.Open: "Enter", act.Filter: "/", act.Save: "w",
}

// Key is the key by which an action is called where there is room for one: a person's own, else the usual one.
func (s *Style) Key(does act.Action) string {
	all := s.Keys.Labels(does)
	if usual := usualKeys[does]; slices.Contains(all, usual) && slices.Contains((&keys.Standard).Labels(does), all[0]) {
		return usual
	}
	if len(all) == 0 {
		return ":" + does.Name()
	}
	return all[0]
}

// Dim is a line of exactly w cells in the dim pen.
func (s *Style) Dim(text string, w int) string {
	return s.Pens.Dim.Open + paint.Fit(text, w) + s.Pens.Dim.Close
}

// Rule draws a line of w cells with a title on the left and a text on the right.
func (s *Style) Rule(w int, title, right string) string { return s.RuleOf(w, title, right, false) }

// RuleOf is a rule whose title stands out where the keys move in what lies below.
func (s *Style) RuleOf(w int, title, right string, focused bool) string {
	var l paint.Line
	dash, p := s.Glyph("─", "-"), paint.Pen{}
	if focused {
		p = s.Pens.Bold
	}
	l.Put(s.Pens.Dim, dash+dash)
	if title != "" {
		l.Put(p, " "+paint.Fit(title, min(paint.Width(title), max(0, w-6)))+" ")
	}
	if right != "" {
		right = " " + right + " "
	}
	return s.EndRule(&l, right, w)
}

// EndRule fills a rule up to w cells and ends it with a text.
func (s *Style) EndRule(l *paint.Line, right string, w int) string {
	dash := s.Glyph("─", "-")
	room := max(0, w-l.Width-4)
	for _, sep := range []string{", ", "  "} { // whole parts go before any is cut
		if at := strings.LastIndex(right, sep); paint.Width(right) > room && at > 0 {
			right = right[:at] + " "
		}
	}
	right = ansi.Truncate(right, room, "…")
	l.Put(s.Pens.Dim, strings.Repeat(dash, max(0, w-l.Width-paint.Width(right)-2)))
	l.Put(paint.Pen{}, right)
	l.Put(s.Pens.Dim, dash+dash)
	return paint.Clip(l.End(w), w)
}

// Box frames lines of plain text; foot stands in its lower border.
func (s *Style) Box(title string, body []string, w int, foot string) []string {
	h, v := s.Glyph("─", "-"), s.Glyph("│", "|")
	corner := func(unicode string) string { return s.Glyph(unicode, "+") }
	title = h + " " + title + " "
	if foot != "" {
		foot = " " + foot + " " + h
	}
	out := []string{corner("╭") + title + strings.Repeat(h, max(0, w-2-paint.Width(title))) + corner("╮")}
	for _, b := range body {
		out = append(out, v+paint.KeepColumns(paint.Clip(paint.Pad(b, w-2), w-2))+v)
	}
	return append(out, corner("╰")+strings.Repeat(h, max(0, w-2-paint.Width(foot)))+foot+corner("╯"))
}

// Fold stands in front of what can be unfolded.
func (s *Style) Fold(open bool) string {
	if open {
		return s.Glyph("▾ ", "- ")
	}
	return s.Glyph("▸ ", "+ ")
}

// Levels are the signs for rising values.
func (s *Style) Levels() []rune {
	if s.ASCII {
		return []rune("_.:-=+*#")
	}
	return []rune("▁▂▃▄▅▆▇█")
}

// Bar is a bar of up to w cells for a share of one.
func (s *Style) Bar(share float64, w int) string { return plot.Bar(share, w, s.ASCII) }

// SeriesPen is the colour of a curve; the first is that of all packets.
func (s *Style) SeriesPen(i int) paint.Pen {
	if i == 0 {
		return s.Pens.Dim
	}
	hues := []dissect.Hue{dissect.HueBlue, dissect.HueMagenta, dissect.HueGreen, dissect.HueYellow, dissect.HueCyan}
	return s.Pens.Hues[hues[(i-1)%len(hues)]]
}

// Signed tells whether curves in these pens need signs to be told apart, because colours or dots are missing.
func (s *Style) Signed(pens []paint.Pen) bool {
	for i, p := range pens {
		if slices.Contains(pens[:i], p) || i > 0 && p == (paint.Pen{}) && pens[0] == s.Pens.Dim { // faint alone is no sign
			return true
		}
	}
	return s.ASCII
}

// LegendSign is what stands in front of a curve's name.
func LegendSign(i int, signed bool) string {
	if signed {
		return strings.Repeat(plot.Signs[i:i+1], 2)
	}
	return "━━"
}

// Blank is h lines of w blanks.
func Blank(w, h int) []string {
	out := make([]string, max(0, h))
	for i := range out {
		out[i] = strings.Repeat(" ", w)
	}
	return out
}

// Clamp is v, or the bound that it lies beyond.
func Clamp(v, lo, hi int) int { return max(lo, min(v, hi)) }

// A Rect is a part of a view or of the screen, in cells.
type Rect struct{ X, Y, W, H int }

// Has tells whether a cell lies within.
func (r Rect) Has(x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }
