package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// closedPipe tells whether nobody reads any more what is written.
func closedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}

// obeyEscapes has a console obey sequences of escape, until the function that it returns is called. That of old Windows
// shows them as they are, and then it is no terminal.
func obeyEscapes(out *os.File) (restore func(), ok bool) {
	var mode uint32
	h := windows.Handle(out.Fd())
	if windows.GetConsoleMode(h, &mode) != nil ||
		windows.SetConsoleMode(h, mode|windows.ENABLE_PROCESSED_OUTPUT|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
		return nil, false
	}
	return func() { _ = windows.SetConsoleMode(h, mode) }, true
}

// letGroupRead changes nothing: files have no mode here.
func letGroupRead() {}
