package ui

import (
	"remora/ui/doors"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/amount"
)

// next goes to the next line that holds what is searched.
func (v *followView) next(m *model, step int) {
	if v.find == "" {
		m.notice = "/ says what to look for"
		return
	}
	v.nextFrom(m, v.table.cur+step, step)
}

// nextFrom goes to the first line from one on, in steps, that holds what is searched. When the lines end there because no more
// are laid out yet, the search goes on with the next picture.
func (v *followView) nextFrom(m *model, i, step int) {
	v.sought = -1
	for tried := 0; i >= 0 && i < len(v.Lines); i += step {
		if strings.Contains(strings.ToLower(v.lineText(m, i)), strings.ToLower(v.find)) {
			v.table.cur = i
			return
		}
		if tried++; tried >= laidAtOnce {
			v.table.cur = i
			m.notice = "not in the last " + amount.Group(tried) + " lines; the search goes on from here"
			return
		}
	}
	if step > 0 && v.moreToCome(m) {
		v.sought = i
		m.notice = "looking for " + v.find
		return
	}
	m.notice = "there is no further " + v.find
}

// goOn goes on with a search that came to the end of what was laid out.
func (v *followView) goOn(m *model) {
	if v.sought < 0 || v.sought >= len(v.Lines) && v.moreToCome(m) {
		return
	}
	if m.notice == "looking for "+v.find {
		m.notice = ""
	}
	v.nextFrom(m, v.sought, 1)
}

// moreToCome tells whether there are messages that are not laid out yet, or packets that have not been looked at.
func (v *followView) moreToCome(m *model) bool {
	upTo, done, full, _ := v.talk.State()
	return v.Laid() < v.talk.Len() || !done && !full && int(upTo) < m.s.Passed()
}

// countedMatches bounds the lines looked through for one picture.
const countedMatches = 5000

// countMatches goes on to look for what is searched.
func (v *followView) countMatches(m *model) {
	if v.find == "" {
		return
	}
	want := strings.ToLower(v.find)
	for end := min(len(v.Lines), v.looked+countedMatches); v.looked < end; v.looked++ {
		if strings.Contains(strings.ToLower(v.lineText(m, v.looked)), want) {
			v.found = append(v.found, v.looked)
		}
	}
}

// lineText is the text of a line, for drawing and for searching.
func (v *followView) lineText(m *model, i int) string {
	u := v.talk.Unit(v.Lines[i].Unit)
	return v.Of(&u, v.Lines[i], m.glyph("·", "."))
}

// matchText says which of the matches the cursor is on, as far as they are counted.
func (v *followView) matchText() string {
	text := `"` + dissect.Escape(v.find) + `" `
	if i, on := slices.BinarySearch(v.found, v.table.cur); on {
		text += amount.Group(i+1) + " of "
	}
	text += amount.Group(len(v.found)) + " matches"
	if v.looked < len(v.Lines) {
		text += " so far"
	}
	return text
}

// nextTalk goes on to the next conversation of the transport, or to the one before.
func (v *followView) nextTalk(m *model, step int) {
	c := v.talk.Conversation()
	for id := int(c.ID) + step; id >= 1 && id <= m.s.Conversations(); id += step {
		if o := m.s.Conversation(uint32(id)); o.Transport == c.Transport {
			m.openFollow(follow.New(m.s, o.ID), o.First)
			return
		}
	}
	m.notice = "there is no further conversation of " + doors.TransportName(c.Transport)
}

// search begins a search.
func (v *followView) search(m *model, text string) {
	v.find, v.sought, v.Whole = text, -1, text != ""
	v.relay(m.w)
	if text != "" {
		v.nextFrom(m, v.table.cur, 1)
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
