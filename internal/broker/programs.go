package broker

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// A Program is one that the broker runs: the arguments follow from a question, and nothing else.
type Program[Q any] struct{ *Call[Q, int] }

// NewProgram makes a service of a command. Files given are its standard input, output and error output, and
// what it has as descriptors from 3 on.
func NewProgram[Q any](name string, command func(Q) (*exec.Cmd, error)) Program[Q] {
	return Program[Q]{New(name, func(q Q, given []*os.File) (int, []*os.File, error) {
		cmd, err := command(q)
		if err != nil {
			return 0, nil, err
		}
		if len(given) < 3 {
			return 0, nil, errors.New("a program takes three files")
		}
		cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = given[0], given[1], given[2], given[3:]
		p := &process{cmd: cmd, done: make(chan struct{})}
		id, err := programs.add(p)
		if err != nil {
			return 0, nil, err
		}
		if err := cmd.Start(); err != nil {
			programs.get(id, true)
			return 0, nil, err
		}
		go func() {
			p.err = cmd.Wait()
			close(p.done)
		}()
		return id, nil, nil
	})}
}

// process is a program that was started.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error // once it is done
}

// programs are those that were started and not waited for yet.
var programs kept[*process]

var waitFor = New("wait", func(id int, _ []*os.File) (none struct{}, _ []*os.File, err error) {
	p, ok := programs.get(id, false)
	if !ok {
		return none, nil, os.ErrProcessDone
	}
	<-p.done
	programs.get(id, true)
	return none, nil, p.err
}).Slowly()

type endQuestion struct {
	ID   int
	Kill bool
}

var endProgram = New("end", func(q endQuestion, _ []*os.File) (none struct{}, _ []*os.File, err error) {
	p, ok := programs.get(q.ID, false)
	if !ok {
		return none, nil, nil
	}
	if q.Kill {
		return none, nil, p.cmd.Process.Kill()
	}
	return none, nil, p.cmd.Process.Signal(syscall.SIGTERM)
})

// A Running program was started by [Program.Start].
type Running struct{ id int }

// Start runs the program. A file that is nil is /dev/null.
func (p Program[Q]) Start(q Q, stdin, stdout, stderr *os.File, more ...*os.File) (*Running, error) {
	given := append([]*os.File{stdin, stdout, stderr}, more...)
	for i, f := range given {
		if f == nil {
			null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
			if err != nil {
				return nil, err
			}
			defer null.Close()
			given[i] = null
		}
	}
	id, _, err := p.Ask(q, given...)
	if err != nil {
		return nil, err
	}
	return &Running{id}, nil
}

// Wait returns when the program has ended, with the error that [exec.Cmd.Wait] gives.
func (r *Running) Wait() error {
	_, _, err := waitFor.Ask(r.id)
	return err
}

// Terminate asks the program to end.
func (r *Running) Terminate() { endProgram.Ask(endQuestion{r.id, false}) }

// Kill ends the program.
func (r *Running) Kill() { endProgram.Ask(endQuestion{r.id, true}) }
