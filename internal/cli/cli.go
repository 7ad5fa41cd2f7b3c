// Package cli is the command line: flags, commands, printing and the start of the screen, with exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/live"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/broker"
	"remora/internal/startmem"
)

// Exit codes, as the README states them.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2 // the command line, a filter, or a file that is no whole capture
	exitMayNot      = 3 // no right to capture, or no such interface
	exitInterrupted = 130
)

// Main is the program: the capture process or the broker where it started itself as that, and [Run] otherwise.
func Main(args []string, built string) int {
	startmem.Release()
	if err := live.ForMembersAlone(); err != nil { // before anything else
		fmt.Fprintf(os.Stderr, "remora: %v\n", err)
		return exitFailed
	}
	if code, asked := broker.RunProcess(args, lends()); asked {
		return code
	}
	if code, asked := live.RunProcess(args); asked {
		return code
	}
	return Run(args, built)
}

// Run follows a command line, given without the program's name, and returns the exit code. The version is that of the
// build; "" takes the one of the module. The output's closed end is an ordinary end, so SIGPIPE becomes a failed write.
func Run(args []string, built string) int {
	version = built
	signal.Ignore(syscall.SIGPIPE)
	if err := live.DropPrivileges(); err != nil { // before anything is opened
		fmt.Fprintf(os.Stderr, "remora: %v\n", err)
		return exitFailed
	}
	ctx, stop := withSignals(context.Background())
	defer stop()
	var err error
	asked := asksExtcap(args)
	if asked {
		args, err = extcapWords(os.Stdout, args)
	}
	if cmd := command(&options{}); err == nil && (!asked || args != nil) {
		cmd.SetArgs(tsharksWords(args))
		err = cmd.ExecuteContext(ctx)
	}
	code := exitInterrupted
	if !interruptedSSH(ctx, err) && (err != nil || ctx.Err() == nil) {
		code = report(err)
	}
	if inTsharksSeat() {
		code = tsharksCode(code, err)
	}
	var by endedBy
	if code == exitInterrupted && errors.As(context.Cause(ctx), &by) {
		return 128 + int(by)
	}
	return code
}

// interruptedSSH tells whether ssh failed because the user interrupted it and this program. The terminal gives Ctrl-C
// to both, and that ssh ended may be heard of before this program's own signal is.
func interruptedSSH(ctx context.Context, err error) bool {
	var source *capture.InterfaceError
	if !errors.As(err, &source) || !strings.HasPrefix(source.Name, "ssh://") {
		return false
	}
	select {
	case <-ctx.Done():
		return true
	case <-time.After(time.Second): // longer than a signal takes on a busy machine, and short beside ssh's own failing
		return false
	}
}

// A usageError is a command line that cannot be followed.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// isUsage tells whether an error is of the command line, or of a filter in it.
func isUsage(err error) bool {
	var bad usageError
	var badFilter *filter.Error
	var badCapture *bpf.Error
	return errors.As(err, &bad) || errors.As(err, &badFilter) || errors.As(err, &badCapture)
}

// report says on standard error what went wrong and gives the exit code for it.
func report(err error) int {
	var bad usageError
	var badFilter *filter.Error
	switch {
	case err == nil || closedPipe(err):
		return exitDone
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &badFilter):
		fmt.Fprintf(os.Stderr, "remora: %s\n", badFilter.Error())
		for _, m := range badFilter.More {
			fmt.Fprintf(os.Stderr, "remora: %s\n", m.Error())
		}
		fmt.Fprintln(os.Stderr, badFilter.Carets())
		return exitUsage
	case errors.As(err, &bad):
		fmt.Fprintf(os.Stderr, "remora: %s\n(remora --help lists the flags)\n", harmless(bad.err))
		return exitUsage
	}
	var told reportedError
	if errors.As(err, &told) {
		return int(told)
	}
	var badCapture *bpf.Error
	if errors.As(err, &badCapture) {
		hintDisplayFilter(badCapture)
	}
	fmt.Fprintf(os.Stderr, "remora: %s\n", harmless(err))
	return codeOf(err)
}

// harmless is what an error says, in its own lines, but with no command to a terminal: names of files and interfaces
// come from anywhere.
func harmless(err error) string {
	lines := strings.Split(err.Error(), "\n")
	for i, l := range lines {
		lines[i] = dissect.Escape(strings.ReplaceAll(l, "\t", "    "))
	}
	return strings.Join(lines, "\n")
}

// codeOf is the exit code for what the capture says.
func codeOf(err error) int {
	var badFilter *bpf.Error
	var file *pcapfile.Error
	var iface *capture.InterfaceError
	var right *live.PermissionError
	switch {
	case errors.As(err, &badFilter), errors.As(err, &file) && !file.Output:
		return exitUsage
	case errors.As(err, &iface), errors.As(err, &right), errors.Is(err, bpf.ErrNoLibpcap):
		return exitMayNot
	}
	return exitFailed
}

// reportedError is the exit code of a failure that standard error has in full.
type reportedError int

func (reportedError) Error() string { return "it was told" }

// newSession makes the engine ready for a capture.
func newSession(reg *dissect.Registry, store *capture.Store, as []dissect.DecodeAs) (*dissect.Session, error) {
	s, err := dissect.NewSession(reg, store, as...)
	if err != nil {
		return nil, usageError{err}
	}
	return s, nil
}
