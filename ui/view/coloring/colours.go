package coloring

import (
	"slices"
	"strings"

	"remora/dissect/filter"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/rules"
	"remora/ui/view"
)

// The colour of a rule is chosen from a list in which each is drawn as it looks, or typed. The rule has it at once in
// the packets behind the list, until Enter keeps it or Esc goes back to the one before.

// inkWords are the colours of text that are offered: first those that follow the theme.
var inkWords = [][2]string{
	{"accent", "the theme's"}, {"good", "the theme's"}, {"warn", "the theme's"}, {"bad", "the theme's"},
	{"dim", "the theme's"},
}

// Colours of backgrounds on which the text of most terminals can be read.
var (
	darkGrounds  = []string{"17", "22", "23", "52", "53", "58", "236", "240"}
	lightGrounds = []string{"194", "195", "224", "225", "229", "230", "253", "250"}
)

const (
	wordBold = "bold"
	wordNone = "none"
)

// A trial is the choice of a colour for a rule: of its text, or of its background.
type trial struct {
	v      *View
	before []rules.Rule
	at     int // the rule
	ground bool
}

// try lets a colour of a rule be chosen.
func (v *View) try(at int, ground bool) {
	t := trial{v: v, before: v.r.List(), at: at, ground: ground}
	p := view.Prompt{Label: " colour of the text: ", Accept: t.accept}
	start := t.before[at].Foreground
	check := rules.CheckInk
	if ground {
		p.Label, start, check = " colour of the background: ", t.before[at].Background, rules.CheckGround
	}
	if start == "" {
		start = wordNone
	}
	p.Choice = &view.Choice{
		Offers: func(typed string) []complete.Offer { return offers(ground, v.r.c.Style().Dark, typed) },
		Start:  start,
		Check:  check,
		Pen:    func(word string) paint.Pen { return v.r.penOf(t.with(word)) },
		Try:    t.show,
		Cancel: func() { v.r.set(t.before) },
		Foot:   "or type #rrggbb, 0 to 255",
	}
	v.r.c.Prompt(p)
}

func (r *Rules) penOf(one rules.Rule) paint.Pen {
	s := r.c.Style()
	return rules.PenOf(one, &s.Pens, s.Colour)
}

// offers are the colours that begin with what is typed.
func offers(ground, dark bool, typed string) []complete.Offer {
	var words [][2]string
	if ground {
		grounds := lightGrounds
		if dark {
			grounds = darkGrounds
		}
		words = append(words, [2]string{wordNone, "the terminal's"})
		for _, n := range grounds {
			words = append(words, [2]string{n, "quiet"})
		}
	} else {
		words = append(words, [2]string{wordBold, "bold, or not"}, [2]string{wordNone, "the terminal's"})
		words = append(words, inkWords...)
	}
	for _, name := range paint.ColourNames() {
		words = append(words, [2]string{name, "the terminal's own"})
	}
	return complete.Words(typed, words)
}

// with is the rule with the colour of a word.
func (t trial) with(word string) rules.Rule {
	r := t.before[t.at]
	word = strings.ToLower(strings.TrimSpace(word))
	switch {
	case t.ground && word == wordNone:
		r.Background = ""
	case t.ground:
		r.Background = word
	case word == wordBold:
		r.Bold = !r.Bold
	case word == wordNone:
		r.Foreground = ""
	default:
		r.Foreground = word
	}
	return r
}

// show draws the packets behind with the colour of a word; with that of before where it is none.
func (t trial) show(word string, right bool) {
	r := t.v.r
	if t.at >= len(r.ready) {
		return
	}
	one := t.before[t.at]
	if right {
		one = t.with(word)
	}
	r.ready = slices.Clone(r.ready)
	r.ready[t.at].Rule, r.ready[t.at].Pen = one, r.penOf(one)
	r.c.Redraw()
}

// accept keeps a colour.
func (t trial) accept(word string) {
	t.v.r.set(t.before)
	one := t.with(word)
	switch {
	case one.Style() == "":
		t.v.r.c.Notify("a rule needs a colour, a background or bold: otherwise nothing shows that it matches")
	case one != t.before[t.at]:
		list := slices.Clone(t.before)
		list[t.at] = one
		t.v.change(list)
	}
}

// fault is what is wrong with a filter that no rule can have, or nil.
func fault(f *filter.Filter, text string) *filter.Error {
	if f == nil || !f.References() {
		return nil
	}
	at := max(0, strings.Index(text, "${"))
	return &filter.Error{Text: text, Pos: at, End: len(text),
		Msg: "${...} asks the selected packet, which rows do not depend on"}
}
