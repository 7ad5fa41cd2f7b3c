package follow

import (
	"remora/ui/act"
	"remora/ui/drilldown"
	"remora/ui/view"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/humanize"
)

// next goes to the next line that holds what is searched.
func (v *View) next(step int) {
	if v.find == "" {
		v.c.Notify(v.c.Style().Key(act.Find) + " says what to look for")
		return
	}
	v.nextFrom(v.table.Cur+step, step)
}

// nextFrom goes to the first line from one on, in steps, that holds what is searched. When the lines end there because
// no more are laid out yet, the search goes on with the next picture.
func (v *View) nextFrom(i, step int) {
	v.sought = -1
	for tried := 0; i >= 0 && i < len(v.Lines); i += step {
		if strings.Contains(strings.ToLower(v.lineText(i)), strings.ToLower(v.find)) {
			v.table.Cur = i
			return
		}
		if tried++; tried >= laidAtOnce {
			v.table.Cur = i
			v.c.Notify("not in the last " + humanize.Group(tried) + " lines; the search goes on from here")
			return
		}
	}
	if step > 0 && v.moreToCome() {
		v.sought, v.waits = i, true
		v.c.Notify("looking for " + v.find)
		return
	}
	v.c.Notify("there is no further " + v.find)
}

// goOn goes on with a search that came to the end of what was laid out.
func (v *View) goOn() {
	if v.sought < 0 || v.sought >= len(v.Lines) && v.moreToCome() {
		return
	}
	if v.waits {
		v.waits = false
		v.c.Notify("")
	}
	v.nextFrom(v.sought, 1)
}

// moreToCome tells whether there are messages that are not laid out yet, or packets that have not been looked at.
func (v *View) moreToCome() bool {
	upTo, done, full, _ := v.stream.State()
	return v.Laid() < v.stream.Len() || !done && !full && int(upTo) < v.c.Scope().Session.Passed()
}

// countedMatches bounds the lines looked through for one picture.
const countedMatches = 5000

// countMatches goes on to look for what is searched.
func (v *View) countMatches() {
	if v.find == "" {
		return
	}
	want := strings.ToLower(v.find)
	for end := min(len(v.Lines), v.looked+countedMatches); v.looked < end; v.looked++ {
		if strings.Contains(strings.ToLower(v.lineText(v.looked)), want) {
			v.found = append(v.found, v.looked)
		}
	}
}

// lineText is the text of a line, for drawing and for searching.
func (v *View) lineText(i int) string {
	return v.Of(v.stream, v.Lines[i], v.c.Style().Glyph("·", "."))
}

// matchText says which of the matches the cursor is on, as far as they are counted.
func (v *View) matchText() string {
	text := `"` + dissect.Escape(v.find) + `" `
	if i, on := slices.BinarySearch(v.found, v.table.Cur); on {
		text += humanize.Group(i+1) + " of "
	}
	text += humanize.Group(len(v.found)) + " matches"
	if v.looked < len(v.Lines) {
		text += " so far"
	}
	return text
}

// nextConversation goes on to the next conversation of the transport, or to the one before.
func (v *View) nextConversation(step int) {
	c := v.stream.Conversation()
	for id := int(c.ID) + step; id >= 1 && id <= v.c.Scope().Session.Conversations(); id += step {
		if o := v.c.Scope().Session.Conversation(uint32(id)); o.Transport == c.Transport {
			v.c.Follow(follow.New(v.c.Scope().Session, o.ID), o.First)
			return
		}
	}
	v.c.Notify("there is no further conversation of " + drilldown.TransportName(c.Transport))
}

// search begins a search.
func (v *View) search(text string) {
	v.find, v.sought, v.Whole = text, -1, text != ""
	v.relay(view.Width(v.c))
	if text != "" {
		v.nextFrom(v.table.Cur, 1)
	}
}
