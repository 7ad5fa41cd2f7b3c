//go:build unix

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A result is what came out for one capture.
type result struct {
	path         string
	theirs, ours outcome
	differs      string  // how, or empty
	reason       *reason // why that is as it should be
}

// An outcome is what one program made of one capture.
type outcome struct {
	packets int
	opened  bool   // it took the file for a capture
	fault   string // why it did not end as it should, such as a limit
	said    string // the first line on standard error
	cpu     time.Duration
	memory  int64 // bytes
}

// captures are the files below root whose name or first bytes say that they are captures.
func captures(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if path == root || named(path) || begins(path) {
			files = append(files, path)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// named tells whether a file's name ends as that of a capture.
func named(path string) bool {
	name := filepath.Base(path)
	for _, packed := range []string{".gz", ".zst", ".lz4"} {
		name = strings.TrimSuffix(name, packed)
	}
	return slices.Contains([]string{".pcap", ".pcapng", ".cap", ".ntar"}, filepath.Ext(name))
}

// begins tells whether a file begins as a pcap or pcapng file, packed by gzip or not.
func begins(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true // reported as a difference
	}
	defer f.Close()
	r := bufio.NewReader(f)
	head, _ := r.Peek(4)
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return false
		}
		head = make([]byte, 4)
		_, _ = io.ReadFull(z, head)
	}
	for _, magic := range []string{"\xa1\xb2\xc3\xd4", "\xd4\xc3\xb2\xa1", "\xa1\xb2\x3c\x4d", "\x4d\x3c\xb2\xa1",
		"\xa1\xb2\xcd\x34",
		"\x34\xcd\xb2\xa1", "\x0a\x0d\x0d\x0a"} {
		if string(head) == magic {
			return true
		}
	}
	return false
}

// compare has both programs read a capture.
func compare(ctx context.Context, program, root, path string, lim limits, reasons []*reason) *result {
	r := &result{path: path}
	r.theirs = attempt(ctx, limits{10 * time.Minute, 8 << 30}, "", "tshark", "-n", "-r", path, "-T", "fields", "-e",
		"frame.number")
	if strings.Contains(r.theirs.said, "contains record data that TShark doesn't support") {
		// link types that it does not know; a version of the format that is not known they both refuse
		r.theirs = counted(ctx, path)
	}
	// Whole trees: everything is dissected, and all text made.
	r.ours = attempt(ctx, lim, "Frame ", program, "-n", "-r", path, "-V")
	switch {
	case r.theirs.fault != "":
		r.differs = "the measure " + r.theirs.fault
	case r.ours.fault != "":
		r.differs = "remora " + r.ours.fault
	case r.theirs.opened != r.ours.opened:
		r.differs = fmt.Sprintf("the measure %s it, remora %s", opens(r.theirs.opened), opens(r.ours.opened))
	case r.theirs.packets != r.ours.packets:
		r.differs = fmt.Sprintf("%d packets by the measure, %d in remora", r.theirs.packets, r.ours.packets)
	case !r.theirs.opened && r.ours.said == "":
		r.differs = "remora refuses it without a word"
	}
	if r.differs != "" {
		r.reason = explain(reasons, filepath.Base(root), strings.TrimPrefix(strings.TrimPrefix(path, root), "/"))
	}
	return r
}

// counted is what tcpdump makes of a capture.
func counted(ctx context.Context, path string) (o outcome) {
	var failed bytes.Buffer
	cmd := exec.CommandContext(ctx, "tcpdump", "--count", "-r", path)
	cmd.Stderr = &failed
	out, err := cmd.Output()
	o.said = lastLine(failed.String())
	_, scan := fmt.Sscanf(string(out), "%d packet", &o.packets)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		o.fault = err.Error()
	}
	o.opened = scan == nil
	return o
}

func opens(yes bool) string {
	if yes {
		return "opens"
	}
	return "refuses"
}

// attempt runs a program within limits, and counts the lines that begin with start.
func attempt(ctx context.Context, lim limits, start string, command ...string) (o outcome) {
	ctx, cancel := context.WithTimeout(ctx, 10*lim.cpu)
	defer cancel()
	// The shell sets the limits and then becomes the program, so that what it used is what the program used.
	limited := fmt.Sprintf(`ulimit -t %d; ulimit -v %d; exec "$@"`, int(lim.cpu.Seconds()), lim.memory>>9)
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", limited, "sh"}, command...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "XDG_CONFIG_HOME=/nonexistent", "SSLKEYLOGFILE=")
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return outcome{fault: err.Error()}
	}
	o.packets = countLines(out, start)
	err = cmd.Wait()
	o.said = firstLine(failed.String())
	if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.memory = use.Maxrss << 10
	}
	o.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	code := cmd.ProcessState.ExitCode()
	o.opened = code == 0 || o.packets > 0 || strings.Contains(failed.String(), "cut short")
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		o.fault = fmt.Sprintf("does not end within %v", 10*lim.cpu)
	case err != nil && !errors.As(err, &exit):
		o.fault = err.Error()
	case code < 0:
		o.fault = fmt.Sprintf("was ended by %v after %.1f s", cmd.ProcessState, o.cpu.Seconds())
	case strings.Contains(failed.String(), "goroutine "):
		o.fault = "crashes"
	case o.memory > lim.memory:
		o.fault = fmt.Sprintf("takes %d MiB", o.memory>>20)
	case code > 2:
		o.fault = fmt.Sprintf("exits with %d", code)
	}
	return o
}

// countLines counts the lines that begin with start, however long they are.
func countLines(r io.Reader, start string) (n int) {
	b := bufio.NewReaderSize(r, 1<<16)
	for whole := true; ; {
		line, more, err := b.ReadLine()
		if err != nil {
			return n
		}
		if whole && bytes.HasPrefix(line, []byte(start)) {
			n++
		}
		whole = !more
	}
}

// firstLine leaves out what tshark says to root.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "Running as user") {
			return line
		}
	}
	return ""
}

// lastLine is where tcpdump says why.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// aptSource gets and unpacks a source package.
func aptSource(ctx context.Context, dir, pkg string) error {
	cmd := exec.CommandContext(ctx, "apt-get", "source", "--quiet", pkg)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("apt-get source %s: %w (it needs deb-src lines in the sources of apt, and dpkg-dev)", pkg, err)
	}
	return nil
}
