package follow

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/transcript"
	"remora/ui/widget"
)

// rawHeight is the room below the messages for the bytes of the one that is selected, and for what came of it. It
// depends on the screen's height alone, so that nothing moves with the cursor.
func (v *View) rawHeight(h int) int {
	switch {
	case !v.Reading.ShowsMessages() || h < 18:
		return 0
	case h < 28:
		return 4
	}
	return 8
}

// raw draws the bytes that carried the selected message, or the first of a run, below a rule, and below them what came
// of it.
func (v *View) raw(w, h int) []string {
	if h == 0 {
		return nil
	}
	if v.table.Cur >= len(v.Lines) {
		return append([]string{v.c.Style().Rule(w, "", "")}, widget.Blank(w, h-1)...)
	}
	line := v.Lines[v.table.Cur]
	u := v.stream.Unit(line.Unit)
	say := transcript.Said(&u, line)
	data, title := u.Data, "raw of packet "+humanize.Group(int(u.Frame))
	if n := int(say.Sent.Off + say.Sent.Len); say.Sent.Len > 0 && n <= len(data) && len(u.Parts) > 1 && !line.Folded() {
		data = data[say.Sent.Off:n]
		title = "raw of the message above, in packet " + humanize.Group(int(u.Frame))
	}
	if line.Folded() {
		title = "raw of the first, packet " + humanize.Group(int(u.Frame))
	}
	lines := h - 1 - min(2, (h-1)/3)
	per := transcript.HexPerLine(w - 4)
	shown := min(len(data), per*lines)
	size := humanize.Group(len(data)) + " B"
	if shown < len(data) {
		size = humanize.Group(shown) + " of " + size
	}
	out := []string{v.c.Style().Rule(w, title, size)}
	p := v.directionPen(u.Dir)
	arrow := [2]string{v.c.Style().Glyph(" → ", " > "), v.c.Style().Glyph(" ← ", " < ")}[u.Dir&1]
	for i := 0; len(out) <= lines; i += per {
		var l paint.Line
		if i < shown {
			l.Put(p, arrow)
			l.Put(paint.Pen{}, transcript.Hex(i, data[i:min(shown, i+per)], v.c.Style().Glyph("·", "."), per))
		}
		out = append(out, paint.Clip(l.End(w), w))
	}
	var facts []string
	if !line.Folded() {
		facts = v.factsOf(line, &u, &say)
	}
	for _, text := range factLines(facts, v.c.Style().Glyph("   ·   ", "   "), w-4, h-len(out)) {
		out = append(out, v.c.Style().Pens.Dim.Open+paint.Fit("   "+text, w)+v.c.Style().Pens.Dim.Close)
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
func (v *View) factsOf(line transcript.Line, u *follow.Unit, say *follow.Part) (facts []string) {
	if say.Sent.First != 0 {
		facts = append(facts, "a copy of the one in packet "+humanize.Group(int(say.Sent.First)))
	}
	if text := v.copiesText(line.Unit, u, say); text != "" {
		facts = append(facts, text)
	}
	for _, f := range v.linksOf(line, u) {
		at := v.c.Scope().Session.Store().Time(int(f.frame) - 1)
		text := strings.ToLower(f.label[:1]) + f.label[1:] + " " + humanize.Group(int(f.frame))
		if at >= u.Time {
			text += ", " + widget.Span(at-u.Time) + " later"
		} else {
			text += ", " + widget.Span(u.Time-at) + " before"
		}
		facts = append(facts, text)
	}
	return facts
}

// copiesText names the packets in which a message is sent again.
func (v *View) copiesText(unit int, u *follow.Unit, say *follow.Part) string {
	if !say.Sent.Known || say.Sent.First != 0 {
		return ""
	}
	var packets []string
	same := func(s follow.Sent) bool { return s.First == u.Frame && s.ID == say.Sent.ID }
	last := u
	for i := unit + 1; i < v.stream.Len() && i < unit+copiesWithin; i++ {
		o := v.stream.Unit(i)
		if o.Conv != u.Conv || o.Dir != u.Dir {
			continue
		}
		hit := len(o.Parts) == 0 && same(o.Sent)
		for _, p := range o.Parts {
			hit = hit || same(p.Sent)
		}
		if hit {
			packets = append(packets, humanize.Group(int(o.Frame)))
			last = &o
		}
	}
	if len(packets) == 0 {
		return ""
	}
	text := "sent " + strconv.Itoa(len(packets)+1) + " times within " + widget.Span(last.Time-u.Time) + ": again in " +
		strings.Join(packets[:min(4, len(packets))], ", ")
	if len(packets) > 4 {
		text += " and " + strconv.Itoa(len(packets)-4) + " more"
	}
	return text
}

// linksOf are the packets that a message names, and the one that acknowledges it. They are looked up once.
func (v *View) linksOf(line transcript.Line, u *follow.Unit) []factLink {
	upTo := min(v.c.Scope().Session.Passed(), int(u.Frame)+ackWithin*8)
	if v.facts.frame == u.Frame && v.facts.node == line.Part && v.facts.upTo == upTo ||
		int(u.Frame) > v.c.Scope().Session.Passed() {
		return v.facts.links
	}
	v.facts = followFacts{frame: u.Frame, node: line.Part, upTo: upTo}
	t := v.dissector.Tree(u.Frame)
	from, to := protocolNode(t), len(t.Nodes)
	if line.Part < len(t.Messages) && len(u.Parts) > 1 {
		from = t.Messages[line.Part].Node
		to = t.End(from)
	}
	for i := max(0, from); i < to && len(v.facts.links) < factsMost; i++ {
		f, n := t.Field(i), dissect.FrameNum(t.Nodes[i].Val)
		if f.Type() != dissect.TypeFrame || f.IsHidden() || n == 0 || int(n) > v.c.Scope().Session.Passed() || n == u.Frame ||
			strings.Contains(f.Name(), "segment") || strings.Contains(f.Name(), "fragment") {
			continue
		}
		v.facts.links = append(v.facts.links, factLink{dissect.Escape(f.Label()), n})
	}
	if of := v.c.Scope().Session.Registry().Transport(dissect.TableTCP); of != nil && of.Acks != nil && len(u.Data) > 0 {
		v.findAck(u, line.Unit, of.Acks)
	}
	return v.facts.links
}

// factsMost is how many packets are named.
const factsMost = 3

// findAck looks for the acknowledgment of a segment.
func (v *View) findAck(u *follow.Unit, unit int, acks *dissect.Field) {
	if v.stream.Session().Conversation(u.Conv).Transport != dissect.TableTCP {
		return
	}
	for i := unit + 1; i < v.stream.Len() && i < unit+ackWithin; i++ {
		o := v.stream.Unit(i)
		if o.Conv != u.Conv || o.Dir == u.Dir {
			continue
		}
		t := v.dissector.Tree(o.Frame)
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
