package cli

import (
	"os"
	"syscall"
)

// asksForNext is a signal that nothing sends on Windows.
const asksForNext = syscall.Signal(-1)

// asks are the signals that ask how things are: there are none.
var asks []os.Signal
