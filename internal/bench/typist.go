//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// A terminalSession sits at a terminal: it starts the program, presses keys, and looks at each picture that comes.
type terminalSession struct {
	cmd      *exec.Cmd
	tty      *os.File
	screen   *screen
	mu       sync.Mutex // of screen
	pictures chan picture
	came     time.Time // the output that is being taken
	torn     int       // pictures whose panes are of different packets
}

// verbose shows the screens that were not as they should be.
var verbose = os.Getenv("BENCH_VERBOSE") != ""

// A picture is what the screen shows at a time, from top to bottom.
type picture struct {
	at    time.Time // when its last byte came
	lines []string
	pens  [][]pen
}

func (s *screen) picture(at time.Time) picture {
	p := picture{at: at}
	for i := range s.h {
		text, pens := s.line(i)
		p.lines, p.pens = append(p.lines, text), append(p.pens, pens)
	}
	return p
}

// like tells whether another picture looks the same.
func (p picture) like(o picture) bool {
	return slices.Equal(p.lines, o.lines) && slices.EqualFunc(p.pens, o.pens, slices.Equal)
}

func (p picture) text() string { return strings.Join(p.lines, "\n") }

func (p picture) has(s string) bool { return strings.Contains(p.text(), s) }

var (
	selectedPacket = regexp.MustCompile(`(?m)^── (\d{1,3}(?: \d{3})*) \S`)
	treeOfPacket   = regexp.MustCompile(`(?m)^ [▸▾] Frame (\d+)\b`)
	listRow        = regexp.MustCompile(`^[ ▸│].[ ✗!] *\d+ `)
)

// packet is the number of the selected packet as the title of the panes says it, or 0.
func (p picture) packet() int { return number(selectedPacket.FindStringSubmatch(p.text())) }

func number(found []string) int {
	if len(found) < 2 {
		return 0
	}
	n, _ := strconv.Atoi(strings.ReplaceAll(found[1], " ", ""))
	return n
}

// whole tells whether title and tree are of the same packet.
func (p picture) whole() bool {
	tree := number(treeOfPacket.FindStringSubmatch(p.text()))
	return tree == 0 || p.packet() == 0 || tree == p.packet()
}

// rows is how many packets the list shows.
func (p picture) rows() int {
	n := 0
	for _, l := range p.lines {
		if listRow.MatchString(l) {
			n++
		}
	}
	return n
}

// seat starts a program on a terminal of its own, with a home of its own.
func seat(home, name string, args ...string) (*terminalSession, error) {
	const w, h = 120, 36 // the size that the screens are designed for
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	cmd := exec.Command(name, args...)
	for _, v := range os.Environ() { // what the terminal here is must not matter
		if !strings.HasPrefix(v, "TERM_PROGRAM=") && !strings.HasPrefix(v, "SSH_") && !strings.HasPrefix(v, "NO_COLOR=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "LC_ALL=C.UTF-8", "HOME="+home, "XDG_STATE_HOME="+home,
		"XDG_CONFIG_HOME="+home)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		return nil, err
	}
	t := &terminalSession{cmd: cmd, tty: tty, pictures: make(chan picture, 4096)}
	t.screen = newScreen(w, h, func(reply string) { tty.WriteString(reply) }, t.take)
	go t.watch()
	return t, nil
}

func (t *terminalSession) watch() {
	defer close(t.pictures)
	b := make([]byte, 1<<16)
	for {
		n, err := t.tty.Read(b)
		if err != nil {
			return
		}
		at := time.Now()
		t.mu.Lock()
		t.came = at
		t.screen.write(b[:n])
		t.mu.Unlock()
	}
}

// take is called where a picture ends. The program never waits for somebody to look at it.
func (t *terminalSession) take() {
	select {
	case t.pictures <- t.screen.picture(t.came):
	default:
	}
}

// until looks at pictures until one is as it should be. Every picture on the way is looked at, too.
func (t *terminalSession) until(most time.Duration, good func(p picture) bool) (picture, bool) {
	timeout := time.NewTimer(most)
	defer timeout.Stop()
	for {
		select {
		case p, open := <-t.pictures:
			if !open {
				return p, false
			}
			if !p.whole() {
				if t.torn++; t.torn == 1 && verbose {
					fmt.Println("torn:\n" + p.text())
				}
			}
			if good(p) {
				return p, true
			}
		case <-timeout.C:
			return picture{}, false
		}
	}
}

// rest lets the program come to rest: no picture for a while.
func (t *terminalSession) rest(quiet, most time.Duration) {
	end := time.After(most)
	for {
		select {
		case _, open := <-t.pictures:
			if !open {
				return
			}
		case <-time.After(quiet):
			return
		case <-end:
			return
		}
	}
}

// press writes keys and waits for the picture that shows what they do: how long did that take?
func (t *terminalSession) press(keys string, good func(p picture) bool) (time.Duration, picture, bool) {
	for len(t.pictures) > 0 {
		<-t.pictures
	}
	start := time.Now()
	if _, err := t.tty.WriteString(keys); err != nil {
		return 0, picture{}, false
	}
	p, ok := t.until(10*time.Second, good)
	return p.at.Sub(start), p, ok
}

// resize gives the terminal another size.
func (t *terminalSession) resize(w, h int, good func(p picture) bool) (time.Duration, picture, bool) {
	t.mu.Lock()
	t.screen.resize(w, h)
	t.mu.Unlock()
	for len(t.pictures) > 0 {
		<-t.pictures
	}
	start := time.Now()
	if err := pty.Setsize(t.tty, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		return 0, picture{}, false
	}
	p, ok := t.until(10*time.Second, func(p picture) bool { return p.at.After(start) && good(p) })
	return p.at.Sub(start), p, ok
}

// leave ends the program.
func (t *terminalSession) leave() {
	t.cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(5*time.Second, func() { t.cmd.Process.Kill() })
	t.cmd.Wait()
	kill.Stop()
	t.tty.Close()
}
