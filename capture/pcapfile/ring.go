package pcapfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"remora/capture"
)

// A ring is the row of files that a writer has made.
type ring struct {
	names []string
	count int
	since time.Time // when the current file was begun
	ended int       // how many are complete
}

// add notes a new file and removes the oldest beyond the number to keep.
func (r *ring) add(name string, keep int, remove func(string) error) {
	r.names = append(r.names, name)
	r.count++
	r.since = time.Now()
	for keep > 0 && len(r.names) > keep {
		remove(r.names[0])
		r.names = r.names[1:]
	}
}

// ringName is dir/name_00001_20060102150405.ext, the time being local, as tshark names the files of a ring. A
// compressed file's two endings stay together. timeNum has the time in front of the number.
func ringName(path string, n int, now time.Time, timeNum bool) string {
	dir, base := filepath.Split(path)
	ext := filepath.Ext(base)
	if _, codec := FormatOf(base); codec != "" {
		ext = filepath.Ext(strings.TrimSuffix(base, ext)) + ext
	}
	number, stamp := fmt.Sprintf("%05d", n), now.Format("20060102150405")
	if timeNum {
		number, stamp = stamp, number
	}
	return dir + strings.TrimSuffix(base, ext) + "_" + number + "_" + stamp + ext
}

// due says whether the current file is full by the ring's rules.
func (w *Writer) due(now time.Time) bool {
	r := w.opt.Ring
	switch {
	case r.Packets > 0 && w.packets >= r.Packets, r.Bytes > 0 && w.out.size() >= r.Bytes:
		return true
	case r.Duration > 0 && now.Sub(w.ring.since) >= r.Duration:
		return true
	}
	return r.Interval > 0 && now.Truncate(r.Interval).After(w.ring.since.Truncate(r.Interval))
}

// Turn goes on to the next file of a ring if it is time. Call it now and then while no packets come; ErrEnough
// says that the last file allowed is full.
func (w *Writer) Turn() error { return w.turn() }

func (w *Writer) turn() error {
	if !w.opt.Ring.On() || w.path == "" || w.path == "-" || !w.due(time.Now()) {
		return nil
	}
	return w.onward()
}

// onward ends the current file and begins the next one.
func (w *Writer) onward() error {
	if w.opt.Stop.Files > 0 && w.ring.count >= w.opt.Stop.Files {
		return capture.ErrEnough
	}
	if err := w.Close(); err != nil {
		return err
	}
	return w.open()
}

// Next goes on to the next file of a ring now. Without a ring it begins a file of the same name, unless the file that
// is written still has it: that one is only flushed.
func (w *Writer) Next() error {
	switch {
	case w.path == "" || w.path == "-":
		return w.Flush()
	case w.opt.Ring.On():
		return w.onward()
	}
	mine, err := w.out.f.Stat()
	named, err2 := os.Stat(w.path)
	if err == nil && err2 == nil && os.SameFile(mine, named) {
		return w.Flush()
	}
	if err := w.Close(); err != nil {
		return err
	}
	return w.open()
}

// enough says whether a stop rule holds after a packet.
func (w *Writer) enough() error {
	stop := w.opt.Stop
	last := stop.Files > 0 && w.ring.count >= stop.Files
	switch {
	case stop.Packets > 0 && w.total >= stop.Packets:
		return capture.ErrEnough
	case stop.Bytes > 0 && !w.opt.Ring.On() && w.out.size() >= stop.Bytes:
		return capture.ErrEnough
	case last && (w.opt.Ring.Bytes > 0 || w.opt.Ring.Packets > 0) && w.due(w.ring.since):
		return capture.ErrEnough
	}
	return nil
}
