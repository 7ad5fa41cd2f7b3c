package list

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/columns"
	"remora/ui/compare"
	"remora/ui/drilldown"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/print"
	"remora/ui/term"
	"remora/ui/widget"
)

// cell is what a column says of a packet. Those that depend on more than the packet are drawn elsewhere.
func (p *Pane) cell(c columns.Column, t *dissect.Tree) string {
	switch c.Kind {
	case columns.No:
		return humanize.Group(int(t.Frame))
	case columns.Protocol:
		return t.ProtocolText()
	case columns.Type:
		return dissect.Escape(t.Kind())
	case columns.Length:
		return strconv.Itoa(t.Len())
	case columns.Value:
		return columns.Values(t, c.Field)
	case columns.Info:
		return t.Info()
	}
	return ""
}

// TimeText is a packet's time in the form that is chosen.
func (p *Pane) TimeText(n dissect.FrameNum) string { return p.timeDigits(n, 6) }

// TimeWithin is a packet's time in w cells, with as many digits after the second as all times in view have room for.
func (p *Pane) TimeWithin(n dissect.FrameNum, w int) string {
	for i := len(p.seen.need.Times) - 1; i > 0; i-- {
		if need := p.seen.need.Times[i]; need > 0 && need <= w {
			return p.timeDigits(n, 3*i+3)
		}
	}
	text := p.timeDigits(n, 3)
	if paint.Width(text) > w {
		return p.timeDigits(n, 0)
	}
	return text
}

func (p *Pane) timeDigits(n dissect.FrameNum, digits int) string {
	if p.Clock == "r" && p.packets.IsReference(n) {
		return "*REF*"
	}
	at := p.packets.Store.Time(int(n) - 1)
	clock, _ := print.ParseClock(p.Clock)
	before := n - 1
	if !clock.Captured && p.Clock == "dd" {
		before = p.packets.Before(n)
	}
	last := at
	if before > 0 {
		last = p.packets.Store.Time(int(before) - 1)
	}
	return strings.TrimSpace(string(clock.Append(nil, at, p.packets.EpochAt(n), last, digits)))
}

// deltaText is the time since the packet shown before, in milliseconds.
func (p *Pane) deltaText(n dissect.FrameNum) string { return p.sinceText(n, p.packets.Before(n)) }

// sinceText is the time from one packet to another; nothing without the first one.
func (p *Pane) sinceText(n, before dissect.FrameNum) string {
	if before == 0 {
		return ""
	}
	return widget.Milliseconds(p.packets.Store.Time(int(n)-1) - p.packets.Store.Time(int(before)-1))
}

// gapCell is the time since the last packet of the conversation, or of the type in it. A row is made once, so that it
// may look back some way.
func (p *Pane) gapCell(kind columns.Kind, n dissect.FrameNum) string {
	if kind == columns.DeltaType {
		return p.sinceText(n, compare.SameBefore(p.packets.Session, n))
	}
	return p.sinceText(n, p.talkBefore(n))
}

// talkBefore is the last packet of the same conversation, or 0 where there is none within reach.
func (p *Pane) talkBefore(n dissect.FrameNum) dissect.FrameNum {
	conv := p.packets.Session.ConversationOf(n)
	if conv == 0 {
		return 0
	}
	first := p.packets.Session.Conversation(conv).First
	for at, end := n-1, n-min(n, compare.LookBack); at > end && at >= first; at-- {
		if p.packets.Session.ConversationOf(at) == conv {
			return at
		}
	}
	return 0
}

// cellFilter is the filter for a cell of the list.
func (p *Pane) cellFilter(c columns.Column, n dissect.FrameNum) string {
	t := p.packets.Dissector.Tree(n)
	switch c.Kind {
	case columns.No:
		return "frame.number == " + strconv.Itoa(int(n))
	case columns.Source, columns.Destination:
		e, which := t.Src, "src"
		if c.Kind == columns.Destination {
			e, which = t.Dst, "dst"
		}
		if e.Addr.IsZero() {
			return ""
		}
		return strings.Replace(drilldown.AddressField(e.Addr), "addr", which, 1) + " == " + e.Addr.String()
	case columns.Protocol:
		return p.c.Scope().Speller.Protocol(t.Protocol())
	case columns.Type:
		if f := t.Protocol().KindField(); f != nil {
			if i := t.Find(f); i >= 0 {
				return f.Name() + " == " + term.Value(t, i)
			}
		}
	case columns.Length:
		return "frame.len == " + strconv.Itoa(t.Len())
	case columns.Value:
		if i := t.Find(c.Field); i >= 0 && term.Value(t, i) != "" {
			return c.Field.Name() + " == " + term.Value(t, i)
		}
	}
	return ""
}

// NextClock goes to the next time format.
func (p *Pane) NextClock() {
	for i, c := range print.Clocks {
		if c[0] == p.Clock {
			next := print.Clocks[(i+1)%len(print.Clocks)]
			p.Clock = next[0]
			p.c.Notify("time: " + next[1])
			break
		}
	}
	p.Redraw()
}
