//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"

	"remora/capture/pcapfile"
)

// The flood: small datagrams over loopback, in a network namespace of its own.
const (
	floodRate    = 300_000
	floodSeconds = 10
	namespace    = "remora-bench"
)

// live floods a loopback interface and compares what remora with its screen open spends on it with dumpcap.
func (b *bencher) live(dir string) error {
	if os.Geteuid() != 0 {
		fmt.Println("\nlive capture: not measured (needs root)")
		return nil
	}
	exec.Command("ip", "netns", "del", namespace).Run()
	if out, err := exec.Command("ip", "netns", "add", namespace).CombinedOutput(); err != nil {
		fmt.Printf("\nlive capture: not measured (%s)\n", strings.TrimSpace(string(out)))
		return nil
	}
	defer exec.Command("ip", "netns", "del", namespace).Run()
	if err := exec.Command("ip", "-n", namespace, "link", "set", "lo", "up").Run(); err != nil {
		return err
	}
	fmt.Printf("\nlive: %d packets a second for %d s over loopback\n", floodRate, floodSeconds)
	file := filepath.Join(dir, "live.pcapng")
	mine := b.flood(file, true, b.remora, "-i", "lo", "-w", file)
	mine.print("remora, screen open", file)
	if err := b.withoutC(dir, file); err != nil {
		return err
	}
	if _, err := exec.LookPath("dumpcap"); err != nil {
		return nil
	}
	os.Remove(file)
	theirs := b.flood(file, false, "dumpcap", "-q", "-i", "lo", "-B", "32", "-w", file)
	theirs.print("dumpcap", file)
	if mine.sent > 0 && theirs.sent > 0 {
		fmt.Printf("  CPU per packet, remora / dumpcap: %.2f while the packets come (aim: below 1)\n",
			(mine.cpu/float64(mine.sent))/(theirs.cpu/float64(theirs.sent)))
	}
	return nil
}

// withoutC floods the build that has no libpcap, and prints what it takes from packet sockets.
func (b *bencher) withoutC(dir, file string) error {
	program := filepath.Join(dir, "remora-without-c")
	build := exec.Command("go", "build", "-pgo=off", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building without cgo: %w\n%s", err, out)
	}
	os.Remove(file)
	b.flood(file, true, program, "-i", "lo", "-w", file).print("remora without libpcap", file)
	os.Remove(file)
	return nil
}

type flooded struct {
	sent int
	cpu  float64 // while the flood lasts
	late float64 // afterwards, until it is at rest
	err  error
}

func (f flooded) print(name, file string) {
	if f.err != nil {
		fmt.Printf("%-24s %v\n", name, f.err)
		return
	}
	store, err := pcapfile.Open(context.Background(), file)
	if err != nil {
		fmt.Printf("%-24s %v\n", name, err)
		return
	}
	defer store.Close()
	store.Wait()
	fmt.Printf("%-24s sent %d, captured %d (%.3f %% lost), CPU %.2f s = %.0f ns a packet, %.2f s more to catch up\n", name,
		f.sent, store.Len(),
		100*(1-float64(store.Len())/float64(max(1, f.sent))), f.cpu, f.cpu/float64(max(1, f.sent))*1e9, f.late)
}

// flood starts a capturing program in the namespace, sends to it, and reads its CPU time.
func (b *bencher) flood(file string, screen bool, name string, args ...string) flooded {
	cmd := exec.Command("ip", append([]string{"netns", "exec", namespace, name}, args...)...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	if screen {
		tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 36, Cols: 120})
		if err != nil {
			return flooded{err: err}
		}
		go io.Copy(io.Discard, tty)
		defer tty.Close()
	} else if err := cmd.Start(); err != nil {
		return flooded{err: err}
	}
	time.Sleep(1500 * time.Millisecond)
	before := processCPU(cmd.Process.Pid)
	out, err := exec.Command("ip", "netns", "exec", namespace, os.Args[0], "-child", "send", file).Output()
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return flooded{err: fmt.Errorf("sending: %w", err)}
	}
	f := flooded{}
	fmt.Sscan(string(out), &f.sent)
	f.cpu = processCPU(cmd.Process.Pid) - before
	time.Sleep(4 * time.Second)
	f.late = processCPU(cmd.Process.Pid) - before - f.cpu
	cmd.Process.Signal(syscall.SIGTERM)
	done := make(chan struct{})
	go func() { cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		cmd.Process.Kill()
		<-done
	}
	return f
}

// processCPU is what a process and those that it has started have used so far, in seconds: "ip netns exec" replaces
// itself by the program, and remora captures in a process of its own.
func processCPU(pid int) float64 {
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	ticks := 0
	for _, path := range all {
		b, _ := os.ReadFile(path)
		_, rest, _ := strings.Cut(string(b), ") ")
		f := strings.Fields(rest)
		own := path == fmt.Sprintf("/proc/%d/stat", pid)
		if len(f) < 13 || !own && f[1] != strconv.Itoa(pid) {
			continue
		}
		user, _ := strconv.Atoi(f[11])
		system, _ := strconv.Atoi(f[12])
		ticks += user + system
	}
	return float64(ticks) / 100
}

// send is the child that floods: paced in steps of a millisecond, bounded in time.
func send(args []string) error {
	rate, seconds := floodRate, floodSeconds
	if len(args) == 3 {
		fmt.Sscan(args[1]+" "+args[2], &rate, &seconds)
	}
	to, err := net.DialUDP("udp4", nil, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 40000})
	if err != nil {
		return err
	}
	defer to.Close()
	sink, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 40000})
	if err != nil {
		return err
	}
	defer sink.Close() // nobody reads: what does not fit is dropped behind the capture
	payload := make([]byte, 18)
	raw, err := to.SyscallConn()
	if err != nil {
		return err
	}
	sent, start := 0, time.Now()
	err = raw.Write(func(fd uintptr) bool {
		for {
			since := time.Since(start)
			if since > time.Duration(seconds)*time.Second {
				return true
			}
			for due := int(since.Seconds() * float64(rate)); sent < due; sent++ {
				if _, err := syscall.Write(int(fd), payload); err != nil && err != syscall.EAGAIN && err != syscall.ECONNREFUSED {
					return true
				}
			}
			time.Sleep(200 * time.Microsecond)
		}
	})
	fmt.Println(sent)
	return err
}
