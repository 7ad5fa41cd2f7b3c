// Package pcapfile reads and writes capture files: pcap and pcapng, plain or compressed by gzip, zstd or lz4.
//
// [Open] reads a file where it is; what comes through a pipe, or is compressed, goes through a spool first. A [Writer]
// writes packets as they come, in one file or a ring of them, and [SaveAs] what a store holds.
package pcapfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/spool"
	"remora/internal/broker"
)

// Open opens a capture file: pcap or pcapng, plain or compressed by gzip, zstd or lz4. "-" is standard input, and
// named pipes work the same. It returns as soon as the file is understood, or at once for a pipe; packets appear
// while the store is being read. When ctx ends, reading stops and the packets stay.
//
// Errors are of type [*Error]. What goes wrong later is in [capture.Store.Status].
func Open(ctx context.Context, path string, opts ...capture.Options) (*capture.Store, error) {
	var opt capture.Options
	if len(opts) > 0 {
		opt = opts[0]
	}
	if path == "-" {
		return openStandardInput(ctx, opt)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Errorf(path, err, "%s: no such file%s", path, suggestFile(path))
	case err != nil:
		return nil, CannotRead(path, err)
	case info.IsDir():
		return nil, Errorf(path, nil, "%s is a directory: name a capture file in it", path)
	case info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice|fs.ModeDevice|fs.ModeSocket) != 0:
		return openPipe(ctx, path, opt)
	}
	f, err := broker.Open(path)
	if err != nil {
		return nil, CannotRead(path, err)
	}
	s, err := openRegular(ctx, f, path, opt)
	if err != nil {
		f.Close()
	}
	return s, err
}

func openStandardInput(ctx context.Context, opt capture.Options) (*capture.Store, error) {
	if info, err := os.Stdin.Stat(); err == nil && info.Mode().IsRegular() {
		return openRegular(ctx, os.Stdin, "standard input", opt)
	} else if err == nil && info.Mode()&fs.ModeCharDevice != 0 && info.Mode()&fs.ModeNamedPipe == 0 &&
		isTerminal(os.Stdin) {
		return nil, Errorf("-", nil,
			"standard input is a terminal: pipe a capture into it, as in tcpdump -U -w - | remora -r -")
	}
	open := func(ctx context.Context, _ *capture.Appender) io.Reader { return waitingReader(ctx, os.Stdin) }
	return OpenStream(ctx, Stream{Name: "standard input", Open: open}, opt)
}

// OpenReader reads a capture from a stream, which may be compressed. The stream is kept in a spool on disk. A
// reader that is an io.Closer is closed when the store stops, to end a read that waits; with another one, stopping
// waits for the read.
func OpenReader(ctx context.Context, name string, r io.Reader, opt capture.Options) (*capture.Store, error) {
	open := func(ctx context.Context, _ *capture.Appender) io.Reader {
		if c, ok := r.(io.Closer); ok {
			context.AfterFunc(ctx, func() { c.Close() })
		}
		return r
	}
	return OpenStream(ctx, Stream{Name: name, Open: open}, opt)
}

// OpenBytes reads a capture that is in memory, such as an embedded one. It may be compressed.
func OpenBytes(ctx context.Context, name string, data []byte, opt capture.Options) (*capture.Store, error) {
	size := func() (int64, error) { return int64(len(data)), nil }
	return openAt(ctx, &file{name: name, at: bytes.NewReader(data), size: size}, opt)
}

// OpenSpool reads a spool that an earlier run has left, and owns f from then on. The packets count as unsaved, and the
// spool is removed when the store is closed, unless the store is told to keep it.
func OpenSpool(ctx context.Context, f *os.File, opt capture.Options) (*capture.Store, error) {
	src := regular(f, f.Name())
	left := &leftSpool{Unchanging: capture.Unchanging{ReaderAt: f, Size: src.size}, path: f.Name()}
	src.backing, src.unsaved = left, true
	s, err := openAt(ctx, src, opt)
	if err != nil {
		f.Close()
	}
	return s, err
}

// A leftSpool is the backing of a spool that a killed run has left.
type leftSpool struct {
	capture.Unchanging
	path string
	stay atomic.Int32
}

// Keep says how long Close leaves the spool on the disk.
func (l *leftSpool) Keep(how capture.Stay) { l.stay.Store(max(l.stay.Load(), int32(how))) }

// Close removes the spool, unless it is to be kept. A spool that is gone already is no failure.
func (l *leftSpool) Close() error {
	var err error
	switch capture.Stay(l.stay.Load()) {
	case capture.Removed:
		err = os.Remove(l.path)
	case capture.ForADay:
		err = spool.LeaveForADay(l.path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func openRegular(ctx context.Context, f *os.File, name string, opt capture.Options) (*capture.Store, error) {
	return openAt(ctx, regular(f, name), opt)
}

func regular(f *os.File, name string) *file {
	size := func() (int64, error) {
		info, err := f.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}
	return &file{name: name, at: f, size: size, close: f.Close}
}

// A file is what is read in place.
type file struct {
	name    string
	at      io.ReaderAt
	size    func() (int64, error)
	close   func() error
	backing capture.Backing // nil: the file alone
	unsaved bool
}

func openAt(ctx context.Context, src *file, opt capture.Options) (*capture.Store, error) {
	size, err := src.size()
	if err != nil {
		return nil, CannotRead(src.name, err)
	}
	head := make([]byte, 16)
	n, err := src.at.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, CannotRead(src.name, err)
	}
	head = head[:n]
	if n == 0 && !opt.Follow {
		return nil, Errorf(src.name, nil, "%s is empty: there is no capture in it "+
			"(to wait until something is written to it, follow it with --tail)", src.name)
	}
	if c := compression(head); c != nil {
		return openCompressed(ctx, src, opt, size)
	}
	if opt.Filter != "" {
		if err := bpf.Check(opt.Filter); err != nil {
			return nil, err
		}
	}
	if src.backing == nil {
		src.backing = capture.Unchanging{ReaderAt: src.at, Size: src.size}
	}
	s, a, ctx := capture.New(ctx, src.name, opt, src.backing)
	a.SetUnsaved(src.unsaved)
	stopAfter(a, opt.Stop.Duration)
	a.Total().Store(size)
	format, err := newFormat(ctx, a, head, opt)
	if err != nil || format == nil && !opt.Follow {
		a.Stop()
		return nil, notCapture(src.name, head)
	}
	if src.close != nil {
		a.OnClose(src.close)
	}
	a.SetWaiting(format == nil)
	in := &fileSource{a: a, file: src, opt: opt}
	go a.Run(func() error { return in.run(ctx, format) })
	return s, nil
}

// stopAfter ends a source after a time, if there is one to end it after.
func stopAfter(a *capture.Appender, d time.Duration) {
	if d > 0 {
		timer := time.AfterFunc(d, a.Stop)
		a.OnClose(func() error { timer.Stop(); return nil })
	}
}

func openCompressed(ctx context.Context, src *file, opt capture.Options, size int64) (*capture.Store, error) {
	s, t, ctx, err := newStream(ctx, src.name, opt, true)
	if err != nil {
		return nil, err
	}
	t.a.Total().Store(size)
	known := make(chan error, 1)
	go t.run(ctx, io.NewSectionReader(src.at, 0, 1<<62), known, nil)
	if err := <-known; err != nil {
		s.Close()
		return nil, err
	}
	if src.close != nil {
		t.a.OnClose(src.close)
	}
	return s, nil
}
