// Package sibling is for processes that the program starts of itself, and for the connections over which they pass each
// other open files.
package sibling

import (
	"errors"
	"net"
	"os"
)

// A Conn is a connection over which open files pass beside bytes: a Unix socket, or an end of what [Local] gives.
type Conn interface {
	net.Conn
	CloseRead() error
}

// mostFiles bounds how many files come with one message.
const mostFiles = 4

// Receive reads what is there of a message, and the files that come along.
func Receive(c Conn, b []byte) (n int, files []*os.File, err error) {
	if l, ok := c.(*local); ok {
		n, err = l.Read(b)
		return n, l.received(), err
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		return 0, nil, errors.ErrUnsupported
	}
	return receive(u, b)
}

// Send writes a message and passes files with its first byte. They stay open here.
func Send(c Conn, b []byte, files ...*os.File) error {
	if len(files) > 0 {
		n, err := sendFiles(c, b, files)
		if err != nil {
			return err
		}
		b = b[n:]
	}
	if len(b) == 0 { // an empty write would wait for those of others
		return nil
	}
	_, err := c.Write(b)
	return err
}

// sendFiles passes files, and tells how much of the message went with them.
func sendFiles(c Conn, b []byte, files []*os.File) (int, error) {
	if l, ok := c.(*local); ok {
		return 0, l.pass(files)
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	return sendRights(u, b, files)
}
