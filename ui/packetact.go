package ui

import (
	"slices"

	"remora/dissect"
)

// goAmong goes to a packet among some, which are in order: by steps from the selected one.
func (m *model) goAmong(list []dissect.FrameNum, by int, what string) {
	at, found := slices.BinarySearch(list, m.selected.Frame)
	if by > 0 && !found {
		by--
	}
	if at += by; at < 0 || at >= len(list) {
		m.foot.Notice = "there is no further " + what
		return
	}
	m.list.Jump(list[at])
}
