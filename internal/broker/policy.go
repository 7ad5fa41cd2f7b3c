package broker

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// Bounds are the files that the command line and the environment name. They are known before the first packet is read.
type Bounds struct {
	Read     []string // may be read, whatever is in them
	Write    []string // may be written, in whatever folder
	Settings string   // the folder of settings
}

// A Recognizer tells whether a file holds something that the screen reads.
type Recognizer func(f io.ReaderAt, size int64) bool

// A policy says what the broker lends. It cannot know what the user wants, so it asks what a file is.
type policy struct {
	Bounds
	readable []Recognizer
	kept     []Recognizer // what is read, but never replaced
	roots    []string     // folders that somebody chose, hidden or not
}

// enforced is the policy of a broker; nil everywhere else.
var enforced atomic.Pointer[policy]

// Serving tells whether this process is a broker, which checks what it is asked for.
func Serving() bool { return enforced.Load() != nil }

func newPolicy(b Bounds, readable []Recognizer) *policy {
	p := &policy{Bounds: b, readable: readable}
	for i := range p.Read {
		p.Read[i] = absolute(p.Read[i])
	}
	chosen := []string{".", os.TempDir()}
	for _, path := range b.Write {
		chosen = append(chosen, filepath.Dir(path))
	}
	for _, dir := range chosen {
		if dir = resolved(absolute(dir)); dir != "/" {
			p.roots = append(p.roots, dir)
		}
	}
	return p
}

func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// resolved follows the links of a path, if it is there.
func resolved(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

// below is the part of a path under a folder.
func below(dir, path string) (rest string, ok bool) {
	rest, err := filepath.Rel(dir, path)
	return rest, err == nil && rest != "." && !strings.HasPrefix(rest, "..")
}

// named tells whether a file may be read, whatever it is.
func (p *policy) named(path string) bool {
	path = absolute(path)
	_, settings := below(p.Settings, path)
	return slices.Contains(p.Read, path) || p.Settings != "" && settings
}

// reads tells whether an open file may be read: it is named, a pipe, or holds what the screen reads.
func (p *policy) reads(path string, f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	return p.named(path) || info.Mode()&fs.ModeNamedPipe != 0 || p.recognizes(f, info.Size()) ||
		slices.ContainsFunc(p.kept, func(is Recognizer) bool { return is(f, info.Size()) })
}

func (p *policy) recognizes(f io.ReaderAt, size int64) bool {
	return slices.ContainsFunc(p.readable, func(is Recognizer) bool { return is(f, size) })
}

// systemFolders hold what the machine runs by.
var systemFolders = []string{"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/sbin", "/sys",
	"/usr", "/var/lib", "/var/spool"}

// writes says why no file is made at a path: it is hidden, or of the system. Shells, mail and the desktop run what is
// written to such places. A folder that somebody started the program in, or named, is no such place, but what is hidden
// below it is.
func (p *policy) writes(path string) error {
	whole := absolute(path)
	whole = filepath.Join(resolved(filepath.Dir(whole)), filepath.Base(whole))
	refuse := func(why string) error { return &fs.PathError{Op: "create", Path: path, Err: errors.New(why)} }
	rest := whole
	for _, root := range p.roots {
		if r, ok := below(root, whole); ok && len(r) < len(rest) {
			rest = r
		}
	}
	if rest == whole &&
		slices.ContainsFunc(systemFolders, func(dir string) bool { _, in := below(dir, whole); return in }) {
		return refuse("it lies in a folder of the system: save it elsewhere")
	}
	for name := range strings.SplitSeq(rest, string(filepath.Separator)) {
		if strings.HasPrefix(name, ".") {
			return refuse("it is hidden, or in a hidden folder: save it elsewhere")
		}
	}
	return nil
}

// replaces says why what is at a path is not replaced, if there is something.
func (p *policy) replaces(path string) error {
	refuse := func(why string) error { return &fs.PathError{Op: "create", Path: path, Err: errors.New(why)} }
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeNamedPipe != 0 {
		return nil // what goes through a pipe overwrites nothing
	}
	if !info.Mode().IsRegular() {
		return refuse("it is no file: choose another name")
	}
	f, err := openToRead(path, false)
	if err != nil {
		return refuse("what is there cannot be read, so it may be no capture: choose another name")
	}
	defer f.Close()
	if info.Size() > 0 && !p.recognizes(f, info.Size()) {
		return refuse("there is a file that is no capture: choose another name")
	}
	return nil
}

// settings says why a path is none of a file of settings, or of a description of a format among the dissectors.
func (p *policy) settings(path string) error {
	rest, ok := below(p.Settings, absolute(path))
	described := filepath.Dir(rest) == "dissectors" && filepath.Ext(rest) == ".ksy"
	if !ok || p.Settings == "" || filepath.Ext(rest) != ".toml" && !described {
		return &fs.PathError{Op: "create", Path: path, Err: errors.New("it is no file of settings")}
	}
	return nil
}

// captures says why no capture is written to a path.
func (p *policy) captures(path string) error {
	if err := p.writes(path); err != nil {
		return err
	}
	return p.replaces(path)
}

// MayWrite says why a capture is not written to a path, by the rules of a broker with these bounds.
func MayWrite(b Bounds, capture Recognizer, path string) error {
	if slices.Contains(b.Write, path) {
		return nil
	}
	return newPolicy(b, []Recognizer{capture}).captures(resolved(path))
}
