//go:build unix

package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"remora/capture"
	"remora/capture/internal/capturetest"
	"remora/internal/sibling"
)

// FuzzRequests sends any bytes to a capture that goes on: it loses no packet by them, and the next reader is served.
func FuzzRequests(f *testing.F) {
	for _, r := range []request{{Attach: true}, {Stop: true}, {Next: true}, {End: endKeep}, {End: endDiscard},
		{Describe: true}} {
		f.Add(encode(r))
	}
	f.Add([]byte(`{"End":"other"}{"Start":{"Interfaces":["x"]}}`))
	f.Add([]byte(`[[[[{"Stop":1}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		e := fed(t, capture.Options{Interfaces: []string{"test0"}, SpoolDir: t.TempDir(), Unattended: time.Hour})
		h := (&server{}).host(e)
		feed(t, e, 0, 3)
		first := reads(t, h)
		defer first.Close()
		mine, its, err := sibling.Pair()
		if err != nil {
			t.Fatal(err)
		}
		c, err := sibling.FromFile(its)
		if err != nil || !h.join() {
			t.Fatal("the capture is over", err)
		}
		h.s.busy.Go(func() { h.attend(c, messages(c)); c.Close() })
		conn, err := sibling.FromFile(mine)
		if err != nil {
			t.Fatal(err)
		}
		conn.Write(b)
		conn.Close()
		feed(t, e, 3, 3)
		capturetest.WaitFor(t, first, 6)
		late := reads(t, h)
		defer late.Close()
		capturetest.WaitFor(t, late, 6)
		finishFed(e)
		first.Wait()
		late.Wait()
	})
}

// FuzzReports answers a program that joins a capture with any bytes and any spool: it gets an error, or a store that
// ends.
func FuzzReports(f *testing.F) {
	g := &capturetest.NG{Order: capturetest.Orders["little"]}
	spool := g.Section().Interface(1, 0).Packet(0, 1, 4, []byte("good")).Bytes
	head := int64(len((&capturetest.NG{Order: capturetest.Orders["little"]}).Section().Interface(1, 0).Bytes))
	start := began{Options: capture.Options{Interfaces: []string{"a"}}, Name: "a", Spool: true, Head: head}
	state := progress{End: int64(len(spool)), Taken: 1, KeptFrom: head, Done: true,
		Counts: []capture.InterfaceStatus{{}, {}}}
	f.Add(append(encode(report{Began: &start}), encode(report{State: &state})...), spool)
	odd := start
	odd.Head, odd.MarkAt = -1, 1<<62
	state.First, state.KeptFrom, state.End, state.Taken = -5, 1<<60, -1, 1<<40
	f.Add(append(encode(report{Began: &odd}), encode(report{State: &state})...), spool)
	f.Add(encode(report{Failed: newWireError(errors.New("no"))}), []byte{})
	f.Add([]byte("{}\n"), spool[:20])
	f.Fuzz(func(t *testing.T, b, spool []byte) {
		path := filepath.Join(t.TempDir(), "spool")
		if err := os.WriteFile(path, spool, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		mine, its, err := sibling.Pair()
		if err != nil {
			t.Fatal(err)
		}
		c, err := sibling.FromFile(its)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := sibling.FromFile(mine)
		if err != nil {
			t.Fatal(err)
		}
		c.WriteMsgUnix(b, unix.UnixRights(int(file.Fd())), nil)
		c.Close()
		s, err := join(context.Background(), conn, request{Attach: true})
		if err != nil {
			return
		}
		defer s.Close()
		s.Wait()
		r := s.NewReader()
		for i := s.First(); i < s.Len(); i++ {
			r.Bytes(i)
		}
	})
}

// TestMessagesEnd gives up on a message that has no end.
func TestMessagesEnd(t *testing.T) {
	var r request
	fits := encode(request{End: endOfUse(bytes.Repeat([]byte("x"), maxMessage/2))})
	in := messages(bytes.NewReader(bytes.Repeat(fits, 4)))
	for range 4 {
		if err := in.Decode(&r); err != nil {
			t.Fatal(err)
		}
	}
	endless := append([]byte(`{"End":"`), bytes.Repeat([]byte("x"), 2*maxMessage)...)
	if err := messages(bytes.NewReader(endless)).Decode(&r); !errors.Is(err, errTooLong) {
		t.Errorf("%v", err)
	}
	var syntax *json.SyntaxError
	if err := messages(bytes.NewReader([]byte("}"))).Decode(&r); !errors.As(err, &syntax) {
		t.Errorf("%v", err)
	}
}

// TestMessagesAreReadWhole: who writes to a connection without a buffer is not kept waiting with the end of a message.
func TestMessagesAreReadWhole(t *testing.T) {
	for n := 400; n < 1100; n++ {
		a, b := net.Pipe()
		sent := make(chan error, 1)
		go func() {
			_, err := a.Write(encode(request{End: endOfUse(bytes.Repeat([]byte("x"), n))}))
			sent <- err
		}()
		var r request
		if err := messages(b).Decode(&r); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-sent:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("a message of %d bytes is not read whole", n)
		}
		a.Close()
		b.Close()
	}
}
