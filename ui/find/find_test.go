package find

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
)

func session(t *testing.T) *dissect.Session {
	return dissecttest.Load(t, protocols.All(),
		filepath.Join("..", "..", "fixtures", "captures", "kaillera", "evening.pcapng"))
}

func finder(t *testing.T, s *dissect.Session, mode Mode, text string) *Finder {
	t.Helper()
	fd, err := New(s.Registry(), mode, text, filter.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fd
}

// TestHitsFromAnyPlace compares what a search finds, from any place and either way, with what each packet holds.
func TestHitsFromAnyPlace(t *testing.T) {
	s := session(t)
	frame := func(row int) dissect.FrameNum { return dissect.FrameNum(row + 1) }
	last := s.Passed()
	for text, mode := range map[string]Mode{"ping": Anything, "0x0001": Bytes, "user: ": Details,
		"game_(data|cache)": Pattern, "kaillera.type == CHAT": Filter, "nothing of it": Anything} {
		fd := finder(t, s, mode, text)
		var want []dissect.FrameNum
		for l, n := s.Dissector(), dissect.FrameNum(1); int(n) <= last; n++ {
			if fd.Packet(l, n) {
				want = append(want, n)
			}
		}
		for _, from := range []int{0, last / 2, last - 1} {
			for _, dir := range []int{1, -1} {
				h := Start(List{Session: s, Frame: frame}, fd, text, from, dir)
				h.Run(context.Background())
				got := slices.Clone(h.behind)
				slices.Reverse(got)
				if got = append(got, h.ahead...); !slices.Equal(got, want) || !h.Full() {
					t.Errorf("%q from row %d: %d found, want %d", text, from, len(got), len(want))
				}
				checkNeighbours(t, h, want)
			}
		}
		if (len(want) == 0) != (text == "nothing of it") {
			t.Errorf("%q is in %d packets", text, len(want))
		}
	}
}

// checkNeighbours goes through what was found, both ways.
func checkNeighbours(t *testing.T, h *Hits, want []dissect.FrameNum) {
	t.Helper()
	at := func(i int) dissect.FrameNum {
		if i < 0 || i >= len(want) {
			return 0
		}
		return want[i]
	}
	for i, n := range want {
		if found, known := h.Has(n, int(n)-1); !found || !known {
			t.Errorf("%q: packet %d is not among those found", h.Text, n)
		}
		if a, known, _ := h.Next(n, int(n)-1, 1); a != at(i+1) || !known {
			t.Errorf("%q: %d comes behind %d, want %d", h.Text, a, n, at(i+1))
		}
		if a, known, _ := h.Next(n, int(n)-1, -1); a != at(i-1) || !known {
			t.Errorf("%q: %d comes before %d, want %d", h.Text, a, n, at(i-1))
		}
		if _, _, place := h.State(n); place != i+1 {
			t.Errorf("%q: packet %d is found as number %d, want %d", h.Text, n, place, i+1)
		}
	}
}

// TestHitsSkip: packets that are ignored are not found, and a search that is given up ends.
func TestHitsSkip(t *testing.T) {
	s := session(t)
	fd := finder(t, s, Filter, "frame.number < 4")
	h := Start(List{Session: s, Skip: map[dissect.FrameNum]bool{2: true},
		Frame: func(row int) dissect.FrameNum { return dissect.FrameNum(row + 1) }}, fd, "", 0, 1)
	h.Run(context.Background())
	if found, _, _ := h.State(1); found != 2 {
		t.Errorf("%d are found, want 2", found)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	h = Start(List{Session: s, Frame: h.Frame}, fd, "", 0, 1)
	if h.Run(ctx); h.Full() {
		t.Error("what was given up is said to be complete")
	}
}

func TestWrongSearches(t *testing.T) {
	reg := session(t).Registry()
	for text, mode := range map[string]Mode{"(": Pattern, "nonsense == 1": Filter} {
		if _, err := New(reg, mode, text, filter.Options{}, nil); err == nil {
			t.Errorf("%q is understood", text)
		}
	}
}

func TestTextIsFoundInEitherCase(t *testing.T) {
	for _, c := range []struct {
		in, what string
		at       int
	}{{"Hello World", "world", 6}, {"ÄRGER", "ärger", 0}, {"abc", "abcd", -1}, {"", "a", -1}, {"aab", "ab", 1}} {
		if got := indexFold(c.in, c.what); got != c.at {
			t.Errorf("%q in %q is at %d, want %d", c.what, c.in, got, c.at)
		}
	}
	s := session(t)
	for text, want := range map[string]int{"0x41": 1, "0x61": 2, "A": 1, "a": 1} {
		fd := finder(t, s, Anything, text)
		if got := fd.ByteAt([]byte("-Aa"), 0, 1); got != want {
			t.Errorf("%s is at %d, want %d", text, got, want)
		}
		if got := fd.ByteAt([]byte("-Aa-"), 3, -1); text == "0x41" && got != 1 || text == "a" && got != 2 {
			t.Errorf("backwards %s is at %d", text, got)
		}
	}
}

// TestBytesAreFoundAsOneByOne holds the search for many bytes at once against one that compares at each place.
func TestBytesAreFoundAsOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		data, what := make([]byte, r.IntN(12)), make([]byte, 1+r.IntN(3))
		for i := range data {
			data[i] = "aAbB-"[r.IntN(5)]
		}
		for i := range what {
			what[i] = "ab-"[r.IntN(3)]
		}
		want := -1
		for i := len(data) - 1; i >= 0; i-- {
			if hasPrefixFold(data[i:], what) {
				want = i
			}
		}
		if got := bytesFold(data, what); got != want {
			t.Fatalf("%q in %q is at %d, want %d", what, data, got, want)
		}
	}
}

// TestFindInRowsNeedsNoMemory: a text is found in either case within one column, never across two, and looking for it
// takes no memory for each packet.
func TestFindInRowsNeedsNoMemory(t *testing.T) {
	s := session(t)
	l := s.Dissector()
	tree := l.Redissect(1, s.Registry().RowWants()).Clone()
	for text, want := range map[string]bool{tree.Src.String(): true, tree.ProtocolText(): true, "KAILLERA": true,
		tree.Src.String() + tree.Dst.String(): false, "nothing of it": false} {
		fd := finder(t, s, Anything, text)
		if got := fd.inRow(tree); got != want {
			t.Errorf("%q: %v", text, got)
		}
		if n := testing.AllocsPerRun(100, func() { fd.inRow(tree) }); n > 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

// TestFewWords holds that the same is found where rows whose words are known are not made, and that some are not.
func TestFewWords(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), filepath.Join("..", "..", "fixtures", "captures", "lan", "calls.pcap"))
	left := 0
	for _, text := range []string{"seq=", "len=", "SYN", "80 → ", "udp", "bytes", "e", "dead", "→ nowhere", "query"} {
		fd := finder(t, s, Anything, text)
		for l, n := s.Dissector(), dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			if want := fd.inBytes(l, n, fd.ByteAt) || fd.inRow(l.Redissect(n, fd.row)); fd.Packet(l, n) != want {
				t.Errorf("%q in packet %d: found %v", text, n, !want)
			}
			if !fd.inSomeRow(l, n) {
				left++
			}
		}
	}
	if left == 0 {
		t.Error("every row is made")
	}
}

// TestMessagesOfEarlierPackets finds a packet by what its row says of a message that began in another.
func TestMessagesOfEarlierPackets(t *testing.T) {
	packets := dissecttest.Stream(80, "C:PUT /upload HTTP/1.1\r\nContent-", "C:Length: 6\r\n\r\nab", "C:cd", "C:ef")
	for i := range packets {
		packets[i].Data = dissecttest.Ethernet(packets[i].Data)
	}
	s := dissecttest.Session(t, protocols.All(), 1, packets)
	fd, l := finder(t, s, Anything, "upload"), s.Dissector()
	for n, want := range []bool{false, false, true, true, false, true} {
		if got := fd.Packet(l, dissect.FrameNum(n+1)); got != want {
			t.Errorf("packet %d: found %v, want %v", n+1, got, want)
		}
	}
}
