//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/protocols"
)

type bencher struct {
	remora, file string
	packets      int
	limits       []limit
	env          []string // of the programs that are compared
}

// table prints the comparisons over the saved capture.
func (b *bencher) table() {
	start := b.inside("start", b.file)
	pass := b.inside("pass", b.file)
	fmt.Printf("%-46s %10s %10s %10s\n", "", "CPU s", "ns/packet", "MB")
	b.row("remora: index the file", start, 0)
	b.row("remora: first pass (index included)", pass, pass.bytes)
	fmt.Printf("  memory after loading: %.1f bytes a packet over the start\n", float64(pass.bytes)/float64(b.packets))

	bpf := b.outside("tcpdump", "-r", b.file, "udp", "port", "10800", "-w", "/dev/null")
	b.row("tcpdump udp port 10800 -w /dev/null", bpf, 0)
	for _, f := range []struct {
		text string
		want float64
	}{{"udp.port == 10800", 30}, {"ip.addr == 10.0.0.0/8 && tcp.flags.syn == 1", 0}, {`dns.qry.name contains "a"`, 50},
		{"touhou.type == GAME_INPUT", 50}} {
		mine := b.inside("filter", b.file, f.text)
		b.row("remora filter "+f.text, mine, 0)
		fmt.Printf("  %d matches; CPU against tcpdump's: %.2f\n", mine.count, mine.cpu/bpf.cpu)
		theirs := f.text
		if strings.HasPrefix(theirs, "touhou") {
			theirs = "udp.port == 10800 && udp.payload[1] == 3"
		}
		ratio("filter: tshark / remora", b.outside("tshark", "-r", b.file, "-Y", theirs), mine, f.want)
	}
	const syn = "tcp.flags.syn == 1"
	read, again := b.inside("filter", b.file, syn), b.inside("again", b.file, syn)
	b.row("remora filter "+syn, read, 0)
	b.row("the same when its field was asked for before", again, again.bytes)
	ratio("filter: read / from its column", read, again, 0)
	first := b.inside("first", b.file)
	fmt.Printf("%-46s %10.0f ms\n", "remora: first 50 packets dissected after", first.wall*1e3)
}

// result is what one measured process used.
type result struct {
	cpu, wall float64
	bytes     int64
	count     int
	text      string
	ok        bool
}

func (b *bencher) row(name string, r result, bytes int64) {
	if !r.ok {
		fmt.Printf("%-46s %10s\n", name, "not here")
		return
	}
	fmt.Printf("%-46s %10.3f %10.0f", name, r.cpu, r.cpu/float64(b.packets)*1e9)
	if bytes != 0 {
		fmt.Printf(" %10.1f", float64(bytes)/1e6)
	}
	fmt.Println()
}

func ratio(name string, slow, fast result, want float64) {
	if !slow.ok || !fast.ok {
		return
	}
	note := ""
	if want > 0 {
		note = fmt.Sprintf("   (aim: %.0f)", want)
	}
	fmt.Printf("  %s: %.1f times%s\n", name, slow.cpu/fast.cpu, note)
}

// outside runs a program and reads its CPU time from the kernel's own books: the best of three runs, one for tshark.
func (b *bencher) outside(name string, args ...string) result {
	if _, err := exec.LookPath(name); err != nil {
		return result{}
	}
	runs := 3
	if name == "tshark" {
		runs = 1
	}
	best := result{}
	for range runs {
		r, err := b.once(name, args...)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %v\n", err)
			return result{}
		}
		if !best.ok || r.cpu < best.cpu {
			best = r
		}
	}
	return best
}

// once runs a program: its CPU time, wall time and the most memory.
func (b *bencher) once(name string, args ...string) (result, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), b.env...)
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return result{}, fmt.Errorf("%s: %w", name, err)
	}
	st, most := cmd.ProcessState, int64(0)
	if u, ok := st.SysUsage().(*syscall.Rusage); ok {
		most = u.Maxrss << 10
	}
	return result{cpu: (st.UserTime() + st.SystemTime()).Seconds(), wall: time.Since(start).Seconds(), bytes: most,
		ok: true}, nil
}

// inside measures something in a fresh process of this program.
func (b *bencher) inside(what, file string, args ...string) result {
	best := result{}
	for range 3 {
		out, err := exec.Command(os.Args[0], append([]string{"-child", what, file}, args...)...).Output()
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s: %v\n", what, err)
			return result{}
		}
		var r result
		line, text, _ := strings.Cut(string(out), "\n")
		fmt.Sscan(line, &r.cpu, &r.wall, &r.bytes, &r.count)
		r.text = text
		r.ok = true
		if !best.ok || r.cpu < best.cpu {
			best = r
		}
	}
	return best
}

// measureInside is the child's side of inside: it prints CPU seconds, wall seconds, bytes and a count.
func measureInside(what string, args []string) error {
	if what == "send" {
		return send(args)
	}
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		return err
	}
	before := resident()
	cpu0, wall0 := cpuTime(), time.Now()
	store, err := pcapfile.Open(context.Background(), args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		return err
	}
	count := 0
	switch what {
	case "start":
		store.Wait()
	case "first":
		for store.Len() < 50 && !store.Status().Done {
			time.Sleep(100 * time.Microsecond)
		}
		s.PassTo(50)
		for n := range s.Passed() {
			s.Tree(dissect.FrameNum(n + 1))
		}
	case "pass", "filter", "again", "parts":
		if err := s.Pass(context.Background()); err != nil {
			return err
		}
		for range map[string]int{"filter": 1, "again": 2}[what] {
			f, err := filter.Compile(reg, args[1])
			if err != nil {
				return err
			}
			count, cpu0, wall0 = 0, cpuTime(), time.Now()
			err = filter.Scan(context.Background(), s, f, 1, dissect.FrameNum(s.Passed()),
				func(m []dissect.FrameNum, _ dissect.FrameNum) { count += len(m) })
			if err != nil {
				return err
			}
		}
	}
	cpu, wall := cpuTime()-cpu0, time.Since(wall0).Seconds()
	runtime.GC()
	debug.FreeOSMemory()
	fmt.Println(cpu, wall, resident()-before, count)
	if what == "parts" {
		for _, part := range s.Memory() {
			fmt.Printf(" %s %.1f", part.Name, float64(part.Bytes)/float64(max(1, s.Passed())))
		}
	}
	runtime.KeepAlive(s)
	return nil
}

func cpuTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// resident is the memory this process has in RAM, in bytes.
func resident() int64 {
	b, _ := os.ReadFile("/proc/self/statm")
	f := strings.Fields(string(b))
	if len(f) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(f[1], 10, 64)
	return pages * int64(os.Getpagesize())
}
