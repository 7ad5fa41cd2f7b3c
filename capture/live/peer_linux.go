package live

import (
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
