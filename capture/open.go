package capture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"remora/internal/broker"
	"remora/internal/suggest"
)

// FileError says in one sentence why a file cannot be opened as a capture, and what to do.
type FileError struct {
	Path string
	Text string
	Err  error // the cause, where there is one

	Output bool // it was to be written, not read
}

func (e *FileError) Error() string { return e.Text }
func (e *FileError) Unwrap() error { return e.Err }

func fileError(path string, err error, format string, args ...any) *FileError {
	return &FileError{Path: path, Text: fmt.Sprintf(format, args...), Err: err}
}

// Open opens a capture file: pcap or pcapng, plain or compressed by gzip, zstd or lz4. "-" is standard input, and
// named pipes work the same. It returns as soon as the file is understood, or at once for a pipe; packets appear
// while the store is being read. When ctx ends, reading stops and the packets stay.
//
// Errors are of type [*FileError]. What goes wrong later is in [Store.Status].
func Open(ctx context.Context, path string, opts ...Options) (*Store, error) {
	var opt Options
	if len(opts) > 0 {
		opt = opts[0]
	}
	if path == "-" {
		return openStandardInput(ctx, opt)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fileError(path, err, "%s: no such file%s", path, suggestFile(path))
	case err != nil:
		return nil, cannotRead(path, err)
	case info.IsDir():
		return nil, fileError(path, nil, "%s is a directory: name a capture file in it", path)
	case info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice|fs.ModeDevice|fs.ModeSocket) != 0:
		return openPipe(ctx, path, opt)
	}
	f, err := broker.Open(path)
	if err != nil {
		return nil, cannotRead(path, err)
	}
	s, err := openRegular(ctx, f, path, opt)
	if err != nil {
		f.Close()
	}
	return s, err
}

func openStandardInput(ctx context.Context, opt Options) (*Store, error) {
	if info, err := os.Stdin.Stat(); err == nil && info.Mode().IsRegular() {
		return openRegular(ctx, os.Stdin, "standard input", opt)
	} else if err == nil && info.Mode()&fs.ModeCharDevice != 0 && info.Mode()&fs.ModeNamedPipe == 0 &&
		isTerminal(os.Stdin) {
		return nil, fileError("-", nil,
			"standard input is a terminal: pipe a capture into it, as in tcpdump -U -w - | remora -r -")
	}
	return openStream(ctx, "standard input", func(ctx context.Context) io.Reader { return waitingReader(ctx, os.Stdin) },
		opt)
}

// OpenReader reads a capture from a stream, which may be compressed. The stream is kept in a spool on disk. A
// reader that is an io.Closer is closed when the store stops, to end a read that waits; with another one, stopping
// waits for the read.
func OpenReader(ctx context.Context, name string, r io.Reader, opt Options) (*Store, error) {
	return openStream(ctx, name, func(ctx context.Context) io.Reader {
		if c, ok := r.(io.Closer); ok {
			context.AfterFunc(ctx, func() { c.Close() })
		}
		return r
	}, opt)
}

// openStream starts to read a stream that open makes: it is told when to give up by its context.
func openStream(ctx context.Context, name string, open func(context.Context) io.Reader, opt Options) (*Store, error) {
	s, ctx, err := newStream(ctx, name, opt, false)
	if err != nil {
		return nil, err
	}
	rec, err := s.startRecorder(opt)
	if err != nil {
		s.spool.discard()
		return nil, err
	}
	s.waiting.Store(true)
	s.volatileData = s.volatileData || rec == nil
	s.running.Store(IsRemote(name))
	go s.runStream(ctx, open(ctx), make(chan error, 1), rec)
	return s, nil
}

// OpenBytes reads a capture that is in memory, such as an embedded one. It may be compressed.
func OpenBytes(ctx context.Context, name string, data []byte, opt Options) (*Store, error) {
	return openAt(ctx,
		&source{name: name, at: bytes.NewReader(data), size: func() (int64, error) { return int64(len(data)), nil }}, opt)
}

func openRegular(ctx context.Context, f *os.File, name string, opt Options) (*Store, error) {
	size := func() (int64, error) {
		info, err := f.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}
	return openAt(ctx, &source{name: name, at: f, size: size, close: f.Close}, opt)
}

// A source is a file that is read in place.
type source struct {
	name  string
	at    io.ReaderAt
	size  func() (int64, error)
	close func() error
}

func openAt(ctx context.Context, src *source, opt Options) (*Store, error) {
	size, err := src.size()
	if err != nil {
		return nil, cannotRead(src.name, err)
	}
	head := make([]byte, 16)
	n, err := src.at.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, cannotRead(src.name, err)
	}
	head = head[:n]
	if n == 0 && !opt.Follow {
		return nil, fileError(src.name, nil,
			"%s is empty: there is no capture in it (to wait until something is written to it, follow it with --tail)", src.name)
	}
	if c := compression(head); c != nil {
		return openCompressed(ctx, src, opt, size)
	}
	if opt.Filter != "" {
		if err := checkFilter(opt.Filter); err != nil {
			return nil, err
		}
	}
	s, ctx := newStore(ctx, src.name)
	s.data = src.at
	s.use(src, opt)
	s.bytesTotal.Store(size)
	format, err := newFormat(ctx, s, head)
	if err != nil || format == nil && !opt.Follow {
		s.stop()
		return nil, notCapture(src.name, head)
	}
	s.waiting.Store(format == nil)
	go s.finishWith(func() error { return s.scanInPlace(ctx, src, format, opt) })
	return s, nil
}

// use takes over what the options say about reading, and the file to close in the end.
func (s *Store) use(src *source, opt Options) {
	s.limit.packets = opt.Stop.Packets
	s.captureFilter = cmp.Or(opt.Filter, opt.filteredThere)
	s.opt = opt
	if d := opt.Stop.Duration; d > 0 {
		timer := time.AfterFunc(d, s.stop)
		s.close = append(s.close, func() error { timer.Stop(); return nil })
	}
	if src.close != nil {
		s.close = append(s.close, src.close)
	}
}

func openCompressed(ctx context.Context, src *source, opt Options, size int64) (*Store, error) {
	s, ctx, err := newStream(ctx, src.name, opt, true)
	if err != nil {
		return nil, err
	}
	if src.close != nil {
		s.close = append(s.close, src.close)
	}
	s.bytesTotal.Store(size)
	known := make(chan error, 1)
	go s.runStream(ctx, io.NewSectionReader(src.at, 0, 1<<62), known, nil)
	if err := <-known; err != nil {
		src.close = nil // the caller of openAt closes the file
		s.close = nil
		s.Close()
		return nil, err
	}
	return s, nil
}

// finishWith runs a source to its end and records how it ended.
func (s *Store) finishWith(run func() error) {
	err := run()
	var d damage
	switch {
	case errors.As(err, &d):
		s.notice("damage", "%s", d.text)
		s.damaged.Store(true)
		err = nil
	case errors.Is(err, ErrEnough), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		err = nil
	}
	s.finish(err)
}

func cannotRead(path string, err error) error {
	var other *broker.NotReadable
	if errors.As(err, &other) {
		return notCapture(path, other.Head)
	}
	if errors.Is(err, fs.ErrPermission) {
		return fileError(path, err, "%s: no permission to read it: ask its owner, or read it as root", path)
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fileError(path, err, "%s cannot be read: %v", path, err)
}

// notCapture tells what a file may be instead.
func notCapture(path string, head []byte) error {
	const known = "remora reads pcap and pcapng, plain or compressed by gzip, zstd or lz4"
	if len(head) == 0 {
		return fileError(path, errNotCapture, "%s is empty: there is no capture in it", path)
	}
	if IsRemote(path) {
		return fileError(path, errNotCapture, "%s: what comes from there is no capture, it begins with %q; a greeting of "+
			"the shell there has to go to terminals only", path, printable(string(head[:min(len(head), 40)])))
	}
	for _, o := range otherFormats {
		if bytes.HasPrefix(head, []byte(o.magic)) {
			return fileError(path, errNotCapture, "%s is %s, not a capture file that remora reads: %s", path, o.name, o.advice)
		}
	}
	if len(head) > 8 {
		head = head[:8]
	}
	return fileError(path, errNotCapture, "%s is not a capture file (it begins with % x): %s", path, head, known)
}

var otherFormats = []struct{ magic, name, advice string }{
	{"snoop\x00\x00\x00", "a Solaris snoop file", "convert it with editcap -F pcapng"},
	{"BZh", "compressed by bzip2", "unpack it first with bunzip2"},
	{"\xFD7zXZ\x00", "compressed by xz", "unpack it first with unxz"},
	{"PK\x03\x04", "a zip archive", "unpack it first with unzip"},
	{"7z\xBC\xAF\x27\x1C", "a 7z archive", "unpack it first"},
	{"GMBU", "a Microsoft Network Monitor file", "convert it with editcap -F pcapng"},
	{"RTSS", "a Microsoft Network Monitor file", "convert it with editcap -F pcapng"},
	{"TRSNIFF data", "a Sniffer file", "convert it with editcap -F pcapng"},
	{"XCP\x00", "a NetXRay file", "convert it with editcap -F pcapng"},
	{"btsnoop\x00", "a Bluetooth snoop log", "convert it with editcap -F pcapng"},
}

// suggestFile looks for a name in the same folder that may have been meant.
func suggestFile(path string) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return fmt.Sprintf(", nor a folder %s", filepath.Dir(path))
	}
	var names []string
	for _, e := range entries[:min(len(entries), 2000)] {
		names = append(names, e.Name())
	}
	if near := suggest.List(filepath.Base(path), names); len(near) > 0 {
		return fmt.Sprintf("; did you mean %s?", filepath.Join(filepath.Dir(path), near[0]))
	}
	return ""
}
