//go:build unix

package pcapfile

import (
	"context"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"remora/capture"
	"remora/internal/broker"
)

// pollMillis is how long a wait for a pipe lasts before it looks whether it is still wanted.
const pollMillis = 200

// A pipeReader reads from a pipe, terminal or device, and gives up when its context ends. A plain read could
// hang forever, and making the descriptor non-blocking would change it for other programs that share it.
type pipeReader struct {
	ctx context.Context
	f   *os.File
	fd  int
}

func waitingReader(ctx context.Context, f *os.File) io.Reader {
	return &pipeReader{ctx, f, int(f.Fd())}
}

func (p *pipeReader) Read(b []byte) (int, error) {
	for {
		if err := p.ctx.Err(); err != nil {
			return 0, err
		}
		fds := []unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, pollMillis)
		if err == unix.EINTR || err == nil && n == 0 {
			continue
		}
		if err != nil {
			return 0, os.NewSyscallError("poll", err)
		}
		n, err = unix.Read(p.fd, b)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
			continue
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

// openPipe opens a named pipe without waiting for its writer, or a device.
func openPipe(ctx context.Context, path string, opt capture.Options) (*capture.Store, error) {
	f, err := broker.Open(path)
	if err != nil {
		return nil, CannotRead(path, err)
	}
	fd := int(f.Fd())
	if terminal(fd) { // reading it would take the keys away from the screen
		f.Close()
		return nil, Errorf(path, nil, "%s is a terminal: name a capture file, or a pipe that a capture comes through",
			path)
	}
	open := func(ctx context.Context, a *capture.Appender) io.Reader {
		a.OnClose(f.Close)
		return &pipeReader{ctx, f, fd}
	}
	s, err := OpenStream(ctx, Stream{Name: path, Open: open}, opt)
	if err != nil {
		f.Close()
		return nil, err
	}
	if opt.Certain {
		if err := surely(s); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

func isTerminal(f *os.File) bool { return terminal(int(f.Fd())) }

func terminal(fd int) bool {
	_, err := unix.IoctlGetWinsize(fd, unix.TIOCGWINSZ)
	return err == nil
}
