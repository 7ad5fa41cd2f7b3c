package capture

import (
	"context"
	"os"
	"time"

	"remora/internal/broker"
)

// SaveOptions say how to save.
type SaveOptions struct {
	Context     context.Context       // ends the saving early; the target then stays as it was
	Progress    func(done, total int) // called now and then, with packets looked at
	Comments    []string              // added to the file's comments
	Application string                // "": remora
	Saved       *int                  // receives the number of packets written
}

// SaveAs writes the packets for which which says yes, all if it is nil, to a file: pcapng, or pcap and compressed
// by the name's ending. Interfaces, comments, capture filters, name resolution and statistics are kept in pcapng.
// The file appears whole or not at all: it is written beside its place and then renamed, so it may be the very
// file that is open. A capture may go on meanwhile; what comes after the call began is not saved.
func SaveAs(s *Store, path string, which func(i int) bool, opt SaveOptions) error {
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	if info, err := os.Stat(path); path == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		w, err := Create(path, saverOptions(s, opt)) // a pipe or device: nothing to rename
		if err != nil {
			return err
		}
		return s.save(w, which, opt)
	} else if err == nil && info.IsDir() {
		return fileError(path, nil, "%s is a directory: give the file a name", path)
	}
	before := s.Len()
	err := replaceFile(path, func(f *os.File) error {
		w := &Writer{path: path, opt: saverOptions(s, opt), started: s.started.UnixNano()}
		codec := ""
		w.format, codec = FormatOf(path)
		var err error
		if w.out, err = newOutput(f, codec); err != nil {
			return err
		}
		return s.save(w, which, opt)
	})
	if err == nil && which == nil {
		format, _ := FormatOf(path)
		s.wasSaved(before, format == PcapNG)
	}
	return err
}

// wasSaved notes that the first n packets are in a file of the user's, and whether their comments are.
func (s *Store) wasSaved(n int, comments bool) {
	s.savedUpTo.Store(max(int64(n), s.savedUpTo.Load()))
	s.notes.mu.Lock()
	s.notes.dirty = s.notes.dirty && !comments
	s.notes.mu.Unlock()
}

// replaceFile writes a new file beside path and puts it in its place once write, which closes it, has succeeded.
func replaceFile(path string, write func(*os.File) error) error {
	d, err := broker.Create(path, broker.Capture)
	if err != nil {
		return CannotSave(path, err)
	}
	if err = write(d.File); err == nil {
		err = d.Keep()
	} else {
		d.Drop()
	}
	return CannotSave(path, err)
}

func saverOptions(s *Store, opt SaveOptions) WriterOptions {
	w := WriterOptions{Application: opt.Application, Comments: opt.Comments}
	for i, sec := range s.sections.all() {
		if i == 0 {
			w.Section = sec
		} else {
			w.Section.Comments = append(w.Section.Comments[:len(w.Section.Comments):len(w.Section.Comments)], sec.Comments...)
		}
	}
	return w
}

// save copies the packets and closes the writer.
func (s *Store) save(w *Writer, which func(int) bool, opt SaveOptions) (err error) {
	defer func() {
		if e := w.Close(); err == nil {
			err = e
		}
		if opt.Saved != nil {
			*opt.Saved = w.total
		}
	}()
	n := s.Len()
	var before, after []byte
	if w.format == PcapNG {
		if before, after, err = s.saveInterfaces(w); err != nil {
			return err
		}
	}
	if err := w.rawBlocks(before); err != nil {
		return err
	}
	r := s.NewReader()
	for i := s.First(); i < n; i++ {
		if i&4095 == 0 {
			if err := opt.Context.Err(); err != nil {
				return err
			}
			if opt.Progress != nil {
				opt.Progress(i, n)
			}
		}
		if which != nil && !which(i) {
			continue
		}
		if err := w.CopyPacket(r, i); err != nil {
			if i < s.First() { // has left meanwhile
				continue
			}
			return err
		}
	}
	if err := w.rawBlocks(after); err != nil {
		return err
	}
	if opt.Progress != nil {
		opt.Progress(n, n)
	}
	return nil
}

// saveInterfaces declares all interfaces, so that names and statistics that refer to them stay right.
func (s *Store) saveInterfaces(w *Writer) (before, after []byte, err error) {
	for n := range s.ifaces.Len() {
		if _, err := w.interfaceOf(s, n); err != nil {
			return nil, nil, err
		}
	}
	before, after = s.keptBlocks(func(n int) (int, bool) { return n, n < len(w.ifaces) })
	for i, c := range s.counters { // a live capture's statistics are not among the kept blocks
		after = appendStats(after, i, time.Now().UnixNano(), s.started.UnixNano(), c.counts())
	}
	return before, after, nil
}

func (w *Writer) rawBlocks(b []byte) error {
	if len(b) == 0 || w.format == Pcap {
		return nil
	}
	if err := w.begin(); err != nil {
		return err
	}
	return w.add(b)
}
