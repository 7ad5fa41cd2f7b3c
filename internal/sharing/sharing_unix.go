//go:build unix

package sharing

import "os"

// OpenFile is [os.OpenFile].
func OpenFile(path string, flag int, perm os.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, perm)
}

// Rename is [os.Rename].
func Rename(from, to string) error { return os.Rename(from, to) }

// Remove is [os.Remove].
func Remove(path string) error { return os.Remove(path) }
