// Package typetree is the lines of protocols, their packet types and directions, as the facets and the packet types
// list them: which are unfolded, which hold what is searched, in which places they stand.
package typetree

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/paint"
	"remora/ui/ticks"
	"remora/ui/widget"
)

// Lines are those that are listed, with the cursor among them.
type Lines struct {
	Cur      int
	Unfolded map[string]bool // by hand, by the lines' keys
	Empty    map[string]bool // without packets as it is filtered: folded, unless by hand
	Find     string          // narrows the lines
	All      []stats.Protocol
	Rows     []ticks.Line
	Ranks    map[string]int    // the places of the lines, from 1
	Drawn    map[string]string // the rates drawn since the last count
}

// Lay lists the lines that are unfolded. The line under the cursor stays under it.
func (f *Lines) Lay() {
	at := ""
	if f.Cur < len(f.Rows) {
		at = f.Rows[f.Cur].Key()
	}
	f.Rows = f.Rows[:0]
	for i := range f.All {
		p := &f.All[i]
		x := ticks.Line{Proto: p, Dir: -1}
		kinds := f.found(p)
		if kinds == nil && !f.Finds(p.Protocol.Title(), p.Protocol.Name()) {
			continue
		}
		f.Rows = append(f.Rows, x)
		if !f.IsUnfolded(x) {
			continue
		}
		f.Rows = append(f.Rows, x.Directions()...)
		if !ticks.Typed(p) {
			continue
		}
		for k := range p.Types {
			if kinds != nil && !kinds[k] {
				continue
			}
			x := ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1}
			f.Rows = append(f.Rows, x)
			if f.IsUnfolded(x) {
				f.Rows = append(f.Rows, x.Directions()...)
			}
		}
	}
	for i, x := range f.Rows {
		if x.Key() == at {
			f.Cur = i
		}
	}
	f.Cur = widget.Clamp(f.Cur, 0, max(0, len(f.Rows)-1))
}

// Finds tells whether one of the names holds what is searched.
func (f *Lines) Finds(names ...string) bool {
	for _, name := range names {
		if strings.Contains(strings.ToLower(name), strings.ToLower(f.Find)) {
			return true
		}
	}
	return false
}

// found are the types of a protocol that hold what is searched, by their places; nil: the protocol's own name does, or
// none.
func (f *Lines) found(p *stats.Protocol) map[int]bool {
	if f.Find == "" || f.Finds(p.Protocol.Title(), p.Protocol.Name()) || !ticks.Typed(p) {
		return nil
	}
	var out map[int]bool
	for k := range p.Types {
		if x := (ticks.Line{Proto: p, Kind: &p.Types[k], Dir: -1}); f.Finds(x.Word()) {
			if out == nil {
				out = map[int]bool{}
			}
			out[k] = true
		}
	}
	return out
}

// IsUnfolded reports whether a line is open: by hand, or where something is searched; otherwise protocols with few
// types are open, and one that is alone.
func (f *Lines) IsUnfolded(x ticks.Line) bool {
	if open, ok := f.Unfolded[x.Key()]; ok {
		return open
	}
	if x.Kind != nil || !ticks.Typed(x.Proto) || f.Empty[x.Key()] { // directions are opened by hand alone
		return false
	}
	return f.Find != "" || len(x.Proto.Types) > 1 && (len(x.Proto.Types) <= 12 || len(f.All) == 1)
}

// Fold opens and closes the line under the cursor; closing what is closed goes up to what holds it.
func (f *Lines) Fold(a act.Action) {
	if f.Cur >= len(f.Rows) {
		return
	}
	x := f.Rows[f.Cur]
	if f.Unfolded == nil {
		f.Unfolded = map[string]bool{}
	}
	open := f.IsUnfolded(x)
	switch {
	case a == act.Left && (!open || x.Dir >= 0):
		for f.Cur > 0 && Depth(f.Rows[f.Cur]) >= Depth(x) { // to the line above that holds this one
			f.Cur--
		}
	case x.Dir < 0:
		f.Unfolded[x.Key()] = a == act.Right || a == act.Open && !open
		f.Lay()
	}
}

// Depth is how deep a line is indented: 0 for a protocol, 1 for a packet type, 2 for a direction.
func Depth(x ticks.Line) int {
	switch {
	case x.Kind == nil:
		return 0
	case x.Dir < 0 || !ticks.Typed(x.Proto):
		return 1
	}
	return 2
}

// Place gives a line the next place, unless it has one.
func (f *Lines) Place(x ticks.Line) {
	if k := x.Key(); f.Ranks[k] == 0 {
		f.Ranks[k] = len(f.Ranks) + 1
	}
}

// Name is what a line is called, and in which colour.
func Name(style *widget.Style, x ticks.Line) (string, paint.Pen) {
	hue := style.Pens.Hues[x.Proto.Protocol.Hue()]
	switch {
	case x.Kind == nil:
		return x.Proto.Protocol.Title(), hue
	case x.Dir == 0:
		return style.Glyph("→ ", "> ") + "forth", paint.Pen{}
	case x.Dir == 1:
		return style.Glyph("← ", "< ") + "back", paint.Pen{}
	case x.Kind.Field == nil:
		return "no type", style.Pens.Dim
	case x.Kind.Name == "":
		return x.Kind.Field.NumberText(x.Kind.Value), hue
	}
	return dissect.Escape(x.Kind.Name), hue
}

// RateLine is a line's rate over time, drawn once for each count: putting many types together takes its time.
func (f *Lines) RateLine(x ticks.Line, w int, draw func(w int) string) string {
	k := x.Key() + "\x00" + strconv.Itoa(w)
	if f.Drawn == nil {
		f.Drawn = map[string]string{}
	}
	s, ok := f.Drawn[k]
	if !ok {
		s = draw(w)
		f.Drawn[k] = s
	}
	return s
}
