// Package complete finds what may stand at the cursor of a display filter, with what the capture has of it.
package complete

import (
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/sorting"
	"remora/internal/suggest"
	"remora/ui/fieldstats"
	"remora/ui/widget"
)

// An Offer is what may stand at the cursor, with what this capture has of it.
type Offer struct {
	filter.Completion
	Packets float64 // how many packets have it; negative: not known
	Meant   bool    // in place of something misspelt
}

// A Completer knows the fields, what the capture has of them, and the filters of before.
type Completer struct {
	Stats *fieldstats.Capture // nil: not counted yet

	reg        *dissect.Registry
	favourites func() []string // each "name TAB filter"
	used       func() []string // filters used before, the newest last
	at         int             // packets when the fields were counted last
}

// New is one that has counted nothing yet.
func New(reg *dissect.Registry, favourites, used func() []string) *Completer {
	return &Completer{reg: reg, favourites: favourites, used: used}
}

// Words are offers of words that begin with what is typed, each with what is said of it.
func Words(typed string, words [][2]string) []Offer {
	var out []Offer
	for _, w := range words {
		if strings.HasPrefix(strings.ToLower(w[0]), strings.ToLower(typed)) {
			out = append(out, Offer{Completion: filter.Completion{Text: w[0], Doc: w[1], To: len(typed)}, Packets: -1})
		}
	}
	return out
}

// Use has fields be those of another registry.
func (c *Completer) Use(reg *dissect.Registry) {
	c.reg = reg
	c.Forget()
}

// Forget forgets what was counted: another capture is shown.
func (c *Completer) Forget() { c.Stats, c.at = nil, 0 }

// Due tells whether the capture is to be counted: not again while little has changed. Count does that.
func (c *Completer) Due(passed int) bool {
	if c.Stats != nil && passed < c.at*5/4+1000 {
		return false
	}
	c.at = passed
	return true
}

// Offers are the completions at the cursor. With an empty line they are favourites and filters used before.
func (c *Completer) Offers(text string, at int) []Offer {
	if strings.TrimSpace(text) == "" {
		return c.remembered(len(text))
	}
	var out []Offer
	field := comparedField(c.reg, text, at)
	if field == nil && startsWord(text, at) {
		return nil // all there is, in the place of a name that may be right
	}
	have := map[string]bool{}
	for _, one := range filter.Complete(c.reg, text, at) {
		o := Offer{Completion: one, Packets: -1}
		c.count(&o, field)
		have[one.Text] = true
		out = append(out, o)
	}
	if field != nil {
		out = c.occurring(out, have, field, text, at)
	}
	// What is in this capture comes first; names of nothing here last.
	sorting.Stable(out, func(a, b Offer) int {
		switch {
		case field != nil && a.Packets != b.Packets:
			return int(sign64(b.Packets - a.Packets))
		case (a.Packets == 0) != (b.Packets == 0):
			return map[bool]int{true: 1, false: -1}[a.Packets == 0]
		}
		return 0
	})
	if len(out) == 1 && out[0].Text == text[out[0].From:out[0].To] {
		return nil
	}
	return out
}

// Meant are what a misspelt name or value at the cursor may stand for, the closest first.
func (c *Completer) Meant(e *filter.Error, at int) []Offer {
	best, ok := strings.CutPrefix(e.Hint, "did you mean ")
	if !ok || at != e.End || len(e.More) > 0 {
		return nil
	}
	best = strings.TrimSuffix(best, "?")
	list := []string{best}
	kinds := map[string]filter.Completion{}
	field := comparedField(c.reg, e.Text[:e.Pos], e.Pos)
	if field != nil { // among the names of its values
		list = nil
		for _, one := range filter.Complete(c.reg, e.Text[:e.Pos], e.Pos) {
			if kinds[one.Text] = one; one.Type == "value" {
				list = append(list, one.Text)
			}
		}
		list = suggest.List(strings.Trim(e.Text[e.Pos:e.End], `"`), list)
	} else if f := c.reg.Field(best); f != nil {
		kinds[best] = filter.Completion{Type: f.Type().String(), Doc: f.Doc()}
	}
	var out []Offer
	for _, name := range list {
		one := kinds[name]
		one.Text, one.From, one.To = name, e.Pos, e.End
		o := Offer{Completion: one, Packets: -1, Meant: true}
		c.count(&o, field)
		out = append(out, o)
	}
	return out
}

// count says how many packets have a field, a protocol or a value.
func (c *Completer) count(o *Offer, field *dissect.Field) {
	if c.Stats == nil {
		return
	}
	if field != nil {
		if k := c.Stats.Field(field); k != nil {
			o.Packets = k.Values[strings.TrimSpace(o.Text)]
		} else {
			o.Packets = 0
		}
		return
	}
	f := c.reg.Field(strings.TrimSpace(o.Text))
	if f == nil {
		return
	}
	o.Packets = 0
	if k := c.Stats.Field(f); k != nil {
		o.Packets = k.Packets
	}
}

// occurring adds values that the field has in this capture and that no name stands for.
func (c *Completer) occurring(out []Offer, have map[string]bool, field *dissect.Field, text string, at int) []Offer {
	k := c.Stats.Field(field)
	if k == nil {
		return out
	}
	from := at
	for from > 0 && !strings.ContainsRune(" {,(=<>!", rune(text[from-1])) {
		from--
	}
	for _, v := range k.Order {
		if !have[v] && strings.HasPrefix(v, text[from:at]) {
			out = append(out,
				Offer{Completion: filter.Completion{Text: v, Type: "value here", From: from, To: at}, Packets: k.Values[v]})
		}
	}
	return out
}

// remembered are favourites, and filters used before, newest first.
func (c *Completer) remembered(to int) []Offer {
	var out []Offer
	for _, line := range c.favourites() {
		name, text, _ := strings.Cut(line, "\t")
		out = append(out, Offer{Completion: filter.Completion{Text: text, Type: "favourite", Doc: name, To: to}, Packets: -1})
	}
	lines := c.used()
	for i := len(lines) - 1; i >= 0 && len(out) < 40; i-- {
		out = append(out, Offer{Completion: filter.Completion{Text: lines[i], Type: "used before", To: to}, Packets: -1})
	}
	return out
}

// Values are some of the values that a field has in this capture; to stands between the least and the greatest.
func (c *Completer) Values(o Offer, to string) string {
	f := c.reg.Field(strings.TrimSpace(o.Text))
	if f == nil {
		return ""
	}
	k := c.Stats.Field(f)
	if k == nil {
		return ""
	}
	if lo, hi, ok := k.Span(); ok {
		if !strings.HasPrefix(hi, "0x") {
			lo, hi = widget.GroupNumbers(lo), widget.GroupNumbers(hi)
		}
		return lo + to + hi
	}
	values := k.Order
	return strings.Join(values[:min(6, len(values))], ", ")
}

// startsWord tells whether the cursor stands before the first letter of a word.
func startsWord(text string, at int) bool {
	name := func(i int) bool {
		c := text[i]
		return c == '_' || c == '.' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return at < len(text) && name(at) && (at == 0 || !name(at-1))
}

// comparedField is the field whose value is due at the cursor, or nil.
func comparedField(reg *dissect.Registry, text string, at int) *dissect.Field {
	before := strings.TrimRight(text[:at], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:\"-")
	words := strings.Fields(strings.NewReplacer("==", " == ", "!=", " != ", "<", " < ", ">", " > ", "{", " { ", ",", " , ",
		"(", " ( ").Replace(before))
	inSet := false
	for i := len(words) - 1; i >= 0; i-- {
		switch words[i] {
		case "}", "&&", "||", "and", "or", "(":
			return nil
		case "{":
			inSet = true
		case "==", "!=", "<", ">", "<=", ">=", "eq", "ne", "===", "!==", "~=":
			if i > 0 && i == len(words)-1 {
				return reg.Field(words[i-1])
			}
			return nil
		case "in":
			if inSet && i > 0 {
				return reg.Field(words[i-1])
			}
			return nil
		}
	}
	return nil
}

func sign64(v float64) float64 {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}

// Shift moves the places of offers on, behind what stands before them in the line.
func Shift(list []Offer, by int) []Offer {
	for i := range list {
		list[i].From += by
		list[i].To += by
	}
	return list
}
