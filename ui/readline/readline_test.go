package readline

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	keymap "remora/ui/keys"
	"remora/ui/paint"
)

// typed starts with a text that has the cursor at |, and gives it back as it is after some keys.
func typed(text string, keys ...string) string {
	var in Input
	before, after, _ := strings.Cut(text, "|")
	in.Set(before + after)
	in.Cur = len([]rune(before))
	for _, k := range keys {
		in.Do(keymap.Standard.Line(k))
	}
	return string(in.Text[:in.Cur]) + "|" + string(in.Text[in.Cur:])
}

func TestKeys(t *testing.T) {
	for _, c := range []struct{ text, keys, want string }{
		{"ab|c", "left", "a|bc"}, {"|abc", "left", "|abc"}, {"ab|c", "ctrl+f", "abc|"}, {"abc|", "right", "abc|"},
		{"ab|c", "home", "|abc"}, {"ab|c", "ctrl+e", "abc|"},
		{"one two  |three", "alt+b", "one |two  three"}, {"one |two", "alt+b", "|one two"}, {"|one two", "alt+b", "|one two"},
		{"one| two three", "alt+f", "one two| three"}, {"one two|", "ctrl+right", "one two|"},
		{"ab|c", "backspace", "a|c"}, {"|abc", "backspace", "|abc"}, {"ab|c", "delete", "ab|"}, {"abc|", "delete", "abc|"},
		{"ab|c", "ctrl+u", "|c"}, {"ab|c", "ctrl+k", "ab|"},
		{"one two|three", "ctrl+w", "one |three"}, {"one   |", "ctrl+w", "|"}, {"|", "ctrl+w", "|"},
		{"日本|語", "backspace", "日|語"}, {"ab|c", "ctrl+u ctrl+u ctrl+k backspace delete", "|"},
	} {
		if got := typed(c.text, strings.Fields(c.keys)...); got != c.want {
			t.Errorf("%s after %s is %s, want %s", c.text, c.keys, got, c.want)
		}
	}
	var in Input
	for _, name := range []string{"tab", "enter", "x", "", "f1"} {
		if in.Do(keymap.Standard.Line(name)) {
			t.Errorf("%q is taken for a key of editing", name)
		}
	}
}

func TestInsert(t *testing.T) {
	for s, want := range map[string]string{"x": "ax|b", "": "a|b", "1\n2\t3\x00\x7f": "a1 2 3  |b", "\xff": "a\uFFFD|b",
		"日本": "a日本|b"} {
		in := Input{Text: []rune("ab"), Cur: 1}
		in.Insert(s)
		if got := string(in.Text[:in.Cur]) + "|" + string(in.Text[in.Cur:]); got != want {
			t.Errorf("%q inserted gives %q, want %q", s, got, want)
		}
	}
	in := Input{Text: []rune("日b"), Cur: 1}
	if in.Offset() != 3 {
		t.Errorf("the cursor is behind %d bytes", in.Offset())
	}
}

func TestHistory(t *testing.T) {
	var in Input
	for _, s := range []string{"one", "two", "two", "", "three"} {
		in.Remember(s)
	}
	in.Set("")
	var got []string
	for _, step := range []int{1, -1, -1, -1, -1, 1, 1, 1, 1} {
		in.Recall(step)
		got = append(got, in.Value())
	}
	if text := strings.Join(got, ","); text != ",three,two,one,one,two,three,," {
		t.Errorf("the history is %s", text)
	}
	in.Recall(-1)
	in.Set("other")
	if in.Recall(-1); in.Value() != "three" {
		t.Errorf("from a new text the way leads to %q, not to the end of the history", in.Value())
	}
}

// TestDrawKeepsWithin: whatever the text is and wherever the cursor stands, the cursor is seen and nothing goes beyond
// the cells.
func TestDrawKeepsWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"a", " ", "日", "\x1b", "\u202e", "e\u0301\u0301\u0301\u0301", "\u0085", "👩", "=="}
	for range 2000 {
		var in Input
		var text strings.Builder
		for range rng.IntN(40) {
			text.WriteString(pieces[rng.IntN(len(pieces))])
		}
		in.Set(text.String())
		in.Cur = rng.IntN(len(in.Text) + 1)
		w := rng.IntN(40)
		var l paint.Line
		in.Draw(&l, w, [2]int{3, 9})
		if got := ansi.StringWidth(l.Text()); got > max(10, w) {
			t.Fatalf("%q takes %d cells of %d", text.String(), got, w)
		}
		if !strings.Contains(l.Text(), paint.SGR("7").Open) {
			t.Fatalf("no cursor at %d of %q within %d: %q", in.Cur, text.String(), w, l.Text())
		}
	}
}

func TestDraw(t *testing.T) {
	cursor, mark := paint.SGR("7"), paint.SGR("4")
	in := Input{Mark: mark}
	in.Set("ab cd")
	in.Cur = 0
	var l paint.Line
	in.Draw(&l, 20, [2]int{3, 5})
	if want := cursor.Open + "a" + cursor.Close + "b " + mark.Open + "c" + mark.Close + mark.Open + "d" + mark.Close +
		" "; l.Text() != want {
		t.Errorf("%q, want %q", l.Text(), want)
	}
	in.Set("0123456789abcdef")
	l = paint.Line{}
	in.Draw(&l, 3, [2]int{})
	if got := ansi.Strip(l.Text()); got != "789abcdef " {
		t.Errorf("ten cells show %q", got)
	}
}
