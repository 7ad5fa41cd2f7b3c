// Package broker opens and saves files and runs programs for a process that may do none of it itself: the screen, which
// the kernel refuses all that the printer is refused. The program starts itself once more; that process reads nothing
// of packets and has the user's rights. What it does is a fixed list of services, each of which checks what it is asked
// for. Where no broker runs (printing, tests, other systems) the same functions do it in place, without these checks.
package broker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"

	"remora/internal/sibling"
)

// ErrGone is the error of everything that is asked of a broker that has ended.
var ErrGone = errors.New("the process that opens and saves files for the screen has ended: leave remora and start it " +
	"again")

// A Service is something that the broker does.
type Service interface {
	called() string
	serve(with json.RawMessage, given []*os.File) (answer any, lent []*os.File, err error)
}

// A Call is a service that is asked a Q and answers an A. Files are given and lent beside these; each side closes its
// own.
type Call[Q, A any] struct {
	name   string
	do     func(q Q, given []*os.File) (answer A, lent []*os.File, err error)
	slowly bool // see Slowly
}

// New makes a service of a function. The same function is called where no broker runs.
func New[Q, A any](name string, do func(q Q, given []*os.File) (A, []*os.File, error)) *Call[Q, A] {
	return &Call[Q, A]{name: name, do: do}
}

// Slowly says that an answer may take as long as it likes: nobody is told that it is waited for.
func (c *Call[Q, A]) Slowly() *Call[Q, A] {
	c.slowly = true
	return c
}

func (c *Call[Q, A]) called() string { return c.name }

func (c *Call[Q, A]) serve(with json.RawMessage, given []*os.File) (any, []*os.File, error) {
	var q Q
	if err := json.Unmarshal(with, &q); err != nil {
		return nil, nil, err
	}
	return c.do(q, given)
}

// Ask has the broker do it. What is lent is the caller's to close.
func (c *Call[Q, A]) Ask(q Q, given ...*os.File) (answer A, lent []*os.File, err error) {
	l := running.Load()
	if l == nil {
		return c.do(q, given)
	}
	raw, lent, err := l.ask(c.name, q, given, c.slowly)
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}
	return answer, lent, err
}

// A link is this process's connection with its broker: each request goes over a connection of its own, whose other end
// passes the master.
type link struct {
	master *net.UnixConn
	gone   chan struct{} // closed when the broker has ended
}

// running is the broker of this process; nil where there is none.
var running atomic.Pointer[link]

// Gone is closed when the broker has ended; nil where none was started.
func Gone() <-chan struct{} {
	if l := running.Load(); l != nil {
		return l.gone
	}
	return nil
}

// watch waits for the end of the broker, which sends nothing over the master.
func (l *link) watch() {
	l.master.Read(make([]byte, 1))
	close(l.gone)
}

// The most bytes of a request and of an answer.
const (
	maxRequest = 64 << 10
	maxAnswer  = 4 << 20
)

type request struct {
	Do   string
	With json.RawMessage
}

type answer struct {
	Answer json.RawMessage
	Failed *wireError `json:",omitempty"`
}

func (l *link) ask(name string, with any, given []*os.File, slowly bool) (answer json.RawMessage, lent []*os.File,
	err error) {
	b, err := line(name, with)
	if err != nil {
		return nil, nil, err
	}
	mine, its, err := sibling.Pair()
	if err != nil {
		return nil, nil, err
	}
	c, err := sibling.FromFile(mine)
	if err != nil {
		its.Close()
		return nil, nil, err
	}
	defer c.Close()
	if !slowly {
		defer await(c)(&err)
	}
	err = sibling.Send(l.master, []byte{0}, its)
	its.Close()
	if err == nil {
		err = sibling.Send(c, b, given...)
	}
	if err != nil {
		return nil, nil, ErrGone
	}
	return readAnswer(c)
}

// line is a request as it is sent.
func line(name string, with any) ([]byte, error) {
	raw, err := json.Marshal(with)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(request{name, raw})
	if err == nil && len(b) >= maxRequest {
		err = fmt.Errorf("%d bytes are more than can be asked for at once", len(b))
	}
	return append(b, '\n'), err
}

func readAnswer(c *net.UnixConn) (json.RawMessage, []*os.File, error) {
	b, lent, err := readLine(c, maxAnswer)
	if err != nil {
		return nil, nil, ErrGone
	}
	var a answer
	if err = json.Unmarshal(b, &a); err == nil && a.Failed != nil {
		err = a.Failed.error()
	}
	if err != nil {
		closeAll(lent)
		return nil, nil, err
	}
	return a.Answer, lent, nil
}

// readLine reads a message that ends with a line, and the files that come along.
func readLine(c *net.UnixConn, most int) (all []byte, files []*os.File, err error) {
	b := make([]byte, 16<<10)
	for !bytes.HasSuffix(all, []byte("\n")) {
		n, more, err := sibling.Receive(c, b)
		files = append(files, more...)
		if all = append(all, b[:n]...); err == nil && (len(all) > most || len(files) > mostFiles) {
			err = errors.New("a message that is too long")
		}
		if err != nil {
			closeAll(files)
			return nil, nil, err
		}
	}
	return all, files, nil
}

// mostFiles is how many files go with a message.
const mostFiles = 4

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
