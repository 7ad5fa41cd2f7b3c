package dissecttest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"remora/dissect"
)

// fuzzVariable is the environment variable that names the protocol whose layers FuzzLayers begins with; otherwise all.
const fuzzVariable = "REMORA_FUZZ"

// maxLayer bounds the bytes that FuzzLayers puts in the place of a layer.
const maxLayer = 1 << 14

// seedsTested is how many of its seeds FuzzLayers tries where it is run as a test.
const seedsTested = 150

// A layer is bytes that a protocol reads in a recorded capture: to the end of the frame, or of what was put together,
// decrypted or inflated from it.
type layer struct {
	key    uint16 // from where it stands
	path   string
	r      *replay
	frame  dissect.FrameNum
	src    uint8
	off    int
	source string
}

// FuzzLayers puts other bytes in the place of layers of recorded captures, within all that is around them: headers, the
// packets before and behind, and what they were encrypted or packed with. An input names a layer, and gives its bytes.
// Each protocol has seeds for each way in which it is reached and each of its packet types. What must hold is the same
// as for Edges.
func FuzzLayers(f *testing.F, plugins []dissect.Plugin, captures ...string) {
	layers := layersOf(f, plugins, captures)
	if len(layers) == 0 {
		f.Skipf("no capture has a layer of %s", os.Getenv(fuzzVariable))
	}
	step := 1
	if fuzzing := flag.Lookup("test.fuzz"); fuzzing == nil || fuzzing.Value.String() == "" {
		step = max(1, len(layers)/seedsTested)
	}
	for i := 0; i < len(layers); i += step {
		l := &layers[i]
		b := l.r.l.Tree(l.frame).Source(l.src)[l.off:]
		f.Add(l.key, bytes.Clone(b[:min(len(b), maxLayer)]))
	}
	f.Fuzz(func(t *testing.T, key uint16, b []byte) {
		if len(b) > maxLayer {
			return
		}
		i, _ := slices.BinarySearchFunc(layers, key, func(l layer, key uint16) int { return cmp.Compare(l.key, key) })
		l := &layers[i%len(layers)]
		l.r.try(t, l.with(b))
	})
}

// with is the change that puts bytes in the place of a layer.
func (l *layer) with(b []byte) *change {
	tree := l.r.l.Tree(l.frame)
	old := tree.Source(l.src)
	c := &change{frame: l.frame, source: l.source, old: bytes.Clone(old),
		what: fmt.Sprintf("frame %d of %s", l.frame, l.path)}
	if c.source != "" { // as long as before, with an end of its own
		c.data = bytes.Clone(old)
		c.length = l.off + copy(c.data[l.off:], b)
		return c
	}
	c.data = append(bytes.Clone(old[:l.off]), b...)
	c.length = len(c.data)
	mendLengths(tree, c.data, l.off, len(c.data)-len(old))
	mendChecksums(tree, c.data, l.off, l.off)
	return c
}

// layersOf are the layers of captures, by their keys: one for each protocol, way in which it is reached and packet
// type.
func layersOf(t testing.TB, plugins []dissect.Plugin, captures []string) (list []layer) {
	only := os.Getenv(fuzzVariable)
	seen := map[string]bool{}
	for _, path := range captures {
		s := Load(t, plugins, path)
		var r *replay
		l := s.Dissector()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := l.Tree(n)
			for i := range tree.Nodes {
				node := &tree.Nodes[i]
				p := tree.Field(i).Protocol()
				if tree.Field(i).Type() != dissect.TypeProtocol || node.Len == 0 || only != "" && p.Name() != only {
					continue
				}
				key := fmt.Sprintf("%s %s %v %d", p.Name(), s.StackPath(s.LayerStackOf(n)), s.LayerStackOf(n).Kinds, node.Src)
				if seen[key] {
					continue
				}
				seen[key] = true
				if r == nil {
					r = newReplay(t, plugins, s)
				}
				list = append(list, r.layer(path, tree, node))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b layer) int { return cmp.Compare(a.key, b.key) })
	return list
}

// layer is the one that begins at a node.
func (r *replay) layer(path string, tree *dissect.Tree, node *dissect.Node) layer {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %d %d %d", filepath.Base(path), tree.Frame, node.Src, node.Off)
	l := layer{key: uint16(h.Sum32()), path: path, r: r, frame: tree.Frame, src: node.Src, off: int(node.Off)}
	if node.Src > 0 {
		l.source = tree.Sources()[node.Src].Name
	}
	return l
}

// mendLengths has the lengths of IPv4, IPv6 and UDP reach as far as before where the bytes from one on have become more
// or less.
func mendLengths(tree *dissect.Tree, b []byte, from, more int) {
	add := func(at int) {
		if at+2 <= len(b) && at+2 <= from {
			binary.BigEndian.PutUint16(b[at:], uint16(int(binary.BigEndian.Uint16(b[at:]))+more))
		}
	}
	for i, n := range tree.Nodes {
		if n.Depth != 0 || n.Src != 0 {
			continue
		}
		switch tree.Field(i).Name() {
		case "ip":
			add(int(n.Off) + 2)
		case "ipv6", "udp":
			add(int(n.Off) + 4)
		}
	}
}
