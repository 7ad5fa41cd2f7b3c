// Package rules holds coloring rules: display filters with a look for the rows that they match. It makes them ready,
// counts beside the screen what each takes, and reads the rules of Wireshark's file.
package rules

import (
	"errors"
	"fmt"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/paint"
)

// A Rule draws the rows of packets that match a display filter in colours of its own.
type Rule struct {
	Name, Filter           string
	Foreground, Background string
	Bold                   bool
	Off                    bool   // kept, and not in use
	Profile                string // whose rule it is; "" is everybody's
}

// Style is the look of a rule in the words of a style: "bold red on blue".
func (r Rule) Style() string {
	var words []string
	if r.Bold {
		words = append(words, "bold")
	}
	if r.Foreground != "" {
		words = append(words, r.Foreground)
	}
	if r.Background != "" {
		words = append(words, "on "+r.Background)
	}
	return strings.Join(words, " ")
}

// Title is what the rule is called, or its filter.
func (r Rule) Title() string {
	if r.Name != "" {
		return r.Name
	}
	return r.Filter
}

// Standard are the rules of somebody who has none: only what went wrong, and only in the colour of its text.
func Standard() []Rule {
	return []Rule{
		{Name: "malformed", Filter: "_ws.malformed", Foreground: "bad", Bold: true},
		{Name: "tcp resets", Filter: "tcp.flags.reset == 1", Foreground: "bad"},
		{Name: "tcp trouble", Filter: "tcp.analysis.flags && !tcp.analysis.window_update", Foreground: "warn"},
		{Name: "icmp errors", Filter: "icmp.type in {3, 4, 5, 11, 12} || icmpv6.type in {1..4}", Foreground: "warn"},
	}
}

// A Ready rule can be matched and drawn.
type Ready struct {
	Rule
	Compiled *filter.Filter
	Pen      paint.Pen
}

// A Fault is what is wrong with a rule: Key is the name of its setting.
type Fault struct {
	Rule            int
	Key, Text, More string
}

// Prepare makes rules ready. Those with a filter that is wrong are left out.
func Prepare(reg *dissect.Registry, opt filter.Options, list []Rule) ([]Ready, []Fault) {
	var out []Ready
	var faults []Fault
	for i, r := range list {
		wrong := func(key, text, more string) { faults = append(faults, Fault{i, key, text, more}) }
		if err := CheckInk(r.Foreground); err != nil {
			wrong("fg", err.Error(), "")
		}
		if err := CheckGround(r.Background); err != nil {
			wrong("bg", err.Error(), "")
		}
		if strings.TrimSpace(r.Filter) == "" {
			wrong("filter", "a rule needs a filter that says which packets it is for", "")
			continue
		}
		if r.Foreground == "" && r.Background == "" && !r.Bold {
			wrong("fg", "a rule needs fg, bg or bold: otherwise nothing shows that it matches", "")
		}
		f, err := filter.CompileWith(reg, r.Filter, opt)
		var bad *filter.Error
		switch {
		case errors.As(err, &bad):
			wrong("filter", fmt.Sprintf("%s, at column %d of the filter", bad.Error(), bad.Pos+1), bad.Caret())
		case err != nil:
			wrong("filter", err.Error(), "")
		case f.References():
			wrong("filter", "${...} asks the selected packet, which rows do not depend on", "")
		default:
			out = append(out, Ready{Rule: r, Compiled: f})
		}
	}
	return out, faults
}

// CheckInk says what is wrong with the colour of a text, CheckGround with that of a background. "" is none.
func CheckInk(word string) error {
	if word == "" {
		return nil
	}
	_, err := paint.ColourCode(strings.ToLower(word), false, &paint.Pens{})
	return err
}

// CheckGround says what is wrong with the colour of a background. "" is none.
func CheckGround(word string) error {
	if word == "" {
		return nil
	}
	_, err := paint.ColourCode(strings.ToLower(word), true, nil)
	return err
}

// Repen makes the pens of the rules; without colour only weight remains.
func Repen(list []Ready, p *paint.Pens, colour bool) {
	for i := range list {
		list[i].Pen = PenOf(list[i].Rule, p, colour)
	}
}

// PenOf is the pen of a rule.
func PenOf(r Rule, p *paint.Pens, colour bool) paint.Pen {
	switch {
	case colour:
		pen, _ := paint.ParseStyle(r.Style(), p)
		return pen
	case r.Bold:
		return paint.SGR("1")
	}
	return paint.Pen{}
}

// Of is the first rule in use that matches a packet, or nil.
func Of(list []Ready, l *dissect.Dissector, n dissect.FrameNum) *Ready {
	for i := range list {
		if !list[i].Off && list[i].Compiled.Match(l, n) {
			return &list[i]
		}
	}
	return nil
}
