package calls

import (
	"fmt"
	"strconv"

	"remora/dissect"
	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/widget"
)

// A column of one of the lists.
type column struct {
	title string
	ends  bool // it may be cut, in the middle
	right bool
	least int // how wide a screen is that has it
}

// Bounds of the columns: how short a text is cut, and how many lines are measured.
const (
	leastText = 12
	measured  = 500
)

// widths are those of the columns on w cells: what the lines need; where that is too much the longest texts are cut.
func (v *View) widths(cols []column, w int) []int {
	out, room := make([]int, len(cols)), w-2
	for i := range cols {
		out[i] = paint.Width(cols[i].title)
	}
	for row := range min(v.rows(), measured) {
		for i, text := range v.cells(row) {
			out[i] = max(out[i], paint.Width(text))
		}
	}
	var texts []int // of those that may be cut
	for i := range cols {
		switch {
		case w < cols[i].least:
			out[i] = 0
		case cols[i].ends:
			texts, room = append(texts, out[i]), room-1
		default:
			room -= out[i] + 1
		}
	}
	widget.Share(texts, room, leastText)
	for i := range cols {
		if cols[i].ends && out[i] > 0 {
			out[i], texts = texts[0], texts[1:]
		}
	}
	return out
}

func sum(list []int) (all int) {
	for _, n := range list {
		all += n
	}
	return all
}

var callColumns = []column{{title: "start", right: true, least: 70}, {title: "length", right: true},
	{title: "From", ends: true}, {title: "To", ends: true}, {title: "State"}, {title: "legs", right: true, least: 70},
	{title: "RTP", right: true}, {title: "messages", right: true, least: 90}, {title: "Call-ID", ends: true, least: 130}}

var streamColumns = []column{{title: "start", right: true, least: 110}, {title: "Source", ends: true},
	{title: "Destination", ends: true}, {title: "SSRC", least: 100}, {title: "Codec"}, {title: "packets", right: true},
	{title: "lost", right: true}, {title: "jitter ms", right: true}, {title: "max ms", right: true, least: 90},
	{title: "max gap", right: true, least: 120}, {title: "late", right: true, least: 110},
	{title: "twice", right: true, least: 120}}

// cells are the texts of a line.
func (v *View) cells(i int) []string {
	second := func(ns int64) string { return fmt.Sprintf("%.3f", float64(ns)/1e9) }
	if v.streams {
		s := &v.media[i]
		lost, share := s.Lost()
		return []string{second(s.First - v.of.Epoch), v.of.Address(s.Src, 0), v.of.Address(s.Dst, 0),
			fmt.Sprintf("0x%08x", s.SSRC), s.Codec(), humanize.Group(s.Packets),
			fmt.Sprintf("%s (%.1f%%)", humanize.Group(lost), share), fmt.Sprintf("%.1f", s.MeanJitter()),
			fmt.Sprintf("%.1f", s.MaxJitter), fmt.Sprintf("%.1f", s.MaxDelta), humanize.Group(s.Late),
			humanize.Group(s.Twice)}
	}
	c := &v.calls[i]
	first, last, messages := c.Legs[0].First, c.Legs[0].Last, 0
	for k := range c.Legs {
		last = max(last, c.Legs[k].Last)
		messages += len(c.Legs[k].Frames)
	}
	return []string{second(first - v.of.Epoch), humanize.Duration(float64(last-first) / 1e9),
		dissect.Escape(c.Legs[0].From), dissect.Escape(c.Legs[0].To), string(c.Legs[0].State),
		strconv.Itoa(len(c.Legs)), strconv.Itoa(len(c.Streams)), humanize.Group(messages), dissect.Escape(c.Legs[0].ID)}
}

// Sheet has a row for each line of the list.
func (v *View) Sheet() export.Sheet {
	v.refresh()
	var rows [][]any
	if v.streams {
		for i := range v.media {
			s := &v.media[i]
			lost, _ := s.Lost()
			rows = append(rows, []any{float64(s.First-v.of.Epoch) / 1e9, s.Src.String(), s.Dst.String(), s.SSRC, s.Codec(),
				s.Packets, lost, s.MeanJitter(), s.MaxJitter, s.MaxDelta, s.Late, s.Twice})
		}
		return export.New("rtp-streams", []string{"start_s", "source", "destination", "ssrc", "codec", "packets", "lost",
			"jitter_mean_ms", "jitter_max_ms", "gap_max_ms", "late", "twice"}, func() [][]any { return rows })
	}
	for i := range v.calls {
		row := make([]any, 0, len(callColumns))
		for _, cell := range v.cells(i) {
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return export.New("calls", []string{"start_s", "length", "from", "to", "state", "legs", "streams", "messages",
		"call_id"}, func() [][]any { return rows })
}
