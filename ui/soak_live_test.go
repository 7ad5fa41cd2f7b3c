package ui

import (
	"context"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// TestRandomKeysOnLiveTraffic presses random keys and resizes while packets arrive: every screen holds together, and once
// the capture is closed no goroutine, no file and little memory is left of it.
func TestRandomKeysOnLiveTraffic(t *testing.T) {
	if err := capture.CanCapture(); err != nil {
		if os.Getenv("REMORA_REQUIRE_LIVE") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("TMUX", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	soakLive(t, 1, 20) // what the first run leaves for good: tables made at first use
	goroutines, files, heap := leftovers()
	passed := soakLive(t, 2, 1500)
	if passed < 1000 {
		t.Errorf("only %d packets arrived", passed)
	}
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
func soakLive(t *testing.T, seed uint64, keys int) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	spool := t.TempDir()
	live := func(opt capture.Options) (*capture.Store, error) {
		opt.Interfaces, opt.Filter, opt.SpoolDir = []string{"lo"}, "net 127.0.80.0/24", spool
		return capture.OpenLive(ctx, opt)
	}
	store, err := live(capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	stop := talkers(t)
	defer stop()
	reg := dissecttest.Registry(t, protocols.All())
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	x := &screen{t, newModel(ctx, Config{Registry: reg, Store: store, Session: s, Live: live, State: filepath.Join(t.TempDir(), "state"), Settings: Settings{TimeFormat: "r"}})}
	defer x.m.closeAll()
	x.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	rng := rand.New(rand.NewPCG(seed, 11))
	for range keys {
		x.poke(rng)
		x.m.quit = false
		x.send(tick{})
		x.holdsTogether(seed)
		time.Sleep(time.Millisecond)
		if t.Failed() {
			break
		}
	}
	return s.Passed()
}

// talkers send game packets, questions and hostile text from several ends until they are stopped.
func talkers(t *testing.T) (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	to, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 80, 1), Port: 10800})
	if err != nil {
		t.Fatal(err)
	}
	for i := range byte(3) {
		from, err := net.DialUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 80, 2+i)}, to.LocalAddr().(*net.UDPAddr))
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
				text := []string{"\x0e\x03\x01\x00\x00\x00\x03\x01\x01\x00", "\x1b]0;owned\x07\x1b[2J\u202e", "\x00\x01", "GET / HTTP/1.1\r\n\r\n", "\x05"}[rng.IntN(5)]
				from.Write([]byte(text))
			}
		})
	}
	return func() { close(done); wg.Wait(); to.Close() }
}
