package statistics

import (
	"slices"

	"remora/dissect/stats"
	"remora/ui/act"
)

// Below the hierarchy stand the conversations that carry most, where there is room for them: the key to the next part
// leads to all of them.

const (
	mostBelow  = 5  // of them
	leastLevel = 18 // lines of the hierarchy that stay on the screen before conversations have room
)

// mostBytes are the n conversations with the most bytes, most first; of equal ones those that come first.
func mostBytes(convs []stats.Conversation, n int) []stats.Conversation {
	var out []stats.Conversation
	for _, t := range convs {
		at := len(out)
		for at > 0 && out[at-1].Both().Bytes < t.Both().Bytes {
			at--
		}
		if at < n {
			out = slices.Insert(out, at, t)
			out = out[:min(len(out), n)]
		}
	}
	return out
}

// mostLines is how many lines of a view of so many they take, with a rule and the titles of the columns; 0 without
// room.
func (v *View) mostLines(h int) int {
	lines := len(v.most) + 2
	if len(v.most) == 0 || h-2-lines < min(len(v.levels), leastLevel) {
		return 0
	}
	return lines
}

// drawMost draws them.
func (v *View) drawMost(w int) []string {
	title := "Conversations"
	if layer := v.layers()[v.layer]; layer.Name != "" {
		title += " of " + layer.Title
	}
	if len(v.most) < len(v.conversations) {
		title += ", the five that carry most"
	}
	out := []string{v.c.Style().RuleOf(w, title, v.c.Style().Key(act.NextPane)+" moves there", false),
		v.conversationHead(w)}
	for i := range v.most {
		out = append(out, v.conversation(&v.most[i], false, w))
	}
	return out
}

// clickMost goes to the conversations: to the one in a line, or to the first one.
func (v *View) clickMost(line int) {
	v.turnPart(partConversations)
	if line -= 2; line < 0 || line >= len(v.most) {
		return
	}
	a := v.most[line]
	if i := slices.IndexFunc(v.conversations,
		func(b stats.Conversation) bool { return a.A == b.A && a.B == b.B && a.Conv == b.Conv }); i >= 0 {
		v.tables[partConversations].Cur = i
	}
}
