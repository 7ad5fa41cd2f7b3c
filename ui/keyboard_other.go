//go:build !unix

package ui

import tea "charm.land/bubbletea/v2"

// openKeyboard leaves the input to the library.
func openKeyboard() (tea.ProgramOption, bool) { return nil, false }
