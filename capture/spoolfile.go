package capture

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"remora/internal/userdirs"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// SpoolDir is where spools are kept: $XDG_STATE_HOME/remora/spool, or the same below ~/.local/state.
func SpoolDir() (string, error) {
	state, err := userdirs.State()
	if err != nil {
		return "", err
	}
	return filepath.Join(state, "spool"), nil
}

// spoolPrefix begins the name of every spool, so that nothing else is ever taken for one.
const spoolPrefix = "remora-"

// createSpool makes a new spool file, locked for as long as this process lives. When the usual folder cannot be
// written, the temporary one has to do.
func createSpool(dir, what string, nameless bool) (*spool, error) {
	f, err := spoolIn(dir, what)
	if err != nil && dir == "" && ours(fallbackDir()) {
		f, err = spoolIn(fallbackDir(), what)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot create a spool file for the packets: %w", err)
	}
	path := f.Name()
	if nameless {
		os.Remove(path)
		path = ""
	}
	return newSpool(f, path), nil
}

// SpoolDirs makes the folders in which this process may make spools, and those in which it finds what others have left.
func SpoolDirs() (dirs []string) {
	usual, err := SpoolDir()
	if err == nil {
		err = userdirs.MakeDir(usual)
	}
	if err == nil {
		dirs = append(dirs, usual)
	}
	if _, there := os.Lstat(fallbackDir()); (err != nil || there == nil) && ours(fallbackDir()) {
		dirs = append(dirs, fallbackDir())
	}
	return dirs
}

// fallbackDir is where spools go when the usual place cannot be written.
func fallbackDir() string { return filepath.Join(os.TempDir(), fmt.Sprintf("remora-%d", os.Geteuid())) }

// ours says that a folder in a place open to all is this user's own and nobody else's, making it if need be.
func ours(dir string) bool {
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return false
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

func spoolIn(dir, what string) (*os.File, error) {
	if dir == "" {
		var err error
		if dir, err = SpoolDir(); err != nil {
			return nil, err
		}
	}
	if err := userdirs.MakeDir(dir); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, spoolName(what)+"-*.pcapng") // mode 0600: what passes a network is private
	if err != nil {
		return nil, err
	}
	if err := claim(f); err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, err
	}
	return f, nil
}

// spoolName begins the name of a new spool.
func spoolName(what string) string {
	return spoolPrefix + plainName(what) + "-" + time.Now().Format("20060102-150405")
}

// lock marks a file as in use. The system lets go of the lock however the process ends.
func lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// claim locks a file unless another program has. File systems without locks are no reason not to capture; spools
// there are not offered for recovery, because nobody can tell whether they are in use.
func claim(f *os.File) error {
	if err := lock(f); errors.Is(err, unix.EWOULDBLOCK) {
		return err
	}
	return nil
}

// plainName keeps what is harmless in a file name.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '_'
	}, s[:min(len(s), 40)])
}
