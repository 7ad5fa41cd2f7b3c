package userdirs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"remora/internal/sharing"
	"remora/internal/textfile"
)

// A List is a short list of lines that is kept between runs, oldest first, each line once: filters used, files opened.
// What cannot be kept is forgotten quietly: it is a convenience, never a reason to stop.
type List struct {
	path string
	most int
}

// NewList is the list of that name with at most so many lines. A list without a folder keeps nothing.
func NewList(dir, name string, most int) List {
	if dir == "" {
		return List{}
	}
	return List{filepath.Join(dir, name), most}
}

// Lines reads the list.
func (l List) Lines() []string {
	if l.path == "" {
		return nil
	}
	b, err := textfile.Read(l.path, 1<<20)
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.SplitSeq(string(b), "\n") {
		if line = strings.TrimSuffix(line, "\r"); line != "" { // somebody else may have written it
			out = append(out, line)
		}
	}
	return out[max(0, len(out)-l.most):]
}

// Add puts a line at the end, and takes it from where it was before. Line breaks within it become spaces.
func (l List) Add(line string) error {
	return l.change(func(lines []string) []string {
		line = strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
		return append(slices.DeleteFunc(lines, func(s string) bool { return s == line }), line)
	})
}

// Remove takes a line out.
func (l List) Remove(line string) error {
	return l.change(func(lines []string) []string {
		return slices.DeleteFunc(lines, func(s string) bool { return s == line })
	})
}

// change writes the list anew beside its place, so that it is whole at any time.
func (l List) change(to func([]string) []string) error {
	if l.path == "" {
		return nil
	}
	lines := to(l.Lines())
	lines = lines[max(0, len(lines)-l.most):]
	if err := MakeDir(filepath.Dir(l.path)); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(l.path), ".list-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.Join(append(lines, ""), "\n"))
	err = errors.Join(err, f.Close())
	if err == nil {
		err = sharing.Rename(f.Name(), l.path)
	}
	if err != nil {
		if gone := os.Remove(f.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
