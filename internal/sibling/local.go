package sibling

import (
	"net"
	"os"
	"sync"
)

// A local is one end of a connection within this program.
type local struct {
	net.Conn
	peer *local

	mu    sync.Mutex
	files []*os.File // passed to this end, and not received yet
}

// Local gives the two ends of a connection within this program, for systems without the means to pass files between
// processes, and for programs that do without a second process. What is written waits until it is read.
func Local() (a, b Conn) {
	p, q := net.Pipe()
	x, y := &local{Conn: p}, &local{Conn: q}
	x.peer, y.peer = y, x
	return x, y
}

// CloseRead has nothing to do: nothing waits in between that would have to go.
func (l *local) CloseRead() error { return nil }

// Close closes the end, and the files that nobody received.
func (l *local) Close() error {
	for _, f := range l.received() {
		f.Close()
	}
	return l.Conn.Close()
}

func (l *local) received() []*os.File {
	l.mu.Lock()
	defer l.mu.Unlock()
	files := l.files
	l.files = nil
	return files
}

// pass has the other end receive duplicates of files with the next bytes.
func (l *local) pass(files []*os.File) error {
	for _, f := range files {
		d, err := Duplicate(f, f.Name())
		if err != nil {
			return err
		}
		l.peer.mu.Lock()
		l.peer.files = append(l.peer.files, d)
		l.peer.mu.Unlock()
	}
	return nil
}
