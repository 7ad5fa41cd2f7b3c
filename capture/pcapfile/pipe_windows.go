package pcapfile

import (
	"context"
	"io"
	"os"

	"golang.org/x/sys/windows"

	"remora/capture"
	"remora/internal/broker"
)

// A pipeReader reads from a pipe, console or device, and gives up when its context ends: the read that goes on then
// ends with the program, or when the file is closed.
type pipeReader struct {
	ctx  context.Context
	f    *os.File
	want chan struct{}
	got  chan piece
	rest []byte
	err  error
}

type piece struct {
	data []byte
	err  error
}

func waitingReader(ctx context.Context, f *os.File) io.Reader {
	p := &pipeReader{ctx: ctx, f: f, want: make(chan struct{}), got: make(chan piece)}
	go p.feed()
	return p
}

// feed reads a piece whenever one is wanted.
func (p *pipeReader) feed() {
	b := make([]byte, 64<<10)
	for {
		select {
		case <-p.want:
		case <-p.ctx.Done():
			return
		}
		n, err := p.f.Read(b)
		select {
		case p.got <- piece{b[:n], err}:
		case <-p.ctx.Done():
			return
		}
	}
}

func (p *pipeReader) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	if len(p.rest) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		select {
		case p.want <- struct{}{}:
		case <-p.ctx.Done():
			return 0, p.ctx.Err()
		}
		select {
		case next := <-p.got:
			p.rest, p.err = next.data, next.err
		case <-p.ctx.Done():
			return 0, p.ctx.Err()
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	if n == 0 && len(b) > 0 {
		return 0, p.err
	}
	return n, nil
}

// openPipe opens a named pipe (\\.\pipe\NAME), or a device.
func openPipe(ctx context.Context, path string, opt capture.Options) (*capture.Store, error) {
	f, err := broker.Open(path)
	if err != nil {
		return nil, CannotRead(path, err)
	}
	if isTerminal(f) { // reading it would take the keys away from the screen
		f.Close()
		return nil, Errorf(path, nil, "%s is a console: name a capture file, or a pipe that a capture comes through", path)
	}
	open := func(ctx context.Context, a *capture.Appender) io.Reader {
		a.OnClose(f.Close)
		return waitingReader(ctx, f)
	}
	s, err := OpenStream(ctx, Stream{Name: path, Open: open}, opt)
	if err == nil && opt.Certain {
		if err = surely(s); err != nil {
			s.Close()
			return nil, err
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

func isTerminal(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}
