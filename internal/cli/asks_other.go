//go:build unix && !(darwin || dragonfly || freebsd || netbsd || openbsd)

package cli

import (
	"os"
	"syscall"
)

// asksForNext is the signal that asks for the next file of a ring.
const asksForNext = syscall.SIGUSR1

// asks are the signals that ask how things are.
var asks = []os.Signal{asksForNext}
