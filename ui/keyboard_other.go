//go:build !unix

package ui

import tea "charm.land/bubbletea/v2"

// openKeyboard leaves the input to the library.
func openKeyboard(*busyTime, func(tea.Msg)) (option tea.ProgramOption, quit func(), ok bool) {
	return nil, nil, false
}
