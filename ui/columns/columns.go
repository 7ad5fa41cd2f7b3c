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

// A Column of the list. Its width is what the rows need; where they need more than the list has, columns give way in an
// order of their own (Place).
type Column struct {
	Kind  Kind
	Title string
	Field *dissect.Field // of a field's column
	Right bool
	From  int    // the narrowest list on which it stands by itself; 0: on all, as somebody asked for it
	Set   int    // the width somebody gave it; 0: what its rows need
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

// wideFrom is the width of a list on which there is room for columns that say what others say, too: the packet type,
// which otherwise is Info's first word, and the time since the packet before.
const wideFrom = 160

// Standard are the columns that are shown at first.
func Standard() []Column {
	return []Column{
		{Kind: No, Title: "No.", Right: true},
		{Kind: Time, Title: "Time", Right: true},
		{Kind: Delta, Title: "Δ ms", Right: true, From: wideFrom},
		{Kind: Source, Title: "Source"},
		{Kind: Destination, Title: "Destination"},
		{Kind: Protocol, Title: "Protocol"},
		{Kind: Type, Title: "Type", From: wideFrom},
		{Kind: Length, Title: "Len", Right: true},
		{Kind: Info, Title: "Info"},
	}
}

// Known are the columns that can be named: those that are not shown at first, and behind them the standard ones. Each
// stands on lists of all widths: who names one asks for it.
func Known() []Column {
	known := append([]Column{
		{Kind: DeltaConversation, Title: "Δ conv", Right: true},
		{Kind: DeltaType, Title: "Δ type", Right: true},
	}, Standard()...)
	for i := range known {
		known[i].From = 0
	}
	return known
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

// Bounds of the widths that are set by hand, in cells.
const (
	Least = 3
	Most  = 120
)

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
	return Column{Kind: Value, Title: f.Label(), Field: f, Right: numeric(f)}
}

// numeric tells whether a field's values are numbers that one wants below each other.
func numeric(f *dissect.Field) bool {
	switch f.Type() {
	case dissect.TypeUint, dissect.TypeInt, dissect.TypeFloat, dissect.TypeFrame, dissect.TypeSpan:
		return len(f.Values()) == 0
	}
	return false
}
