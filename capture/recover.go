package capture

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A RecoveredCapture is the spool of a run that ended without cleaning up, or a capture that goes on while its screen
// is gone: packets that nobody has saved.
type RecoveredCapture struct {
	Path     string
	Size     int64
	Packets  int
	Started  time.Time // of the first packet
	Modified time.Time
	Source   string // interfaces, as far as the spool names them
	PID      int    // of the process that captures still; 0: the capture has ended
	Screens  int    // that show it now

	socket string
}

// recoverLimit bounds how many packets of an orphan are counted: the question whether to open it must not take
// longer than opening it.
const recoverLimit = 1_000_000

// Recover lists the spools that killed runs have left and the captures that go on, newest first. Other spools in use
// are not among them; spools without a packet are removed. Without folders it looks in the usual places.
func Recover(dirs ...string) ([]RecoveredCapture, error) {
	if len(dirs) == 0 {
		if dir, err := SpoolDir(); err == nil {
			dirs = append(dirs, dir)
		}
		if _, err := os.Lstat(fallbackDir()); err == nil && ours(fallbackDir()) {
			dirs = append(dirs, fallbackDir())
		}
	}
	var list []RecoveredCapture
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return list, err
		}
		for _, e := range entries {
			if isSocket(e) {
				if o, ok := running(filepath.Join(dir, e.Name())); ok {
					list = append(list, o)
				}
				continue
			}
			if !strings.HasPrefix(e.Name(), spoolPrefix) || !e.Type().IsRegular() {
				continue
			}
			if o, ok := orphan(filepath.Join(dir, e.Name())); ok {
				list = append(list, o)
			}
		}
	}
	slices.SortFunc(list, func(a, b RecoveredCapture) int { return b.Modified.Compare(a.Modified) })
	return list, nil
}

// orphan looks at one spool. A lock that can be had means that its owner is gone.
func orphan(path string) (o RecoveredCapture, ok bool) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return o, false
	}
	defer f.Close()
	if lock(f) != nil {
		return o, false
	}
	info, err := f.Stat()
	if err != nil {
		return o, false
	}
	o = RecoveredCapture{Path: path, Size: info.Size(), Modified: info.ModTime()}
	s, err := Open(context.Background(), path, Options{Stop: StopRules{Packets: recoverLimit}})
	if err == nil {
		s.Wait()
		if o.Packets = s.Len(); o.Packets > 0 {
			o.Started = time.Unix(0, s.Time(0))
		}
		for _, i := range s.Interfaces() {
			if i.Name != "" && !strings.Contains(o.Source, i.Name) {
				o.Source = strings.TrimPrefix(o.Source+", "+i.Name, ", ")
			}
		}
		s.Close()
	}
	if o.Packets == 0 {
		os.Remove(path)
		return o, false
	}
	return o, true
}

// Open opens the orphan's packets. They stay unsaved, and their spool is removed when the store is closed, as it
// would have been in the run that left it; [Store.Keep] prevents that. A capture that goes on is shown from its first
// packet that is there, and ends when the last of its screens is left.
func (o RecoveredCapture) Open(ctx context.Context, opt Options) (*Store, error) {
	if o.PID > 0 {
		return o.attach(ctx)
	}
	f, err := os.OpenFile(o.Path, os.O_RDWR, 0)
	if err != nil {
		return nil, cannotRead(o.Path, err)
	}
	if lock(f) != nil {
		f.Close()
		return nil, fileError(o.Path, nil, "%s has been opened by another program meanwhile", o.Path)
	}
	s, err := openRegular(ctx, f, o.Path, opt)
	if err != nil {
		f.Close()
		return nil, err
	}
	s.volatileData = true
	s.close = append(s.close, func() error {
		if s.keepRecovered.Load() {
			return nil
		}
		return o.Discard()
	})
	return s, nil
}

// Discard removes the orphan for good.
func (o RecoveredCapture) Discard() error {
	if o.PID > 0 {
		return o.end()
	}
	err := os.Remove(o.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Keep leaves the spool behind when the store is closed, so that Recover offers it at the next start.
func (s *Store) Keep() {
	s.keepRecovered.Store(true)
	if s.spool != nil {
		s.mu.Lock()
		s.spool.keep = true
		s.mu.Unlock()
	}
}
