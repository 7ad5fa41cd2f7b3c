package list

import (
	"context"
	"time"

	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/listed"
	"remora/ui/order"
)

// A live list that is sorted stands still: nothing may move while somebody reads it. Packets that come meanwhile wait
// below, as they came, and a pill says how many. Who follows the list has them sorted in as they come: the selected
// packet then keeps its line on the screen, or, if it is the first one, the first line keeps the cursor.

// keepSorted is whether packets are sorted in as they come, and when that may be done next.
type keepSorted struct {
	on   bool
	next time.Time
}

// A list is sorted again after sortAgain at the earliest, and after so many times what it took the last time.
const (
	sortAgain = time.Second
	sortShare = 8
)

// followSorted has packets sorted in as they come, or no more.
func (p *Pane) followSorted() {
	p.keep.on = !p.keep.on
	p.keep.next = time.Time{}
	if p.keep.on {
		p.c.Notify("kept sorted by " + p.by.Title() + " as packets come; " + p.c.Style().Key(act.Follow) +
			" again lets it stand still")
	} else {
		p.c.Notify("the list stands still; new packets wait below")
	}
}

// SortsLater tells whether rows wait to be sorted: until a file has been read and a filter has decided, and in a live
// list that is kept sorted.
func (p *Pane) SortsLater() bool {
	if p.by == nil || p.job != nil || p.packets.Rows() == 0 {
		return false
	}
	if p.packets.Order == nil {
		return true
	}
	return p.packets.Unsorted() > 0 &&
		(!p.packets.Store.Status().Live || p.keep.on && p.packets.Frozen == 0 && time.Now().After(p.keep.next))
}

// setOrder puts the list into an order. The selected packet stays in view, and on its line where the list was sorted
// before.
func (p *Pane) setOrder(o *listed.Order) {
	again := p.packets.Order != nil && o != nil && p.packet.Frame > 0
	line, h := -1, max(1, p.height()-1)
	if again {
		line = p.packets.Row(p.packet.Frame) - p.top
	}
	first := again && p.packets.Row(p.packet.Frame) == 0
	p.packets.Order = o
	if p.packet.Frame == 0 || p.packets.Rows() == 0 {
		return
	}
	row := min(p.packets.Row(p.packet.Frame), p.packets.Rows()-1)
	switch {
	case first && p.keep.on:
		p.MoveTo(0)
	case again && (line < 0 || line >= h): // it was not in view
	case again:
		p.top = max(0, row-line)
	default:
		p.top = max(0, min(row-h/2, p.packets.Rows()-h))
	}
}

// SortText says what the list is sorted by.
func (p *Pane) SortText() string {
	if p.by == nil {
		return ""
	}
	text := "sorted by " + p.by.Title() + " " + p.c.Style().Glyph("▴", "^")
	if p.by.Down {
		text = "sorted by " + p.by.Title() + " " + p.c.Style().Glyph("▾", "v")
	}
	if p.keep.on {
		text += ", kept so"
	}
	return text
}

// SortColumn sorts by a column: from small to large first, the other way the second time, then as captured again.
func (p *Pane) SortColumn(c columns.Column) {
	switch {
	case !p.by.Is(c):
		p.SortAs(order.By{Kind: c.Kind, Field: c.Field})
	case !p.by.Down:
		p.SortAs(order.By{Kind: c.Kind, Field: c.Field, Down: true})
	default:
		p.Unsort()
	}
}

// SortAs sorts, beside everything else. The list stays as it is until all is done.
func (p *Pane) SortAs(by order.By) {
	p.EndSorting()
	p.by, p.Follow = &by, false
	p.startSorting()
}

// Unsort shows the packets as they were captured.
func (p *Pane) Unsort() {
	p.EndSorting()
	if p.by != nil {
		p.c.Notify("Unsorted")
	}
	p.by, p.keep = nil, keepSorted{}
	p.setOrder(nil)
}

// EndSorting gives up the sort that is under way.
func (p *Pane) EndSorting() {
	if p.job != nil {
		p.endJob()
		p.job = nil
	}
}

func (p *Pane) startSorting() {
	if !p.SortsLater() && p.packets.Order != nil && p.packets.Order.Of == p.packets.Filtered {
		p.packets.Order = nil
	}
	job := order.New(*p.by, p.keep.on && p.packets.Order != nil)
	p.job = job
	n, s, of, frame := p.packets.Rows(), p.packets.Session, p.packets.Filtered, p.packets.CapturedFrames()
	p.endJob = p.c.Later("sorting", func(ctx context.Context) func() {
		o := job.Run(ctx, s, of, frame, n)
		return func() { p.sorted(job, o) }
	})
}

// SortLater sorts the rows that wait for it.
func (p *Pane) SortLater() {
	if p.SortsLater() && (p.packets.Settled() || p.packets.Store.Status().Live) {
		p.startSorting()
	}
}

// SortedBy is what the list is sorted by, or is to be; nil: nothing.
func (p *Pane) SortedBy() *order.By { return p.by }

// Sorting is the sort that is under way, or nil.
func (p *Pane) Sorting() *order.Job { return p.job }

// GiveUpSorting ends the sort that is under way, and the list is not sorted any more.
func (p *Pane) GiveUpSorting() {
	p.EndSorting()
	p.by = nil
}

// sorted takes the end of a sort; without an order it was given up.
func (p *Pane) sorted(job *order.Job, o *listed.Order) {
	if job != p.job {
		return
	}
	p.job = nil
	p.keep.next = time.Now().Add(max(sortAgain, sortShare*job.Took()))
	if o != nil && o.Of == p.packets.Filtered {
		p.setOrder(o)
	}
}
