//go:build unix

package sibling

import (
	"errors"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Pair gives the two ends of a connection.
func Pair() (a, b *os.File, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	unix.CloseOnExec(fds[0])
	unix.CloseOnExec(fds[1])
	return os.NewFile(uintptr(fds[0]), "socket"), os.NewFile(uintptr(fds[1]), "socket"), nil
}

// FromFile makes a connection of a descriptor, which it takes over.
func FromFile(f *os.File) (*net.UnixConn, error) {
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		c.Close()
		return nil, errors.New("it is not a Unix socket")
	}
	return u, nil
}

func receive(c *net.UnixConn, b []byte) (n int, files []*os.File, err error) {
	oob := make([]byte, unix.CmsgSpace(mostFiles*4))
	n, oobn, _, _, err := c.ReadMsgUnix(b, oob)
	files = filesIn(oob[:oobn])
	if err == nil && n == 0 {
		err = net.ErrClosed
	}
	return max(0, n), files, err // -1 where the connection was closed meanwhile
}

func sendRights(c *net.UnixConn, b []byte, files []*os.File) (int, error) {
	var fds []int
	for _, f := range files {
		fds = append(fds, int(f.Fd()))
	}
	n, _, err := c.WriteMsgUnix(b[:1], unix.UnixRights(fds...), nil)
	return n, err
}

func filesIn(oob []byte) (out []*os.File) {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return nil
	}
	for _, m := range messages {
		fds, err := unix.ParseUnixRights(&m)
		if err != nil {
			continue
		}
		for _, fd := range fds {
			unix.CloseOnExec(fd)
			out = append(out, os.NewFile(uintptr(fd), "received"))
		}
	}
	return out
}

// Duplicate opens a file once more, as the same open file, under a name that errors tell.
func Duplicate(f *os.File, name string) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}
