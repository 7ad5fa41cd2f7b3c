package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/pcapfile"
	"remora/internal/broker"
)

// remotePrefix begins the name of an interface of another machine: ssh://[user@]host[:port]/interface.
const remotePrefix = "ssh://"

// IsRemote reports whether a name is that of an interface of another machine.
func IsRemote(name string) bool { return strings.HasPrefix(name, remotePrefix) }

// A remote is an interface of another machine, where tcpdump captures and ssh brings the packets here.
type remote struct {
	host, port string // host with the user in front, as ssh takes it; port "" is ssh's own choice
	iface      string // "": the one that tcpdump chooses
}

func parseRemote(name string) (remote, error) {
	rest := strings.TrimPrefix(name, remotePrefix)
	host, iface, _ := strings.Cut(rest, "/")
	r := remote{host: host, iface: iface}
	user, address, ok := strings.Cut(host, "@")
	if !ok {
		user, address = "", host
	}
	if bare, after, ok := strings.Cut(address, "]"); ok && strings.HasPrefix(bare, "[") { // an IPv6 address in brackets
		address, r.port = bare[1:], strings.TrimPrefix(after, ":")
	} else if strings.Count(address, ":") == 1 {
		address, r.port, _ = strings.Cut(address, ":")
	}
	r.host = address
	if user != "" {
		r.host = user + "@" + address
	}
	switch {
	case address == "" || strings.HasPrefix(r.host, "-") || strings.HasPrefix(address, "-") ||
		strings.ContainsAny(rest, " \"'`$\\;&|<>()") || strings.ContainsFunc(rest, unprintable):
		return r, &capture.InterfaceError{Name: name,
			Text: "an interface elsewhere is written ssh://[user@]host[:port]/interface"}
	case strings.Trim(r.port, "0123456789") != "":
		return r, &capture.InterfaceError{Name: name, Text: "behind the colon stands the port of ssh, a number"}
	}
	return r, nil
}

// script is what runs on the other machine. Packets of the connection that brings them here are left out, or each would
// make others.
func (r remote) script(opt capture.Options) string {
	words := []string{"exec", "tcpdump", "-U", "-w", "-"}
	if r.iface != "" {
		words = append(words, "-i", quote(r.iface))
	}
	if opt.SnapLen > 0 {
		words = append(words, "-s", fmt.Sprint(opt.SnapLen))
	}
	if opt.NoPromisc {
		words = append(words, "-p")
	}
	if opt.Monitor {
		words = append(words, "-I")
	}
	if opt.LinkType != "" {
		words = append(words, "-y", quote(opt.LinkType))
	}
	if opt.Stop.Packets > 0 {
		words = append(words, "-c", fmt.Sprint(opt.Stop.Packets))
	}
	own := `not (host $1 and tcp port $2 and tcp port $4)`
	plain := strings.Join(words, " ")
	with := func(filter string) string {
		if filter == "" {
			return plain
		}
		return plain + " " + filter
	}
	mine, both := "", `"`+own+`"`
	if opt.Filter != "" {
		grouped := "(" + opt.Filter + ")" // no filter is taken for an option
		mine, both = quote(grouped), quote(grouped+" and ")+both
	}
	return `set -- $SSH_CONNECTION; if [ $# -eq 4 ]; then ` + with(both) + `; else ` + with(mine) + `; fi`
}

// command is ssh with the script. Without ask it fails where it would ask for a password: there is no terminal to ask
// on.
func (r remote) command(opt capture.Options, ask bool) *exec.Cmd {
	args := []string{"-T", "-o", "ServerAliveInterval=15"}
	if !ask {
		args = append(args, "-o", "BatchMode=yes")
	}
	if r.port != "" {
		args = append(args, "-p", r.port)
	}
	return exec.Command("ssh", append(args, r.host, "sh -c "+quote(r.script(opt)))...)
}

// StartRemote captures on an interface of another machine, named as in ssh://host/eth0: tcpdump runs there, and its
// packets come here through ssh. With ask, ssh may ask for a password on the terminal, and StartRemote returns once the
// other side has begun to capture, or ctx has ended; from then on the capture is the store's. Without, it returns at
// once.
func StartRemote(ctx context.Context, name string, opt capture.Options, ask bool) (*capture.Store, error) {
	if _, err := parseRemote(name); err != nil {
		return nil, err
	}
	if opt.Filter != "" {
		if err := bpf.Check(opt.Filter); err != nil && bpf.CanCompile(err) { // otherwise the other side tells
			return nil, err
		}
	}
	src, err := runSSH(sshQuestion{name, opt, ask})
	if errors.Is(err, exec.ErrNotFound) {
		return nil, &capture.InterfaceError{Name: name, Text: "there is no ssh program here to reach it with"}
	}
	if err != nil {
		return nil, &capture.InterfaceError{Name: name, Text: err.Error()}
	}
	if ask {
		if err := src.begin(ctx); err != nil {
			return nil, err
		}
		ctx = context.WithoutCancel(ctx)
	}
	filter := opt.Filter
	opt.Filter = "" // tcpdump has applied it
	open := func(ctx context.Context, a *capture.Appender) io.Reader {
		context.AfterFunc(ctx, func() { src.Close() })
		a.SetCaptureFilter(filter)
		a.SetLive()
		a.OnClose(src.Close)
		notify := func(n uint64) { a.Notice("dropped there", "%d packets were dropped by the kernel there", n) }
		src.notify.Store(&notify)
		return src
	}
	s, err := pcapfile.OpenStream(ctx, pcapfile.Stream{Name: name, Open: open, NotCapture: noRemoteCapture(name)}, opt)
	if err != nil {
		src.Close()
		return nil, err
	}
	return s, nil
}

// noRemoteCapture says what to do about something else than a capture, of which it has the first bytes.
func noRemoteCapture(name string) func([]byte) error {
	return func(head []byte) error {
		return pcapfile.Errorf(name, pcapfile.ErrNotCapture,
			"%s: what comes from there is no capture, it begins with %q; a greeting of "+
				"the shell there has to go to terminals only", name, printable(string(head[:min(len(head), 40)])))
	}
}

// runSSH starts ssh, with pipes for the packets and for standard error.
func runSSH(q sshQuestion) (*remoteReader, error) {
	out, outEnd, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer outEnd.Close()
	words, wordsEnd, err := os.Pipe()
	if err != nil {
		out.Close()
		return nil, err
	}
	defer wordsEnd.Close()
	s := &remoteReader{r: out, stderr: &stderrTail{}, heard: make(chan struct{}), name: q.Name, failure: remoteFailure}
	if s.program, err = ssh.Start(q, nil, outEnd, wordsEnd); err != nil {
		out.Close()
		words.Close()
		return nil, err
	}
	go func() {
		defer close(s.heard)
		defer words.Close()
		io.Copy(s.stderr, words)
	}()
	return s, nil
}

// A remoteReader reads what ssh or another program brings, and says why it ended.
type remoteReader struct {
	r       io.ReadCloser
	head    []byte // what begin has read
	program *broker.Running
	stderr  *stderrTail
	heard   chan struct{} // closed when all of that was read
	name    string
	// failure puts what a program said, and how it ended, into a sentence.
	failure func(err error, said string) string
	last    io.Closer // is closed once it ended; nil: nothing
	notify  atomic.Pointer[func(dropped uint64)]
	ended   sync.Once
	why     error

	closed sync.Once
}

// begin waits for the first bytes of the capture, or until ctx ends.
func (s *remoteReader) begin(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { s.Close() })()
	s.head = make([]byte, 24)
	n, err := io.ReadFull(s.r, s.head)
	s.head = s.head[:n]
	if n == 0 { // Ctrl-C ends ssh as well, and may have reached it first
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	if ctx.Err() != nil {
		s.Close()
		s.end()
		return ctx.Err()
	}
	if n == 0 && err != nil {
		return s.end()
	}
	return nil
}

func (s *remoteReader) Read(p []byte) (int, error) {
	if len(s.head) > 0 {
		n := copy(p, s.head)
		s.head = s.head[n:]
		return n, nil
	}
	n, err := s.r.Read(p)
	if err == nil || n > 0 {
		return n, nil
	}
	if failed := s.end(); failed != nil {
		return 0, failed
	}
	return 0, io.EOF
}

// end waits for ssh and says what went wrong, if something did.
func (s *remoteReader) end() error {
	s.ended.Do(func() {
		err := s.program.Wait()
		select {
		case <-s.heard:
		case <-time.After(grace): // a connection that ssh leaves in the background keeps what it inherits open
		}
		if notify := s.notify.Load(); notify != nil {
			if n := s.stderr.truncated(); n > 0 {
				(*notify)(n)
			}
		}
		if s.last != nil {
			s.last.Close()
		}
		if err == nil {
			return
		}
		if why := s.failure(err, s.stderr.text()); why != "" {
			s.why = &capture.InterfaceError{Name: s.name, Text: why}
		}
	})
	return s.why
}

// grace is how long ssh has to end after it was asked to.
const grace = time.Second

// Close ends ssh, and with it the tcpdump at its other end. It returns once ssh is gone, which takes no longer than
// grace and a moment.
func (s *remoteReader) Close() error {
	s.closed.Do(func() {
		s.program.Terminate()
		kill := time.AfterFunc(grace, func() {
			s.program.Kill()
			s.r.Close() // somebody else may hold its other end
		})
		s.end()
		kill.Stop()
		s.r.Close()
	})
	return nil
}

// remoteFailure puts the words of ssh or tcpdump into a sentence with a way out.
func remoteFailure(err error, said string) string {
	low := strings.ToLower(said)
	switch {
	case strings.Contains(low, "permission denied (") || strings.Contains(low, "host key verification"):
		return "ssh was not let in (" + said +
			"); remora asks for no passwords while its screen is open: log in once by hand, or start it as remora -i ssh://…"
	case strings.Contains(low, "permission") && strings.Contains(low, "capture"):
		return "the user there may not capture (" + said +
			"); try ssh://root@…, or give tcpdump there the right: sudo setcap cap_net_raw+ep \"$(command -v tcpdump)\""
	case strings.Contains(low, "not found"):
		return "there is no tcpdump there (" + said + ")"
	case said != "":
		return "ssh gave up (" + strings.TrimRight(said, ". ") + ")"
	}
	return "ssh ended: " + err.Error()
}

// stderrTail keeps the last 4096 bytes that a program writes to standard error.
type stderrTail struct {
	mu sync.Mutex
	b  []byte
}

func (l *stderrTail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b = append(l.b, p...)
	if n := len(l.b); n > 4096 {
		l.b = append(l.b[:0], l.b[n-4096:]...)
	}
	return len(p), nil
}

// text is the last line that says something other than tcpdump's counts.
func (l *stderrTail) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := ""
	for line := range bytes.Lines(l.b) {
		s := strings.TrimSpace(string(line))
		if s != "" && !strings.Contains(s, "listening on") && !strings.Contains(s, " packets ") &&
			!strings.Contains(s, "killed by signal") {
			last = s
		}
	}
	return printable(last)
}

// maxStderr bounds what is shown of another program's messages, in bytes.
const maxStderr = 300

// printable is text of another machine that does nothing to a terminal, and is no longer than a few lines.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if unprintable(r) {
			return '.'
		}
		return r
	}, strings.ToValidUTF8(s, "."))
	if len(s) > maxStderr {
		s = strings.ToValidUTF8(s[:maxStderr], "") + "…"
	}
	return s
}

// unprintable reports characters that a terminal takes for commands, and those that change the direction of text.
func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// truncated is how many packets tcpdump says its kernel has dropped.
func (l *stderrTail) truncated() (n uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range bytes.Lines(l.b) {
		var k uint64
		if found, _ := fmt.Sscanf(string(line), "%d packets dropped by kernel", &k); found == 1 {
			n = k
		}
	}
	return n
}
