package ui

import (
	"strings"

	treepane "remora/ui/pane/tree"
	"remora/ui/term"
)

// meant is the filter for the cell that was clicked, or else for what is selected.
func (m *model) meant() string {
	text := m.fieldFilter()
	if cell := m.keying.TakePointed(); cell != "" {
		text = cell
	}
	return text
}

// useField joins the filter for what is under the cursor to the one that is on, the way a letter says.
func (m *model) useField(how rune, prepare bool) {
	text := m.meant()
	if text == "" {
		return
	}
	now := m.packets.FilterText()
	switch how {
	case 'n':
		text = "!" + bracketedAlways(text)
	case 'a':
		text = term.Join(now, "&&", text)
	case 'o':
		text = term.Join(now, "||", text)
	case 'A':
		text = term.Join(now, "&&", "!"+bracketedAlways(text))
	case 'O':
		text = term.Join(now, "||", "!"+bracketedAlways(text))
	}
	if prepare {
		m.editFilter(text)
		return
	}
	m.applyFilter(text)
}

// bracketedAlways brackets what is more than a name.
func bracketedAlways(s string) string {
	if strings.Contains(s, " ") {
		return "(" + s + ")"
	}
	return s
}

// explain says what the selected field is, which values it had, and where links lead; or what bytes could be.
func (m *model) explain() {
	switch {
	case m.selected.Node < 0:
	case m.room.focus == paneHex:
		if title, lines := m.hex.Explain(); lines != nil {
			m.dialog.Show(title, lines, true)
		}
	default:
		f := m.selected.Tree.Field(m.selected.Node)
		title, lines := m.tree.Explain()
		lines = append(append(lines, m.hex.Seen(f)...), treepane.Values(f)...)
		m.dialog.Show(title, lines, false)
	}
}

// useUnder opens the short list of uses for what is under the pointer: a cell of the list, a field, bytes, a line of
// the facets.
func (m *model) useUnder(p places, x, y int) {
	m.keying.Point("")
	switch {
	case p.list.has(x, y):
		m.useCell(p.list, x, y)
	case p.facets.has(x, y) && y > p.facets.y:
		m.room.focus = paneFacets
		if text, ok := m.facets.Point(y - p.facets.y); ok {
			m.keying.Point(text)
			m.keying.Use(x, y)
		}
	case m.selected.Tree == nil:
	case p.tree.has(x, y):
		m.room.focus = paneTree
		if m.tree.Point(y - p.tree.y) {
			m.keying.Use(x, y)
		}
	case p.hex.has(x, y):
		m.room.focus = paneHex
		if _, _, picked := m.hex.Picked(); !picked {
			m.hex.Click(x-p.hex.x, y-p.hex.y)
		}
		m.keying.Use(x, y)
	}
}

// useCell opens the short list of uses for the cell under the pointer.
func (m *model) useCell(r rect, x, y int) {
	cell, ok := m.list.Point(x-r.x, y-r.y)
	if !ok {
		return
	}
	m.room.focus = paneList
	m.keying.Point(cell)
	if m.keying.Pointed() != "" || m.fieldFilter() != "" {
		m.keying.Use(x, y)
	}
}
