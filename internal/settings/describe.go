package settings

import (
	"io/fs"
	"os"
	"path/filepath"

	"remora/internal/userdirs"
)

// KeepDescription writes a description in Kaitai Struct into the folder of dissectors, and names the file. What is
// there already is not replaced, unless that is asked for: then the error is fs.ErrExist.
func KeepDescription(name, text string, replace bool) (string, error) {
	dir, err := userdirs.Config()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "dissectors", name+".ksy")
	if _, err := os.Lstat(path); err == nil && !replace {
		return path, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return path, replaceFile(path, text)
}
