package facets

import (
	"strings"

	"remora/dissect"
	"remora/ui/filtered"
	"remora/ui/term"
	"remora/ui/ticks"
	"remora/ui/typetree"
)

// at is the line under the cursor.
func (p *Pane) at() (ticks.Line, bool) {
	if p.Cur >= len(p.Rows) {
		return ticks.Line{}, false
	}
	return p.Rows[p.Cur], true
}

// tick ticks a line or takes its tick away. A protocol that has none takes the ticks of its types as they were kept.
func (p *Pane) tick() {
	x, ok := p.at()
	if !ok {
		return
	}
	if p.Empty[x.Key()] && p.ticks.Tick(x) != ticks.Off {
		p.c.Notify("no packets of it with the filter " + p.packets.FilterText())
		return
	}
	on := p.ticks.Tick(x) != ticks.On
	if on && x.Kind == nil && p.ticks.Tick(x) == ticks.Off && p.recall(x) {
		return
	}
	p.ticks.Set(x, on)
	p.use(x)
}

// tickAll ticks everything: what else the filter asks stays.
func (p *Pane) tickAll() {
	p.ticks = ticks.New(true)
	p.c.Filter(p.rest)
	p.typed = false
}

// hideLine takes a line's tick away.
func (p *Pane) hideLine() {
	if x, ok := p.at(); ok {
		p.Hide(x)
	}
}

// Hide shows all but a line's packets of what is shown.
func (p *Pane) Hide(x ticks.Line) {
	p.ticks.Set(x, false)
	p.use(x)
}

// only shows this line's packets alone: of a protocol with the ticks that were kept for its types, and when it is alone
// already, all of them.
func (p *Pane) only() {
	x, ok := p.at()
	if !ok {
		return
	}
	was := p.ticks
	p.ticks = ticks.New(false)
	if x.Kind == nil {
		if kept := p.recalled(x.Proto.Protocol); kept != nil && !was.Alone(x.Proto.Protocol, kept) {
			p.recall(x)
			return
		}
	}
	p.ticks.Set(x, true)
	p.use(x)
}

// recall gives a protocol the ticks that were kept for it, if there are some.
func (p *Pane) recall(x ticks.Line) bool {
	kept := p.recalled(x.Proto.Protocol)
	if kept == nil {
		return false
	}
	p.ticks.Take(x.Proto.Protocol, kept)
	p.use(x)
	p.c.Notify(x.Proto.Protocol.Title() + " as it was ticked last" + "; again: all of it")
	return true
}

// use makes the ticks the filter, beside what else it asks, and keeps those of a line's protocol.
func (p *Pane) use(x ticks.Line) {
	p.keep(x.Proto.Protocol)
	text := p.rest
	if ticked := p.ticks.Filter(p.c.Scope().Speller); ticked != "" {
		text = term.And(p.rest, ticked)
	}
	p.c.Filter(text)
	p.own, p.typed = p.rest == "", false
}

// Leave ends a filter that is not shown any more, unless the facets count by it.
func (p *Pane) Leave(was *filtered.Packets) {
	switch {
	case was == nil:
	case p.Open && p.rest != "" && !p.ticks.All() && was.Filter.String() == p.rest && was.Failed.Load() == nil:
		p.Drop(was)
	default:
		was.Cancel()
	}
}

// Forget is for another capture.
func (p *Pane) Forget() {
	p.Drop(nil)
	*p = Pane{c: p.c, packets: p.packets, kept: p.kept, Open: p.Open, Lines: typetree.Lines{Unfolded: p.Unfolded},
		sort: p.sort, ticks: ticks.New(true)}
}

// Read reads the filter that is on.
func (p *Pane) Read(text string) {
	p.own, p.edited, p.typed = false, false, text != ""
	p.rest, p.ticks = p.c.Scope().Speller.Read(text)
}

// What was ticked of a protocol's types is kept between runs: a line holds the protocol, + where these types are ticked
// or - where all others are, and the types.

// keep keeps those of a protocol, or forgets them when all of it is ticked.
func (p *Pane) keep(of *dissect.Protocol) {
	words, ok := p.ticks.Words(of)
	if !ok {
		return
	}
	list, head := p.kept, of.Name()+"\t"
	line := ""
	if len(words) > 0 {
		line = head + strings.Join(words, "\t")
	}
	p.c.Write(func() {
		for _, old := range list.Lines() {
			if strings.HasPrefix(old, head) {
				list.Remove(old)
			}
		}
		if line != "" {
			list.Add(line)
		}
	})
}

// recalled are those kept of a protocol, or nil.
func (p *Pane) recalled(of *dissect.Protocol) *ticks.Types {
	for _, line := range p.kept.Lines() {
		words := strings.Split(line, "\t")
		if len(words) < 3 || words[0] != of.Name() {
			continue
		}
		return ticks.OfWords(words[1:])
	}
	return nil
}

// Origin says what the filter has to do with the ticks, or "".
func (p *Pane) Origin() string {
	switch {
	case p.own:
		return "from the facets"
	case p.edited:
		return "edited"
	}
	return ""
}

// Edited tells that the text of the filter was changed; was is what it had to do with the ticks before.
func (p *Pane) Edited(was string) { p.edited = was != "" }

// Tick is the tick of a line; one that has no packets is not ticked.
func (p *Pane) Tick(x ticks.Line) ticks.Tick {
	if p.Empty[x.Key()] {
		return ticks.Off
	}
	return p.ticks.Tick(x)
}

// Rest is what the filter asks beside the ticks.
func (p *Pane) Rest() string { return p.rest }
