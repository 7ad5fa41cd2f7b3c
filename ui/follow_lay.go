package ui

import (
	"bytes"
	"sort"

	"remora/dissect/follow"
	"remora/ui/amount"
)

// laidAtOnce bounds the lines laid out for one picture, and those looked through for one key, so that nothing waits.
const laidAtOnce = 50_000

// foldFrom is how many messages of one type in a row are folded into a line.
const foldFrom = 12

// lay breaks units into lines, as far as they have come.
func (v *followView) lay(w int) {
	n := v.talk.Len()
units:
	for end := len(v.lines) + laidAtOnce; v.laid < n && len(v.lines) < end; {
		u := v.talk.Unit(v.laid)
		if v.from != 0 && u.Frame >= v.from {
			v.want, v.from = v.laid, 0
		}
		if v.way >= 0 && u.Dir != v.way || v.fresh && v.messages() && allRepeat(&u) {
			v.laid++
			continue
		}
		v.meet(v.talk.Session().Conversation(u.Conv))
		switch v.reading {
		case readMessages, readLadder:
			if !v.layMessage(u, n) {
				break units
			}
			continue
		case readText:
			v.layText(u, max(20, w-12))
		default:
			for at := 0; at < len(u.Data); at += 16 {
				v.put(v.laid, at)
			}
		}
		if u.Missing > 0 && len(u.Data) == 0 {
			v.put(v.laid, 0)
		}
		v.laid++
	}
	if v.want >= 0 && v.laid > v.want {
		v.table.cur = max(0, sort.SearchInts(v.lines, v.want+1)-1)
		for v.table.cur > 0 && v.lines[v.table.cur-1] == v.lines[v.table.cur] {
			v.table.cur--
		}
		v.want = -1
	}
}

func (v *followView) put(unit, first int) {
	v.lines, v.first, v.part = append(v.lines, unit), append(v.first, first), append(v.part, 0)
}

// layMessage puts the messages of a packet on lines of their own, or a long run of one type on one: the line's first is then
// the run's last unit. A run that may go on waits, unless it is live: how it looks must not hang on when its packets were read.
func (v *followView) layMessage(u follow.Unit, n int) bool {
	if k := len(v.lines); k > 0 && v.find == "" && u.Kind != "" && v.first[k-1] == v.laid-1 && v.first[k-1] > v.lines[k-1] && v.talk.Unit(v.laid-1).Kind == u.Kind {
		v.first[k-1] = v.laid // the run goes on
		v.sums.add(&u)
		v.laid++
		return true
	}
	end := v.laid
	for u.Kind != "" && end+1 < n && v.find == "" {
		if next := v.talk.Unit(end + 1); next.Kind != u.Kind {
			break
		}
		end++
	}
	if _, done, _, _ := v.talk.State(); !done && !v.live && end == n-1 && v.find == "" {
		return false
	}
	if end-v.laid+1 < foldFrom || v.find != "" || v.isUnfolded(v.laid) {
		v.sums.add(&u)
		for k := range max(1, len(u.Parts)) {
			if v.fresh && k < len(u.Parts) && u.Parts[k].Repeat {
				continue
			}
			v.put(v.laid, v.laid)
			v.part[len(v.part)-1] = k
		}
		v.laid++
		return true
	}
	v.put(v.laid, end)
	for ; v.laid <= end; v.laid++ {
		u := v.talk.Unit(v.laid)
		v.sums.add(&u)
	}
	return true
}

// add counts a packet of the conversation.
func (s *followSums) add(u *follow.Unit) {
	if s.last != u.Dir+1 {
		s.turns++
	}
	s.last = u.Dir + 1
	s.messages += max(1, len(u.Parts))
	if len(u.Parts) == 0 && u.Repeat {
		s.repeats++
	}
	for _, p := range u.Parts {
		if p.Repeat {
			s.repeats++
		}
	}
}

// text says how many turns there were, and how many messages were needed.
func (s *followSums) text(fresh bool) string {
	text := ", " + amount.Of(s.turns, "turn") + ", " + amount.Of(s.messages, "message")
	switch {
	case s.repeats > 0:
		text += ", " + amount.Group(s.repeats) + " of them repeats (" + amount.Percent(uint64(s.repeats), uint64(s.messages)) + " %)"
	case fresh:
		text += " without those that repeat"
	}
	return text
}

func allRepeat(u *follow.Unit) bool {
	if len(u.Parts) == 0 {
		return u.Repeat
	}
	for _, p := range u.Parts {
		if !p.Repeat {
			return false
		}
	}
	return true
}

// folded tells whether a line stands for a run.
func (v *followView) folded(i int) bool {
	return v.messages() && i < len(v.lines) && v.first[i] > v.lines[i]
}

func (v *followView) isUnfolded(unit int) bool { return v.unfoldedRun(unit) >= 0 }

// unfoldedRun is the number of the unfolded run that a unit is of, or -1.
func (v *followView) unfoldedRun(unit int) int {
	for i, r := range v.unfolded {
		if unit >= r[0] && unit <= r[1] {
			return i
		}
	}
	return -1
}

// unfold shows the messages of the run under the cursor one by one, or folds them again.
func (v *followView) unfold(m *model) {
	at := v.table.cur
	if at >= len(v.lines) || !v.messages() {
		return
	}
	if i := v.unfoldedRun(v.lines[at]); i >= 0 {
		first := v.unfolded[i][0]
		v.unfolded = append(v.unfolded[:i:i], v.unfolded[i+1:]...)
		for v.table.cur > 0 && v.lines[v.table.cur] > first { // to where the run will stand
			v.table.cur--
		}
	} else if v.folded(at) {
		v.unfolded = append(v.unfolded, [2]int{v.lines[at], v.first[at]})
	}
	v.relay(m.w)
}

func (v *followView) layText(u follow.Unit, w int) {
	for at := 0; at < len(u.Data); {
		v.put(v.laid, at)
		at += textLine(u.Data[at:], w)
	}
}

// textLine is how many bytes go on one line: up to a line break or the width.
func textLine(b []byte, w int) int {
	b = b[:min(len(b), w)]
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// relay begins the layout anew, with the same unit under the cursor.
func (v *followView) relay(w int) {
	at := -1
	if v.table.cur < len(v.lines) {
		at = v.lines[v.table.cur]
	}
	v.laid, v.lines, v.first, v.part = 0, v.lines[:0], v.first[:0], v.part[:0]
	v.sums, v.found, v.looked = followSums{}, v.found[:0], 0
	v.table, v.want = table{}, at
	v.lay(w)
}

func (v *followView) unit() (follow.Unit, bool) {
	if v.table.cur < len(v.lines) {
		return v.talk.Unit(v.lines[v.table.cur]), true
	}
	return follow.Unit{}, false
}
