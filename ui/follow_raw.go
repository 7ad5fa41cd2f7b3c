package ui

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/amount"
	"remora/ui/dialogue"
	"remora/ui/paint"
)

// rawHeight is the room below the messages for the bytes of the one that is selected, and for what came of it. It depends on
// the screen's height alone, so that nothing moves with the cursor.
func (v *followView) rawHeight(h int) int {
	switch {
	case !v.Reading.Said() || h < 18:
		return 0
	case h < 28:
		return 4
	}
	return 8
}

// raw draws the bytes that carried the selected message, or the first of a run, below a rule, and below them what came of it.
func (v *followView) raw(m *model, w, h int) []string {
	if h == 0 {
		return nil
	}
	if v.table.cur >= len(v.Lines) {
		return append([]string{m.rule(w, "", "")}, m.blankLines(w, h-1)...)
	}
	line := v.Lines[v.table.cur]
	u := v.talk.Unit(line.Unit)
	say := dialogue.Said(&u, line)
	data, title := u.Data, "raw of packet "+amount.Group(int(u.Frame))
	if n := int(say.Sent.Off + say.Sent.Len); say.Sent.Len > 0 && n <= len(data) && len(u.Parts) > 1 && !line.Folded() {
		data = data[say.Sent.Off:n]
		title = "raw of the message above, in packet " + amount.Group(int(u.Frame))
	}
	if line.Folded() {
		title = "raw of the first, packet " + amount.Group(int(u.Frame))
	}
	lines := h - 1 - min(2, (h-1)/3)
	per := dialogue.HexPerLine(w - 4)
	shown := min(len(data), per*lines)
	size := amount.Group(len(data)) + " B"
	if shown < len(data) {
		size = amount.Group(shown) + " of " + size
	}
	out := []string{m.rule(w, title, size)}
	p := v.wayPen(m, u.Dir)
	arrow := [2]string{m.glyph(" → ", " > "), m.glyph(" ← ", " < ")}[u.Dir&1]
	for i := 0; len(out) <= lines; i += per {
		var l paint.Line
		if i < shown {
			l.Put(p, arrow)
			l.Put(paint.Pen{}, dialogue.Hex(i, data[i:min(shown, i+per)], m.glyph("·", "."), per))
		}
		out = append(out, paint.Clip(l.End(w), w))
	}
	var facts []string
	if !line.Folded() {
		facts = v.factsOf(m, line, &u, &say)
	}
	for _, text := range factLines(facts, m.glyph("   ·   ", "   "), w-4, h-len(out)) {
		out = append(out, m.pens.Dim.Open+paint.Fit("   "+text, w)+m.pens.Dim.Close)
	}
	return out[:h]
}

// factLines puts facts on so many lines of w cells.
func factLines(facts []string, sep string, w, lines int) []string {
	out, at := make([]string, lines), 0
	for _, f := range facts {
		if out[at] != "" && at+1 < lines && paint.Width(out[at])+paint.Width(sep)+paint.Width(f) > w {
			at++
		}
		if out[at] != "" {
			out[at] += sep
		}
		out[at] += f
	}
	return out
}

// followFacts is what is known of the message that they were looked up for last.
type followFacts struct {
	frame dissect.FrameNum
	node  int
	upTo  int // packets that had passed then
	links []factLink
}

// A factLink is another packet that a message has to do with.
type factLink struct {
	label string
	frame dissect.FrameNum
}

// Bounds of the packets looked through for what came of a message: its copies, and who acknowledges it.
const (
	copiesWithin = 2000
	ackWithin    = 64
)

// factsOf says what came of a message: where it was sent again, what answers and acknowledges it, and after which time.
func (v *followView) factsOf(m *model, line dialogue.Line, u *follow.Unit, say *follow.Part) (facts []string) {
	if say.Sent.First != 0 {
		facts = append(facts, "a copy of the one in packet "+amount.Group(int(say.Sent.First)))
	}
	if text := v.copiesText(line.Unit, u, say); text != "" {
		facts = append(facts, text)
	}
	for _, f := range v.linksOf(m, line, u) {
		at := m.s.Store().Time(int(f.frame) - 1)
		text := strings.ToLower(f.label[:1]) + f.label[1:] + " " + amount.Group(int(f.frame))
		if at >= u.Time {
			text += ", " + spanText(at-u.Time) + " later"
		} else {
			text += ", " + spanText(u.Time-at) + " before"
		}
		facts = append(facts, text)
	}
	return facts
}

// copiesText names the packets in which a message is sent again.
func (v *followView) copiesText(unit int, u *follow.Unit, say *follow.Part) string {
	if !say.Sent.Known || say.Sent.First != 0 {
		return ""
	}
	var packets []string
	same := func(s follow.Sent) bool { return s.First == u.Frame && s.ID == say.Sent.ID }
	last := u
	for i := unit + 1; i < v.talk.Len() && i < unit+copiesWithin; i++ {
		o := v.talk.Unit(i)
		if o.Conv != u.Conv || o.Dir != u.Dir {
			continue
		}
		hit := len(o.Parts) == 0 && same(o.Sent)
		for _, p := range o.Parts {
			hit = hit || same(p.Sent)
		}
		if hit {
			packets = append(packets, amount.Group(int(o.Frame)))
			last = &o
		}
	}
	if len(packets) == 0 {
		return ""
	}
	text := "sent " + strconv.Itoa(len(packets)+1) + " times within " + spanText(last.Time-u.Time) + ": again in " + strings.Join(packets[:min(4, len(packets))], ", ")
	if len(packets) > 4 {
		text += " and " + strconv.Itoa(len(packets)-4) + " more"
	}
	return text
}

// linksOf are the packets that a message names, and the one that acknowledges it. They are looked up once.
func (v *followView) linksOf(m *model, line dialogue.Line, u *follow.Unit) []factLink {
	upTo := min(m.s.Passed(), int(u.Frame)+ackWithin*8)
	if v.facts.frame == u.Frame && v.facts.node == line.Part && v.facts.upTo == upTo || int(u.Frame) > m.s.Passed() {
		return v.facts.links
	}
	v.facts = followFacts{frame: u.Frame, node: line.Part, upTo: upTo}
	t := v.looker.Tree(u.Frame)
	from, to := protocolNode(t), len(t.Nodes)
	if line.Part < len(t.Messages) && len(u.Parts) > 1 {
		from = t.Messages[line.Part].Node
		to = t.End(from)
	}
	for i := max(0, from); i < to && len(v.facts.links) < factsMost; i++ {
		f, n := t.Field(i), dissect.FrameNum(t.Nodes[i].Val)
		if f.Type() != dissect.TypeFrame || f.IsHidden() || n == 0 || int(n) > m.s.Passed() || n == u.Frame || strings.Contains(f.Name(), "segment") || strings.Contains(f.Name(), "fragment") {
			continue
		}
		v.facts.links = append(v.facts.links, factLink{dissect.Escape(f.Label()), n})
	}
	if acks := m.s.Registry().Field("tcp.analysis.acks_frame"); acks != nil && len(u.Data) > 0 {
		v.findAck(u, line.Unit, acks)
	}
	return v.facts.links
}

// factsMost is how many packets are named.
const factsMost = 3

// findAck looks for the acknowledgment of a segment.
func (v *followView) findAck(u *follow.Unit, unit int, acks *dissect.Field) {
	if v.talk.Session().Conversation(u.Conv).Transport != dissect.TableTCP {
		return
	}
	for i := unit + 1; i < v.talk.Len() && i < unit+ackWithin; i++ {
		o := v.talk.Unit(i)
		if o.Conv != u.Conv || o.Dir == u.Dir {
			continue
		}
		t := v.looker.Tree(o.Frame)
		for k := range t.Nodes {
			if t.Field(k) == acks && dissect.FrameNum(t.Nodes[k].Val) == u.Frame {
				v.facts.links = append(v.facts.links, factLink{"Acknowledged in", o.Frame})
				return
			}
		}
	}
}

// protocolNode is the node of a packet's own protocol.
func protocolNode(t *dissect.Tree) int {
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		if f := t.Field(i); f.Type() == dissect.TypeProtocol && f.Protocol() == t.Protocol() {
			return i
		}
	}
	return 0
}
