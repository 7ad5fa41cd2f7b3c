package prompt

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect/filter"
	"remora/protocols"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/view/viewtest"
	"remora/ui/widget"
)

// screen has a line over a sample, and remembers what it asked for.
type screen struct {
	t         *testing.T
	shown     *viewtest.Screen
	line      *Line
	explained string
	accepted  []string
}

func (x *screen) Scope() view.Scope    { return x.shown.Scope() }
func (x *screen) Style() *widget.Style { return x.shown.Style() }
func (x *screen) Screen() (w, h int)   { return 120, 36 }
func (x *screen) Room() (w, h int)     { return 114, 20 }
func (x *screen) Used() []string       { return []string{"udp", "dns"} }
func (x *screen) Tell(act.Action)      {}
func (x *screen) Notify(text string)   { x.shown.Notify(text) }
func (x *screen) accept(text string)   { x.accepted = append(x.accepted, text) }
func (x *screen) favourites() []string { return []string{"games\ttouhou"} }
func (x *screen) filters() view.Prompt {
	return view.Prompt{Label: " / ", Filter: true, Lists: true, Accept: x.accept}
}
func (x *screen) words() view.Prompt {
	return view.Prompt{Label: " word: ", Check: offersOf, Accept: x.accept}
}
func (x *screen) Explain(title string, lines []string) {
	x.explained = title + ": " + strings.Join(lines, " ")
}

func (x *screen) Later(what string, work func(ctx context.Context) func()) func() {
	stop := x.shown.Later(what, work)
	x.shown.Settle()
	return stop
}

// offersOf are three words, or nothing and a problem.
func offersOf(text string, _ int) ([]complete.Offer, string) {
	if text == "wrong" {
		return nil, "no such word"
	}
	return complete.Words(text, [][2]string{{"one", "a word"}, {"two", "a word"}, {"three", "a word"}}), ""
}

func open(t *testing.T) *screen {
	x := &screen{t: t, shown: viewtest.OpenSample(t, protocols.All(), 120, 36)}
	x.line = New(x, complete.New(x.Scope().Session.Registry(), x.favourites, x.Used))
	return x
}

// keys types letters, and keys in angle brackets.
func (x *screen) keys(script string) *screen {
	for script != "" {
		key := script[:1]
		if end := strings.IndexByte(script, '>'); key == "<" && end > 1 {
			x.line.Key(script[1:end], "")
			script = script[end+1:]
			continue
		}
		x.line.Key(key, key)
		script = script[1:]
	}
	return x
}

// text is the picture of the line, what is wrong with it, and the list.
func (x *screen) text() string {
	lines := slices.Repeat([]string{strings.Repeat(" ", 120)}, 36)
	if x.line.IsOpen() {
		lines[1] = x.line.Draw(120)
	}
	if problem := x.line.Problem(120); problem != "" {
		lines[2] = problem
	}
	x.line.Over(lines)
	return ansi.Strip(strings.Join(lines, "\n"))
}

func (x *screen) has(parts ...string) *screen {
	x.t.Helper()
	for _, p := range parts {
		if !strings.Contains(x.text(), p) {
			x.t.Errorf("no %q in\n%s", p, x.text())
		}
	}
	return x
}

func (x *screen) hasNot(part string) {
	x.t.Helper()
	if strings.Contains(x.text(), part) {
		x.t.Errorf("%q is in\n%s", part, x.text())
	}
}

// click presses the left button on a text of the screen.
func (x *screen) click(what string) {
	x.t.Helper()
	for y, l := range strings.Split(x.text(), "\n") {
		if before, _, ok := strings.Cut(l, what); ok {
			x.line.Click(paint.Width(before), y)
			return
		}
	}
	x.t.Fatalf("no %q in\n%s", what, x.text())
}

func TestAFilterIsCheckedAndCompleted(t *testing.T) {
	x := open(t)
	x.line.Open(x.filters())
	x.has("Enter shows all packets", "favourite", "games", "used before")
	x.keys("udp.lenth").has("did you mean", "✗ still all packets")
	x.keys("<tab> > 3").has("/ udp.length > 3", "✓ Enter applies")
	x.keys("<enter>")
	x.line.Open(x.filters())
	x.keys("udp &&").has("still all packets")
	x.hasNot("✗") // it may become right
	x.keys("<enter>").has("✗ still all packets")
	x.keys("<ctrl+u>dns || udp && touhou<enter>")
	if want := []string{"udp.length > 3", "dns || udp && touhou"}; !slices.Equal(x.accepted, want) {
		t.Errorf("accepted are %q, want %q", x.accepted, want)
	}
	if f := x.line.TakeCompiled("dns || udp && touhou"); f == nil || x.line.TakeCompiled(f.String()) != nil {
		t.Error("what was typed is not there compiled, once")
	}
}

func TestOtherFiltersAreTakenNotApplied(t *testing.T) {
	x := open(t)
	x.line.Open(view.Prompt{
		Label: " filter: ", Filter: true, Wrong: "no such rule yet", Accept: x.accept,
		Fault: func(_ *filter.Filter, text string) *filter.Error {
			if text == "tcp" {
				return &filter.Error{Text: text, End: len(text), Msg: "not this one"}
			}
			return nil
		},
	})
	x.has("Enter: run · Esc: cancel")
	x.keys("zzz<tab>").has(`frame contains "zzz"`, "✓ Enter: accept")
	x.keys("<ctrl+u>zzz zzz<enter>").has("✗ no such rule yet")
	x.keys("<ctrl+u>tcp<enter>").has("not this one")
	x.keys("<ctrl+u>udp<enter>")
	if !slices.Equal(x.accepted, []string{"udp"}) {
		t.Errorf("accepted are %q", x.accepted)
	}
}

func TestWordsAreOfferedAndExplained(t *testing.T) {
	x := open(t)
	x.line.Open(x.words())
	x.keys("<down><down><f1>").has("3 of 3")
	if x.explained != "three:   a word" {
		t.Errorf("explained is %q", x.explained)
	}
	x.keys("t").has("two", "three")
	x.click("three")
	x.keys("<enter>")
	x.line.Open(x.words())
	x.keys("wrong<enter>").has("✗ no such word")
	x.keys("<ctrl+u>one")
	x.click("word: one")
	x.keys("X").has("word: Xone") // the cursor is where the pointer was
	x.keys("<esc>")
	x.line.Open(x.words())
	x.keys("x<up>").has("word: three")
	if !slices.Equal(x.accepted, []string{"three"}) {
		t.Errorf("accepted are %q", x.accepted)
	}
}

func TestAMenuIsDoneByAClick(t *testing.T) {
	x := open(t)
	cancelled := 0
	menu := func() *screen {
		p := x.words()
		p.Menu, p.Cancel = true, func() { cancelled++ }
		p.Resolve = func(t view.Typed) (string, bool) {
			if t.Offer.Text == "one" && t.Picked {
				return "one ", false
			}
			return t.Offer.Text, true
		}
		x.line.Open(p)
		return x
	}
	menu().keys("<down><enter>")
	menu().click("three")
	menu().click("one")
	x.has("word: one ")
	menu().text()
	x.line.Click(1, 30)
	if !slices.Equal(x.accepted, []string{"two", "three"}) || cancelled != 1 || x.line.IsOpen() {
		t.Errorf("accepted are %q, cancelled %d times, open: %v", x.accepted, cancelled, x.line.IsOpen())
	}
}

func TestAChoiceIsTriedAsOneGoes(t *testing.T) {
	x := open(t)
	var tried []string
	choose := func() {
		x.line.Open(view.Prompt{Label: " colour: ", Accept: x.accept, Choice: &view.Choice{
			Offers: func(typed string) []complete.Offer {
				return complete.Words(typed, [][2]string{{"red", "warm"}, {"green", "calm"}})
			},
			Start: "green", Foot: "or a number",
			Check: func(word string) error {
				if strings.Trim(word, "0123456789") == "" {
					return nil
				}
				return errors.New("no such colour")
			},
			Pen:    func(string) paint.Pen { return paint.Pen{} },
			Try:    func(word string, right bool) { tried = append(tried, word+map[bool]string{false: "?"}[right]) },
			Cancel: func() { tried = append(tried, "as before") },
		}})
	}
	choose()
	x.has("2 of 2", "example   green", "calm", "or a number", "Enter keeps it, Esc goes back")
	x.keys("<up><enter>")
	choose()
	x.keys("1<enter>")
	choose()
	x.keys("blue<enter>").has("✗ no such colour")
	x.keys("<esc>")
	if want := []string{"red", "1"}; !slices.Equal(x.accepted, want) {
		t.Errorf("accepted are %q, want %q", x.accepted, want)
	}
	if got := strings.Join(tried, " "); got != "green red green 1 green b? bl? blu? blue? blue? as before" {
		t.Errorf("tried are %s", got)
	}
}

func TestAValueHasItsNumber(t *testing.T) {
	for _, c := range [][3]string{{"INPUT", "INPUT (0x0e)", "0x0e"}, {"INPUT", "what it is", "value"},
		{`"No error"`, "No error (0)", "0"}} {
		if got := valueNumber(c[0], c[1]); got != c[2] {
			t.Errorf("%s of %s is %s", c[0], c[1], got)
		}
	}
}
