package owndissect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"remora/internal/textfile"
)

// maxText is how long a file may be.
const maxText = 16 << 20

// AddFolder adds the files of a folder whose language is known, by name. A folder that is not there has none.
func (s *Set) AddFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || dir == "" {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() || s.Language(e.Name()) == nil {
			continue
		}
		if added := s.Add(File{Path: filepath.Join(dir, e.Name())}); added != nil {
			err = errors.Join(err, added)
		}
	}
	return err
}

// Add adds a file and reads it.
func (s *Set) Add(f File) error {
	if slices.ContainsFunc(s.files, func(g *File) bool { return g.Path == f.Path && !f.Named }) {
		return nil
	}
	s.files = append(s.files, &f)
	return f.reread()
}

func (f *File) reread() (err error) {
	f.Text, err = textfile.Read(f.Path, maxText)
	return err
}

// Stamp changes when a file is saved that the dissectors were made of, and when one comes into a folder or leaves it.
func (s *Set) Stamp(dir string) string {
	var b strings.Builder
	entries, _ := os.ReadDir(dir) // there may be none
	for _, e := range entries {
		if !e.IsDir() && s.Language(e.Name()) != nil {
			b.WriteString(e.Name() + "\n")
		}
	}
	for _, path := range s.Watched() {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintf(&b, "%d %d\n", info.ModTime().UnixNano(), info.Size())
		} else {
			b.WriteString("none\n")
		}
	}
	return b.String()
}

// Reread reads all files anew, and those that came into a folder since.
func (s *Set) Reread(dir string) error {
	s.files = slices.DeleteFunc(s.files, func(f *File) bool {
		_, err := os.Stat(f.Path)
		gone := !f.Named && errors.Is(err, fs.ErrNotExist)
		if gone {
			delete(s.good, f.Path)
		}
		return gone
	})
	var all error
	for _, f := range s.files {
		text := f.Text
		if err := f.reread(); err != nil { // an editor is just writing it
			f.Text, all = text, errors.Join(all, err)
		}
	}
	return errors.Join(all, s.AddFolder(dir))
}
