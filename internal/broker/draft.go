package broker

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"remora/internal/sharing"
)

// A Kind of file says where it is made, and what may be there before.
type Kind int

// The kinds of files that are made.
const (
	Export    Kind = iota // nothing may be there
	Capture               // another capture may be there
	Settings              // a file of settings; only the user may read a new one
	Copied                // a file for the user alone in the temporary folder, which gets a name of its own
	Replacing             // what was exported since the broker was started may be there
)

// A Draft is a file that is not at its place yet: it is there whole or not at all.
type Draft struct {
	*os.File
	Path string // where it will be
	id   int
}

// draft is one as whoever makes it keeps it.
type draft struct {
	kind         Kind
	asked        string
	path, target string // where it is and will be; target is "" where it has its name already
	fresh        bool   // nothing was there
}

// drafts are those that are neither kept nor dropped yet.
var drafts kept[*draft]

// exported are the files that were made here, as they were when they were kept: no others may be replaced by exports.
var exported struct {
	sync.Mutex
	files []fs.FileInfo
}

// mostExported bounds how many files are remembered.
const mostExported = 4096

// remember has a file that was made be replaced by others.
func remember(path string) {
	info, err := os.Lstat(path)
	exported.Lock()
	defer exported.Unlock()
	if err == nil && len(exported.files) < mostExported {
		exported.files = append(exported.files, info)
	}
}

// ours tells whether a file was made here, and not changed since.
func ours(path string) bool {
	info, err := os.Lstat(path)
	exported.Lock()
	defer exported.Unlock()
	return err == nil && slices.ContainsFunc(exported.files, func(made fs.FileInfo) bool {
		return os.SameFile(made, info) && made.Size() == info.Size() && made.ModTime().Equal(info.ModTime())
	})
}

// kept are things by their numbers, up to a limit.
type kept[T any] struct {
	sync.Mutex
	next int
	by   map[int]T
}

// mostKept bounds how many of a kind a broker keeps.
const mostKept = 64

func (k *kept[T]) add(v T) (int, error) {
	k.Lock()
	defer k.Unlock()
	if len(k.by) >= mostKept && enforced.Load() != nil {
		return 0, errors.New("too much of this is under way: wait until some of it is done")
	}
	if k.by == nil {
		k.by = map[int]T{}
	}
	k.next++
	k.by[k.next] = v
	return k.next, nil
}

func (k *kept[T]) get(id int, remove bool) (v T, ok bool) {
	k.Lock()
	defer k.Unlock()
	v, ok = k.by[id]
	if remove {
		delete(k.by, id)
	}
	return v, ok
}

type createQuestion struct {
	Path string
	Kind Kind
}

type createAnswer struct {
	ID   int
	Path string
}

var createFile = New("create", func(q createQuestion, _ []*os.File) (a createAnswer, lent []*os.File, err error) {
	d, f, err := newDraft(q)
	if err != nil {
		return a, nil, err
	}
	id, err := drafts.add(d)
	if err != nil {
		f.Close()
		os.Remove(d.path)
		return a, nil, err
	}
	return createAnswer{id, cmp.Or(q.Path, d.path)}, []*os.File{f}, nil
})

type settleQuestion struct {
	ID   int
	Keep bool
}

var settleFile = New("settle", func(q settleQuestion, _ []*os.File) (none struct{}, _ []*os.File, err error) {
	d, ok := drafts.get(q.ID, true)
	if !ok {
		return none, nil, os.ErrClosed
	}
	if q.Keep {
		err = d.keep()
	}
	if err != nil || !q.Keep {
		os.Remove(d.path)
	}
	return none, nil, err
})

// Create begins a file. It is at its place once it is kept.
func Create(path string, kind Kind) (*Draft, error) {
	a, lent, err := createFile.Ask(createQuestion{path, kind})
	if err != nil {
		return nil, err
	}
	if len(lent) == 0 {
		return nil, ErrGone
	}
	return &Draft{lent[0], a.Path, a.ID}, nil
}

// Keep closes the file and puts it at its place, in one step.
func (d *Draft) Keep() error {
	if err := d.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		d.Drop()
		return err
	}
	_, _, err := settleFile.Ask(settleQuestion{d.id, true})
	return err
}

// Drop closes the file and removes it.
func (d *Draft) Drop() {
	d.Close()
	settleFile.Ask(settleQuestion{d.id, false})
}

func newDraft(q createQuestion) (*draft, *os.File, error) {
	if q.Kind == Copied {
		f, err := os.CreateTemp("", "remora-*.txt")
		if err != nil {
			return nil, nil, err
		}
		return &draft{kind: q.Kind, path: f.Name()}, f, nil
	}
	d := &draft{kind: q.Kind, asked: q.Path, target: resolved(q.Path)}
	info, err := os.Lstat(d.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.fresh = true
	case err != nil:
		return nil, nil, err
	case q.Kind == Export:
		return nil, nil, &fs.PathError{Op: "create", Path: q.Path, Err: syscall.EEXIST}
	}
	if err := d.allowed(); err != nil {
		return nil, nil, err
	}
	mode := fs.FileMode(0o644)
	if q.Kind == Settings {
		mode = 0o600
		if err := os.MkdirAll(filepath.Dir(d.target), 0o700); err != nil {
			return nil, nil, err
		}
	}
	if info != nil && info.Mode().IsRegular() {
		mode = info.Mode().Perm()
	}
	f, err := createBeside(d.target, mode)
	if err != nil {
		return nil, nil, err
	}
	d.path = f.Name()
	if q.Kind == Settings && !d.fresh {
		err = f.Chmod(mode) // whatever the umask says
	}
	return d, f, err
}

// allowed says why a broker makes no such file.
func (d *draft) allowed() error {
	p := enforced.Load()
	switch {
	case p == nil, d.kind == Copied:
		return nil
	case d.kind == Settings: // which may be links to where somebody keeps them
		return p.settings(d.asked)
	case d.kind == Capture:
		return p.captures(d.target)
	case d.kind == Replacing && !d.fresh && !ours(d.target):
		return &fs.PathError{Op: "create", Path: d.asked,
			Err: errors.New("it was not written since the screen was started: choose another name")}
	}
	return p.writes(d.target)
}

// keep puts the file at its place. What came there meanwhile stays.
func (d *draft) keep() (err error) {
	switch {
	case d.target == "":
		return nil
	case d.fresh:
		err = renameNew(d.path, d.target)
	default:
		if err = d.allowed(); err == nil {
			err = sharing.Rename(d.path, d.target)
		}
	}
	if err == nil && (d.kind == Export || d.kind == Replacing) {
		remember(d.target)
	}
	return err
}

func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	for n := 0; ; n++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d-%d.tmp", filepath.Base(path), os.Getpid(), n))
		f, err := sharing.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !os.IsExist(err) || n == 1000 {
			return f, err
		}
	}
}

// linkNew gives a file a name that must not be there, where the system has no other means.
func linkNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		return os.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); err == nil { // a file system without links: the best that can be had
		return &fs.PathError{Op: "create", Path: to, Err: syscall.EEXIST}
	}
	return sharing.Rename(from, to)
}

// all are those that are kept.
func (k *kept[T]) all() (out []T) {
	k.Lock()
	defer k.Unlock()
	for _, v := range k.by {
		out = append(out, v)
	}
	return out
}
