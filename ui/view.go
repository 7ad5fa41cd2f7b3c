package ui

import (
	"strconv"
	"strings"
)

// render draws the whole screen as lines joined by newlines.
func (m *model) render() string {
	if m.room.w < minWidth || m.room.h < minHeight-1 { // a line may be that of the tabs
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

// drawAlone draws a page that has the whole screen; what is typed or said lies over its last line.
func drawAlone(m *model) []string {
	lines := m.views.View().Draw(m.room.w, m.room.h)
	switch last := len(lines) - 1; {
	case m.line.IsOpen():
		lines[last] = m.line.Draw(m.room.w)
	case m.foot.Notice != "":
		lines[last] = m.style.Dim(" "+m.foot.Notice, m.room.w)
	}
	return lines
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
	if m.views.Alone() {
		return drawAlone(m)
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
