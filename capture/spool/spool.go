// Package spool has the files on disk behind captures: what comes from an interface or through a pipe is in a spool
// until somebody saves it. It knows their folders, their names and their locks, which tell whose run has ended without
// cleaning up. A [File] is a spool that this process fills.
package spool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"remora/internal/sharing"
	"remora/internal/userdirs"
)

// Dir is where spools are kept: $XDG_STATE_HOME/remora/spool, or the same below ~/.local/state.
func Dir() (string, error) {
	state, err := userdirs.State()
	if err != nil {
		return "", err
	}
	return filepath.Join(state, "spool"), nil
}

// Prefix begins the name of every spool, so that nothing else is ever taken for one.
const Prefix = "remora-"

// Create makes a new spool, locked for as long as this process lives, whose name says what it is of. Without a folder
// it goes to the usual one, and when that cannot be written, to the temporary one. A nameless one has the path "".
func Create(dir, what string, nameless bool) (f *os.File, path string, err error) {
	f, err = create(dir, what)
	if err != nil && dir == "" && ours(fallback()) {
		f, err = create(fallback(), what)
	}
	if err != nil {
		return nil, "", fmt.Errorf("cannot create a spool file for the packets: %w", err)
	}
	if nameless {
		sharing.Remove(f.Name())
		return f, "", nil
	}
	return f, f.Name(), nil
}

// Dirs makes the folders in which this process may make spools, and those in which it finds what others have left.
func Dirs() (dirs []string) {
	usual, err := Dir()
	if err == nil {
		err = userdirs.MakeDir(usual)
	}
	if err == nil {
		dirs = append(dirs, usual)
	}
	if _, there := os.Lstat(fallback()); (err != nil || there == nil) && ours(fallback()) {
		dirs = append(dirs, fallback())
	}
	return dirs
}

// Existing are the folders that may hold spools, whether or not this process could make new ones there.
func Existing() (dirs []string) {
	if dir, err := Dir(); err == nil {
		dirs = append(dirs, dir)
	}
	if _, err := os.Lstat(fallback()); err == nil && ours(fallback()) {
		dirs = append(dirs, fallback())
	}
	return dirs
}

// Within reports whether a folder is one in which spools are.
func Within(dir string) bool {
	usual, err := Dir()
	dir = filepath.Clean(dir)
	return err == nil && dir == usual || dir == fallback()
}

// fallback is where spools go when the usual place cannot be written.
func fallback() string { return filepath.Join(os.TempDir(), fallbackName()) }

// ours says that a folder in a place open to all is this user's own and nobody else's, making it if need be.
func ours(dir string) bool {
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return false
	}
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir() && userdirs.Private(info)
}

// forADay ends the names of spools that stay for a day.
const forADay = ".unsaved.pcapng"

// LeaveForADay renames a spool that somebody chose not to save: it is removed when a day has gone by.
func LeaveForADay(path string) error {
	left := strings.TrimSuffix(strings.TrimSuffix(path, ".pcapng"), ".unsaved") + forADay
	now := time.Now()
	if err := os.Chtimes(path, now, now); err != nil {
		return err
	}
	return sharing.Rename(path, left)
}

// ForADay tells whether a spool is one that stays for a day.
func ForADay(path string) bool { return strings.HasSuffix(path, forADay) }

// Sweep removes the spools of a folder whose day has gone by.
func Sweep(dir string) {
	paths, err := filepath.Glob(filepath.Join(dir, Prefix+"*"+forADay))
	if err != nil {
		return
	}
	for _, path := range paths {
		if f, err := sharing.OpenFile(path, os.O_RDWR, 0); err == nil {
			if info, err := f.Stat(); err == nil && time.Since(info.ModTime()) > 24*time.Hour && Lock(f) == nil {
				sharing.Remove(path)
			}
			f.Close()
		}
	}
}

func create(dir, what string) (*os.File, error) {
	if dir == "" {
		var err error
		if dir, err = Dir(); err != nil {
			return nil, err
		}
	}
	if err := userdirs.MakeDir(dir); err != nil {
		return nil, err
	}
	Sweep(dir)
	f, err := sharing.CreateTemp(dir, Name(what)+"-*.pcapng") // mode 0600: what passes a network is private
	if err != nil {
		return nil, err
	}
	if err := Claim(f); err != nil {
		f.Close()
		sharing.Remove(f.Name())
		return nil, err
	}
	return f, nil
}

// Name begins the name of a new spool of something: letters, digits, dots and lines.
func Name(what string) string {
	return Prefix + plainName(what) + "-" + time.Now().Format("20060102-150405")
}

// Claim locks a file unless another program has. File systems without locks are no reason not to capture; spools
// there are not offered for recovery, because nobody can tell whether they are in use.
func Claim(f *os.File) error {
	if err := Lock(f); errors.Is(err, lockTaken) {
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
