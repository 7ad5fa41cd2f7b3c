package list

import (
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/source"
	"remora/ui/widget"
)

// MoveTo puts the cursor on a row, within the list, and keeps it in view.
func (p *Pane) MoveTo(row int) {
	rows := p.packets.Rows()
	if rows == 0 {
		p.top = 0 // the selected packet stays selected: it is only hidden
		return
	}
	row = max(p.packets.First(), min(row, rows-1))
	p.c.Select(p.packets.Frame(row))
	p.anchor = 0 // a filter that is not done yet must not lead back
	p.KeepInView(row)
}

// KeepInView brings a row into view.
func (p *Pane) KeepInView(row int) {
	h := max(1, p.height()-1)
	if row < p.top {
		p.top = row
	}
	if row >= p.top+h {
		p.top = row - h + 1
	}
	p.top = max(0, min(p.top, max(0, p.packets.Rows()-1)))
}

// Jump goes to a packet and remembers where it came from. A packet that the filter hides is shown beside the list.
func (p *Pane) Jump(n dissect.FrameNum) {
	if n == 0 || int(n) > p.packets.Session.Passed() {
		p.c.Notify("there is no packet " + humanize.Group(int(n)))
		return
	}
	if p.Evicted(n) {
		return
	}
	p.c.Leave()
	p.Follow = false
	row := p.packets.Row(n)
	p.c.Select(n)
	if p.anchor != 0 { // a filter is not done yet: it shall lead here
		p.anchor = n
	}
	if row < p.packets.Rows() {
		h := max(1, p.height()-1)
		if row < p.top || row >= p.top+h {
			p.top = max(0, row-h/2)
		}
	}
	if p.packets.Filtered != nil && (row >= p.packets.Rows() || p.packets.Frame(row) != n) {
		p.c.Notify("packet " + humanize.Group(int(n)) + " is hidden by the filter")
	}
}

// Change has other packets be listed, or the same ones be dissected anew, and keeps the selected one on its line.
func (p *Pane) Change(change func()) {
	cur := p.packet.Frame
	line := p.packets.Row(cur) - p.top
	change()
	clear(p.rows)
	p.packet.Tree = nil
	switch {
	case cur == 0:
	case int(cur) > p.packets.Session.Passed():
		p.resume = cur
	default:
		p.c.Select(cur)
		p.top = max(0, min(p.packets.Row(cur), p.packets.Rows()-1)-line)
		if p.packets.Hidden(cur) {
			p.anchor = cur
		}
	}
}

// Step goes on by some rows.
func (p *Pane) Step(n int) {
	if p.packets.Rows() == 0 {
		return
	}
	row := p.packets.Row(p.packet.Frame)
	if n > 0 && p.packets.Filtered != nil && row < p.packets.Rows() && p.packets.Frame(row) != p.packet.Frame {
		n-- // the selected packet is hidden: the row is already the next one
	}
	p.Follow = p.Follow && row+n >= p.packets.Rows()-1
	p.MoveTo(row + n)
}

// center puts the list so that the selected packet, or the next one shown, is in the middle.
func (p *Pane) center() {
	rows := p.packets.Rows()
	if rows == 0 {
		p.top = 0
		return
	}
	row := min(p.packets.Row(p.anchor), rows-1)
	h := max(1, p.height()-1)
	p.top = max(0, min(row-h/2, rows-h))
	if p.packets.Frame(row) == p.anchor || p.packets.Settled() {
		p.c.Select(p.packets.Frame(row))
	}
}

// settle selects the first packet when there is none yet, or the newest one while following.
func (p *Pane) settle() {
	if p.packets.Rows() == 0 {
		return
	}
	anchor := p.anchor // a filter that is not done may still lead elsewhere
	if p.Follow {
		p.MoveTo(p.packets.Rows() - 1)
	} else if p.packet.Tree == nil {
		p.MoveTo(0)
	}
	p.anchor = anchor
}

// TurnFollow follows the newest packet, or no more; a live list that is sorted is kept sorted, or no more.
func (p *Pane) TurnFollow() {
	if p.by != nil && p.packets.Store.Status().Live {
		p.followSorted()
		return
	}
	p.Follow = !p.Follow
	p.packets.Frozen = 0
	if p.Follow {
		p.Unsort() // the newest is the last one
	}
	p.settle()
}

// Freeze has the list stand still as it is, or no more.
func (p *Pane) Freeze() {
	if p.packets.Frozen > 0 {
		p.packets.Frozen = 0
		return
	}
	p.packets.Frozen, p.Follow = p.packets.Session.Passed(), false
}

// SeeThemLeave moves the list along when packets have left. The selection moves to the first that is there.
func (p *Pane) SeeThemLeave() {
	first := p.packets.Store.First()
	if first == 0 || p.packets.Rows() == 0 {
		return
	}
	row := p.packets.First()
	p.top = max(p.top, row)
	if was := p.packet.Frame; was > 0 && int(was) <= first && !p.Follow && p.packets.Frame(row) != was {
		p.MoveTo(row)
	}
}

// SayLeft says that the packet that was selected has left, when another one is selected now. While the selection is
// moved along by more and more that leave, the packet that somebody had chosen is the one that is named.
func (p *Pane) SayLeft(was dissect.FrameNum) {
	if first := p.packets.Store.First(); was > 0 && int(was) <= first && p.packet.Frame != was && !p.Follow {
		if was == p.movedTo {
			was = p.movedFrom
		}
		p.movedFrom, p.movedTo = was, p.packet.Frame
		if p.packets.Store.Status().Keep == 0 {
			p.c.Notify("packet " + humanize.Group(int(was)) + " was evicted by the retention limit: memory is limited")
			return
		}
		p.c.Notify("packet " + humanize.Group(int(was)) + " has left: the capture keeps " +
			source.SizeText(p.packets.Store.Status().Keep) + ", and the oldest leave first")
	}
}

// Evicted says that a packet is not there any more, if it is so.
func (p *Pane) Evicted(n dissect.FrameNum) bool {
	if first := p.packets.Store.First(); n == 0 || int(n) > first {
		return false
	}
	p.c.Notify("packet " + humanize.Group(int(n)) + " was evicted: the first one that is kept is " +
		humanize.Group(p.packets.Store.First()+1))
	return true
}

// Refilter shows the selected packet, or the next one shown, in the middle: other packets are listed now. Until the
// filter has decided on it, it is waited for.
func (p *Pane) Refilter() {
	p.seen = seen{}
	p.anchor = p.packet.Frame
	p.center()
	if p.packets.Filtered == nil {
		p.anchor = 0
	}
}

// Await selects a packet again once a filter has decided on it.
func (p *Pane) Await(n dissect.FrameNum) { p.anchor = n }

// Awaits tells whether a packet is to be selected that a filter has not decided on yet.
func (p *Pane) Awaits() bool {
	f := p.packets.Filtered
	return p.anchor != 0 && f != nil && f.Failed.Load() == nil
}

// Resume selects a packet again once it is dissected anew.
func (p *Pane) Resume(n dissect.FrameNum) { p.resume = n }

// CatchUp selects what is to be selected, as far as everything has come: the packet from before, the first or the
// newest one.
func (p *Pane) CatchUp() {
	if n := p.resume; n != 0 && int(n) <= p.packets.Session.Passed() {
		p.resume, p.anchor = 0, n
		p.center()
		p.anchor = 0
	}
	if p.packet.Tree == nil || p.Follow && p.packets.Frozen == 0 {
		p.settle()
	}
	if p.packets.Filtered != nil && p.anchor != 0 && p.packets.Filtered.Decided.Load() >= uint32(p.anchor) {
		p.center()
		p.anchor = 0
	}
}

// Lags tells whether the list has yet to take in what came last: the first packet to select, the newest one to follow,
// the place of the selected one in a list that has just been filtered.
func (p *Pane) Lags() bool {
	rows := p.packets.Rows()
	switch {
	case rows == 0:
		return false
	case p.SortsLater(), p.packet.Tree == nil, p.Awaits():
		return true
	}
	return p.Follow && p.packets.Frozen == 0 && p.packet.Frame != p.packets.Frame(rows-1)
}

// Update does what a key stands for in the list, and tells whether it stands for anything; n is the count before the
// key, or 0.
func (p *Pane) Update(a act.Action, n int) bool {
	switch a {
	case act.Down, act.Up, act.PageDown, act.PageUp, act.HalfDown, act.HalfUp:
		_, h := p.c.Size()
		p.Step(widget.Step(a, max(1, n), max(1, h-2)))
	case act.First, act.Last:
		if n > 0 { // the number of a packet
			return false
		}
		p.Edge(a == act.Last)
	case act.Right:
		p.Scroll(max(1, n))
	case act.Left:
		p.Scroll(-max(1, n))
	default:
		return false
	}
	return true
}

// Edge goes to the first or the last row, and remembers where the cursor was.
func (p *Pane) Edge(last bool) {
	p.c.Leave()
	if last {
		p.Follow = !p.packets.Store.Status().Done && p.by == nil
		p.MoveTo(p.packets.Rows() - 1)
		return
	}
	p.Follow = false
	p.MoveTo(p.packets.First())
}

// Wheel scrolls by n rows and leaves the selection alone.
func (p *Pane) Wheel(n int) {
	p.Follow = false
	p.top = max(p.packets.First(), min(p.top+n, max(0, p.packets.Rows()-(p.height()-1))))
}

// Click selects the packet in a row of what was drawn; the titles stand in line 0.
func (p *Pane) Click(y int) {
	p.Follow = false
	if row := p.top + y - 1; y > 0 && row < p.packets.Rows() {
		p.MoveTo(row)
	}
}

// Point selects the packet at a cell of what was drawn, and gives the filter for what stands there. It tells whether
// there is a row.
func (p *Pane) Point(x, y int) (cell string, ok bool) {
	row := p.top + y - 1
	if y <= 0 || row >= p.packets.Rows() {
		return "", false
	}
	at := Margin
	x = p.unscrolled(x)
	for _, c := range p.placed() {
		if x >= at && x <= at+c.W {
			p.Follow = false
			p.MoveTo(row)
			if n := p.packets.Frame(row); n > 0 {
				cell = p.cellFilter(c.Column, n)
			}
			break
		}
		at += c.W + c.Gap
	}
	return cell, true
}

// Show brings the selected packet into view on so many rows.
func (p *Pane) Show(rows int) {
	if row := p.packets.Row(p.packet.Frame); row < p.packets.Rows() && rows > 0 && !p.Follow {
		p.top = widget.Clamp(p.top, max(0, row-rows+1), row)
	} else if p.Follow {
		p.top = max(0, p.packets.Rows()-rows)
	}
}
