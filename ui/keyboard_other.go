//go:build !unix

package ui

import tea "charm.land/bubbletea/v2"

// maySuspend says that consoles here know no Ctrl-Z.
const maySuspend = false

// openKeyboard leaves the input to the library.
func openKeyboard(*busyTime, func(tea.Msg)) (option tea.ProgramOption, quit func(), ok bool) {
	return nil, nil, false
}
