// Package decode has packets decoded as another protocol than their ports say, and keeps that in the settings.
package decode

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/complete"
	"remora/ui/humanize"
	"remora/ui/view"
)

// Context is what decoding may ask of the screen.
type Context interface {
	// Scope is the capture as it is shown now.
	Scope() view.Scope
	// Rules are what packets are decoded by; Redissect takes others, and starts over with the packets there are.
	Rules() []dissect.DecodeAs
	Redissect(rules []dissect.DecodeAs) error
	// Profile is whose settings are used, "" for everybody's.
	Profile() string
	// Command asks for a command; it begins with a text.
	Command(text string)
	// Notify says something in the line above the keys.
	Notify(text string)
	// Keepable takes what writes the word into the settings, and says how that is asked for.
	Keepable(write func() (file string, err error)) (hint string)
	// Later does work beside the screen, and then what it returns.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
}

// A Decoder decodes packets as another protocol.
type Decoder struct {
	c Context
	// parse reads what -d takes; nil: it cannot.
	parse func(words []string) ([]dissect.DecodeAs, error)
	// keep writes a word into the file of a profile, or of all settings, and names the file; nil: it cannot.
	keep func(profile, word string) (file string, err error)
}

// New is a decoder that reads and keeps words, where it can.
func New(c Context, parse func(words []string) ([]dissect.DecodeAs, error),
	keep func(profile, word string) (file string, err error)) *Decoder {
	return &Decoder{c, parse, keep}
}

// Ask asks which protocol the conversation of the selected packet is to be decoded as.
func (d *Decoder) Ask() {
	scope := d.c.Scope()
	var c *dissect.Conversation
	if scope.Selected != nil {
		c = scope.Session.Conversation(scope.Session.ConversationOf(scope.Selected.Frame))
	}
	if c == nil {
		d.c.Notify("the packet is of no conversation that could be decoded as another protocol")
		return
	}
	port := min(c.A.Port, c.B.Port) // the lower one is the better known
	if port == 0 {
		port = max(c.A.Port, c.B.Port)
	}
	d.c.Command("decode-as " + string(c.Transport) + "==" + strconv.Itoa(int(port)) + ",")
}

// Command decodes packets as a word says.
func (d *Decoder) Command(word string) {
	if d.parse == nil {
		d.c.Notify("there is no decode-as here")
		return
	}
	more, err := d.parse([]string{word})
	if err == nil {
		err = d.c.Redissect(append(slices.Clip(d.c.Rules()), more...))
	}
	if err != nil {
		d.c.Notify(err.Error())
		return
	}
	hint := ""
	if d.keep != nil {
		profile := d.c.Profile()
		hint = d.c.Keepable(func() (string, error) { return d.keep(profile, word) })
	}
	d.c.Notify("Decoding as " + word + hint)
	d.tellOutcome(more, hint)
}

// tellOutcome says what came of decoding packets of a file as a protocol, once all are dissected: how many are of it,
// and how many of these it cannot read as they should be.
func (d *Decoder) tellOutcome(rules []dissect.DecodeAs, hint string) {
	scope := d.c.Scope()
	s := scope.Session
	p := s.Registry().Protocol(rules[len(rules)-1].Protocol)
	if p == nil || scope.Arriving() {
		return
	}
	scope.Filtered = nil
	d.c.Later("counting", func(ctx context.Context) func() {
		of, wrong, refused := map[dissect.FrameNum]bool{}, map[dissect.FrameNum]bool{}, 0
		scope.Each(ctx, func(frames []dissect.FrameNum, _ dissect.FrameNum) {
			for _, n := range frames {
				if s.StackHas(s.LayerStackOf(n), p) {
					of[n] = true
				} else if meant(rules, s.Conversation(s.ConversationOf(n))) {
					refused++
				}
			}
		})
		for i := range s.ExpertInfos() {
			if x := s.ExpertInfo(i); x.Severity >= dissect.Error && of[x.Frame] {
				wrong[x.Frame] = true
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		return func() { d.c.Notify(outcome(p, len(of)+refused, len(wrong)+refused) + hint) }
	})
}

// outcome is what came of decoding as a protocol.
func outcome(p *dissect.Protocol, of, wrong int) string {
	switch {
	case of == 0:
		return p.Title() + ": no packets; is it the right port?"
	case wrong == 0:
		return p.Title() + ": " + humanize.Packets(of) + ", all of them parse"
	}
	return p.Title() + ": " + humanize.Packets(of) + ", " + humanize.Group(wrong) + " do not parse as it"
}

// meant tells whether each packet of a conversation is to be of the protocol that rules name. Segments of TCP need not
// carry anything.
func meant(rules []dissect.DecodeAs, c *dissect.Conversation) bool {
	return c != nil && c.Transport == dissect.TableUDP && slices.ContainsFunc(rules, func(r dissect.DecodeAs) bool {
		return r.Table == c.Transport && (r.Value == uint32(c.A.Port) || r.Value == uint32(c.B.Port))
	})
}

// Offers are what may follow: tables, then protocols.
func (d *Decoder) Offers(arg string) []complete.Offer {
	reg := d.c.Scope().Session.Registry()
	selector, proto, second := strings.Cut(arg, ",")
	var words [][2]string
	if second {
		for _, p := range reg.Protocols() {
			if strings.HasPrefix(p.Name(), "_") { // what remora itself has to say is in no packet
				continue
			}
			words = append(words, [2]string{p.Name(), p.Title()})
		}
		return complete.Shift(complete.Words(proto, words), len(selector)+1)
	}
	if strings.Contains(arg, "==") {
		return nil
	}
	for _, t := range reg.Tables() {
		words = append(words, [2]string{string(t) + "==", ""})
	}
	return complete.Words(arg, words)
}
