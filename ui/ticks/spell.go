package ticks

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/term"
)

// A Speller writes the lines of the facets as filters, in the words that people would use, and reads such words again.
// A filter for a line must show exactly the packets that the line counts. Where the plain words do so in all shapes of
// packets met so far (dns, kaillera.type == CHAT), they are taken; where not, because a protocol carries others or is
// quoted by them, the filter asks what the packet counts as (frame.top == "tcp" && frame.type == "ACK"). Both are
// answered by the index.
type Speller struct {
	s       *dissect.Session
	reg     *dissect.Registry
	opt     filter.Options
	checked map[string]*checkedWords
}

// checkedWords is how far a filter was held against the shapes, and whether it has been exact so far.
type checkedWords struct {
	f      *filter.Filter
	shapes int
	exact  bool
}

// NewSpeller makes a speller for the packets of a session.
func NewSpeller(s *dissect.Session, reg *dissect.Registry, opt filter.Options) *Speller {
	return &Speller{s, reg, opt, map[string]*checkedWords{}}
}

// Session is whose packets the words are held against.
func (sp *Speller) Session() *dissect.Session { return sp.s }

// Exact tells whether a filter shows the packets of those shapes, and only those, that count as something. What names
// that: what was held against the shapes once is not held against them again.
func (sp *Speller) Exact(text, what string, counts func(sh *dissect.LayerStack) bool) bool {
	c := sp.checked[text+"\x00"+what]
	if c == nil {
		f, err := filter.CompileWith(sp.reg, text, sp.opt)
		c = &checkedWords{f: f, exact: err == nil}
		sp.checked[text+"\x00"+what] = c
	}
	for n := sp.s.LayerStacks(); c.exact && c.shapes < n; c.shapes++ {
		answer, decided := c.f.Decided(sp.s, uint32(c.shapes))
		c.exact = decided && answer == counts(sp.s.LayerStack(uint32(c.shapes)))
	}
	return c.exact
}

// Frames is how many packets of the capture a filter shows; ok tells whether their shapes alone say so.
func (sp *Speller) Frames(text string) (n uint64, ok bool) {
	f, err := filter.CompileWith(sp.reg, text, sp.opt)
	for i := 0; err == nil && i < sp.s.LayerStacks(); i++ {
		answer, decided := f.Decided(sp.s, uint32(i))
		if !decided {
			return 0, false
		}
		if answer {
			n += sp.s.LayerStack(uint32(i)).Frames.Load()
		}
	}
	return n, err == nil
}

// tops tells whether packets of a shape count as a protocol's.
func (sp *Speller) tops(p *dissect.Protocol) func(sh *dissect.LayerStack) bool {
	return func(sh *dissect.LayerStack) bool { return sp.s.StackTop(sh) == p }
}

// are tells whether packets of a shape count as one of some types.
func (sp *Speller) are(p *dissect.Protocol, words []string) func(sh *dissect.LayerStack) bool {
	return func(sh *dissect.LayerStack) bool {
		if sp.s.StackTop(sh) != p {
			return false
		}
		names := sp.s.TypeNames(sh)
		if len(names) == 0 {
			return slices.Contains(words, "")
		}
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(words, name) })
	}
}

// Protocol is the filter for packets that a protocol tops. Of one that mostly lies below others, sooner or later a
// packet comes that it does not top.
func (sp *Speller) Protocol(p *dissect.Protocol) string {
	if !p.Has(dissect.Underlies) && dissect.Indexed(p) && sp.Exact(p.Name(), "", sp.tops(p)) {
		return p.Name()
	}
	return topTerm(p)
}

func topTerm(p *dissect.Protocol) string { return "frame.top == " + term.Quote(p.Name()) }

// Types is the filter for packets of some types of a protocol; "" stands for those without a type.
func (sp *Speller) Types(p *dissect.Protocol, words []string) string {
	f := p.KindField()
	if f == nil {
		return sp.Protocol(p)
	}
	if !slices.Contains(words, "") {
		if text := membership(f.Name(), words, func(w string) string { return typeLiteral(f, w) }); sp.Exact(text, "",
			sp.are(p, words)) {
			return text
		}
		return topTerm(p) + " && " + membership("frame.type", words, term.Quote)
	}
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
	if len(rest) == 0 {
		return topTerm(p) + " && !frame.type"
	}
	return topTerm(p) + " && (!frame.type || " + membership("frame.type", rest, term.Quote) + ")"
}

// membership is the filter for one value, or for several.
func membership(name string, words []string, literal func(w string) string) string {
	var out []string
	for _, w := range words {
		out = append(out, literal(w))
	}
	if len(out) == 1 {
		return name + " == " + out[0]
	}
	return name + " in {" + strings.Join(out, ", ") + "}"
}

// Direction is the display filter for one direction of a packet type: 0 forth, 1 back.
func (sp *Speller) Direction(p *dissect.Protocol, word string, dir int) string {
	return sp.Types(p, []string{word}) + " && dir == " + dirNames[dir]
}

var dirNames = [2]string{"forth", "back"}

// typeLiteral is a packet type as a filter writes it behind the field.
func typeLiteral(f *dissect.Field, word string) string {
	if _, err := strconv.ParseInt(word, 0, 64); err == nil && !isValueName(f, word) || term.Plain(word) {
		return word
	}
	return term.Quote(word)
}

// typeWord reads what stands behind a packet type's field: a name, or a number that may have one.
func typeWord(f *dissect.Field, text string) string {
	if v, err := strconv.ParseUint(text, 0, 64); err == nil && !isValueName(f, text) {
		return f.KindWord(v)
	}
	return text
}

func isValueName(f *dissect.Field, word string) bool {
	for _, name := range f.Values() {
		if name == word {
			return true
		}
	}
	return false
}
