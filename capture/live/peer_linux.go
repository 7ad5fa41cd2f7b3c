package live

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// samePerson reports whether the program at the other end of a socket is this user's.
func samePerson(c *net.UnixConn) bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	var cred *unix.Ucred
	if raw.Control(func(fd uintptr) {
		cred, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}) != nil {
		return false
	}
	return err == nil && int(cred.Uid) == os.Geteuid()
}

// shortPath is a way to a folder that a socket's address has room for. It holds until done is called.
func shortPath(dir string) (via string, done func(), err error) {
	const name = 60 // spools have no longer ones
	if len(dir)+name <= longestPath {
		return dir, func() {}, nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d", f.Fd()), func() { f.Close() }, nil
}
