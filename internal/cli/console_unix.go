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

// letGroupRead has the files that are written from now on be readable by the group, as tshark's -g does.
func letGroupRead() { syscall.Umask(syscall.Umask(0o077) &^ 0o040) }
