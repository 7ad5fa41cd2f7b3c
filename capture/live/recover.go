package live

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/capture/spool"
	"remora/internal/sharing"
	"remora/internal/sorting"
)

// A Recovered is the spool of a run that ended without cleaning up or whose packets were not to be saved, or a capture
// that goes on while its screen is gone: packets that nobody has saved.
type Recovered struct {
	Path     string
	Size     int64
	Packets  int
	Started  time.Time // of the first packet
	Modified time.Time
	Source   string // interfaces, as far as the spool names them
	PID      int    // of the process that captures still; 0: the capture has ended
	Screens  int    // that show it now
	ForADay  bool   // somebody chose not to save it

	socket string
}

// recoverLimit bounds how many packets of an orphan are counted: the question whether to open it must not take
// longer than opening it.
const recoverLimit = 1_000_000

// Recover lists the spools that earlier runs have left and the captures that go on, newest first. Other spools in use
// are not among them; spools without a packet are removed. Without folders it looks in the usual places.
func Recover(dirs ...string) ([]Recovered, error) {
	if len(dirs) == 0 {
		dirs = spool.Existing()
	}
	var list []Recovered
	for _, dir := range dirs {
		spool.Sweep(dir)
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
			if !strings.HasPrefix(e.Name(), spool.Prefix) || !e.Type().IsRegular() {
				continue
			}
			if o, ok := orphan(filepath.Join(dir, e.Name())); ok {
				list = append(list, o)
			}
		}
	}
	sorting.Func(list, func(a, b Recovered) int { return b.Modified.Compare(a.Modified) })
	return list, nil
}

// orphan looks at one spool. A lock that can be had means that its owner is gone.
func orphan(path string) (o Recovered, ok bool) {
	f, err := sharing.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return o, false
	}
	defer f.Close()
	if spool.Lock(f) != nil {
		return o, false
	}
	info, err := f.Stat()
	if err != nil {
		return o, false
	}
	o = Recovered{Path: path, Size: info.Size(), Modified: info.ModTime(), ForADay: spool.ForADay(path)}
	s, err := pcapfile.Open(context.Background(), path, capture.Options{Stop: capture.StopRules{Packets: recoverLimit}})
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
// would have been in the run that left it; [capture.Store.Keep] prevents that. A capture that goes on is shown from its
// first packet that is there, and ends when the last of its screens is left.
func (o Recovered) Open(ctx context.Context, opt capture.Options) (*capture.Store, error) {
	if o.PID > 0 {
		return o.attach(ctx)
	}
	f, err := sharing.OpenFile(o.Path, os.O_RDWR, 0)
	if err != nil {
		return nil, pcapfile.CannotRead(o.Path, err)
	}
	if spool.Lock(f) != nil {
		f.Close()
		return nil, pcapfile.Errorf(o.Path, nil, "%s has been opened by another program meanwhile", o.Path)
	}
	return pcapfile.OpenSpool(ctx, f, opt)
}

// Discard removes the orphan for good.
func (o Recovered) Discard() error {
	if o.PID > 0 {
		return o.end()
	}
	err := os.Remove(o.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
