package broker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// apart says that a process of its own opens files, as the screen is held back here.
const apart = true

// openToRead opens a file or pipe; a device only if that was named at the start, as opening one may do something.
func openToRead(path string, anything bool) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	if kind := st.Mode & unix.S_IFMT; kind != unix.S_IFREG && kind != unix.S_IFIFO && !anything {
		return nil, &fs.PathError{Op: "open", Path: path,
			Err: errors.New("the screen opens files and pipes alone: name it when you start remora")}
	}
	// What was looked at is what is opened, whatever has its name by now.
	f, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", fd), os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	var e *fs.PathError
	if errors.As(err, &e) {
		e.Path = path
	}
	return f, err
}

// renameNew gives a file another name, which must not be there.
func renameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // not with this file system
		return linkNew(from, to)
	}
	if err != nil {
		return &fs.PathError{Op: "create", Path: to, Err: err}
	}
	return nil
}
