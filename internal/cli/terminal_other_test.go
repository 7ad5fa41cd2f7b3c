//go:build !linux

package cli

import (
	"os/exec"
	"testing"
)

// Where there is no terminal for tests, those on one are skipped.
type terminal struct{ cmd *exec.Cmd }

func (*terminal) sees(...string) {}
func (*terminal) keys(string)    {}
func (*terminal) ends(int)       {}

func startTerminal(t *testing.T, _ ...string) *terminal {
	t.Helper()
	t.Skip("there is no terminal for tests on this system")
	return nil
}

func startWith(t *testing.T, _ []string, _ string, args ...string) *terminal {
	t.Helper()
	return startTerminal(t, args...)
}

// fifo is a path without the pipe that other systems have there.
func fifo(t *testing.T) string {
	t.Helper()
	t.Skip("there are no pipes in folders")
	return ""
}

func mainThatHangs(string) int   { return 2 }
func mainThatIsTaken(string) int { return 2 }
