//go:build unix

package userdirs

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Others tells whether a file or folder belongs to somebody else.
func Others(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) != os.Geteuid()
}

// Private tells whether a folder belongs to this user, and nobody else may look into it.
func Private(info fs.FileInfo) bool { return info.Mode().Perm() == 0o700 && !Others(info) }

// Guarded tells whether a folder belongs to this user, and nobody else may put something into it.
func Guarded(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 == 0 && !Others(info) }

// state and config are where programs keep what they remember and what their users write.
func state() (string, error)  { return base("XDG_STATE_HOME", ".local", "state") }
func config() (string, error) { return base("XDG_CONFIG_HOME", ".config") }

func base(variable string, usual ...string) (string, error) {
	if dir := os.Getenv(variable); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err == nil {
		_, err = os.Stat(home) // some users have none
	}
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{home}, usual...)...), nil
}

const wireshark = "wireshark"
