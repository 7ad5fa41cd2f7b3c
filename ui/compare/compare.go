// Package compare lays two packets side by side: which field of one belongs to which of the other, what is the same,
// and which bytes differ.
package compare

import (
	"bytes"

	"remora/dissect"
)

// A Row is a field of one packet or of both.
type Row struct {
	A, B  int // node numbers, or -1
	Depth int
	Same  bool
	Head  bool // it says nothing itself, it stands over what lies below it
}

// Sums count fields, without those that are heads of others.
type Sums struct {
	Fields int // of the packets' own protocol, those of both counted once
	Differ int
	Below  int // that differ in the layers below
	Copies int // messages that came before, left out
}

// Equal is how many are the same.
func (s Sums) Equal() int { return s.Fields - s.Differ }

// Lay pairs the nodes of both packets: the first of a field with the first, the second with the second, in the order of
// the first packet; what only the second has comes where it would be. Unless all is wanted, there is only what differs,
// without the layers below the packets' protocol, where both have the same, and without messages that came before.
func Lay(a, b *dissect.Tree, all bool) ([]Row, Sums) {
	p := pairing{a: a, b: b, partA: parts(a), partB: parts(b), all: all}
	if a.Protocol() != b.Protocol() { // then what they have in common is all there is
		p.partA, p.partB = onlyOwn(p.partA), onlyOwn(p.partB)
	}
	p.sums.Copies = copies(b)
	p.pair()
	p.settle()
	return withHeads(p.rows), p.sums
}

// The parts of a packet that a node may be of.
const (
	own = iota
	below
	again
)

// parts says of each node which part it is of. What the packet's own protocol carries, as data that nobody dissects, is
// its own, too.
func parts(t *dissect.Tree) []uint8 {
	out := make([]uint8, len(t.Nodes))
	part := uint8(below)
	for i := range t.Nodes {
		if t.Nodes[i].Depth == 0 {
			if t.Field(i).Protocol() == t.Protocol() {
				part = own
			}
			for k := i; k < t.End(i); k++ {
				out[k] = part
			}
		}
	}
	for _, m := range t.Messages {
		if m.RepeatOf != 0 && m.Node < len(t.Nodes) {
			for k := m.Node; k < t.End(m.Node); k++ {
				out[k] = again
			}
		}
	}
	return out
}

func onlyOwn(parts []uint8) []uint8 {
	for i, p := range parts {
		if p == below {
			parts[i] = own
		}
	}
	return parts
}

func copies(t *dissect.Tree) (n int) {
	for _, m := range t.Messages {
		if m.RepeatOf != 0 {
			n++
		}
	}
	return n
}

type pairing struct {
	a, b         *dissect.Tree
	partA, partB []uint8
	all          bool
	rows         []Row
	parts        []uint8 // of the rows
	sums         Sums
}

// key tells apart what may be paired: a copy of an old message is no match for a new one.
type key struct {
	field dissect.FieldID
	part  uint8
}

func (p *pairing) pair() {
	later := map[key][]int{}
	for j := range p.b.Nodes {
		k := key{p.b.Nodes[j].Field, p.partB[j]}
		later[k] = append(later[k], j)
	}
	partner, taken := make([]int, len(p.a.Nodes)), make([]bool, len(p.b.Nodes))
	for i := range p.a.Nodes {
		k := key{p.a.Nodes[i].Field, p.partA[i]}
		if partner[i] = -1; len(later[k]) > 0 {
			partner[i], later[k] = later[k][0], later[k][1:]
			taken[partner[i]] = true
		}
	}
	at := 0
	upTo := func(end int) { // those of the second packet alone
		for ; at < end; at++ {
			if !taken[at] {
				p.put(-1, at)
			}
		}
	}
	for i, j := range partner {
		if j >= 0 {
			upTo(j)
		}
		p.put(i, j)
	}
	upTo(len(p.b.Nodes))
}

func (p *pairing) put(i, j int) {
	t, k, parts := p.a, i, p.partA
	if j >= 0 {
		t, k, parts = p.b, j, p.partB
	}
	part := parts[k]
	f := t.Field(k)
	if t.IsHidden(k) {
		return
	}
	r := Row{A: i, B: j, Depth: int(t.Nodes[k].Depth),
		Head: f.Type() == dissect.TypeProtocol || f.Type() == dissect.TypeNone && t.End(k) > k+1}
	r.Same = i >= 0 && j >= 0 && (r.Head || Same(p.b, j, p.a, i)) || (i < 0 || j < 0) && p.bothSay(t, k)
	p.rows, p.parts = append(p.rows, r), append(p.parts, part)
}

// bothSay tells whether a packet type that one packet has once more is in the other one, too: it is no difference that
// a packet holds two messages of it.
func (p *pairing) bothSay(t *dissect.Tree, i int) bool {
	f, other := t.Field(i), p.a
	if t == p.a {
		other = p.b
	}
	if !f.IsKind() {
		return false
	}
	for k := range other.Nodes {
		if other.Field(k) == f && other.Nodes[k].Val == t.Nodes[i].Val {
			return true
		}
	}
	return false
}

// settle makes heads of the fields that differ only by what lies below them, counts, and leaves out what is not wanted.
func (p *pairing) settle() {
	var kept []Row
	for i, r := range p.rows {
		if !r.Same && !r.Head && r.A >= 0 && r.B >= 0 && differsBelow(p.rows[i:]) {
			r.Head, r.Same = true, true
		}
		part := p.parts[i]
		switch {
		case r.Head:
		case part == below && !r.Same:
			p.sums.Below++
		case part == own:
			if p.sums.Fields++; !r.Same {
				p.sums.Differ++
			}
		}
		if p.all || part == own && (r.Head || !r.Same) {
			kept = append(kept, r)
		}
	}
	p.rows = kept
}

// differsBelow tells whether a field below the first row differs.
func differsBelow(rows []Row) bool {
	for _, r := range rows[1:] {
		if r.Depth <= rows[0].Depth {
			return false
		}
		if !r.Head && !r.Same {
			return true
		}
	}
	return false
}

// withHeads leaves out heads below which nothing is left, and the one that stands over everything.
func withHeads(rows []Row) []Row {
	var out []Row
	for i, r := range rows {
		if r.Head && !hasBelow(rows[i:]) {
			continue
		}
		out = append(out, r)
	}
	if len(out) > 0 && out[0].Head && out[0].Depth == 0 {
		for _, r := range out[1:] {
			if r.Depth == 0 {
				return out
			}
		}
		out = out[1:]
		for i := range out {
			out[i].Depth--
		}
	}
	return out
}

// hasBelow tells whether a field lies below the first row.
func hasBelow(rows []Row) bool {
	for _, r := range rows[1:] {
		if r.Depth <= rows[0].Depth {
			return false
		}
		if !r.Head {
			return true
		}
	}
	return false
}

// Same tells whether two nodes say the same. A group is the same when its own text and bytes are; of a number or a bit
// the value counts, as its bytes may hold others, too.
func Same(t *dissect.Tree, i int, was *dissect.Tree, j int) bool {
	if t.Field(i).Type() == dissect.TypeString { // names may be packed in one packet, and not in the other
		return t.Value(i) == was.Value(j)
	}
	if t.Nodes[i].Val != was.Nodes[j].Val || t.Nodes[i].Len != was.Nodes[j].Len {
		return false
	}
	switch t.Field(i).Type() {
	case dissect.TypeBool, dissect.TypeUint, dissect.TypeInt:
		return t.Value(i) == was.Value(j)
	}
	return bytes.Equal(t.Bytes(i), was.Bytes(j)) && t.Value(i) == was.Value(j)
}

// Start is where the packet's own protocol begins in its bytes.
func Start(t *dissect.Tree) int {
	for i := range t.Nodes {
		if f := t.Field(i); f.Type() == dissect.TypeProtocol && f.Protocol() == t.Protocol() && t.Nodes[i].Src == 0 {
			return int(t.Nodes[i].Off)
		}
	}
	return len(t.Source(0))
}

// Own are the bytes of a packet from where its own protocol begins.
func Own(t *dissect.Tree) []byte {
	data := t.Source(0)
	return data[min(Start(t), len(data)):]
}

// Lines are the offsets of lines of n bytes that are not the same.
func Lines(a, b []byte, n int) []int {
	var out []int
	for at := 0; at < max(len(a), len(b)); at += n {
		if Line(a, at, n) != Line(b, at, n) {
			out = append(out, at)
		}
	}
	return out
}

// Line is a line of up to n bytes.
func Line(b []byte, at, n int) string { return string(b[min(at, len(b)):min(at+n, len(b))]) }

// Since is what is as it was in an earlier packet: by node, and by byte of the first source at the same distance from
// where the protocol begins.
func Since(t, was *dissect.Tree) (nodes, data []bool) {
	nodes, data = make([]bool, len(t.Nodes)), make([]bool, len(t.Source(0)))
	old := map[dissect.FieldID][]int{}
	for i := range was.Nodes {
		old[was.Nodes[i].Field] = append(old[was.Nodes[i].Field], i)
	}
	seen := map[dissect.FieldID]int{}
	for i := range t.Nodes {
		id := t.Nodes[i].Field
		k := seen[id]
		seen[id]++
		nodes[i] = k < len(old[id]) && Same(t, i, was, old[id][k])
	}
	start, wasStart := Start(t), Start(was)
	now, before := t.Source(0), was.Source(0)
	for i := range now {
		j := i - start + wasStart
		data[i] = i >= start && j >= 0 && j < len(before) && before[j] == now[i]
	}
	return nodes, data
}
