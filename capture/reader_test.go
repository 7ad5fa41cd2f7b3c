package capture

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
)

func TestReaderInAnyOrder(t *testing.T) {
	want := samples(8000)
	b := ngBytes(orders["little"], want)
	stores := map[string]*Store{"in place": open(t, writeTemp(t, "x", b), Options{}), "memory": memory(t, b),
		"spool": open(t, writeTemp(t, "x.gz", packed(t, "gzip", b)), Options{})}
	for name, s := range stores {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			r := s.NewReader()
			for range 20_000 {
				i := rng.IntN(len(want))
				for i := i; i < min(i+rng.IntN(8), len(want)); i++ {
					got, err := r.Bytes(i)
					if err != nil || !bytes.Equal(got, want[i].data) {
						t.Fatalf("packet %d: %v", i, err)
					}
					j := rng.IntN(len(want))
					n := len(want[j].data)
					off := rng.IntN(n + 1)
					piece, err := r.ReadAt(j, off, n-off, []byte("abc"))
					if err != nil || !bytes.Equal(piece, append([]byte("abc"), want[j].data[off:]...)) {
						t.Fatalf("piece of %d from %d: %v", j, off, err)
					}
					if !bytes.Equal(got, want[i].data) {
						t.Fatalf("ReadAt of %d disturbed the bytes of %d", j, i)
					}
				}
			}
		})
	}
}

func TestReadAtRefusesWhatWasNotCaptured(t *testing.T) {
	s := memory(t,
		pcapBytes(orders["little"], magicMicro, 1,
			[]sample{{time: 1, len: 9, data: []byte("abcd")}, {time: 2, len: 4, data: []byte("next")}}))
	r := s.NewReader()
	for _, c := range [][2]int{{0, 5}, {4, 1}, {5, 0}, {-1, 1}, {0, -1}, {1 << 40, 1}, {1, 1 << 62}} {
		if got, err := r.ReadAt(0, c[0], c[1], []byte("x")); err == nil || string(got) != "x" {
			t.Errorf("ReadAt(%d, %d) gave %q", c[0], c[1], got)
		}
	}
	if got, err := r.ReadAt(0, 4, 0, nil); err != nil || len(got) != 0 {
		t.Errorf("nothing at the end: %q, %v", got, err)
	}
}

func TestBytesCannotGrowIntoTheNeighbour(t *testing.T) {
	s := memory(t,
		pcapBytes(orders["little"], magicMicro, 1,
			[]sample{{time: 1, len: 4, data: []byte("abcd")}, {time: 2, len: 4, data: []byte("next")}}))
	r := s.NewReader()
	a, _ := r.Bytes(0)
	_ = append(a, "................."...)
	if b, err := r.Bytes(1); err != nil || string(b) != "next" {
		t.Errorf("%q, %v", b, err)
	}
}

// TestReadersBesideTheWriter reads a spool while it is written: from memory, from the file and across both.
func TestReadersBesideTheWriter(t *testing.T) {
	want := samples(30_000)
	pr, pw := io.Pipe()
	s, err := OpenReader(context.Background(), "pipe", pr, Options{SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var wg sync.WaitGroup
	for k := range 3 {
		wg.Go(func() {
			changed, cancel := s.Subscribe()
			defer cancel()
			r, rng := s.NewReader(), rand.New(rand.NewPCG(uint64(k), 1))
			for next := 0; next < len(want); {
				for ; next < s.Len(); next++ {
					if b, err := r.Bytes(next); err != nil || !bytes.Equal(b, want[next].data) {
						t.Errorf("packet %d: %v", next, err)
						return
					}
					if i := rng.IntN(next + 1); next%5 == 0 {
						if b, err := r.ReadAt(i, 0, len(want[i].data), nil); err != nil || !bytes.Equal(b, want[i].data) {
							t.Errorf("looking back at %d: %v", i, err)
							return
						}
					}
				}
				if next < len(want) {
					<-changed
				}
			}
		})
	}
	b := ngBytes(orders["big"], want)
	for len(b) > 0 {
		n := min(len(b), 7919)
		pw.Write(b[:n])
		b = b[n:]
	}
	pw.Close()
	wg.Wait()
	s.Wait()
	expect(t, s, want)
}

func TestReadingAfterClose(t *testing.T) {
	b := pcapBytes(orders["little"], magicMicro, 1, samples(3))
	for name, s := range map[string]*Store{"in place": open(t, writeTemp(t, "x", b), Options{}),
		"spool": open(t, writeTemp(t, "x", packed(t, "lz4", b)), Options{})} {
		s.spoolToFile()
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := s.NewReader().Bytes(2); name == "in place" && !errors.Is(err, ErrGone) {
			t.Errorf("%s: %v", name, err)
		}
		if s.Close() != nil || !s.Status().Done {
			t.Errorf("%s: closing twice", name)
		}
	}
}

// spoolToFile is nothing but a flush, as the clock does it.
func (s *Store) spoolToFile() {
	if s.spool != nil {
		s.mu.Lock()
		s.spool.flush()
		s.mu.Unlock()
	}
}

func TestSubscribers(t *testing.T) {
	s := memory(t, pcapBytes(orders["little"], magicMicro, 1, nil))
	a, cancelA := s.Subscribe()
	b, cancelB := s.Subscribe()
	<-a
	<-b
	cancelA()
	s.wake()
	s.wake()
	<-b
	select {
	case <-a:
		t.Error("a cancelled subscriber was told")
	case <-b:
		t.Error("two wake-ups did not become one")
	default:
	}
	cancelB()
	s.wake()
}

// TestSubscribeWhilePacketsCome subscribes again and again while a writer wakes everybody: it must never wait.
func TestSubscribeWhilePacketsCome(t *testing.T) {
	s := &Store{}
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				s.wake()
			}
		}
	}()
	for range 20_000 {
		_, cancel := s.Subscribe()
		cancel()
	}
	close(stop)
	<-done
}
