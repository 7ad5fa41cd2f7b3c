package pcapfile

import (
	"context"
	"os"
	"time"

	"remora/capture"
	"remora/internal/broker"
)

// SaveOptions say how to save.
type SaveOptions struct {
	Context     context.Context       // ends the saving early; the target then stays as it was
	Progress    func(done, total int) // called now and then, with packets looked at
	Comments    []string              // added to the file's comments
	Application string                // "": remora
	Saved       *int                  // receives the number of packets written
	Rewrite     Rewriter              // changes the packets, or nil
}

// SaveAs writes the packets for which which says yes, all if it is nil, to a file: pcapng, or pcap and compressed
// by the name's ending. Interfaces, comments, capture filters, name resolution and statistics are kept in pcapng.
// The file appears whole or not at all: it is written beside its place and then renamed, so it may be the very
// file that is open. A capture may go on meanwhile; what comes after the call began is not saved.
func SaveAs(s *capture.Store, path string, which func(i int) bool, opt SaveOptions) error {
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	before, kept := s.Len(), true
	if info, err := os.Stat(path); path == "-" || err == nil && !info.Mode().IsRegular() {
		kept = false // in a pipe or device
	}
	err := WriteWhole(path, saverOptions(s, opt), func(w *Writer) error {
		w.started = s.Status().Started.UnixNano()
		return save(s, w, which, opt)
	})
	if err == nil && kept && which == nil && opt.Rewrite == nil {
		format, _ := FormatOf(path)
		s.Saved(before, format == PcapNG)
	}
	return err
}

// WriteWhole writes a file of the packets that write gives a Writer, which it closes. The file appears whole or not at
// all, as those of SaveAs do, and replaces one that is there.
func WriteWhole(path string, opt WriterOptions, write func(w *Writer) error) error {
	if info, err := os.Stat(path); path == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		w, err := Create(path, opt) // a pipe or device: nothing to rename
		if err != nil {
			return err
		}
		return write(w)
	} else if err == nil && info.IsDir() {
		return Errorf(path, nil, "%s is a directory: give the file a name", path)
	}
	return replaceFile(path, func(f *os.File) error {
		w := &Writer{path: path, opt: opt, started: time.Now().UnixNano()}
		codec := ""
		w.format, codec = FormatOf(path)
		var err error
		if w.out, err = newOutput(f, codec); err != nil {
			return err
		}
		return write(w)
	})
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

func saverOptions(s *capture.Store, opt SaveOptions) WriterOptions {
	if opt.Rewrite != nil {
		return WriterOptions{Application: opt.Application, Replace: true, Rewrite: opt.Rewrite}
	}
	w := WriterOptions{Application: opt.Application, Comments: opt.Comments, Replace: true}
	for i, sec := range s.Sections() {
		if i == 0 {
			w.Section = sec
		} else {
			w.Section.Comments = append(w.Section.Comments[:len(w.Section.Comments):len(w.Section.Comments)], sec.Comments...)
		}
	}
	return w
}

// save copies the packets and closes the writer.
func save(s *capture.Store, w *Writer, which func(int) bool, opt SaveOptions) (err error) {
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
	if w.format == PcapNG && opt.Rewrite == nil {
		if before, after, err = saveInterfaces(s, w); err != nil {
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
			if i < s.First() { // evicted meanwhile
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
func saveInterfaces(s *capture.Store, w *Writer) (before, after []byte, err error) {
	for n := range len(s.Interfaces()) {
		if _, err := w.interfaceOf(s, n); err != nil {
			return nil, nil, err
		}
	}
	before, after = keptBlocks(s, func(n int) (int, bool) { return n, n < len(w.ifaces) })
	st := s.Status()
	for i, c := range st.PerInterface { // a live capture's statistics are not among the kept blocks
		after = AppendStats(after, i, time.Now().UnixNano(), st.Started.UnixNano(), c.InterfaceCounts)
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
