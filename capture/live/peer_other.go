//go:build !linux

package live

import "net"

// samePerson relies on the folder of the socket, which is this user's alone.
func samePerson(*net.UnixConn) bool { return true }

// shortPath has no other way to a folder here.
func shortPath(dir string) (via string, done func(), err error) { return dir, func() {}, nil }
