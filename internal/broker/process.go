package broker

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"remora/internal/confine"
	"remora/internal/sibling"
)

// processArg is the one argument of a broker; its connection is descriptor 3, and its bounds are in the environment.
const (
	processArg = "broker-process"
	processFD  = 3
	boundsVar  = "REMORA_BROKER"
)

// Start starts the broker of this process. It does nothing where there is no means to hold the process back otherwise.
func Start(b Bounds) error {
	if !apart {
		return nil
	}
	l, err := start(b)
	if err != nil {
		return fmt.Errorf("the process that opens and saves files for the screen cannot be started: %w", err)
	}
	running.Store(l)
	return nil
}

func start(b Bounds) (*link, error) {
	path, err := sibling.Program()
	if err != nil {
		return nil, err
	}
	bounds, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	mine, its, err := sibling.Pair()
	if err != nil {
		return nil, err
	}
	defer its.Close()
	master, err := sibling.FromFile(mine)
	if err != nil {
		return nil, err
	}
	// It stays in the group of the screen: ssh asks for passwords on the terminal, and Ctrl-Z stops all of them.
	cmd := exec.Command(path, processArg)
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), boundsVar+"="+string(bounds))
	cmd.ExtraFiles = []*os.File{its}
	if err := cmd.Start(); err != nil {
		master.Close()
		return nil, err
	}
	go cmd.Wait()
	l := &link{master, make(chan struct{})}
	go l.watch()
	return l, nil
}

// RunProcess is the broker, if the arguments of the program (without its name) ask for one: then it reports true, with
// the exit code, once the screen is gone.
func RunProcess(args []string, lends Lends) (code int, asked bool) {
	if len(args) != 1 || args[0] != processArg {
		return 0, false
	}
	master, err := sibling.FromFile(os.NewFile(processFD, "screen"))
	var b Bounds
	if err != nil || json.Unmarshal([]byte(os.Getenv(boundsVar)), &b) != nil {
		fmt.Fprintln(os.Stderr,
			"remora: "+processArg+" is what remora starts itself: it takes no other arguments and no terminal")
		return 2, true
	}
	os.Unsetenv(boundsVar)
	if err := confine.Lock(confine.Allowed{Programs: true}); err != nil {
		return 1, true
	}
	// It ends with the screen alone. Programs it runs take these signals as usual.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT,
		syscall.SIGTERM)
	run(master, b, lends)
	return 0, true
}

// run serves until the screen is gone, and leaves nothing half done behind.
func run(master *net.UnixConn, b Bounds, lends Lends) {
	p := newPolicy(b, lends.Readable)
	p.kept = lends.Kept
	enforced.Store(p)
	serve(master, append(own(), lends.Services...))
	for _, d := range drafts.all() {
		os.Remove(d.path)
	}
	for _, p := range programs.all() {
		p.cmd.Process.Signal(syscall.SIGTERM)
	}
}
