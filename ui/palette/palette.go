// Package palette is the line behind a colon. It lists every command and every action with its keys and what it does,
// and what may follow a command. What is typed narrows the list: each word must fit the name, or occur in the help.
// With nothing typed what was done last comes first.
package palette

import (
	"slices"
	"strings"

	"remora/dissect/filter"
	"remora/internal/sorting"
	"remora/internal/suggest"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/paint"
	"remora/ui/source"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the palette may ask of the screen.
type Context interface {
	// Style is how the screen draws, with the keys as they are.
	Style() *widget.Style
	// Screen is the size of the whole screen.
	Screen() (w, h int)
	// Prompt asks for a line of text.
	Prompt(p view.Prompt)
	// Notify says something in the line above the keys.
	Notify(text string)
	// Run does what a key would do for an action. An action that wants a letter waits for it.
	Run(a act.Action)
	// Done are the commands and actions done before, the newest last; Remember adds one.
	Done() []string
	Remember(name string)
}

// A Command is what is typed behind the colon. Actions can be typed there as well, by their names.
type Command struct {
	Names []string // the first is the one that is shown
	Arg   string   // what follows it, in capitals; "" nothing
	Must  bool     // it does nothing without
	Help  string
	Do    func(arg string)
	Args  func(arg string) []complete.Offer // what may follow; nil: not known
	Does  act.Action                        // that it stands for, too: its keys and other words are the command's
}

// Shown is how a command is typed.
func (c Command) Shown() string { return strings.TrimSpace(":" + c.Names[0] + " " + c.Arg) }

// The commands that numbers and times stand for, as in :123, :+1.5s and :@12:03:04.
const (
	GoTo = "goto"
	Time = "time"
)

// A Palette has the commands.
type Palette struct {
	c        Context
	commands []Command
}

// New is a palette of commands, in the order in which they are offered.
func New(c Context, commands []Command) *Palette { return &Palette{c, commands} }

// Open asks for a command; text is what is typed already.
func (p *Palette) Open(text string) {
	p.c.Prompt(view.Prompt{
		Label: " : ", Text: text, Menu: true, Resolve: p.resolve, Take: p.take, Says: p.says, Rows: p.rows,
		Check: func(text string, _ int) ([]complete.Offer, string) { return p.offers(text), "" },
		Accept: func(text string) {
			p.remember(text)
			p.Do(text)
		},
	})
}

// named is the command of a name, or nil.
func (p *Palette) named(name string) *Command {
	i := slices.IndexFunc(p.commands, func(c Command) bool { return slices.Contains(c.Names, name) })
	if i < 0 {
		return nil
	}
	return &p.commands[i]
}

// Knows tells whether a text is a command as it stands.
func (p *Palette) Knows(text string) bool {
	name, _, _ := strings.Cut(text, " ")
	return p.named(name) != nil || act.Named(name) != act.None || isNumber(name) || isTime(name)
}

func isNumber(s string) bool  { return s != "" && strings.Trim(s, "0123456789") == "" }
func isTime(name string) bool { return name != "" && strings.ContainsRune("+-@", rune(name[0])) }

// Do does what is typed behind a colon.
func (p *Palette) Do(text string) {
	name, arg, _ := strings.Cut(text, " ")
	arg = strings.TrimSpace(arg)
	switch c := p.named(name); {
	case name == "":
	case c != nil:
		c.Do(arg)
	case act.Named(name) != act.None:
		p.run(act.Named(name))
	case isNumber(name):
		p.named(GoTo).Do(name)
	case isTime(name):
		p.named(Time).Do(strings.TrimSpace(strings.TrimPrefix(text, "@")))
	default:
		p.c.Notify("there is no command " + name + "; : lists all there are")
	}
}

// elsewhere is where actions count that are only for keys.
var elsewhere = map[string]string{
	act.InLine: "while a line is typed in", act.InAnswers: "while a question is asked",
	act.InSources: "while a source is chosen: Ctrl-O", act.InFacets: "in the facets",
}

// run does an action, unless it counts in another place alone.
func (p *Palette) run(a act.Action) {
	if where := elsewhere[a.Layer()]; where != "" {
		p.c.Notify(a.Name() + " is for keys, " + where)
		return
	}
	p.c.Run(a)
}

// remember puts a command or an action on the list of those done before.
func (p *Palette) remember(text string) {
	name, _, _ := strings.Cut(text, " ")
	c := p.named(name)
	if c != nil {
		name = c.Names[0]
	}
	if c != nil || act.Named(name) != act.None {
		p.c.Remember(name)
	}
}

// resolve is the command under the cursor, or what is typed where that is one as it stands. A command that wants more
// stays open for it.
func (p *Palette) resolve(t view.Typed) (text string, ok bool) {
	name, _, more := strings.Cut(t.Text, " ")
	if c := p.named(name); t.Picked && c != nil && c.Args == nil {
		more = false
	}
	if t.Offer == nil || more && p.Knows(name) || !t.Picked && (t.Text == "" || p.Knows(t.Text)) {
		return t.Text, true
	}
	if t.Offer.To > 0 && t.Offer.To < len(t.Text) { // a name that was mistyped: what follows it stays, to be looked at
		return t.Offer.Text + t.Text[t.Offer.To:], false
	}
	if c := p.named(t.Offer.Text); c != nil && c.Must {
		return t.Offer.Text + " ", false
	}
	return t.Offer.Text, true
}

// take goes on with the file behind a command as far as the files that begin this way agree.
func (p *Palette) take(t view.Typed) (text string, ok bool) {
	name, arg, more := strings.Cut(t.Text, " ")
	c := p.named(name)
	if c == nil {
		return "", false
	}
	before, isFile := strings.CutSuffix(c.Arg, "FILE")
	path, begun := strings.CutPrefix(arg, before)
	if !isFile || !begun || !more && before == "" {
		return "", false
	}
	return name + " " + before + source.CompletePath(path), true
}

// says that nothing fits what is typed.
func (p *Palette) says(t view.Typed) (string, paint.Pen) {
	if t.Text == "" || t.Offer != nil || p.Knows(strings.TrimSpace(t.Text)) {
		return "", paint.Pen{}
	}
	return "No matching command", p.c.Style().Pens.Warn
}

// An entry is a line of the palette, with how far it is from what is typed.
type entry struct {
	complete.Offer
	far int
}

// offers are the lines of the palette for what is typed so far.
func (p *Palette) offers(text string) []complete.Offer {
	name, arg, more := strings.Cut(text, " ")
	if c := p.named(name); more && c != nil {
		if c.Args != nil {
			return complete.Shift(c.Args(arg), len(name)+1)
		}
		return p.phrases(text)
	}
	if more && p.Knows(name) {
		return nil
	}
	words := strings.Fields(text)
	found := p.entries(words, len(text))
	if len(found) == 0 && more {
		found = p.mistyped(name)
	}
	if len(words) == 0 { // what was done last comes first
		last := p.c.Done()
		for i := range found {
			found[i].far = len(last) - 1 - slices.Index(last, found[i].Text)
		}
	}
	sorting.Stable(found, func(x, y entry) int { return x.far - y.far })
	out := make([]complete.Offer, len(found))
	for i, f := range found {
		out[i] = f.Offer
	}
	return out
}

// phrases are the commands and actions that are called all that is typed, though its first word is a command, too: the
// time shift is no time to go to.
func (p *Palette) phrases(text string) (out []complete.Offer) {
	phrase := strings.ToLower(strings.TrimSpace(text))
	p.each(func(names []string, keys, help, others string) {
		if strings.Contains(strings.ReplaceAll(strings.Join(names, " "), "-", " ")+" "+others, phrase) {
			one := filter.Completion{Text: names[0], Type: keys, Doc: help, To: len(text)}
			out = append(out, complete.Offer{Completion: one, Packets: -1})
		}
	})
	return out
}

// Finds are the actions that words find, the best first.
func (p *Palette) Finds(text string) (found []act.Action) {
	for _, o := range p.offers(text) {
		does := act.Named(o.Text)
		if c := p.named(o.Text); c != nil {
			does = c.Does
		}
		if does != act.None {
			found = append(found, does)
		}
	}
	return found
}

// entries are the commands and actions that words fit; to is the end of what they take the place of.
func (p *Palette) entries(words []string, to int) (found []entry) {
	for _, forgiving := range []bool{false, true} { // mistyped words count where nothing fits as it is typed
		add := func(names []string, keys, help, others string) {
			if far, ok := fit(words, names, help+" "+others, forgiving); ok {
				one := filter.Completion{Text: names[0], Type: keys, Doc: help, To: to}
				found = append(found, entry{complete.Offer{Completion: one, Packets: -1}, far})
			}
		}
		p.each(add)
		if len(found) > 0 {
			break
		}
	}
	return found
}

// mistyped are the commands that take something behind their name and are nearly called so: what follows stays.
func (p *Palette) mistyped(name string) (found []entry) {
	for _, c := range p.commands {
		if far, ok := fit([]string{name}, c.Names, "", true); ok && c.Arg != "" {
			one := filter.Completion{Text: c.Names[0], Type: c.Shown(), Doc: c.Help, To: len(name)}
			found = append(found, entry{complete.Offer{Completion: one, Packets: -1}, far})
		}
	}
	return found
}

// each hands on all commands and actions: their names, how they are typed and their keys, their help and other words.
// An action that a command stands for has no line of its own.
func (p *Palette) each(add func(names []string, keys, help, others string)) {
	keys, commanded := p.c.Style().Keys, map[act.Action]bool{act.Command: true}
	label := func(a act.Action) string { return strings.Join(keys.Labels(a), " ") }
	for _, c := range p.commands {
		if c.Does == act.None {
			add(c.Names, c.Shown(), c.Help, "")
			continue
		}
		commanded[c.Does] = true
		add(append(slices.Clone(c.Names), c.Does.Name()), c.Shown()+keysBehind+label(c.Does), c.Help, c.Does.Words())
	}
	for _, a := range act.All() {
		if !commanded[a] && a.Layer() == "" {
			add([]string{a.Name()}, label(a), a.Help(), a.Words())
		}
	}
}

// keysBehind parts the keys of a command from how it is typed.
const keysBehind = "\t"

// fit tells how well words fit a command: each must fit one of its names, or occur in what it does.
func fit(words, names []string, help string, forgiving bool) (far int, ok bool) {
	for _, w := range words {
		best := -1
		for _, name := range names {
			if f, ok := suggest.Fit(w, name); ok && (best < 0 || f < best) {
				best = f
			}
		}
		if forgiving && best < 0 && suggest.One(strings.ToLower(w), wordsOf(names, help)) != "" {
			best = inHelp
		}
		if in := strings.Contains(strings.ToLower(help), strings.ToLower(w)); best < 0 && !in {
			return 0, false
		} else if in && (best < 0 || best > inHelp) {
			best = inHelp
		}
		far += best
	}
	return far, true
}

// wordsOf are the single words of names and of a help.
func wordsOf(names []string, help string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.Join(names, " ")+" "+help), func(r rune) bool {
		return strings.ContainsRune(" .,:;-()", r)
	})
}

// inHelp is how far a word is from a command that says it of itself: nearer than letters that only occur in turn.
const inHelp = 4
