package live

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"remora/internal/broker"
	"remora/internal/confine"
	"remora/internal/sibling"
)

// Capture does not depend on what reads it, as with Wireshark's dumpcap: the program starts itself once more, as a
// process that takes packets from libpcap and writes them to a file, and does nothing else. It has the right to
// capture, and lives on when the other one hangs, fails or is killed.

// processArg is the one argument of a capture process; its connection is descriptor 3.
const (
	processArg = "capture-process"
	processFD  = 3
)

// RunProcess is the capture process, if the arguments of the program (without its name) ask for one: then it reports
// true, with the exit code, once all its captures have ended. Programs that capture call it first of all. Without it,
// what [Start] starts runs in the calling program.
func RunProcess(args []string) (code int, asked bool) {
	separately.Store(ofItsOwn)
	if len(args) != 1 || args[0] != processArg {
		return 0, false
	}
	master, err := sibling.FromFile(os.NewFile(processFD, "reader"))
	if err != nil {
		fmt.Fprintln(os.Stderr,
			"remora: "+processArg+" is what remora starts itself: it takes no other arguments and no terminal")
		return 2, true
	}
	if err := DropPrivileges(); err != nil {
		fmt.Fprintln(os.Stderr, "remora: cannot give up root:", err)
		return 1, true
	}
	if err := confine.Lock(confine.Allowed{Capture: true}); err != nil {
		fmt.Fprintln(os.Stderr, "remora:", err)
		return 1, true
	}
	signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT)
	s := &server{}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM)
	go func() {
		<-end
		s.end()
		master.Close()
	}()
	s.accept(master)
	s.busy.Wait()
	return 0, true
}

// A processLink is this program's capture process. It is started by the first capture, or before by [StartProcess].
type processLink struct {
	mu     sync.Mutex
	within server // of captures in this program
	master *net.UnixConn
	stderr *stderrTail
	gone   chan struct{}
	mayNot error // why the process may not capture, as far as that was known when it was started
}

var ownProcess processLink

// StartProcess starts the capture process before there is something to capture, so that it has the rights that this
// program has now. It does nothing when it runs already.
func StartProcess() error {
	if !separately.Load() {
		return nil
	}
	ownProcess.mu.Lock()
	defer ownProcess.mu.Unlock()
	return ownProcess.start()
}

// start needs mu.
func (p *processLink) start() error {
	if p.master != nil {
		select {
		case <-p.gone:
			p.master.Close()
			p.master = nil
		default:
			return nil
		}
	}
	mine, its, err := sibling.Pair()
	if err != nil {
		return cannotStart(err)
	}
	defer its.Close()
	master, err := sibling.FromFile(mine)
	if err != nil {
		return cannotStart(err)
	}
	p.stderr, p.gone = &stderrTail{}, make(chan struct{})
	if err := p.spawn(its); err != nil {
		master.Close()
		return cannotStart(err)
	}
	p.master, p.mayNot = master, mayCapture()
	return nil
}

// rights says whether a capture process runs, and why it may not capture.
func (p *processLink) rights() (mayNot error, runs bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.master == nil {
		return nil, false
	}
	select {
	case <-p.gone:
		return nil, false
	default:
		return p.mayNot, true
	}
}

// CanCapture says whether there can be a capture: nil, or why not and what to do. Where a capture process runs, its
// rights count, which this program may have given up.
func CanCapture() error {
	if mayNot, runs := ownProcess.rights(); runs {
		return mayNot
	}
	return mayCapture()
}

func cannotStart(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("the capture process cannot be started, so there is no capture: %w", err)
}

// CheckWrites has the capture process, if there is one, write to no files from now on but those that a broker with
// these bounds would make.
func CheckWrites(b broker.Bounds) error {
	if _, runs := ownProcess.rights(); !runs {
		return nil
	}
	c, err := ownProcess.dialFor(masterBounds)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write(encode(b))
	return err
}

// dial connects to the process, and starts it if need be.
func (p *processLink) dial() (sibling.Conn, error) { return p.dialFor(masterServe) }

func (p *processLink) dialFor(what byte) (sibling.Conn, error) {
	if !separately.Load() {
		mine, its := sibling.Local()
		p.within.take(what, its)
		return mine, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for try := 0; ; try++ {
		if err := p.start(); err != nil {
			return nil, err
		}
		mine, its, err := sibling.Pair()
		if err != nil {
			return nil, cannotStart(err)
		}
		err = sibling.Send(p.master, []byte{what}, its)
		its.Close()
		if err == nil {
			return sibling.FromFile(mine)
		}
		mine.Close()
		p.master.Close()
		p.master = nil
		if try == 1 { // one that was killed is started again, once
			return nil, cannotStart(fmt.Errorf("it ended at once (%s)", p.stderr.text()))
		}
	}
}

// words are the last line that the process wrote to standard error.
func (p *processLink) words() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stderr == nil {
		return ""
	}
	return p.stderr.text()
}
