// Package prompt is the line in which text is typed: a display filter, a command, or whatever somebody asks for. It
// checks and completes filters as they are typed, and lists what may stand at the cursor.
package prompt

import (
	"context"
	"slices"
	"strings"

	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/readline"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the line may ask of the screen.
type Context interface {
	// Scope is the capture as it is shown now.
	Scope() view.Scope
	// Style is how the screen draws, with the keys as they are.
	Style() *widget.Style
	// Screen is the size of the whole screen, Room the part of it below the line that completions may cover.
	Screen() (w, h int)
	Room() (w, h int)
	// Used are the display filters used before, the newest last.
	Used() []string
	// Explain shows a text until the next key.
	Explain(title string, lines []string)
	// Notify says something in the line above the keys; "" takes it away.
	Notify(text string)
	// Tell says that an action is done.
	Tell(a act.Action)
	// Later does work beside the screen, and then what it returns.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
}

// A Line is the line of text that is typed, if one is.
type Line struct {
	Completer *complete.Completer // of display filters

	c      Context
	inputs map[string]*readline.Input // by the labels in front

	open    bool
	prompt  view.Prompt
	input   *readline.Input
	offers  []complete.Offer
	chosen  int    // of the offers
	problem string // with what is typed, but for filters
	drawn   widget.Popup

	verdict   *filter.Error // of a filter
	halfTyped bool          // it may become right: nothing is said yet
	culprit   [2]int
	warnings  []filter.Error
	compiled  *filter.Filter // what is typed; nil where that is wrong or was taken
	repair    string         // what it would be without its first fault
}

// New is a line that is closed.
func New(c Context, completer *complete.Completer) *Line {
	return &Line{c: c, Completer: completer, inputs: map[string]*readline.Input{}}
}

// Open asks for a line of text.
func (l *Line) Open(p view.Prompt) {
	l.Close()
	l.c.Notify("")
	l.open, l.prompt, l.compiled = true, p, nil
	if p.Choice != nil {
		l.choiceOf(p.Choice)
	}
	if l.input = l.inputs[p.Label]; l.input == nil {
		l.input = &readline.Input{}
		if p.Filter {
			l.input.History = l.c.Used()
		}
		l.inputs[p.Label] = l.input
	}
	l.input.Set(p.Text)
	if p.Filter {
		l.countFields()
	}
	l.check()
}

// Close closes the line; nothing is accepted.
func (l *Line) Close() {
	l.open, l.offers, l.problem = false, nil, ""
	l.forgetVerdict()
}

// cancel closes the line and says so to whoever asked.
func (l *Line) cancel() {
	cancelled := l.prompt.Cancel
	l.Close()
	l.compiled = nil
	if cancelled != nil {
		cancelled()
	}
}

// IsOpen tells whether a line is typed.
func (l *Line) IsOpen() bool { return l.open }

// Lists tells whether offers lie over the screen.
func (l *Line) Lists() bool { return l.open && len(l.offers) > 0 }

// Value is what is typed.
func (l *Line) Value() string { return l.input.Value() }

// TakeCompiled is the filter that was typed last, if it is this text; a filter is compiled once.
func (l *Line) TakeCompiled(text string) *filter.Filter {
	f := l.compiled
	l.compiled = nil
	if f == nil || f.String() != text {
		return nil
	}
	return f
}

// Insert writes at the cursor, as pasted text is.
func (l *Line) Insert(text string) {
	l.input.Insert(text)
	l.check()
}

// check looks at what is typed: what is wrong with it, and what may stand at the cursor.
func (l *Line) check() {
	l.forgetVerdict()
	text := l.input.Value()
	switch {
	case l.prompt.Filter:
		l.judge(text)
		if l.offer(l.Completer.Offers(text, l.input.Offset())); len(l.offers) == 0 && l.verdict != nil && !l.halfTyped {
			l.offers = l.Completer.Meant(l.verdict, l.input.Offset())
		}
	case l.prompt.Field && text != "":
		l.offer(l.Completer.Offers(text, l.input.Offset()))
	case l.prompt.Field:
		l.offers = nil
	case l.prompt.Check != nil:
		offers, problem := l.prompt.Check(text, l.input.Offset())
		l.problem = problem
		if l.offer(offers); l.prompt.Choice != nil && text == "" {
			start := func(o complete.Offer) bool { return o.Text == l.prompt.Choice.Start }
			l.chosen = max(0, slices.IndexFunc(l.offers, start))
		}
	}
	l.tried()
}

func (l *Line) offer(list []complete.Offer) { l.offers, l.chosen = list, 0 }

// typed is what stands in the line.
func (l *Line) typed() view.Typed {
	t := view.Typed{Text: l.input.Value(), Picked: l.chosen > 0}
	if l.chosen < len(l.offers) {
		t.Offer = &l.offers[l.chosen]
	}
	return t
}

// tried says which offer the cursor is on.
func (l *Line) tried() {
	if c := l.prompt.Choice; c != nil {
		word, err := chosenWord(c, l.typed())
		c.Try(word, err == nil)
	}
}

// Key handles a key while the line is open.
func (l *Line) Key(name, text string) {
	does := l.c.Style().Keys.Line(name)
	l.c.Tell(does)
	switch does {
	case act.LineCancel:
		l.cancel()
	case act.LineAccept:
		l.accept(l.typed())
	case act.LineTake:
		l.take()
	case act.LineExplain:
		l.explain()
	case act.LineNext, act.LinePrev:
		l.choose(map[act.Action]int{act.LineNext: 1, act.LinePrev: -1}[does])
	default:
		if !l.input.Do(does) && text != "" {
			l.input.Insert(text)
		}
		l.check()
	}
}

// choose moves the cursor among the offers, or goes through the history.
func (l *Line) choose(by int) {
	if len(l.offers) > 0 && l.chosen+by >= 0 {
		l.chosen = min(l.chosen+by, len(l.offers)-1)
		l.tried()
		return
	}
	l.input.Recall(by)
	l.check()
	l.offers = nil
}

// accept closes the line and hands on what was typed, unless that is wrong.
func (l *Line) accept(t view.Typed) {
	if e := l.verdict; l.prompt.Filter && e != nil { // the line says what is wrong
		l.halfTyped = false
		l.underline(*e, l.c.Style().Pens.Bad)
		return
	}
	if l.problem != "" {
		return
	}
	t.Text = strings.TrimSpace(t.Text)
	text := t.Text
	if l.prompt.Resolve != nil {
		var ok bool
		if text, ok = l.prompt.Resolve(t); !ok {
			l.put(text)
			return
		}
	}
	if !l.prompt.Forget {
		l.input.Remember(text)
	}
	accepted := l.prompt.Accept
	l.Close()
	accepted(text)
}

// put has another text in the line.
func (l *Line) put(text string) {
	if text != l.input.Value() {
		l.input.Set(text)
	}
	l.check()
}

// take takes the offer under the cursor, or mends the filter.
func (l *Line) take() {
	if l.prompt.Take != nil {
		if text, ok := l.prompt.Take(l.typed()); ok {
			l.put(text)
			return
		}
	}
	switch {
	case len(l.offers) > 0:
		c, s := l.offers[l.chosen], l.input.Value()
		l.input.Set(s[:c.From] + c.Text + s[c.To:])
		l.input.Cur = len([]rune(s[:c.From] + c.Text))
		l.check()
		if !l.prompt.Menu || strings.TrimSpace(c.Text) == c.Text && c.From > 0 {
			l.offers = nil
		}
	case l.repair != "":
		l.put(l.repair)
	}
}

// explain says what the offer under the cursor is.
func (l *Line) explain() {
	o := l.typed().Offer
	if o == nil {
		return
	}
	lines := []string{o.Type, "", o.Doc}
	if f := l.c.Scope().Session.Registry().Field(strings.TrimSpace(o.Text)); f != nil {
		if k := l.Completer.Stats.Field(f); k != nil && len(k.Order) > 0 {
			lines = append(lines, "", "Here it is "+strings.Join(k.Order[:min(8, len(k.Order))], ", ")+".")
		}
	}
	l.c.Explain(o.Text, lines)
}

// underline marks what is wrong with the text.
func (l *Line) underline(e filter.Error, p paint.Pen) {
	l.culprit = [2]int{e.Pos, max(e.End, e.Pos+1)}
	l.input.Mark = paint.Pen{Open: p.Open + "\x1b[4m", Close: "\x1b[m"}
}
