// Package list is the pane with the packets: a row for each, sorted or as captured, in columns that somebody chose.
package list

import (
	"context"
	"strings"

	"remora/dissect"
	"remora/ui/columns"
	"remora/ui/listed"
	"remora/ui/order"
	"remora/ui/paint"
	"remora/ui/rules"
	"remora/ui/selected"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the pane may ask of the screen.
type Context interface {
	// Scope is the capture as it is shown now.
	Scope() view.Scope
	// Style is how the screen draws.
	Style() *widget.Style
	// Focused tells whether the keys go to the pane, Size is the room that it has.
	Focused() bool
	Size() (w, h int)
	// Notify says something in the line above the keys.
	Notify(text string)
	// Select makes a packet the selected one.
	Select(n dissect.FrameNum)
	// Leave remembers the selected packet for the way back.
	Leave()
	// Mark is the letter that marks a packet, or 0; Rule is the coloring rule that counts for it, or nil.
	Mark(n dissect.FrameNum) rune
	Rule(n dissect.FrameNum) *rules.Ready
	// Write writes to files beside the screen, one thing after the other.
	Write(do func())
	// Later does work beside the screen, and then what it returns; stop ends ctx.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
}

// A Pane is the state of the packet list.
type Pane struct {
	c       Context
	packets *listed.Packets
	packet  *selected.Packet
	memory  *columns.Memory

	Columns []columns.Column // never changed in place
	kept    []columns.Column // as they are kept between runs
	Clock   string           // the time format
	Follow  bool             // the newest packet is selected as packets come

	top                int              // the first row in view
	known              int              // rows that were there when the end was last in view
	anchor             dissect.FrameNum // the packet to select again once a filter has decided on it; 0: none
	resume             dissect.FrameNum // the packet to select again once it is dissected anew; 0: none
	rows               map[dissect.FrameNum]row
	seen               seen             // what the rows in view need
	aside              aside            // what those of another list need
	shift              int              // cells by which the list is scrolled to the right
	colours            map[uint32]int   // of conversations, for now
	fewer              fewer            // what an empty filter would show without its last term
	drag               drag             // of a title
	movedFrom, movedTo dissect.FrameNum // of the selection, when its packet left

	wants    *dissect.Wants // of rows, for these fields
	wantsOf  *dissect.Registry
	wantsFor []*dissect.Field

	by     *order.By  // what the list is to be sorted by; nil: nothing
	job    *order.Job // under way
	endJob func()
	keep   keepSorted
}

// New is the pane for the packets that are listed.
func New(c Context, packets *listed.Packets, packet *selected.Packet, memory *columns.Memory) *Pane {
	return &Pane{c: c, packets: packets, packet: packet, memory: memory, Columns: columns.Standard(), Clock: "r",
		rows: map[dissect.FrameNum]row{}}
}

// Reset begins anew: another capture is shown.
func (p *Pane) Reset() {
	p.keep, p.top, p.colours = keepSorted{}, 0, nil
	p.columnOfSource()
	p.Redraw()
	st := p.packets.Store.Status()
	unknown := st.BytesTotal == 0 && p.packets.Store.Files() == 0 // as of a pipe: files that are merged tell late
	p.Follow = st.Live || !st.Done && (unknown || st.Pace > 0)
}

// Redraw has all rows made anew.
func (p *Pane) Redraw() {
	clear(p.rows)
	p.seen, p.aside = seen{}, aside{}
}

// RedrawPacket has one row made anew.
func (p *Pane) RedrawPacket(n dissect.FrameNum) { delete(p.rows, n) }

// Top is the first row in view.
func (p *Pane) Top() int { return p.top }

// Rule is the coloring rule of a packet whose row was drawn, or nil.
func (p *Pane) Rule(n dissect.FrameNum) *rules.Ready { return p.rows[n].rule }

// Cells are the texts of a packet's row, by column.
func (p *Pane) Cells(n dissect.FrameNum) []string { return p.rowOf(n).cells }

// FullRow is the row of the selected packet where the list has no room for all of its ends or of its Info; else "".
// Where w cells have no room for it either, what the rule below the list says is left out, and ends that stand in the
// list.
func (p *Pane) FullRow(w int) string {
	n := p.packet.Frame
	r, ok := p.rows[n]
	if !ok || r.ignored {
		return ""
	}
	cut, endsCut, room := false, false, 0
	cols := p.placed()
	for _, c := range cols {
		switch c.Kind {
		case columns.Source, columns.Destination:
			forms := r.ends[c.Kind-columns.Source]
			text := strings.TrimRight(fitEnd(forms, c.Form, c.W), " ")
			cut = cut || text != forms[columns.Whole]
			endsCut = endsCut || text != forms[columns.Whole] && text != forms[columns.HostOnly]
		case columns.Info:
			room = c.W
		}
	}
	if !cut && paint.Width(r.wholeInfo(cols)) <= room {
		return ""
	}
	ends := r.ends[0][columns.Whole] + p.c.Style().Glyph(" → ", " > ") + r.ends[1][columns.Whole] + "  "
	rest := ""
	for i, c := range p.Columns {
		if !c.Off && (c.Kind == columns.Protocol || c.Kind == columns.Length || c.Kind == columns.Value && r.cells[i] != "") {
			rest += r.cells[i] + "  "
		}
	}
	if whole := ends + rest + r.line; paint.Width(whole) <= w {
		return whole
	}
	if brief := ends + r.line; endsCut || paint.Width(brief) <= w {
		return brief
	}
	return r.line
}

// Heading is the columns' titles above packets that Row draws, in w cells. of tells one such list from another: each
// has columns as wide as those of its packets need that were seen so far.
func (p *Pane) Heading(of string, frames []dissect.FrameNum, w int) string {
	if p.aside.of != of {
		p.aside = aside{of: of}
	}
	for _, n := range frames {
		p.aside.rows.take(p.rowOf(n), p.Columns)
	}
	return p.drawHead(p.placeAside(w), w)
}

// An aside is a list of packets beside the one that the pane shows.
type aside struct {
	of   string
	rows extent
}

// placeAside gives the columns their widths in such a list.
func (p *Pane) placeAside(w int) []columns.Placed {
	need := p.aside.rows.need
	if len(need.Cells) != len(p.Columns) {
		return p.Place(w)
	}
	need.Times = p.needs().Times
	return columns.Place(p.Columns, w, Margin, &need)
}

// Row draws a packet as the list does, without its margin, in w cells; info, unless it is "", stands in place of its
// Info. Heading says which list it is of.
func (p *Pane) Row(n dissect.FrameNum, selected bool, info string, w int) string {
	r := p.rowOf(n)
	if info != "" {
		r.plain, r.line, r.kindAt, r.kindEnd = info, info, 0, 0
	}
	p.aside.rows.take(r, p.Columns)
	var line paint.Line
	if selected {
		line.Base = p.c.Style().Pens.Selected
	}
	line.Put(paint.Pen{}, "   ")
	p.drawCells(&line, r, p.placeAside(w), n)
	return paint.Clip(line.End(w), w)
}

// placed are the columns with the widths that they have now.
func (p *Pane) placed() []columns.Placed {
	cols, _ := p.scrolled(p.width())
	return cols
}

// Place gives the columns their widths on a list of w cells.
func (p *Pane) Place(w int) []columns.Placed {
	return columns.Place(p.Columns, w, Margin, p.needs())
}

// height is how many lines the pane has.
func (p *Pane) height() int {
	_, h := p.c.Size()
	return h
}
