package broker

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// A wireError is an error as it is sent: what the callers look for in errors is kept.
type wireError struct {
	Text     string
	Op, Path string        `json:",omitempty"`
	Errno    syscall.Errno `json:",omitempty"`
	NotFound bool          `json:",omitempty"` // a program
}

func newWireError(err error) *wireError {
	w := &wireError{Text: err.Error(), NotFound: errors.Is(err, exec.ErrNotFound)}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = &fs.PathError{Op: link.Op, Path: link.New, Err: link.Err}
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		w.Op, w.Path, w.Text = path.Op, path.Path, path.Err.Error()
	}
	errors.As(err, &w.Errno)
	return w
}

func (w *wireError) error() error {
	err := errors.New(w.Text)
	switch {
	case w.NotFound:
		err = exec.ErrNotFound
	case w.Errno != 0:
		err = w.Errno
	}
	if w.Op != "" {
		return &fs.PathError{Op: w.Op, Path: w.Path, Err: err}
	}
	return err
}
