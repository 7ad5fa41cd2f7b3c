package stats

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/internal/testall"
	"remora/protocols"
)

// flood writes a capture of n packets: SYNs from random addresses, and among every sixteen one of a connection that
// lasts.
func flood(w io.Writer, n int) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	out.Write([]byte{0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0})
	r := rand.New(rand.NewPCG(1, 2))
	p := make([]byte, 16+54)
	copy(p[16:], []byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0})
	p[8], p[12] = 54, 54
	for i := range n {
		binary.LittleEndian.PutUint32(p, uint32(1_700_000_000+i/100_000))
		binary.LittleEndian.PutUint32(p[4:], uint32(i%100_000*10))
		src, port, flags := 0x0a000000|r.Uint32N(1<<24), uint16(1024+i%50_000), byte(2)
		if i%16 == 0 {
			src, port, flags = 0xc0a80002, 999, 0x10
		}
		binary.BigEndian.PutUint32(p[42:], src)
		binary.BigEndian.PutUint32(p[46:], 0xc0a80001)
		binary.BigEndian.PutUint16(p[50:], port)
		p[52], p[53], p[62], p[63] = 0, 80, 0x50, flags
		out.Write(p)
	}
}

// flooded is a session over n packets of a flood that come through a pipe, with what counts them.
func flooded(t *testing.T, n int, r dissect.Retention) (*dissect.Session, *Table, *Tally) {
	t.Helper()
	pr, pw := io.Pipe()
	go func() {
		flood(pw, n)
		pw.Close()
	}()
	store, err := pcapfile.OpenReader(context.Background(), "flood", pr, capture.Options{SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	s.SetRetention(r)
	table, tally, l := NewTable(s, "tcp"), NewTally(s), s.Dissector()
	wake, cancel := store.Subscribe()
	defer cancel()
	for at := 0; at < n; {
		if have := min(store.Len(), at+4096); have > at {
			s.PassTo(have)
			frames := make([]dissect.FrameNum, 0, 4096)
			for i := at; i < have; i++ {
				frames = append(frames, dissect.FrameNum(i+1))
			}
			table.Frames(l, frames, dissect.FrameNum(have))
			tally.Frames(frames, dissect.FrameNum(have))
			at = have
			store.Consumed(at)
			continue
		}
		<-wake
	}
	return s, table, tally
}

// TestMemoryHasALimit sends a flood of connections through a small limit: what is held stays below it, what is counted
// is right, and what is left is as it would be without a limit.
func TestMemoryHasALimit(t *testing.T) {
	n, limit := testall.Of(250_000, 1_000_000), int64(testall.Of(16<<20, 32<<20))
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, table, tally := flooded(t, n, dissect.Retention{Memory: limit})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 2*limit {
		t.Errorf("%d MiB are held after %d packets, the limit is %d MiB", held>>20, n, limit>>20)
	}
	if all, _, _ := tally.All(); all.Packets != uint64(n) {
		t.Errorf("%d packets are counted, want %d", all.Packets, n)
	}
	top := tally.Hierarchy()
	if len(top) != 1 || top[0].Packets != uint64(n) {
		t.Errorf("the hierarchy has %d protocols at its top, want one with %d packets", len(top), n)
	}
	gone, sum := table.Evicted()
	lasting := uint64(0)
	for _, conv := range table.Conversations() {
		sum.Packets += conv.Both().Packets
		lasting = max(lasting, conv.Both().Packets)
	}
	if gone == 0 || sum.Packets != uint64(n) {
		t.Errorf("%d packets are counted by conversation, %d conversations among the others; want %d packets", sum.Packets,
			gone, n)
	}
	if lasting != uint64(n/16) {
		t.Errorf("the connection that lasts has %d packets, want %d", lasting, n/16)
	}
	at80 := uint64(0)
	for _, e := range table.Endpoints() {
		if e.End.Port == 80 {
			at80 = e.Both().Packets
		}
	}
	if at80 != uint64(n) {
		t.Errorf("the endpoint that is flooded has %d packets, want %d", at80, n)
	}
	if ports := table.Ports(); len(ports) != 1 || ports[0].Port != 80 || ports[0].Both().Packets != uint64(n) {
		t.Errorf("the ports are %+v, want 80 with %d packets", ports, n)
	}
	if f := s.Forgotten(); f.Conversations == 0 || f.Packets == 0 || int(f.Packets) != s.Store().First() {
		t.Errorf("%+v were forgotten, %d packets left", f, s.Store().First())
	}
	whole, _, _ := flooded(t, n, dissect.Retention{})
	if whole.Forgotten() != (dissect.Forgotten{}) {
		t.Errorf("without a limit %+v were forgotten", whole.Forgotten())
	}
	same(t, s, whole)
}

// same holds the packets that one session has kept against those of another that forgets nothing.
func same(t *testing.T, s, whole *dissect.Session) {
	t.Helper()
	if s.Conversations() != whole.Conversations() {
		t.Errorf("%d conversations were seen, want %d", s.Conversations(), whole.Conversations())
	}
	first, end := s.Store().First(), s.Passed()
	if end-first < 1000 {
		t.Fatalf("%d packets are kept", end-first)
	}
	l, w := s.Dissector(), whole.Dissector()
	// The first sixteen may lack what is told from the packet before them: it is not kept.
	for n := dissect.FrameNum(first + 17); int(n) <= end; n += dissect.FrameNum(1 + (end-first)/1000) {
		conv, want := s.Conversation(s.ConversationOf(n)), whole.Conversation(whole.ConversationOf(n))
		if conv.Evicted() || conv.Stream != want.Stream || conv.A != want.A || conv.B != want.B || conv.First != want.First {
			t.Fatalf("packet %d is of stream %d from %v, want %d from %v", n, conv.Stream, conv.A, want.Stream, want.A)
		}
		tree, wanted := l.Tree(n), w.Tree(n)
		if len(tree.Nodes) != len(wanted.Nodes) || tree.Info() != wanted.Info() {
			t.Fatalf("packet %d: %q with %d fields, want %q with %d", n, tree.Info(), len(tree.Nodes), wanted.Info(),
				len(wanted.Nodes))
		}
	}
}

// What further packets alone would ask for goes when there are none.
func TestStatesGoWithTheLastPacket(t *testing.T) {
	s, _, _ := flooded(t, 3000, dissect.Retention{})
	state := func() int64 {
		for _, part := range s.Memory() {
			if part.Name == "state" {
				return part.Bytes
			}
		}
		t.Fatal("no part of the memory is called state")
		return 0
	}
	s.Store().Wait()
	s.PassTo(3000)
	if state() == 0 {
		t.Error("a session in the first pass holds no states")
	}
	if err := s.Pass(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := state(); n != 0 {
		t.Errorf("after the last packet %d bytes of states are held", n)
	}
}
