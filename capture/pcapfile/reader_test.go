package pcapfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"remora/capture"
	"remora/capture/internal/capturetest"
)

func TestReaderInAnyOrder(t *testing.T) {
	want := capturetest.Samples(8000)
	b := capturetest.Pcapng(capturetest.Orders["little"], want)
	stores := map[string]*capture.Store{"in place": open(t, capturetest.WriteTemp(t, "x", b), capture.Options{}),
		"memory": memory(t, b),
		"spool":  open(t, capturetest.WriteTemp(t, "x.gz", capturetest.Packed(t, "gzip", b)), capture.Options{})}
	for name, s := range stores {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			r := s.NewReader()
			for range 20_000 {
				i := rng.IntN(len(want))
				for i := i; i < min(i+rng.IntN(8), len(want)); i++ {
					got, err := r.Bytes(i)
					if err != nil || !bytes.Equal(got, want[i].Data) {
						t.Fatalf("packet %d: %v", i, err)
					}
					j := rng.IntN(len(want))
					n := len(want[j].Data)
					off := rng.IntN(n + 1)
					piece, err := r.ReadAt(j, off, n-off, []byte("abc"))
					if err != nil || !bytes.Equal(piece, append([]byte("abc"), want[j].Data[off:]...)) {
						t.Fatalf("piece of %d from %d: %v", j, off, err)
					}
					k := min(i+rng.IntN(400), len(want)-1)
					if ahead, err := r.Ahead(k); err != nil || !bytes.Equal(ahead, want[k].Data) {
						t.Fatalf("packet %d, ahead of %d: %v", k, i, err)
					}
					if !bytes.Equal(got, want[i].Data) {
						t.Fatalf("ReadAt of %d disturbed the bytes of %d", j, i)
					}
				}
			}
		})
	}
}

func TestReadAtRefusesWhatWasNotCaptured(t *testing.T) {
	s := memory(t,
		capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1,
			[]capturetest.Sample{{Time: 1, Len: 9, Data: []byte("abcd")}, {Time: 2, Len: 4, Data: []byte("next")}}))
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
		capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1,
			[]capturetest.Sample{{Time: 1, Len: 4, Data: []byte("abcd")}, {Time: 2, Len: 4, Data: []byte("next")}}))
	r := s.NewReader()
	a, _ := r.Bytes(0)
	_ = append(a, "................."...)
	if b, err := r.Bytes(1); err != nil || string(b) != "next" {
		t.Errorf("%q, %v", b, err)
	}
}

// TestReadersBesideTheWriter reads a spool while it is written: from memory, from the file and across both.
func TestReadersBesideTheWriter(t *testing.T) {
	want := capturetest.Samples(30_000)
	pr, pw := io.Pipe()
	s, err := OpenReader(context.Background(), "pipe", pr, capture.Options{SpoolDir: t.TempDir()})
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
					if b, err := r.Bytes(next); err != nil || !bytes.Equal(b, want[next].Data) {
						t.Errorf("packet %d: %v", next, err)
						return
					}
					if i := rng.IntN(next + 1); next%5 == 0 {
						if b, err := r.ReadAt(i, 0, len(want[i].Data), nil); err != nil || !bytes.Equal(b, want[i].Data) {
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
	b := capturetest.Pcapng(capturetest.Orders["big"], want)
	for len(b) > 0 {
		n := min(len(b), 7919)
		pw.Write(b[:n])
		b = b[n:]
	}
	pw.Close()
	wg.Wait()
	s.Wait()
	capturetest.Expect(t, s, want)
}

func TestReadingAfterClose(t *testing.T) {
	b := capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, capturetest.Samples(3))
	for name, s := range map[string]*capture.Store{"in place": open(t, capturetest.WriteTemp(t, "x", b),
		capture.Options{}),
		"spool": open(t, capturetest.WriteTemp(t, "x", capturetest.Packed(t, "lz4", b)), capture.Options{})} {
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := s.NewReader().Bytes(2); name == "in place" && !errors.Is(err, capture.ErrGone) {
			t.Errorf("%s: %v", name, err)
		}
		if s.Close() != nil || !s.Status().Done {
			t.Errorf("%s: closing twice", name)
		}
	}
}
