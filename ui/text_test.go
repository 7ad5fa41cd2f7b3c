package ui

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/bidi"

	"remora/ui/paint"
	"remora/ui/view"
)

// TestTextFromRightToLeftKeepsTheColumns puts every line of the screen in order as terminals do that know of such text:
// what is written from right to left must not pull anything else to its other side.
func TestTextFromRightToLeftKeepsTheColumns(t *testing.T) {
	for _, text := range []string{"שלום עולם", "مرحبا 12 عالم", "abc שלום", "שלום 3"} {
		x := open(t, 120, 36, Config{}).keys("2G")
		x.m.comments.Set(2, []string{text})
		x.m.marks.Set('a', 2)
		x.keys("gnG")
		x.has(text)
		seen := inOrder(t, x.text())
		x.keys("qK")
		x.m.dialog.Show("a field", []string{text + " and more"}, false)
		seen += inOrder(t, x.text())
		x.keys("q")
		seen += inOrder(t, x.text())
		if seen < 3 {
			t.Errorf("%q was seen in %d lines", text, seen)
		}
	}
}

// inOrder checks the lines with text from right to left, and tells how many there are.
func inOrder(t *testing.T, screen string) (seen int) {
	t.Helper()
	for _, line := range strings.Split(screen, "\n") {
		if !strings.ContainsFunc(line, paint.RightToLeft) {
			continue
		}
		seen++
		var p bidi.Paragraph
		if _, err := p.SetString(line, bidi.DefaultDirection(bidi.LeftToRight)); err != nil {
			t.Fatal(err)
		}
		order, err := p.Order()
		if err != nil {
			t.Fatal(err)
		}
		for i := range order.NumRuns() {
			if run := order.Run(i); run.Direction() == bidi.RightToLeft && strings.ContainsAny(run.String(), "│╭╮|▸▾Δ:") {
				t.Errorf("%q is turned round with its neighbours: %q", line, run.String())
			}
		}
		if end := strings.LastIndexFunc(line, paint.RightToLeft); !strings.Contains(line[end:], paint.LeftToRightMark) {
			t.Errorf("nothing ends the reach of %q", line)
		}
	}
	return seen
}

// TestHostileNames shows text that would move the cursor, turn lines round or pile up, wherever names from outside
// stand.
func TestHostileNames(t *testing.T) {
	const hostile = "\x1b]0;owned\x07\x1b[2J\u202e\u2066\u200f\u0301\u0301\u0301\u0301\u0301\x9b31m\r\n\t"
	x := open(t, 120, 36, Config{}).keys("2G")
	x.m.comments.Set(2, []string{hostile})
	x.m.list.Columns[2].Title = hostile
	x.m.capture.file = hostile
	check := func(where string) {
		t.Helper()
		x.m.look.stale = true
		content := x.m.View().Content
		for _, bad := range []string{"\x1b]", "\x07", "\x1b[2J", "\u202e", "\u2066", "\u200f", "\u0301\u0301\u0301", "\x9b",
			"\r", "\t"} {
			if strings.Contains(content, bad) {
				t.Errorf("%s: %q reached the screen", where, bad)
			}
		}
	}
	check("the list and the tree")
	x.keys("gnG")
	check("the notes")
	x.keys("qs")
	check("the columns")
	x.keys("q<tab>gg")
	x.m.dialog.Show(hostile, []string{hostile}, false)
	check("a box")
	x.keys("<esc>")
	x.m.line.Open(view.Prompt{Label: " comment: ", Text: hostile})
	check("the input line")
	x.m.line.Close()
	x.m.search.Text = hostile
	x.keys("gg")
	x.m.search.Find(1)
	x.settle()
	check("a search")
	x.m.foot.Notice = hostile
	check("a notice")
	x.m.dialog.Ask(hostile, hostile)
	check("a question")
}

func TestWideText(t *testing.T) {
	for _, wh := range screens {
		x := open(t, wh[0], wh[1], Config{}).keys("2G")
		x.m.comments.Set(2, []string{"テストの名前と👩‍👩‍👧‍👦家族🇯🇵 é́ ไทย हिन्दी " + strings.Repeat("漢字", 60)})
		for _, script := range []string{"", "<tab>", `\`, `\<tab>`, "gn", "Gq"} {
			x.keys(script)
			for i, l := range strings.Split(x.text(), "\n") {
				if paint.Width(l) != wh[0] {
					t.Errorf("%v, %q: line %d is %d wide: %s", wh, script, i, paint.Width(l), l)
				}
			}
		}
	}
}
