// Package coloring has the coloring rules in use, and the box beside the packets in which they are changed.
package coloring

import (
	"context"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/rules"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the coloring rules may ask of the screen.
type Context interface {
	// Scope is the capture as it is shown now.
	Scope() view.Scope
	// Style is how the screen draws.
	Style() *widget.Style
	// Notify says something in the line above the keys.
	Notify(text string)
	// Filter applies a display filter.
	Filter(text string)
	// Open lays a view over the others, Close takes it away.
	Open(v view.View)
	Close()
	// Prompt asks for a line of text, Ask puts a question.
	Prompt(p view.Prompt)
	Ask(title, text string, answers ...view.Answer)
	// Later does work beside the screen, and then what it returns; stop ends ctx.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
	// Panes draws the packets with their tree and bytes, Redraw has the rows of the packets drawn anew.
	Panes() []string
	Redraw()
	// Profile is whose settings are used; "" is nobody's own.
	Profile() string
}

// A Keeper writes rules into the settings of a profile, in the place of those that were there, and names the file.
type Keeper func(profile string, was, now []rules.Rule) (file string, err error)

// Rules are the coloring rules, in the order in which they are asked. The first that matches a packet counts.
type Rules struct {
	Off  bool         // no rule is asked
	Kept []rules.Rule // as they are in the settings

	c       Context
	reg     *dissect.Registry
	options filter.Options
	keep    Keeper // nil: there is no file of settings

	ready []rules.Ready
	told  int   // rules that have been said to be given up
	box   *View // while the rules are on the screen
}

// New has no rules yet.
func New(c Context, reg *dissect.Registry, options filter.Options, keep Keeper) *Rules {
	return &Rules{c: c, reg: reg, options: options, keep: keep}
}

// Use takes the rules of the settings.
func (r *Rules) Use(list []rules.Rule) {
	r.Kept = list
	r.set(list)
}

// In has the rules be of another registry.
func (r *Rules) In(reg *dissect.Registry) {
	r.reg = reg
	r.set(r.List())
}

// Of is the rule that counts for a packet, or nil. Only rows that are drawn ask, so it costs as much as the screen is
// high.
func (r *Rules) Of(d *dissect.Dissector, n dissect.FrameNum) *rules.Ready {
	if r.Off {
		return nil
	}
	return rules.Of(r.ready, d, n)
}

// List are the rules as they are kept.
func (r *Rules) List() []rules.Rule {
	out := make([]rules.Rule, 0, len(r.ready))
	for _, one := range r.ready {
		out = append(out, one.Rule)
	}
	return out
}

// set takes other rules. Those that are wrong are left out.
func (r *Rules) set(list []rules.Rule) {
	r.ready, _ = rules.Prepare(r.reg, r.options, list)
	r.Repen()
	r.told = 0
	r.c.Redraw()
	if r.box != nil {
		r.box.counter.Use(r.ready)
	}
}

// changed tells whether the rules are other than those of the settings.
func (r *Rules) changed() bool { return !slices.Equal(r.List(), r.Kept) }

// Repen makes the pens of the rules anew, after those of the screen have changed.
func (r *Rules) Repen() {
	s := r.c.Style()
	rules.Repen(r.ready, &s.Pens, s.Colour)
}

// SayGivenUp says once that a rule colours nothing any more, because its filter takes ages on these packets.
func (r *Rules) SayGivenUp() {
	n, last := 0, ""
	for _, one := range r.ready {
		if one.Compiled.Stopped() != nil {
			n, last = n+1, one.Title()
		}
	}
	if n > r.told {
		r.c.Notify("the coloring rule " + dissect.Escape(last) + " takes too long on these packets and is given up; " +
			r.c.Style().Key(act.ColoringRules) + " shows the rules")
	}
	r.told = n
}

// Toggle switches the rules off or on.
func (r *Rules) Toggle() {
	r.Off = !r.Off
	r.c.Redraw()
	switch {
	case len(r.ready) == 0:
		r.c.Notify("there are no coloring rules; :coloring makes some")
	case r.Off:
		r.c.Notify("coloring rules are off")
	default:
		r.c.Notify("coloring rules are on: " + r.names())
	}
}

// names are the titles of the rules that are not switched off.
func (r *Rules) names() string {
	var names []string
	for _, one := range r.ready {
		if !one.Off {
			names = append(names, one.Title())
		}
	}
	return strings.Join(names, ", ")
}

// Command opens the rules, switches them, or reads further ones from Wireshark's file.
func (r *Rules) Command(arg string) {
	word, path, _ := strings.Cut(arg, " ")
	switch path = strings.TrimSpace(path); {
	case word == "":
		r.Open()
	case word == "on" && r.Off, word == "off" && !r.Off:
		r.Toggle()
	case word == "on", word == "off":
	case word == "import" && path != "":
		r.importFile(path)
	default:
		r.c.Notify(":coloring lists the rules; on and off switch them, import FILE reads those of Wireshark")
	}
}

// Offers are what may follow the command.
func Offers(arg string) []complete.Offer {
	return complete.Words(arg, [][2]string{
		{"on", "colour rows by the rules"}, {"off", "do not"}, {"import ", "a file of Wireshark: colorfilters"},
	})
}

// Open shows the rules, unless they are shown already.
func (r *Rules) Open() {
	if r.box == nil {
		r.c.Open(&View{r: r})
	}
}

// Begin asks for a rule in front of all others: for packets that a filter matches.
func (r *Rules) Begin(text string) {
	r.Open()
	r.box.table.Cur = 0
	r.box.begin(text)
}

// save writes the rules into the settings.
func (r *Rules) save() {
	profile, was, now := r.c.Profile(), r.Kept, r.List()
	switch {
	case r.keep == nil:
		r.c.Notify("there is no file of settings to keep them in")
	case slices.Equal(was, now):
		r.c.Notify("the rules are in the settings as they are here")
	default:
		r.c.Later("writing the settings", func(context.Context) func() {
			file, err := r.keep(profile, was, now)
			return func() {
				if err != nil {
					r.c.Notify("not kept: " + err.Error())
					return
				}
				r.Kept = now
				r.c.Notify("kept in " + file)
			}
		})
	}
}

// leave closes the rules. What was changed is kept for the next time, or counts for this run alone.
func (r *Rules) leave() {
	if !r.changed() || r.keep == nil {
		r.c.Close()
		return
	}
	where := "the settings"
	if profile := r.c.Profile(); profile != "" {
		where = "the settings and the profile " + profile
	}
	r.c.Ask("Keep the rules?", "The coloring rules are other than those in "+where+".",
		view.Answer{Act: act.AnswerKeep, Label: "keep them", Do: func() { r.save(); r.c.Close() }},
		view.Answer{Act: act.AnswerRun, Label: "for this run alone", Do: r.c.Close})
}
