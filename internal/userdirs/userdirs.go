// Package userdirs knows whose program this is and where that person's things are kept. Under sudo that is the user who
// called it, whom the program becomes before it opens anything (see live.DropPrivileges).
package userdirs

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// A User is who called the program, when that is not who it runs as.
type User struct {
	UID, GID int
	Name     string
	Home     string
}

// Caller is the user who started the program with sudo.
func Caller() (User, bool) {
	if os.Geteuid() != 0 && os.Getuid() != 0 {
		return User{}, false
	}
	uid, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	if err != nil || uid <= 0 {
		return User{}, false
	}
	gid, err := strconv.Atoi(os.Getenv("SUDO_GID"))
	if err != nil || gid < 0 {
		return User{}, false
	}
	p := User{UID: uid, GID: gid, Name: os.Getenv("SUDO_USER"), Home: "/"}
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		p.Name, p.Home = u.Username, u.HomeDir
	}
	return p, true
}

// State is the folder for what remora keeps between runs: $XDG_STATE_HOME/remora, or ~/.local/state/remora, or
// %LOCALAPPDATA%\remora on Windows. It need not exist yet.
func State() (string, error) { return ours(state()) }

// Config is the folder for what the user writes: $XDG_CONFIG_HOME/remora, or ~/.config/remora, or %APPDATA%\remora on
// Windows. It need not exist.
func Config() (string, error) { return ours(config()) }

// Wireshark is the folder in which Wireshark keeps what the user writes: names of hosts, profiles. It need not exist.
func Wireshark() (string, error) {
	dir, err := config()
	return filepath.Join(dir, wireshark), err
}

func ours(dir string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "remora"), nil
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
	return err
}
