package ui

import (
	"bytes"
	"sort"

	"remora/dissect/follow"
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
		if v.way >= 0 && u.Dir != v.way {
			v.laid++
			continue
		}
		switch v.reading {
		case readMessages:
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
	if end-v.laid+1 < foldFrom || v.find != "" {
		for k := range max(1, len(u.Parts)) {
			v.put(v.laid, v.laid)
			v.part[len(v.part)-1] = k
		}
		v.laid++
		return true
	}
	v.put(v.laid, end)
	v.laid = end + 1
	return true
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
	v.table, v.want = table{}, at
	v.lay(w)
}

func (v *followView) unit() (follow.Unit, bool) {
	if v.table.cur < len(v.lines) {
		return v.talk.Unit(v.lines[v.table.cur]), true
	}
	return follow.Unit{}, false
}
