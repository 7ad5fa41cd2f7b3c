//go:build unix

package ui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/capture/live"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/testall"
	"remora/protocols"
)

// TestRandomKeysOnLiveTraffic presses random keys and resizes while packets arrive: every screen holds together, and
// once the capture is closed no goroutine, no file and little memory is left of it.
func TestRandomKeysOnLiveTraffic(t *testing.T) {
	if err := live.CanCapture(); err != nil {
		if os.Getenv("REMORA_REQUIRE_LIVE") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("TMUX", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	soakLive(t, 1, 20, 0) // what the first run leaves for good: tables made at first use
	goroutines, files, heap := leftovers()
	if passed := soakLive(t, 2, testall.Of(300, 1500), 0); passed < testall.Of(100, 1000) {
		t.Errorf("only %d packets arrived", passed)
	}
	nothingIsLeft(t, goroutines, files, heap)
}

// TestRandomKeysOnARing does so while little is kept: neither memory nor disk grow with what passes, and no packet
// leaves from under the cursor without a word.
func TestRandomKeysOnARing(t *testing.T) {
	if err := live.CanCapture(); err != nil {
		if os.Getenv("REMORA_REQUIRE_LIVE") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("TMUX", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	const keep = 1 << 20
	soakLive(t, 1, 20, keep)
	goroutines, files, heap := leftovers()
	passed := soakLive(t, 3, testall.Of(400, 1500), keep)
	t.Logf("%d packets passed", passed)
	if passed < testall.Of(2000, 10_000) {
		t.Errorf("only %d packets arrived", passed)
	}
	nothingIsLeft(t, goroutines, files, heap)
}

// nothingIsLeft waits until goroutines, files and memory are as they were.
func nothingIsLeft(t *testing.T, goroutines, files int, heap uint64) {
	t.Helper()
	for range 200 { // goroutines end a little after what they serve
		if now, _, _ := leftovers(); now <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	nowGoroutines, nowFiles, nowHeap := leftovers()
	if nowGoroutines > goroutines {
		buf := make([]byte, 1<<20)
		t.Errorf("%d goroutines are left, there were %d:\n%s", nowGoroutines, goroutines, buf[:runtime.Stack(buf, true)])
	}
	if nowFiles > files {
		t.Errorf("%d files are open, there were %d", nowFiles, files)
	}
	if nowHeap > heap+16<<20 {
		t.Errorf("%d MiB are held, there were %d", nowHeap>>20, heap>>20)
	}
}

func leftovers() (goroutines, files int, heap uint64) {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	list, _ := os.ReadDir("/proc/self/fd")
	return runtime.NumGoroutine(), len(list), m.HeapAlloc
}

// soakLive captures what talkers send on a net of their own while keys are pressed, and says how many packets passed.
// With keep, much more passes than is kept.
func soakLive(t *testing.T, seed uint64, keys int, keep int64) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	spool := t.TempDir()
	live := func(opt capture.Options) (*capture.Store, error) {
		opt.Interfaces, opt.Filter, opt.SpoolDir = []string{"lo"}, "net "+dissecttest.Loopback()+".0/24", spool
		return live.Start(ctx, opt)
	}
	store, err := live(capture.Options{Keep: keep})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	stop := talkers(t, keep > 0)
	defer stop()
	reg := dissecttest.Registry(t, protocols.All())
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	x := &screen{t,
		newModel(ctx,
			Config{Registry: reg, Store: store, Session: s, Live: live, Capture: capture.Options{Keep: keep},
				State: filepath.Join(t.TempDir(), "state"), Settings: Settings{TimeFormat: "r"}})}
	defer x.m.closeAll()
	x.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	rng := rand.New(rand.NewPCG(seed, 11))
	var first, most uint64 // the heap at rest, once the ring was full
	for i := range keys {
		x.poke(rng)
		x.m.ending.quit = false
		was, following := x.m.selected.Frame, x.m.list.Follow
		x.m.foot.Notice = ""
		x.send(tick{})
		if left := x.m.packets.Store.First(); keep > 0 && was > 0 && x.m.selected.Frame != was && !following &&
			x.m.chooser == nil && int(was) <= left && !strings.Contains(x.m.foot.Notice, "left") {
			t.Errorf("packet %d left from under the cursor, which is on %d now; said is %q", was, x.m.selected.Frame,
				x.m.foot.Notice)
		}
		x.holdsTogether(seed)
		if keep > 0 && i%100 == 99 {
			if n := diskUse(t, spool); n > keep+16<<20 {
				t.Errorf("%d MiB are on disk, %+v", n>>20, x.m.packets.Store.Status())
			}
			if x.m.packets.Store.First() > 0 {
				_, _, heap := leftovers()
				if first == 0 {
					first = heap
				}
				most = max(most, heap)
			}
		}
		time.Sleep(time.Millisecond)
		if t.Failed() {
			break
		}
	}
	if most > first+32<<20 {
		t.Errorf("the heap grew from %d to %d MiB", first>>20, most>>20)
	}
	return s.Passed()
}

// diskUse is how much of a disk the files in a folder take.
func diskUse(t *testing.T, dir string) (n int64) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			n += info.Sys().(*syscall.Stat_t).Blocks * 512
		}
	}
	return n
}

// talkers send game packets, questions and hostile text from several ends until they are stopped.
func talkers(t *testing.T, much bool) (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	to, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.ParseIP(dissecttest.Loopback() + ".1"), Port: 10800})
	if err != nil {
		t.Fatal(err)
	}
	for i := range byte(3) {
		from, err := net.DialUDP("udp4", &net.UDPAddr{IP: net.ParseIP(fmt.Sprint(dissecttest.Loopback(), ".", 2+i))},
			to.LocalAddr().(*net.UDPAddr))
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			defer from.Close()
			rng := rand.New(rand.NewPCG(uint64(i), 3))
			for {
				select {
				case <-done:
					return
				case <-time.After(500 * time.Microsecond):
				}
				if much {
					for range 20 {
						from.Write(make([]byte, 1200))
					}
				}
				text := []string{"\x0e\x03\x01\x00\x00\x00\x03\x01\x01\x00", "\x1b]0;owned\x07\x1b[2J\u202e", "\x00\x01",
					"GET / HTTP/1.1\r\n\r\n", "\x05"}[rng.IntN(5)]
				from.Write([]byte(text))
			}
		})
	}
	return func() { close(done); wg.Wait(); to.Close() }
}
