package dissecttest

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"testing"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
)

// What one changed packet may cost. The deadline is no measure of speed: it is what tells a loop without end, on a
// machine however busy.
const (
	deadline    = 30 * time.Second
	extraMemory = 48 << 20 // bytes allocated, besides a multiple of what the honest packets take
	honestTimes = 4
)

// A change is other bytes in the place of a source of a frame: of the frame itself, or of bytes that were put together,
// decrypted or inflated from it.
type change struct {
	frame  dissect.FrameNum
	source string // the name of the source, "" for the frame itself
	old    []byte // what it held
	data   []byte // what it holds instead
	length int    // of the frame on the wire, which may be more than its bytes; of another source where reading ends in it
	what   string // for messages
}

// A replay dissects a part of a capture again and again, each time with something changed.
type replay struct {
	plugins []dissect.Plugin
	s       *dissect.Session
	l       *dissect.Dissector
	changed *change
	reg     *dissect.Registry
	honest  map[dissect.FrameNum]*honest
	weights map[dissect.FrameNum]int // what a frame costs, in those of ordinary size
}

// honest is what the packets around a frame are without a change.
type honest struct {
	marks map[string]bool
	bytes uint64
}

func newReplay(t testing.TB, plugins []dissect.Plugin, s *dissect.Session) *replay {
	t.Helper()
	r := &replay{plugins: plugins, s: s, l: s.Dissector(), honest: map[dissect.FrameNum]*honest{},
		weights: map[dissect.FrameNum]int{}}
	r.reg = Registry(t, plugins)
	r.reg.Altered = func(name string, b []byte) ([]byte, int) {
		if c := r.changed; c != nil && c.source == name && bytes.Equal(c.old, b) {
			return c.data, c.length
		}
		return b, len(b)
	}
	for _, k := range s.Registry().Keys() {
		secrets := dissect.CapturedSecrets(k, s.Store())
		if secrets == nil {
			secrets = s.Registry().Secrets(k)
		}
		r.reg.SetSecrets(k, secrets)
	}
	return r
}

// Bounds of the packets that are dissected around a changed one.
const (
	wholeUpTo   = 150 // a capture as short as this from its start on
	framesFront = 30  // of any conversation, else
	framesSame  = 60  // and of the same one
	framesBack  = 6
)

// around chooses the packets that a change of frame n is dissected among: those that the state it meets comes from, and
// some behind it, which have to get along with what it left. It returns the place of n among them.
func (r *replay) around(n dissect.FrameNum) (frames []dissect.FrameNum, at int) {
	conv, _ := r.s.DirectionOf(n)
	first := dissect.FrameNum(1)
	if int(n) > wholeUpTo {
		first = n - framesFront
		if conv != 0 {
			for m, left := first-1, framesSame; m >= 1 && left > 0; m-- {
				if c, _ := r.s.DirectionOf(m); c == conv {
					frames = append(frames, m)
					left--
				}
			}
			slices.Reverse(frames)
		}
	}
	for m := first; int(m) <= r.s.Passed() && m <= n+framesBack; m++ {
		frames = append(frames, m)
	}
	// The packets become a capture of one link type.
	link := r.s.Store().LinkType(int(n) - 1)
	frames = slices.DeleteFunc(frames, func(m dissect.FrameNum) bool { return r.s.Store().LinkType(int(m)-1) != link })
	return frames, slices.Index(frames, n)
}

// try dissects the packets around a change, in both passes, and reports what is wrong with it.
func (r *replay) try(t testing.TB, c *change) (good bool) {
	t.Helper()
	h := r.honest[c.frame]
	if h == nil {
		h = &honest{marks: map[string]bool{}}
		r.honest[c.frame] = h
		bare := &change{frame: c.frame}
		h.bytes = r.run(t, bare, func(tree *dissect.Tree) { budgetMarks(tree, func(name string) { h.marks[name] = true }) })
	}
	good = true
	used := r.run(t, c, func(tree *dissect.Tree) {
		budgetMarks(tree, func(name string) {
			if !h.marks[name] {
				good = false
				t.Errorf("%s: frame %d has %s, which the honest packets do not have", c.what, tree.Frame, name)
			}
		})
	})
	if limit := honestTimes*h.bytes + extraMemory; used > limit {
		good = false
		t.Errorf("%s: %d MiB were allocated, where the honest packets take %d KiB", c.what, used>>20, h.bytes>>10)
	}
	return good && !t.Failed()
}

// budgetMarks tells the notes by which the engine says that it gave up.
func budgetMarks(tree *dissect.Tree, each func(name string)) {
	for i := range tree.Nodes {
		switch name := tree.Field(i).Name(); name {
		case "_ws.plugin_error", "_ws.budget":
			each(name)
		}
	}
}

// run is try for one session; it returns how many bytes it allocated.
func (r *replay) run(t testing.TB, c *change, each func(*dissect.Tree)) (allocated uint64) {
	t.Helper()
	guard := time.AfterFunc(deadline, func() {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		fmt.Fprintf(os.Stderr, "%s does not end within %v\n%x\n%s\n", c.what, deadline, c.data, stacks)
		os.Exit(3)
	})
	defer guard.Stop()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v\n%s", c.what, p, debug.Stack())
		}
	}()
	frames, at := r.around(c.frame)
	packets := make([]Packet, 0, len(frames))
	before := int64(0)
	for i, n := range frames {
		b, err := r.l.Bytes(n)
		if err != nil {
			t.Fatal(err)
		}
		m := r.s.Store().Meta(int(n) - 1)
		p := Packet{Data: bytes.Clone(b), Len: int(m.Len), Gap: m.Time - before}
		if i == 0 {
			p.Gap = 1
		}
		before = m.Time
		if i == at && c.source == "" && c.data != nil {
			p.Data, p.Len = c.data, c.length
		}
		packets = append(packets, p)
	}
	link := r.s.Store().LinkType(int(c.frame) - 1)
	if c.source != "" {
		r.changed = c
		defer func() { r.changed = nil }()
	}
	start := allocatedBytes()
	store, err := pcapfile.OpenBytes(t.Context(), "replay", Pcap(link, packets), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s, err := dissect.NewSession(r.reg, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Pass(t.Context()); err != nil {
		t.Fatal(err)
	}
	again(t, c, s, dissect.FrameNum(at+1), each)
	return allocatedBytes() - start
}

// again looks at the frames from one on, twice and in different orders: nodes lie in their sources, text is escaped,
// and both trees are the same.
func again(t testing.TB, c *change, s *dissect.Session, from dissect.FrameNum, each func(*dissect.Tree)) {
	t.Helper()
	l := s.Dissector()
	var dumps []string
	for n := dissect.FrameNum(s.Passed()); n >= from; n-- {
		tree := l.Tree(n)
		Sound(t, tree)
		Clean(t, tree)
		each(tree)
		dumps = append(dumps, Dump(tree))
	}
	second := s.Dissector()
	for n := from; int(n) <= s.Passed(); n++ {
		if got, want := Dump(second.Tree(n)), dumps[s.Passed()-int(n)]; got != want {
			t.Errorf("%s: frame %d looks different the second time:\n%s", c.what, n, difference(want, got))
			return
		}
	}
}

// Clean checks that all text of a tree is safe to print: it is escaped, and so escaping changes nothing.
func Clean(t testing.TB, tree *dissect.Tree) {
	t.Helper()
	check := func(what, text string) {
		if dissect.Escape(text) != text {
			t.Errorf("frame %d: %s is not escaped: %q", tree.Frame, what, text)
		}
	}
	check("the Info column", tree.InfoLine())
	check("the Protocol column", tree.ProtocolText())
	for i := range tree.Nodes {
		check(tree.Field(i).Name(), tree.Label(i))
		check(tree.Field(i).Name(), tree.Value(i))
	}
}

// allocatedBytes is how much the program has allocated since its start. Tests that ask it do not run beside others.
func allocatedBytes() uint64 {
	allocation := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(allocation)
	return allocation[0].Value.Uint64()
}
