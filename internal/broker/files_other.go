//go:build !linux

package broker

import (
	"os"
	"syscall"

	"remora/internal/sharing"
)

// apart says that the screen opens files itself: nothing holds it back here.
const apart = false

// openToRead opens a file.
func openToRead(path string, _ bool) (*os.File, error) {
	return sharing.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
}

// renameNew gives a file another name, which must not be there.
func renameNew(from, to string) error { return linkNew(from, to) }
