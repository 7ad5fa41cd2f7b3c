// Package owndissect loads dissectors that people write for themselves: files in a language that a [Language] reads,
// from their folder and from the command line, while the program runs.
package owndissect

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"remora/dissect"
)

// A Language makes dissectors of the files of one kind.
type Language interface {
	// Suffix is what its files end in: ".lua".
	Suffix() string
	// Load declares what a file describes, and adds it to the registry, which no session has yet. Where it fails, with an
	// *Error if a line is to blame, the registry is thrown away: it may have added a part.
	Load(reg *dissect.Registry, f *File) error
	// Template is a commented file to begin a protocol of that name with.
	Template(name string) string
}

// A File is one file of a dissector.
type File struct {
	Path   string
	Text   []byte
	Args   []string // those of -X lua_scriptN
	Unsafe bool     // it may reach files outside of its folder, and run programs
	Named  bool     // the command line names it; otherwise it lies in the folder of dissectors

	read []string
	bad  bool // when it was last loaded
}

// Reads says that the file needs another one, such as a module it requires: a change there concerns the file, too.
func (f *File) Reads(path string) { f.read = append(f.read, path) }

// Name is the name of the file without its folders and its end.
func (f *File) Name() string {
	base := filepath.Base(f.Path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// An Error says what is wrong in a file, and where.
type Error struct {
	Path string
	Line int // 0 is not known
	Text string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Text)
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Text)
}

// A Set is the dissectors that are to be loaded, and the last text of each that was good.
type Set struct {
	languages []Language
	files     []*File
	good      map[string][]byte
	changed   bool
}

// NewSet is a set without files.
func NewSet(languages ...Language) *Set { return &Set{languages: languages, good: map[string][]byte{}} }

// Files are the files of the set, in the order in which they are loaded.
func (s *Set) Files() []*File { return s.files }

// Watched are the files that the dissectors were made of when they were last loaded.
func (s *Set) Watched() []string {
	var out []string
	for _, f := range s.files {
		out = append(append(out, f.Path), f.read...)
	}
	return out
}

// Language is the language of a file, or nil.
func (s *Set) Language(path string) Language {
	for _, l := range s.languages {
		if strings.EqualFold(filepath.Ext(path), l.Suffix()) {
			return l
		}
	}
	return nil
}

// Load makes a registry of base and all files. A file that is wrong takes nothing else with it: the version of it that
// was loaded last stays in its place, if there was one. The problems are those of such files.
func (s *Set) Load(base func() (*dissect.Registry, error)) (*dissect.Registry, []error, error) {
	bad, was := map[*File]error{}, maps.Clone(s.good)
	defer func() { s.changed = !maps.EqualFunc(was, s.good, bytes.Equal) }()
	for {
		reg, err := base()
		if err != nil {
			return nil, nil, err
		}
		failed := s.loadInto(reg, bad)
		if failed == nil {
			return reg, s.problems(bad), nil
		}
	}
}

// loadInto loads all files, those that failed before in their last good version, and gives the first that fails anew.
func (s *Set) loadInto(reg *dissect.Registry, bad map[*File]error) *File {
	for _, f := range s.files {
		use := *f
		if bad[f] != nil {
			use.Text = s.good[f.Path]
			if use.Text == nil {
				continue
			}
		}
		use.read = nil
		err := s.load(reg, &use)
		switch {
		case err == nil:
			s.good[f.Path], f.read = use.Text, use.read
			continue
		case bad[f] != nil:
			delete(s.good, f.Path)
		default:
			bad[f] = err
		}
		return f
	}
	return nil
}

// BadNamed tells whether a file that the command line names was wrong when all were last loaded.
func (s *Set) BadNamed() bool {
	return slices.ContainsFunc(s.files, func(f *File) bool { return f.Named && f.bad })
}

// Changed tells whether other texts were loaded than the time before: where a file is wrong, its last good one stays.
func (s *Set) Changed() bool { return s.changed }

func (s *Set) load(reg *dissect.Registry, f *File) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Error{Path: f.Path, Text: fmt.Sprint(p)}
		}
	}()
	l := s.Language(f.Path)
	if l == nil {
		return &Error{Path: f.Path, Text: "no dissector is written in such a file: " + s.suffixes() + " are"}
	}
	return l.Load(reg, f)
}

func (s *Set) suffixes() string {
	var out []string
	for _, l := range s.languages {
		out = append(out, l.Suffix())
	}
	return strings.Join(out, " and ")
}

func (s *Set) problems(bad map[*File]error) []error {
	var out []error
	for _, f := range s.files {
		f.bad = bad[f] != nil
		if err := bad[f]; err != nil {
			var told *Error
			if !errors.As(err, &told) {
				err = &Error{Path: f.Path, Text: err.Error()}
			}
			out = append(out, err)
		}
	}
	return out
}
