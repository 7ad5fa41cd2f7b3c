//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package cli

import (
	"os"
	"syscall"
)

// asks are the signals that ask how things are, beside SIGUSR1: Ctrl-T sends this one.
var asks = []os.Signal{syscall.SIGINFO}
