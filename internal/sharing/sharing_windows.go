package sharing

import (
	"os"
	"path/filepath"
)

// Within an os.Root the library opens files so that others may remove them, and renames and removes them as Unix does.
// What is not to be had so, devices and links for instance, goes the usual way, which also knows the words for errors.

// OpenFile is [os.OpenFile], but that the file may be renamed and removed while it is open.
func OpenFile(path string, flag int, perm os.FileMode) (*os.File, error) {
	var f *os.File
	if within(path, func(r *os.Root, name string) (err error) {
		f, err = r.OpenFile(name, flag, perm)
		return err
	}) {
		return f, nil
	}
	return os.OpenFile(path, flag, perm)
}

// Rename is [os.Rename], also onto a file that is open.
func Rename(from, to string) error {
	if filepath.Dir(from) == filepath.Dir(to) &&
		within(from, func(r *os.Root, name string) error { return r.Rename(name, filepath.Base(to)) }) {
		return nil
	}
	return os.Rename(from, to)
}

// Remove is [os.Remove], also of a file that is open.
func Remove(path string) error {
	if within(path, func(r *os.Root, name string) error { return r.Remove(name) }) {
		return nil
	}
	return os.Remove(path)
}

// within does something in the folder of a file, and reports whether that could be done.
func within(path string, do func(r *os.Root, name string) error) bool {
	r, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return false
	}
	defer r.Close()
	return do(r, filepath.Base(path)) == nil
}
