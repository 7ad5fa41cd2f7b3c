package ui

import (
	"strconv"
	"strings"
)

// render draws the whole screen as lines joined by newlines.
func (m *model) render() string {
	if m.room.w < minWidth || m.room.h < minHeight {
		return "remora needs a terminal of at least 60 x 16; this one has " + strconv.Itoa(m.room.w) + " x " +
			strconv.Itoa(m.room.h)
	}
	var lines []string
	if m.chooser.IsOpen() {
		lines = m.chooser.Draw(m.room.w, m.room.h)
	} else {
		lines = m.drawPackets()
	}
	m.drawOver(lines)
	picture := strings.Join(lines, "\n")
	if m.style.ASCII { // what was cut short ends in a sign of its own
		picture = asciiSigns.Replace(picture)
	}
	return picture
}

// drawPackets draws the packets, or the view in their place.
func (m *model) drawPackets() []string {
	p := m.room.layout()
	lines := make([]string, 0, m.room.h)
	if lines = append(lines, m.header.Draw(p.header.w)); m.line.IsOpen() {
		lines = append(lines, m.line.Draw(p.filter.w))
	} else {
		lines = append(lines, m.header.Filter(p.filter.w))
	}
	if v := m.views.View(); v != nil {
		lines = append(lines, v.Draw(m.room.w, m.room.h-4)...)
	} else {
		lines = append(lines, boxContext{viewContext{m}}.Panes()...)
	}
	foot := m.foot.Draw(p.status.w)
	lines = append(lines[:max(0, min(len(lines), m.room.h-len(foot)))], foot...)
	if problem := m.line.Problem(m.room.w); problem != "" && len(lines) > 3 {
		lines[2] = problem
	}
	return lines
}

var asciiSigns = strings.NewReplacer("…", "~", "Δ", "d", "↑", "^", "↓", "v", "←", "<", "→", ">", "·", "*", "–", "-",
	"≈", "~")

// drawBody draws the panes and the rules between them.
func (m *model) drawBody(p places) []string {
	var list, right []string
	if p.list.h > 0 {
		list = m.list.Draw(p.list.w, p.list.h)
	}
	if p.facets.h > 0 {
		facets := m.facets.Draw(p.facets.w, p.facets.h)
		if list == nil {
			list = facets
		} else {
			list = m.style.Beside(facets, list)
		}
	}
	if p.rule.h > 0 {
		title := "" // unless a rule of its own names the field
		if p.mid.h == 0 {
			title = m.hex.FieldTitle()
		}
		right = append(right, m.list.Title(p.rule.w, title))
	}
	switch {
	case p.mid.h > 0:
		right = append(right, m.tree.Draw(p.tree.w, p.tree.h)...)
		right = append(right, m.hex.Title(p.mid.w))
		right = append(right, m.hex.Draw(p.hex.w, p.hex.h)...)
	case p.divider.h > 0:
		right = append(right, m.style.Beside(m.tree.Draw(p.tree.w, p.tree.h), m.hex.Draw(p.hex.w, p.hex.h))...)
	case p.tree.h > 0:
		right = append(right, m.tree.Draw(p.tree.w, p.tree.h)...)
	case p.hex.h > 0:
		right = append(right, m.hex.Draw(p.hex.w, p.hex.h)...)
	}
	if p.divider.h > 0 && p.mid.h > 0 {
		return m.style.Beside(list, right)
	}
	return append(list, right...)
}
