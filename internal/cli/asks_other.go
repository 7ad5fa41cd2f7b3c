//go:build !(darwin || dragonfly || freebsd || netbsd || openbsd)

package cli

import "os"

// asks are the signals that ask how things are, beside SIGUSR1: here there is none.
var asks []os.Signal
