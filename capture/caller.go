package capture

import (
	"os"
	"os/user"
	"strconv"
)

// A person is who called the program, when that is not who it runs as.
type person struct {
	uid, gid int
	name     string
	home     string
}

// caller is the user who started the program with sudo. Files are theirs, and their home is where things go.
func caller() (person, bool) {
	if os.Geteuid() != 0 && os.Getuid() != 0 {
		return person{}, false
	}
	uid, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	if err != nil || uid <= 0 {
		return person{}, false
	}
	gid, err := strconv.Atoi(os.Getenv("SUDO_GID"))
	if err != nil || gid < 0 {
		return person{}, false
	}
	p := person{uid: uid, gid: gid, name: os.Getenv("SUDO_USER"), home: "/"}
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		p.name, p.home = u.Username, u.HomeDir
	}
	return p, true
}

// handOver makes a new file the calling user's.
func handOver(f *os.File) {
	if c, ok := caller(); ok {
		f.Chown(c.uid, c.gid) // a file system without owners is no reason to stop
	}
}
