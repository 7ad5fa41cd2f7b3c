package live

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"remora/internal/sibling"
	"remora/internal/userdirs"
)

const (
	socketEnding = ".sock"
	visitFor     = 5 * time.Second // how long another program may take for its first request
	longestPath  = 100             // of a socket, as the system takes it; some take four bytes more
)

// listenAt opens a socket in a folder that only this user can write. It gets its name once it accepts connections, so a
// named socket that refuses them belongs to a process that has ended.
func listenAt(path string) (*net.UnixListener, error) {
	dir, name := filepath.Split(path)
	if err := private(dir); err != nil {
		return nil, err
	}
	via, done, err := shortPath(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(via, name+".new"), Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	os.Chmod(path+".new", 0o600)
	if err := os.Rename(path+".new", path); err != nil {
		l.Close()
		os.Remove(path + ".new")
		return nil, err
	}
	return l, nil
}

// dialAt connects to a socket of this user's.
func dialAt(path string) (*net.UnixConn, error) {
	_, lent, err := joinSocket.Ask(path)
	if err != nil {
		return nil, err
	}
	return sibling.FromFile(lent[0])
}

func connectTo(path string) (*net.UnixConn, error) {
	dir, name := filepath.Split(path)
	if err := private(dir); err != nil {
		return nil, err
	}
	via, done, err := shortPath(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: filepath.Join(via, name), Net: "unix"})
	if err == nil && !samePerson(c) {
		c.Close()
		return nil, fmt.Errorf("%s belongs to a program of somebody else", path)
	}
	return c, err
}

// private checks that a folder is this user's, and that nobody else may put something into it.
func private(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !userdirs.Guarded(info) {
		return fmt.Errorf("%s can be changed by others: chmod 700 %s", dir, quote(dir))
	}
	return nil
}
