//go:build unix

package cli

import (
	"errors"
	"os"
	"syscall"
)

// closedPipe tells whether nobody reads any more what is written.
func closedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// obeyEscapes has nothing to do: terminals obey sequences of escape.
func obeyEscapes(*os.File) (restore func(), ok bool) { return func() {}, true }
