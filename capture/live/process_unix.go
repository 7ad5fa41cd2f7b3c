//go:build unix

package live

import (
	"os"
	"os/exec"
	"syscall"

	"remora/internal/sibling"
)

// ofItsOwn says that this system can hand open files to another process, and so have captures in one of their own.
const ofItsOwn = true

// spawn starts the process. It is in a session of its own: keys pressed on the terminal are not for it.
func (p *processLink) spawn(its *os.File) error {
	path, err := sibling.Program()
	if err != nil {
		return err
	}
	cmd := exec.Command(path, processArg)
	cmd.Args[0] = os.Args[0]
	cmd.ExtraFiles = []*os.File{its}
	cmd.Stderr = p.stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	passRights(cmd.SysProcAttr)
	if err := cmd.Start(); err != nil {
		return err
	}
	gone := p.gone
	go func() {
		cmd.Wait()
		close(gone)
	}()
	return nil
}
