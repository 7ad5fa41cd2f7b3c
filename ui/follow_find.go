package ui

import (
	"strings"
)

// next goes to the next line that holds what is searched.
func (v *followView) next(m *model, step int) {
	if v.find == "" {
		m.notice = "/ says what to look for"
		return
	}
	i := v.table.cur + step
	for tried := 0; i >= 0 && i < len(v.lines); i += step {
		if strings.Contains(strings.ToLower(v.lineText(m, i)), strings.ToLower(v.find)) {
			v.table.cur = i
			return
		}
		if tried++; tried >= laidAtOnce {
			v.table.cur = i
			m.notice = "not in the last " + group(tried) + " lines; the search goes on from here"
			return
		}
	}
	m.notice = "there is no further " + v.find
}

// search begins a search.
func (v *followView) search(m *model, text string) {
	v.find = text
	v.relay(m.w)
	if text != "" {
		v.table.cur--
		v.next(m, 1)
	}
}

// followEdit takes what was typed for the view: what to search, or where the bytes go.
func (m *model) followEdit(v *followView, e edit, text string) {
	if e == editFind {
		v.search(m, text)
		return
	}
	if text == "" {
		return
	}
	v.export(m, text)
}
