// Package home knows whose program this is and where that person's things are kept. Under sudo that is the user who called
// it: files and folders made for them are theirs, and nothing of root's is read or written.
package home

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// A Person is who called the program, when that is not who it runs as.
type Person struct {
	UID, GID int
	Name     string
	Home     string
}

// Caller is the user who started the program with sudo.
func Caller() (Person, bool) {
	if os.Geteuid() != 0 && os.Getuid() != 0 {
		return Person{}, false
	}
	uid, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	if err != nil || uid <= 0 {
		return Person{}, false
	}
	gid, err := strconv.Atoi(os.Getenv("SUDO_GID"))
	if err != nil || gid < 0 {
		return Person{}, false
	}
	p := Person{UID: uid, GID: gid, Name: os.Getenv("SUDO_USER"), Home: "/"}
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		p.Name, p.Home = u.Username, u.HomeDir
	}
	return p, true
}

// HandOver makes a new file the calling user's.
func HandOver(f *os.File) {
	if c, ok := Caller(); ok {
		f.Chown(c.UID, c.GID) // a file system without owners is no reason to stop
	}
}

// State is the folder for what remora keeps between runs: $XDG_STATE_HOME/remora, or ~/.local/state/remora. It need not
// exist yet.
func State() (string, error) { return folder("XDG_STATE_HOME", ".local", "state") }

// Config is the folder for what the user writes: $XDG_CONFIG_HOME/remora, or ~/.config/remora. It need not exist.
func Config() (string, error) { return folder("XDG_CONFIG_HOME", ".config") }

func folder(variable string, usual ...string) (string, error) {
	base := os.Getenv(variable)
	c, called := Caller()
	if called || base == "" {
		home, err := c.Home, error(nil)
		if !called {
			home, err = os.UserHomeDir()
		}
		if err == nil {
			_, err = os.Stat(home) // some users have none, and root must not make it for them
		}
		if err != nil {
			return "", err
		}
		base = filepath.Join(append([]string{home}, usual...)...)
	}
	return filepath.Join(base, "remora"), nil
}

// MakeDir makes a folder for the user alone, with the folders above it.
func MakeDir(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := MakeDir(parent); err != nil {
			return err
		}
	}
	err := os.Mkdir(dir, 0o700)
	if os.IsExist(err) {
		return nil
	}
	if c, ok := Caller(); ok && err == nil {
		os.Lchown(dir, c.UID, c.GID)
	}
	return err
}
