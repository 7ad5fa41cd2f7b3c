// Package sharing opens files so that they may be renamed and removed while they are open, as they may be on Unix.
package sharing

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Open opens a file to read.
func Open(path string) (*os.File, error) { return OpenFile(path, os.O_RDONLY, 0) }

// CreateTemp makes a new file that only the user may read, as [os.CreateTemp] does.
func CreateTemp(dir, pattern string) (*os.File, error) {
	before, after, _ := strings.Cut(pattern, "*")
	for try := 0; ; try++ {
		path := filepath.Join(dir, fmt.Sprintf("%s%d%s", before, rand.Uint32(), after))
		f, err := OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) || try == 1000 {
			return f, err
		}
	}
}
