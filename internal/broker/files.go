package broker

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"

	"remora/internal/sharing"
	"remora/internal/sibling"
)

// own are the services that every broker has.
func own() []Service {
	return []Service{openFile, createFile, settleFile, openOutput, removeFile, waitFor, endProgram}
}

// A NotReadable file is none that the broker lends: its first bytes tell what it may be instead.
type NotReadable struct {
	Path string
	Head []byte
}

func (e *NotReadable) Error() string {
	return e.Path +
		" is no file that the screen reads: it has no packets, coloring rules, key log or types, was not " +
		"named at the start, and is not in remora's folder of settings"
}

// mostOfHead is how much is told of a file that is not lent.
const mostOfHead = 16

var openFile = New("open", func(path string, _ []*os.File) (head []byte, lent []*os.File, err error) {
	p := enforced.Load()
	f, err := openToRead(path, p == nil || p.named(path))
	if err != nil {
		return nil, nil, err
	}
	if p != nil && !p.reads(path, f) {
		defer f.Close()
		head = make([]byte, mostOfHead)
		n, _ := f.ReadAt(head, 0)
		return head[:n], nil, nil
	}
	return nil, []*os.File{f}, nil
})

// Open opens a file to read. It waits for no writer of a pipe. Where this process may not open it, the broker is asked.
func Open(path string) (*os.File, error) {
	f, err := sharing.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if running.Load() == nil || !errors.Is(err, syscall.EACCES) {
		return f, err
	}
	head, lent, err := openFile.Ask(path)
	if err != nil {
		return nil, err
	}
	if len(lent) == 0 {
		return nil, &NotReadable{path, head}
	}
	return called(path, lent)
}

// called gives the file that was lent its name, which errors tell.
func called(path string, lent []*os.File) (*os.File, error) {
	if len(lent) == 0 {
		return nil, ErrGone
	}
	if running.Load() == nil { // it was opened by its name here
		return lent[0], nil
	}
	defer lent[0].Close()
	return sibling.Duplicate(lent[0], path)
}

// made are the files that were lent to be written as they grow: these may be removed again, and written anew.
var made struct {
	sync.Mutex
	paths []string
}

// mostMade bounds how many of them are remembered; a ring of more keeps its oldest.
const mostMade = 1 << 14

func wasMade(path string) bool {
	made.Lock()
	defer made.Unlock()
	return slices.Contains(made.paths, absolute(path))
}

var openOutput = New("output", func(path string, _ []*os.File) (none struct{}, lent []*os.File, err error) {
	if p := enforced.Load(); p != nil && path != os.DevNull && !slices.Contains(p.Write, path) && !wasMade(path) {
		if err := p.captures(resolved(path)); err != nil {
			return none, nil, err
		}
	}
	f, err := sharing.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NOCTTY, 0o644)
	if err != nil {
		return none, nil, err
	}
	if enforced.Load() == nil {
		return none, []*os.File{f}, nil
	}
	made.Lock()
	defer made.Unlock()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && len(made.paths) < mostMade {
		made.paths = append(made.paths, absolute(path))
	}
	return none, []*os.File{f}, nil
})

// OpenOutput opens a file that gets a capture as it comes, and empties it.
func OpenOutput(path string) (*os.File, error) {
	_, lent, err := openOutput.Ask(path)
	if err != nil {
		return nil, err
	}
	return called(path, lent)
}

var removeFile = New("remove", func(path string, _ []*os.File) (none struct{}, _ []*os.File, err error) {
	if enforced.Load() != nil && !wasMade(path) {
		return none, nil, &fs.PathError{Op: "remove", Path: path, Err: syscall.EACCES}
	}
	made.Lock()
	made.paths = slices.DeleteFunc(made.paths, func(p string) bool { return p == absolute(path) })
	made.Unlock()
	return none, nil, sharing.Remove(path)
})

// Remove removes a file that [OpenOutput] has opened.
func Remove(path string) error {
	_, _, err := removeFile.Ask(path)
	return err
}
