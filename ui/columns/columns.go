// Package columns has the columns of the packet list: which there are, how wide they are, and how they are named and
// kept.
package columns

import (
	"slices"
	"strings"

	"remora/dissect"
)

// A Kind is what a column of the list shows.
type Kind int

// What columns show.
const (
	No Kind = iota
	Time
	Delta // milliseconds since the packet shown before
	Source
	Destination
	Protocol
	Type
	Length
	Value // of any field
	Info
	DeltaConversation // milliseconds since the last packet of the conversation
	DeltaType         // milliseconds since the last packet of the type in it
)

// A Column of the list. Its width depends on the list's width alone, so that nothing moves because a packet came;
// narrow lists drop whole columns before any is cut.
type Column struct {
	Kind  Kind
	Title string
	Field *dissect.Field // of a field's column
	Wide  [4]int         // for lists from 140, 110 and 90 columns on, and below that; 0 leaves the column out
	Right bool
	Set   int    // the width somebody gave it; 0: as Wide says
	Off   bool   // not shown
	Auto  bool   // stands there because the capture has several sources
	Own   string // the title that somebody gave it; empty: Title
}

// Head is what stands over the column.
func (c Column) Head() string {
	if c.Own != "" {
		return c.Own
	}
	return c.Title
}

// Standard are the columns that are shown at first.
func Standard() []Column {
	return []Column{
		{Kind: No, Title: "No.", Right: true},
		{Kind: Time, Title: "Time", Wide: [4]int{SecondsWidth, SecondsWidth, SecondsWidth, 10}},
		{Kind: Delta, Title: "Δ ms", Wide: [4]int{9, 7, 0, 0}, Right: true},
		{Kind: Source, Title: "Source", Wide: [4]int{21, 17, 15, 11}},
		{Kind: Destination, Title: "Destination", Wide: [4]int{21, 17, 15, 11}},
		{Kind: Protocol, Title: "Protocol", Wide: [4]int{9, 8, 8, 0}},
		{Kind: Type, Title: "Type", Wide: [4]int{19, 15, 14, 14}},
		{Kind: Length, Title: "Len", Wide: [4]int{5, 5, 5, 5}, Right: true},
		{Kind: Info, Title: "Info"},
	}
}

// Known are the columns that can be named: those that are not shown at first, and behind them the standard ones.
func Known() []Column {
	return append([]Column{
		{Kind: DeltaConversation, Title: "Δ conv", Wide: [4]int{9, 8, 8, 8}, Right: true},
		{Kind: DeltaType, Title: "Δ type", Wide: [4]int{9, 8, 8, 8}, Right: true},
	}, Standard()...)
}

// All are the columns of a list and, behind them, the standard ones that are not among them.
func All(list []Column) []Column {
	out := slices.Clone(list)
	for _, c := range Known() {
		if !slices.ContainsFunc(list, func(o Column) bool { return o.Kind == c.Kind && o.Field == nil }) {
			c.Off = true
			out = append(out, c)
		}
	}
	return out
}

// A Placed is a column with the width it has on a list.
type Placed struct {
	Column
	At  int // its number among all columns
	W   int
	Gap int // cells behind it; two where an arrow leads from one end to the other
}

// Place gives the columns their widths on a list of w cells, of which a margin stands in front. The largest number of a
// packet has so many letters; the width of times depends on the one that is usual. What is left is Info's.
func Place(list []Column, w, margin, numbers int, times func(usual int) int) []Placed {
	class := 3
	switch {
	case w >= 140:
		class = 0
	case w >= 110:
		class = 1
	case w >= 90:
		class = 2
	}
	out := make([]Placed, 0, len(list))
	used := margin
	for i, c := range list {
		cw := c.Wide[class]
		switch {
		case c.Kind == No:
			cw = max(5, numbers)
		case c.Kind == Time:
			cw = times(cw)
		case c.Kind == Info:
			cw = 1
		case w < 70 && c.Kind == Length:
			cw = 0
		case w < 70 && (c.Kind == Source || c.Kind == Destination):
			cw = 10
		case w < 70 && c.Kind == Type:
			cw = 11
		}
		if c.Set > 0 && c.Kind != Info {
			cw = min(c.Set, max(Least, w-used-8))
		}
		if cw > 0 && !c.Off && (c.Set == 0 || used+cw < w) {
			out = append(out, Placed{Column: c, At: i, W: cw, Gap: 1})
			used += cw + 1
			if k := len(out) - 2; k >= 0 && out[k].Kind == Source && c.Kind == Destination {
				out[k].Gap++
				used++
			}
		}
	}
	if room := 1 + w - used; w < 70 && room < leastInfo { // a few letters of it say nothing, and the rule has it in full
		if i, k := slices.IndexFunc(out, is(Info)),
			slices.IndexFunc(out, is(Type)); k >= 0 && i == len(out)-1 && out[k].Set == 0 {
			room += 2 // with the gaps at both of its sides
			for j := range out {
				if (out[j].Kind == Source || out[j].Kind == Destination) && out[j].Set == 0 && room > 0 {
					out[j].W, room = out[j].W+1, room-1
				}
			}
			out[k].W += max(0, room)
			return slices.Delete(out, i, i+1)
		}
	}
	for i := range out {
		if out[i].Kind == Info {
			out[i].W = max(0, 1+w-used)
			if i == len(out)-1 { // no gap behind it
				out[i].W++
				out[i].Gap = 0
			}
		}
	}
	return out
}

// leastInfo is the narrowest Info that is worth its place.
const leastInfo = 8

func is(kind Kind) func(Placed) bool {
	return func(c Placed) bool { return c.Kind == kind }
}

// Bounds of the widths that are set by hand, in cells.
const (
	Least = 3
	Most  = 120
)

// SecondsWidth is the widest that the column of seconds is without nanoseconds: there is room for nine digits after few
// seconds, but they would go when more seconds come.
const SecondsWidth = 11

// Values are the values of a field in a packet, joined by commas.
func Values(t *dissect.Tree, f *dissect.Field) string {
	var parts []string
	for i := range t.Nodes {
		if t.Field(i) == f && len(parts) < 8 {
			parts = append(parts, t.Value(i))
		}
	}
	return strings.Join(parts, ", ")
}

// Of is the column of a field.
func Of(f *dissect.Field) Column {
	return Column{Kind: Value, Title: f.Label(), Field: f, Wide: [4]int{16, 14, 12, 10}, Right: numeric(f)}
}

// numeric tells whether a field's values are numbers that one wants below each other.
func numeric(f *dissect.Field) bool {
	switch f.Type() {
	case dissect.TypeUint, dissect.TypeInt, dissect.TypeFloat, dissect.TypeFrame, dissect.TypeSpan:
		return len(f.Values()) == 0
	}
	return false
}
