package dissecttest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"remora/dissect"
	"remora/internal/testall"
)

// Run holds plugins against captures by the standard tests: the declarations are sound, re-dissections equal the first
// in any order and from any goroutine, a search for one field agrees with the whole tree and allocates nothing, nodes
// stay inside their bytes, and no truncation of any packet, no change of its bytes and none of its fields does harm.
// A capture that ends in .hex is a file of packets (see HexFile). Unless all tests are asked for, what one capture has
// shown is not tried again in the next.
func Run(t *testing.T, plugins []dissect.Plugin, captures ...string) {
	t.Run("declarations", func(t *testing.T) { Declarations(t, plugins) })
	var tried tried
	for _, path := range captures {
		if testall.On() {
			tried.stacks, tried.points = nil, nil
		}
		name := filepath.ToSlash(path)
		if filepath.IsAbs(path) {
			name = filepath.Base(path)
		}
		t.Run(name, func(t *testing.T) { standard(t, plugins, path, &tried) })
	}
}

// tried is what the standard tests have seen of a capture, or of several.
type tried struct {
	stacks map[string]bool // layer stacks that were cut
	points map[uint64]bool // fields that could be changed
}

func standard(t *testing.T, plugins []dissect.Plugin, path string, tried *tried) {
	if filepath.Ext(path) == ".hex" {
		path = HexPcap(t, path)
	}
	s := Load(t, plugins, path)
	t.Run("looks", func(t *testing.T) { Redissections(t, s) })
	t.Run("evicted", func(t *testing.T) { evicted(t, s, path) })
	t.Run("rows", func(t *testing.T) { rows(t, s, path) })
	t.Run("fields", func(t *testing.T) { Fields(t, s) })
	t.Run("truncations", func(t *testing.T) { truncations(t, plugins, s, tried) })
	t.Run("mutations", func(t *testing.T) { mutations(t, plugins, s, testall.Of(fewEach, maxEach), last) })
	t.Run("edges", func(t *testing.T) { edges(t, plugins, s, tried) })
}

// stackName tells layer stacks from each other, in one session and between those with the same plugins.
func stackName(s *dissect.Session, sh *dissect.LayerStack) string {
	var text strings.Builder
	text.WriteString(s.StackPath(sh))
	for _, k := range sh.Kinds {
		fmt.Fprintf(&text, " %d", k.Value)
	}
	return text.String()
}

var nameForm = regexp.MustCompile(`^[a-zA-Z0-9_]+([.-][a-zA-Z0-9_]+)*$`)

// Declarations checks the names, labels and docs of everything the plugins declare.
func Declarations(t *testing.T, plugins []dissect.Plugin) {
	reg := Registry(t, plugins)
	for _, p := range reg.Protocols() {
		if p.Title() == "" || !strings.HasSuffix(p.Doc(), ".") {
			t.Errorf("protocol %s needs a title, and a sentence that says what it is", p.Name())
		}
		kinds := 0
		for _, f := range p.Fields() {
			if !nameForm.MatchString(f.Name()) {
				t.Errorf("%s: not a filter name", f.Name())
			}
			if f.Label() == "" {
				t.Errorf("%s has no label", f.Name())
			}
			if f.Doc() == "" {
				t.Errorf("%s has no doc", f.Name())
			}
			if f.IsKind() {
				kinds++
			}
			if m := f.Mask(); m != 0 && m>>(8*f.Size()) != 0 {
				t.Errorf("%s: mask %#x does not fit into %d bytes", f.Name(), m, f.Size())
			}
		}
		if kinds > 1 {
			t.Errorf("protocol %s has %d packet types", p.Name(), kinds)
		}
	}
}

// Redissections fails the test unless re-dissections give what the first one gave: frames again, shuffled, and from
// several goroutines at once. It takes all frames where all tests are asked for, and a sample of each layer stack
// otherwise.
func Redissections(t *testing.T, s *dissect.Session) {
	t.Helper()
	frames := sample(s, testall.Of(120, s.Passed()))
	want := make(map[dissect.FrameNum]string, len(frames))
	l := s.Dissector()
	for _, n := range frames {
		tree := l.Tree(n)
		Sound(t, tree)
		want[n] = Dump(tree)
	}
	var wg sync.WaitGroup
	for seed := range testall.Of[uint64](2, 4) {
		wg.Go(func() {
			l := s.Dissector()
			for _, n := range shuffled(frames, seed) {
				if got := Dump(l.Tree(n)); got != want[n] {
					t.Errorf("frame %d looks different the second time:\n%s", n, difference(want[n], got))
					return
				}
			}
		})
	}
	wg.Wait()
}

// Rows holds what rows of packets show against whole trees: the columns say the same where nobody records the fields.
func Rows(t *testing.T, s *dissect.Session) {
	l, whole, wants := s.Dissector(), s.Dissector(), s.Registry().RowWants()
	for _, n := range sample(s, testall.Of(400, s.Passed())) {
		if row, tree := rowText(l.Redissect(n, wants)), rowText(whole.Tree(n)); row != tree {
			t.Errorf("frame %d: a row says\n%s\nits tree\n%s", n, row, tree)
		}
	}
}

func rowText(t *dissect.Tree) string {
	return fmt.Sprint(t.Src, " ", t.Dst, " ", t.ProtocolText(), " ", t.Kind(), " ", t.Severity, " ", t.InfoLine())
}

// sample are at most so many frames of a session, in order: one of each layer stack, then others from all over it.
func sample(s *dissect.Session, most int) []dissect.FrameNum {
	taken := make([]bool, s.Passed()+1)
	var out []dissect.FrameNum
	take := func(n dissect.FrameNum) {
		if !taken[n] && len(out) < most {
			taken[n] = true
			out = append(out, n)
		}
	}
	seen := map[*dissect.LayerStack]bool{}
	for n := dissect.FrameNum(1); int(n) <= s.Passed() && len(out) < most; n++ {
		if sh := s.LayerStackOf(n); !seen[sh] {
			seen[sh] = true
			take(n)
		}
	}
	step := dissect.FrameNum(max(1, s.Passed()/max(1, most-len(out))))
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n += step {
		take(n)
	}
	slices.Sort(out)
	return out
}

// Sound checks that every node lies within its source and that depths go down one step at a time.
func Sound(t testing.TB, tree *dissect.Tree) {
	t.Helper()
	depth := -1
	for i, n := range tree.Nodes {
		f := tree.Field(i)
		if int(n.Off)+int(n.Len) > len(tree.Source(n.Src)) {
			t.Errorf("frame %d: %s covers bytes %d to %d of %d", tree.Frame, f.Name(), n.Off, n.Off+n.Len,
				len(tree.Source(n.Src)))
		}
		if int(n.Depth) > depth+1 {
			t.Errorf("frame %d: %s is %d levels deep below level %d", tree.Frame, f.Name(), n.Depth, depth)
		}
		depth = int(n.Depth)
		_, _, _ = tree.Label(i), tree.Value(i), tree.Show(i)
	}
}

// Owned checks that every byte of every frame belongs to a field of its own name: no byte is left unclaimed.
func Owned(t testing.TB, s *dissect.Session) {
	t.Helper()
	l := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		tree := l.Tree(n)
		for i := range tree.Nodes {
			if tree.Field(i).Name() == "_ws.unclaimed" {
				t.Errorf("frame %d: bytes %d to %d of source %d belong to no field", n, tree.Nodes[i].Off,
					tree.Nodes[i].Off+tree.Nodes[i].Len, tree.Nodes[i].Src)
			}
		}
	}
}

// Fields looks for each field alone and compares with what the whole tree says of it.
func Fields(t *testing.T, s *dissect.Session) {
	reg := s.Registry()
	l, one := s.Dissector(), s.Dissector()
	wants := map[*dissect.Field]*dissect.Wants{}
	for _, n := range sample(s, testall.Of(20, 200)) {
		tree := l.Tree(n).Clone()
		for i := range tree.Nodes {
			f := tree.Field(i)
			if strings.HasPrefix(f.Name(), "_ws.unclaimed") || tree.Find(f) != i {
				continue
			}
			if wants[f] == nil {
				wants[f] = reg.Wants(f)
			}
			got := one.Redissect(n, wants[f])
			if g, w := values(got, f), values(tree, f); g != w {
				t.Errorf("frame %d: a look for %s alone finds %q, the whole tree has %q", n, f.Name(), g, w)
			}
		}
	}
	for _, name := range []string{"ip.src", "udp.srcport", "tcp.srcport"} {
		if f := reg.Field(name); f != nil && s.Passed() > 0 {
			w, n := reg.Wants(f), dissect.FrameNum(1)
			one.Redissect(n, w)
			if a := testing.AllocsPerRun(100, func() { one.Redissect(n, w) }); a > 0 {
				t.Errorf("a look for %s alone allocates %v times", name, a)
			}
		}
	}
}

func values(t *dissect.Tree, f *dissect.Field) string {
	var b strings.Builder
	for i := range t.Nodes {
		if t.Field(i) == f {
			b.WriteString(t.Show(i))
			b.WriteByte('|')
		}
	}
	return b.String()
}

// Bounds of Truncations: bytes of packets that it makes of a capture, and lengths that it cuts each packet to.
const (
	maxTruncated  = 2 << 20
	fewTruncated  = 192 << 10
	everyLength   = 1600
	sampledLength = 24
)

// Truncations dissects a packet of every layer stack in a session cut short at every length, once as a capture's snap
// length cuts it and once as a packet that lies about its length. Unless all tests are asked for it takes some lengths
// of each packet, other ones of each.
func Truncations(t *testing.T, plugins []dissect.Plugin, s *dissect.Session) {
	t.Helper()
	truncations(t, plugins, s, &tried{})
}

// truncations is Truncations but for the layer stacks that were tried, and adds those that it tries.
func truncations(t *testing.T, plugins []dissect.Plugin, s *dissect.Session, tried *tried) {
	t.Helper()
	if tried.stacks == nil {
		tried.stacks = map[string]bool{}
	}
	reg, l := Registry(t, plugins), s.Dissector()
	budget, lengths := testall.Of(fewTruncated, maxTruncated), testall.Of(sampledLength, everyLength)
	for n := dissect.FrameNum(1); int(n) <= s.Passed() && budget > 0; n++ {
		name := stackName(s, s.LayerStackOf(n))
		if tried.stacks[name] {
			continue
		}
		tried.stacks[name] = true
		whole, err := l.Bytes(n)
		if err != nil {
			t.Fatal(err)
		}
		var cut []Packet
		step := max(1, min(len(whole), everyLength)/lengths)
		for i := len(tried.stacks) % step; i <= len(whole) && i < everyLength; i += step {
			b := append([]byte(nil), whole[:i]...)
			cut = append(cut, Packet{Data: b, Len: len(whole)}, Packet{Data: b})
			budget -= 2 * i
		}
		link := s.Store().Interface(s.Store().Meta(int(n) - 1).Interface).LinkType
		c := SessionOf(t, reg, link, cut)
		look := c.Dissector()
		for m := dissect.FrameNum(1); int(m) <= c.Passed(); m++ {
			tree := look.Tree(m)
			Sound(t, tree)
			first := Dump(tree)
			if again := Dump(look.Tree(m)); again != first {
				t.Fatalf("frame %d cut to %d bytes looks different the second time:\n%s", n, (m-1)/2, difference(first, again))
			}
		}
	}
}
