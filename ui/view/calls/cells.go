package calls

import (
	"fmt"
	"strconv"

	"remora/dissect"
	"remora/ui/export"
	"remora/ui/humanize"
)

// A column of one of the lists; a share is of the width that is left beside the others.
type column struct {
	title string
	cells int
	share int // percent of the screen, in place of cells
	right bool
	least int // how wide a screen is that has it
}

func (c *column) width(w int) int {
	switch {
	case w < c.least:
		return 0
	case c.share > 0:
		return max(12, w*c.share/100)
	}
	return c.cells
}

var callColumns = []column{{title: "start", cells: 9, right: true, least: 70}, {title: "length", cells: 8, right: true},
	{title: "from", share: 22}, {title: "to", share: 22}, {title: "state", cells: 10},
	{title: "legs", cells: 4, right: true, least: 70}, {title: "RTP", cells: 4, right: true},
	{title: "messages", cells: 8, right: true, least: 90}, {title: "Call-ID", share: 20, least: 130}}

var streamColumns = []column{{title: "start", cells: 9, right: true, least: 110}, {title: "source", share: 18},
	{title: "destination", share: 18}, {title: "SSRC", cells: 10, least: 100}, {title: "codec", cells: 10},
	{title: "packets", cells: 8, right: true}, {title: "lost", cells: 12, right: true},
	{title: "jitter", cells: 6, right: true}, {title: "max", cells: 6, right: true, least: 90},
	{title: "gap max ms", cells: 10, right: true, least: 120}, {title: "late", cells: 5, right: true, least: 110},
	{title: "twice", cells: 5, right: true, least: 120}}

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
