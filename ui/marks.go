package ui

import (
	"sort"

	"remora/dissect"
	"remora/ui/act"
)

// marks are letters put on packets by hand, as vim has them, and packets picked without a letter.
type marks struct {
	byLetter map[rune]dissect.FrameNum
	last     rune // the letter that was set last
	picked   map[dissect.FrameNum]bool
	inFile   map[rune]dissect.FrameNum // as the comments say

	pickedInFile map[dissect.FrameNum]bool
	asked        bool // the comments were asked
}

// pickedSign stands for a packet that was picked.
const pickedSign = '*'

// markOf is the sign beside a packet, or 0.
func (m *model) markOf(n dissect.FrameNum) rune {
	for letter, at := range m.marks.byLetter {
		if at == n {
			return letter
		}
	}
	if m.marks.picked[n] {
		return pickedSign
	}
	return 0
}

// setMark puts a letter on the selected packet, or takes it away where it is already.
func (m *model) setMark(letter rune) {
	if m.selected.Frame == 0 {
		return
	}
	if m.marks.byLetter[letter] == m.selected.Frame {
		delete(m.marks.byLetter, letter)
		return
	}
	m.marks.byLetter[letter], m.marks.last = m.selected.Frame, letter
	m.notice = "Mark " + string(letter) + " set"
}

func (m *model) goToMark(letter rune) {
	n, ok := m.marks.byLetter[letter]
	if !ok {
		m.notice = "there is no mark " + string(letter) + "; m" + string(letter) + " sets one"
		return
	}
	m.list.Jump(n)
}

// pick picks the selected packet, or lets it go, and goes on to the next.
func (m *model) pick() {
	if m.selected.Frame == 0 {
		return
	}
	if m.marks.picked[m.selected.Frame] {
		delete(m.marks.picked, m.selected.Frame)
	} else {
		m.marks.picked[m.selected.Frame] = true
	}
	m.list.Step(1)
}

// pickedFrames are the packets picked, in order.
func (m *model) pickedFrames() []dissect.FrameNum {
	var out []dissect.FrameNum
	for n := range m.marks.picked {
		out = append(out, n)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// markKey is the letter of a mark to put or to go to.
func (m *model) markKey(key string) {
	m.tell(m.keying.takes)
	set := m.keying.takes == act.Mark
	m.keying.keys, m.keying.count, m.keying.takes = "", 0, act.None
	letter := []rune(key)
	if len(letter) != 1 || !isMark(letter[0]) {
		m.notice = "marks are letters"
		return
	}
	if set {
		m.setMark(letter[0])
	} else {
		m.goToMark(letter[0])
	}
}
