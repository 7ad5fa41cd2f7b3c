// Package sibling is for processes that the program starts of itself, and for the connections over which they pass each
// other open files.
package sibling

import (
	"errors"
	"net"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Program is the file that this program was started from. The kernel knows it also when it has been replaced since.
func Program() (string, error) {
	const link = "/proc/self/exe"
	if runtime.GOOS != "linux" {
		return os.Executable()
	}
	if _, err := os.Stat(link); err != nil {
		return "", errors.New("where this program is cannot be told without /proc: mount it")
	}
	return link, nil
}

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

// Conn makes a connection of a descriptor, which it takes over.
func Conn(f *os.File) (*net.UnixConn, error) {
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

// mostFiles bounds how many files come with one message.
const mostFiles = 4

// Receive reads what is there of a message, and the files that come along.
func Receive(c *net.UnixConn, b []byte) (n int, files []*os.File, err error) {
	oob := make([]byte, unix.CmsgSpace(mostFiles*4))
	n, oobn, _, _, err := c.ReadMsgUnix(b, oob)
	files = filesIn(oob[:oobn])
	if err == nil && n == 0 {
		err = net.ErrClosed
	}
	return max(0, n), files, err // -1 where the connection was closed meanwhile
}

// Send writes a message and passes files with its first byte. They stay open here.
func Send(c *net.UnixConn, b []byte, files ...*os.File) error {
	first := b
	if len(files) > 0 {
		var fds []int
		for _, f := range files {
			fds = append(fds, int(f.Fd()))
		}
		n, _, err := c.WriteMsgUnix(b[:1], unix.UnixRights(fds...), nil)
		if err != nil {
			return err
		}
		first = b[n:]
	}
	if len(first) == 0 { // an empty write would wait for those of others
		return nil
	}
	_, err := c.Write(first)
	return err
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
