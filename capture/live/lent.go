package live

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/capture/spool"
	"remora/internal/broker"
)

// Lent is what the broker does for this package when the screen is locked: list interfaces, join captures, run ssh.
func Lent() broker.Lends {
	return broker.Lends{Services: append([]broker.Service{sources, joinSocket, ssh.Call, listExtcap, argumentsOf,
		extcapProgram.Call}, compilers()...),
		Readable: []broker.Recognizer{pcapfile.IsCapture}}
}

// sources are the interfaces as libpcap and the system tell them, which takes sockets.
var sources = broker.New("interfaces", func(struct{}, []*os.File) ([]InterfaceInfo, []*os.File, error) {
	list, err := devices()
	for i := range list {
		list[i].completeFromSystem()
	}
	return list, nil, err
})

// joinSocket connects to the socket of a running capture of this user's.
var joinSocket = broker.New("join", func(path string, _ []*os.File) (none struct{}, lent []*os.File, err error) {
	if broker.Serving() && !inSpools(path) {
		return none, nil, errors.New("it is no socket of a capture")
	}
	c, err := connectTo(path)
	if err != nil {
		return none, nil, err
	}
	defer c.Close()
	f, err := c.File()
	return none, []*os.File{f}, err
})

// inSpools reports whether a path is that of a socket beside the spools.
func inSpools(path string) bool {
	dir, name := filepath.Split(path)
	return spool.Within(dir) && strings.HasPrefix(name, spool.Prefix) && filepath.Ext(name) == socketEnding
}

// An sshQuestion is what ssh is to capture on.
type sshQuestion struct {
	Name    string // of the interface
	Options capture.Options
	Ask     bool // for a password, on the terminal
}

// ssh runs tcpdump on another machine.
var ssh = broker.NewProgram("ssh", func(q sshQuestion) (*exec.Cmd, error) {
	r, err := parseRemote(q.Name)
	if err != nil {
		return nil, err
	}
	return r.command(q.Options, q.Ask), nil
})
