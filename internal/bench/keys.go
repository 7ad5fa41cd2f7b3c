//go:build unix

package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// What a key may take until the picture shows what it does, and a filter until its first matches are there.
const (
	keyLimit    = 33 * time.Millisecond
	filterLimit = 100 * time.Millisecond
	liveRate    = 20_000 // packets a second
	liveBefore  = 2_000_000
)

// keys measures, on the built program at a terminal, how long it takes from a key to the picture that shows what it
// does: in a large capture, and while packets come.
func (b *bencher) keys(dir string, packets int) error {
	file := filepath.Join(dir, "large.pcap")
	size, err := generate(file, packets, mixes[0].packet())
	if err != nil {
		return err
	}
	fmt.Printf("\nkey to picture, at a terminal of 120x36; aim: %d ms at the 99th percentile, first matches of a filter "+
		"%d ms\n", keyLimit.Milliseconds(), filterLimit.Milliseconds())
	if err := b.typeAt(fmt.Sprintf("%d packets, %d MB, while they are read and after", packets, size/1e6), file,
		0); err != nil {
		return err
	}
	if err := os.Remove(file); err != nil {
		return err
	}
	return b.typeLive(dir)
}

// typeLive has packets come through a pipe: many at once, then a steady stream while keys are pressed.
func (b *bencher) typeLive(dir string) error {
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		return err
	}
	data, err := os.ReadFile(b.file)
	if err != nil {
		return err
	}
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- pour(pipe, data, stop) }()
	err = b.typeAt(fmt.Sprintf("%d packets, and %d more each second", liveBefore, liveRate), pipe, liveBefore)
	close(stop)
	if poured := <-done; err == nil {
		err = poured
	}
	return err
}

// pour writes a capture into a pipe, over and over: much at once, then at a pace. It ends when its reader does.
func pour(path string, data []byte, stop <-chan struct{}) error {
	pipe, err := os.OpenFile(path, os.O_RDWR, 0) // to write alone would wait for ever for a reader that never comes
	if err != nil {
		return err
	}
	defer pipe.Close()
	const head = 24
	if _, err := pipe.Write(data[:head]); err != nil {
		return err
	}
	records := data[head:]
	at, sent, start := 0, 0, time.Time{}
	take := func(n int) []byte {
		from := at
		for ; n > 0 && at < len(records); n-- {
			at += 16 + int(binary.LittleEndian.Uint32(records[at+8:]))
			sent++
		}
		return records[from:at]
	}
	for {
		n := 1000
		if sent >= liveBefore {
			if start.IsZero() {
				start = time.Now()
			}
			n = int(time.Since(start).Seconds()*liveRate) - (sent - liveBefore)
		}
		select {
		case <-stop:
			return nil
		default:
		}
		if n <= 0 {
			time.Sleep(time.Millisecond)
			continue
		}
		if at >= len(records) {
			at = 0
		}
		if err := writeUnless(pipe, take(n), stop); err != nil {
			return err
		}
	}
}

// writeUnless writes until it is told to stop: a pipe that nobody reads is full for ever.
func writeUnless(pipe *os.File, b []byte, stop <-chan struct{}) error {
	for len(b) > 0 {
		select {
		case <-stop:
			return nil
		default:
		}
		pipe.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		n, err := pipe.Write(b)
		if err != nil && !os.IsTimeout(err) {
			return err
		}
		b = b[n:]
	}
	return nil
}

// A session is one run of the program with what was measured in it.
type session struct {
	*terminalSession
	took  map[string][]time.Duration
	order []string
	lost  []string
}

// typeAt opens a source and presses all keys; before is how many packets must have come.
func (b *bencher) typeAt(title, source string, before int) error {
	t, err := seat(filepath.Join(filepath.Dir(source), "home"), b.remora, source)
	if err != nil {
		fmt.Println("not measured:", err)
		return nil
	}
	defer t.leave()
	s := &session{terminalSession: t, took: map[string][]time.Duration{}}
	start := time.Now()
	first, ok := t.until(20*time.Second, func(p picture) bool { return p.packet() > 0 })
	if !ok {
		return fmt.Errorf("no picture of %s:\n%s", source, first.text())
	}
	fmt.Printf("\n%s\n  first picture with packets after %d ms\n", title, first.at.Sub(start).Milliseconds())
	late := watchClock()
	if before == 0 {
		s.walk("while read: ", 1)
		t.rest(300*time.Millisecond, 10*time.Minute)
		fmt.Printf("  all read, dissected and counted after %.1f s\n", time.Since(start).Seconds())
	} else {
		t.tty.WriteString("gg")
		t.until(10*time.Minute, func(p picture) bool { return p.shown() >= before })
	}
	used, began := processCPU(t.cmd.Process.Pid), time.Now()
	s.walk("", 3)
	s.report()
	s.limits(b, title)
	fmt.Printf("  CPU of the program meanwhile: %.0f %% of a core; memory %d MB; a sleeper here is woken %.1f ms late "+
		"at the 99th percentile\n",
		(processCPU(t.cmd.Process.Pid)-used)/time.Since(began).Seconds()*100, residentOf(t.cmd.Process.Pid)/1e6, late())
	return nil
}

// watchClock measures how late this machine wakes a sleeper, which no program can do anything about.
func watchClock() (end func() float64) {
	stop, result := make(chan struct{}), make(chan []time.Duration, 1)
	go func() {
		var all []time.Duration
		for {
			select {
			case <-stop:
				result <- all
				return
			default:
				start := time.Now()
				time.Sleep(5 * time.Millisecond)
				all = append(all, time.Since(start)-5*time.Millisecond)
			}
		}
	}()
	return func() float64 {
		close(stop)
		return percentile(<-result, 99).Seconds() * 1e3
	}
}

func percentile(all []time.Duration, p int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return all[min(len(all)-1, len(all)*p/100)]
}

// report prints what was measured by key, and all of it together.
func (s *session) report() {
	fmt.Printf("  %-34s %6s %10s %10s %10s\n", "", "times", "median", "99th", "worst")
	var all []time.Duration
	line := func(name string, took []time.Duration, limit time.Duration) {
		sign := ""
		if percentile(took, 99) > limit {
			sign = "  above " + itoa(int(limit.Milliseconds()))
		}
		ms := func(p int) float64 { return percentile(took, p).Seconds() * 1e3 }
		fmt.Printf("  %-34s %6d %7.1f ms %7.1f ms %7.1f ms%s\n", name, len(took), ms(50), ms(99), ms(100), sign)
	}
	for _, name := range s.order {
		limit := keyLimit
		if strings.HasSuffix(name, "matches") {
			limit = filterLimit
		} else {
			all = append(all, s.took[name]...)
		}
		line(name, s.took[name], limit)
	}
	line("all keys", all, keyLimit)
	fmt.Printf("  keys without their picture: %d %s; pictures with panes of different packets: %d\n", len(s.lost),
		strings.Join(s.lost, ", "), s.torn)
}

func (s *session) note(name string, took time.Duration, ok bool) {
	if !ok {
		s.lost = append(s.lost, name)
		if verbose {
			fmt.Println(name + " is lost:\n" + s.view().text())
		}
		return
	}
	if s.took[name] == nil {
		s.order = append(s.order, name)
	}
	s.took[name] = append(s.took[name], took)
}

var allPackets = regexp.MustCompile(`([\d ]+\d) packets *$`)

// shown is how many packets there are by the line of the filter, when there is no filter.
func (p picture) shown() int {
	return number(allPackets.FindStringSubmatch(p.lines[1]))
}

// residentOf is the memory that a process has in RAM, without the pages of files.
func residentOf(pid int) int64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for l := range strings.Lines(string(b)) {
		var kb int64
		if n, _ := fmt.Sscanf(l, "RssAnon: %d kB", &kb); n == 1 {
			return kb * 1024
		}
	}
	return 0
}

// limits notes what all keys took together, and whether one of them or a pane was wrong.
func (s *session) limits(b *bencher, title string) {
	var all []time.Duration
	for name, took := range s.took {
		if !strings.HasSuffix(name, "matches") {
			all = append(all, took...)
		}
	}
	worst := percentile(all, 99)
	b.check("any key to picture, "+title, "33 ms at the 99th",
		fmt.Sprintf("%.1f ms, %d of %d keys lost", worst.Seconds()*1e3, len(s.lost), len(all)+len(s.lost)),
		worst <= keyLimit && len(s.lost) == 0)
	b.check("select: tree and bytes of the same packet, same run", "same picture",
		fmt.Sprintf("%d pictures of two packets", s.torn), s.torn == 0)
}
