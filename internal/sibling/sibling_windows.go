package sibling

import (
	"errors"
	"net"
	"os"

	"golang.org/x/sys/windows"
)

// Files do not pass between processes here as they do on Unix: everything goes on within one process (see [Local]).

// Pair fails on this system.
func Pair() (a, b *os.File, err error) { return nil, nil, errors.ErrUnsupported }

// FromFile fails on this system.
func FromFile(f *os.File) (*net.UnixConn, error) {
	f.Close()
	return nil, errors.ErrUnsupported
}

func receive(*net.UnixConn, []byte) (int, []*os.File, error) { return 0, nil, errors.ErrUnsupported }

func sendRights(*net.UnixConn, []byte, []*os.File) (int, error) { return 0, errors.ErrUnsupported }

// Duplicate opens a file once more, as the same open file, under a name that errors tell.
func Duplicate(f *os.File, name string) (*os.File, error) {
	var h windows.Handle
	me := windows.CurrentProcess()
	err := windows.DuplicateHandle(me, windows.Handle(f.Fd()), me, &h, 0, false, windows.DUPLICATE_SAME_ACCESS)
	if err != nil {
		return nil, os.NewSyscallError("DuplicateHandle", err)
	}
	return os.NewFile(uintptr(h), name), nil
}
