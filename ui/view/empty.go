package view

import (
	"slices"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/widget"
)

// Empty fills a view without lines: the reason why no packet is there, or else what there is none of.
func Empty(c Context, w, h int, none string) []string {
	if c.List().Rows() == 0 {
		return append([]string{noPackets(c, w)}, widget.Blank(w, h-1)...)
	}
	return Says(w, h, none)
}

// NoGame says why there is no game: none of a protocol that is there began, or none of
// these protocols is there.
func NoGame(c Context) string {
	games, _ := c.Scope().Session.Registry().GameFields()
	for _, p := range c.Scope().Tally().Types() {
		if slices.ContainsFunc(games, func(g *dissect.GameFields) bool {
			return slices.ContainsFunc(slices.Concat(g.Tick, g.Latency, g.Trip, g.Lost), func(f *dissect.Field) bool {
				return f.Protocol() == p.Protocol
			})
		}) {
			return dissect.Escape(p.Protocol.Title()) + " is spoken, but no game has begun in these packets"
		}
	}
	return "no game so far; " + c.Style().Key(act.DecodeAs) +
		" on a packet decodes its conversation as another protocol"
}

// Says are h lines of w cells that a text is broken into.
func Says(w, h int, text string) (out []string) {
	for _, line := range widget.BreakText(text, max(1, w-3)) {
		if len(out) < h {
			out = append(out, paint.Fit("  "+line, w))
		}
	}
	return append(out, widget.Blank(w, h-len(out))...)
}

// noPackets explains an empty view in a line.
func noPackets(c Context, w int) string {
	s := c.Scope()
	text := "   waiting for packets"
	switch f := s.Filtered; {
	case f != nil && f.Failed.Load() != nil:
		text = "   " + (*f.Failed.Load()).Error()
	case f != nil && s.Settled():
		text = "   no packet matches; " + c.Style().
			Key(act.ClearFilter) + " shows all " + humanize.Group(s.Passed()) + " again"
	case f != nil:
		text = "   no packet matches so far"
	case s.Session.Store().Status().Done:
		text = "   the capture holds no packets"
	}
	return paint.Fit(text, w)
}
