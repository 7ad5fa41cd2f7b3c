package dissecttest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"remora/dissect"
	"remora/internal/testall"
)

// sweepVariable is the environment variable that says how many times as many changes Edges tries as otherwise, or
// "all".
const sweepVariable = "REMORA_SWEEP"

// fewTried and mostTried bound the packets that a sample of Edges dissects for a capture, in the tests of every day and
// in all of them. A packet that much is made of counts as several: one more for each bytesOfFrame.
const (
	fewTried     = 1000
	mostTried    = 15000
	bytesOfFrame = 4096
)

// Edges changes the packets of a session where its trees have edges: each field is set to 0, 1, its largest value and
// one less, lengths and counts to others besides, the packet is cut in front of and behind the field, and layers and
// groups stand there twice. This is done with the sources of bytes that were put together, decrypted or inflated, too.
// It is a sample of the changes, always the same one; REMORA_SWEEP makes it larger by a factor, or whole by "all".
func Edges(t *testing.T, plugins []dissect.Plugin, s *dissect.Session) {
	t.Helper()
	edges(t, plugins, s, &tried{})
}

// edges is Edges but for the fields that were tried, and adds those that it could try.
func edges(t *testing.T, plugins []dissect.Plugin, s *dissect.Session, tried *tried) {
	t.Helper()
	if tried.points == nil {
		tried.points = map[uint64]bool{}
	}
	r := newReplay(t, plugins, s)
	points := r.points(tried.points)
	most := r.sampled(t, points)
	failed := 0
	for _, p := range points {
		if p.hash > most {
			continue
		}
		if !r.edge(t, p) {
			if failed++; failed == 20 {
				t.Fatal("and so on: 20 changes are too much for it")
			}
		}
	}
}

// sampled is the largest hash of those points that are tried.
func (r *replay) sampled(t *testing.T, points []point) uint64 {
	factor := 1.0
	switch text := os.Getenv(sweepVariable); text {
	case "":
	case "all":
		return math.MaxUint64
	default:
		var err error
		if factor, err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatalf("%s is a factor or \"all\": %v", sweepVariable, err)
		}
	}
	cost := 0
	costs := map[dissect.FrameNum]int{}
	for _, p := range points {
		if costs[p.frame] == 0 {
			frames, at := r.around(p.frame)
			for i, n := range frames {
				if i >= at { // looked at twice behind the first pass
					costs[p.frame] += 2 * r.weights[n]
				}
				costs[p.frame] += r.weights[n]
			}
		}
		cost += costs[p.frame] * changesOfPoint
	}
	share := factor * float64(testall.Of(fewTried, mostTried)) / float64(cost)
	if share >= 1 {
		return math.MaxUint64
	}
	return uint64(float64(1<<63) * share)
}

// A point is a field of a frame, of which each kind of frame gives one.
type point struct {
	frame dissect.FrameNum
	node  int
	hash  uint64 // 63 bits
}

// points are the fields that a session's trees have, each field at one place of the tree once for each kind of frame,
// and none that was seen.
func (r *replay) points(seen map[uint64]bool) (list []point) {
	for n := dissect.FrameNum(1); int(n) <= r.s.Passed(); n++ {
		tree := r.l.Tree(n)
		r.weights[n] = 1
		for _, source := range tree.Sources() {
			r.weights[n] += len(source.Data) / bytesOfFrame
		}
		stack := stackName(r.s, r.s.LayerStackOf(n))
		var path [256]dissect.FieldID
		for i := range tree.Nodes {
			node := &tree.Nodes[i]
			path[node.Depth] = node.Field
			if node.Len == 0 || tree.IsDerived(i) || len(tree.Source(node.Src)) == 0 {
				continue
			}
			h := fnv.New64a()
			for _, f := range path[:node.Depth+1] {
				h.Write([]byte(r.s.Registry().FieldByID(f).Name()))
				h.Write([]byte{'/'})
			}
			fmt.Fprintf(h, "%d %s", node.Layer, stack)
			if sum := h.Sum64(); !seen[sum] {
				seen[sum] = true
				list = append(list, point{n, i, sum >> 1})
			}
		}
	}
	return list
}

// changesOfPoint is about how many changes a field has.
const changesOfPoint = 9

// edge tries all changes of a field.
func (r *replay) edge(t *testing.T, p point) (good bool) {
	tree := r.l.Tree(p.frame).Clone()
	n := tree.Nodes[p.node]
	f := tree.Field(p.node)
	old := tree.Source(n.Src)
	c := change{frame: p.frame, old: old}
	if n.Src > 0 {
		c.source = tree.Sources()[n.Src].Name
	}
	lo, hi := int(n.Off), int(n.Off+n.Len)
	good = true
	try := func(what string, data []byte, length int) {
		c := c
		c.what = fmt.Sprintf("frame %d, %s (bytes %d to %d of %q) %s", p.frame, f.Name(), lo, hi-1, c.source, what)
		c.data, c.length = data, length
		if c.source == "" && length == len(data) {
			mendChecksums(tree, data, lo, hi)
		}
		good = r.try(t, &c) && good
	}
	if f.Type() != dissect.TypeProtocol {
		for _, v := range alternatives(f, old[lo:hi], len(old)-hi) {
			b := bytes.Clone(old)
			copy(b[lo:], v.data)
			try(v.what, b, len(b))
		}
	}
	for _, cut := range []int{lo, hi} {
		data := bytes.Clone(old)
		if c.source == "" {
			data = data[:cut]
		}
		if cut < len(old) {
			try(fmt.Sprintf("with the packet cut at %d", cut), data, cut)
		}
	}
	if lo < len(old) && c.source == "" {
		try("with the packet captured so far", bytes.Clone(old[:lo]), tree.Len())
	}
	if f.Type() == dissect.TypeProtocol || f.IsGroup() {
		b := append(append(bytes.Clone(old[:hi]), old[lo:hi]...), old[hi:]...)
		if c.source == "" {
			try("twice", b, len(b))
		}
		try("twice, with its end cut", bytes.Clone(b[:len(old)]), len(old))
	}
	return good
}

// A valued is other bytes for a field.
type valued struct {
	what string
	data []byte
}

// alternatives are the bytes that a field gets in the place of those that it has. behind is how many bytes follow.
func alternatives(f *dissect.Field, old []byte, behind int) (list []valued) {
	add := func(what string, b []byte) {
		for _, v := range list {
			if bytes.Equal(v.data, b) {
				return
			}
		}
		if !bytes.Equal(b, old) {
			list = append(list, valued{what, b})
		}
	}
	if f.Mask() != 0 && f.Size() == len(old) && len(old) <= 8 {
		for _, v := range numbers(f, behind) {
			for little := range 2 {
				add(fmt.Sprintf("masked set to %#x", v), number(masked(load(old, little == 1), f.Mask(), v), len(old), little == 1))
			}
		}
		return list
	}
	add("set to zeros", make([]byte, len(old)))
	add("set to ones", bytes.Repeat([]byte{0xff}, len(old)))
	if len(old) > 8 {
		add("set to control characters", bytes.Repeat([]byte("\x1b[2J\xc0\xe2\x80\xae"), len(old)/8+1)[:len(old)])
		return list
	}
	for _, v := range numbers(f, behind) {
		for little := range 2 {
			add(fmt.Sprintf("set to %#x", v), number(v, len(old), little == 1))
		}
	}
	return list
}

// numbers are values at the edges of what a number may be.
func numbers(f *dissect.Field, behind int) []uint64 {
	list := []uint64{0, 1, ^uint64(0), ^uint64(0) - 1}
	name := f.Name()[strings.LastIndexByte(f.Name(), '.')+1:]
	for _, part := range []string{"len", "count", "num", "size", "nr", "off", "ptr"} {
		if strings.Contains(name, part) {
			return append(list, uint64(behind), uint64(behind)+1, uint64(behind)-1, 0x7fffffff, 0x80000000, 0x7fff, 0x8000, 0x7f,
				0x80)
		}
	}
	return list
}

func load(b []byte, little bool) (v uint64) {
	for i := range b {
		if little {
			i = len(b) - 1 - i
		}
		v = v<<8 | uint64(b[i])
	}
	return v
}

func number(v uint64, size int, little bool) []byte {
	if little {
		return binary.LittleEndian.AppendUint64(nil, v)[:size]
	}
	return binary.BigEndian.AppendUint64(nil, v)[8-size:]
}

// masked puts a number into the bits of a mask.
func masked(v, mask, n uint64) uint64 {
	shift := 0
	for mask>>shift&1 == 0 {
		shift++
	}
	return v&^mask | n<<shift&mask
}

// mendChecksums writes the checksums of IPv4, TCP and UDP anew in a changed frame: what carries a wrong one is put
// together with nothing. A checksum that is itself changed, from byte lo to hi, stays.
func mendChecksums(tree *dissect.Tree, b []byte, lo, hi int) {
	be := binary.BigEndian
	set := func(at int, sum func() uint16) {
		if at+2 <= len(b) && (at+2 <= lo || at >= hi) {
			b[at], b[at+1] = 0, 0
			be.PutUint16(b[at:], sum())
		}
	}
	var ends []byte // the addresses of the network layer
	end := len(b)
	for i, n := range tree.Nodes {
		if n.Depth != 0 || n.Src != 0 {
			continue
		}
		at := int(n.Off)
		switch name := tree.Field(i).Name(); {
		case name == "ip" && at+20 <= len(b):
			header := min(max(20, int(b[at]&15)*4), len(b)-at)
			set(at+10, func() uint16 { return dissect.Checksum(b[at : at+header]) })
			ends, end = b[at+12:at+20], min(len(b), at+max(header, int(be.Uint16(b[at+2:]))))
		case name == "ipv6" && at+40 <= len(b):
			ends, end = b[at+8:at+40], min(len(b), at+40+int(be.Uint16(b[at+4:])))
		case name == "tcp" && ends != nil && at+20 <= end:
			set(at+16, func() uint16 { return dissect.Checksum(pseudo(ends, 6, end-at), b[at:end]) })
		case name == "udp" && ends != nil && at+8 <= end && be.Uint16(b[at+6:]) != 0:
			set(at+6, func() uint16 { return max(1, dissect.Checksum(pseudo(ends, 17, end-at), b[at:end])) })
		}
	}
}

// pseudo is the header that TCP and UDP add to what they sum. Its form is that of IPv6, which sums up to the same.
func pseudo(ends []byte, protocol byte, n int) []byte {
	return append(bytes.Clone(ends), byte(n>>24), byte(n>>16), byte(n>>8), byte(n), 0, 0, 0, protocol)
}
