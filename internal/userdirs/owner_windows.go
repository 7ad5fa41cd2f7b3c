package userdirs

import (
	"io/fs"
	"os"
)

// Others is always false: folders of users are closed to others by their access control lists, and what is not is
// taken as it is.
func Others(fs.FileInfo) bool { return false }

// Private is always true, for the same reason.
func Private(fs.FileInfo) bool { return true }

// Guarded is always true, for the same reason.
func Guarded(fs.FileInfo) bool { return true }

// state is %LOCALAPPDATA%, which stays on this machine, and config %APPDATA%, which goes where the user's profile goes,
// unless the variables of other systems are set.
func state() (string, error)  { return base("XDG_STATE_HOME", os.UserCacheDir) }
func config() (string, error) { return base("XDG_CONFIG_HOME", os.UserConfigDir) }

func base(variable string, usual func() (string, error)) (string, error) {
	dir, err := usual()
	if set := os.Getenv(variable); set != "" {
		err = nil
		dir = set
	}
	return dir, err
}

const wireshark = "Wireshark"
