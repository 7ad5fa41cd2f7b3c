package dissect

import "slices"

// A Node is one line of a packet's tree: a field, where it stands and its value. Nodes lie flat in the order in
// which they are drawn; Depth tells which belong below which. They hold no pointers.
type Node struct {
	Val   uint64 // numbers, booleans, times (ns), IPv4 and Ethernet addresses; arena offset<<32|length with nodeArena
	Off   uint32 // offset in the data source
	Len   uint32 // bytes covered; 0 for derived fields
	Field FieldID
	Depth uint8 // 0 for protocols
	Src   uint8 // data source: 0 is the frame itself
	Flags uint8
	Layer uint8 // which occurrence of its protocol in the frame, counted from 1 at the outside
	_     uint16
}

const (
	nodeArena    = 1 << iota // the value is text or bytes of the tree's arena
	nodeNUL                  // the string ends at the first NUL byte
	nodeDerived              // worked out, not read
	nodeQuoted               // inside a packet that another one quotes
	nodeHidden               // trees leave this one out
	nodeSuffixed             // its label has more or other text (see suffix)
)

// A Source is a row of bytes that nodes point into: the frame, a reassembled datagram, an inflated replay.
type Source struct {
	Name string
	Data []byte
}

// A Message is one message of a packet. Most packets are one message; a datagram or segment may hold several.
type Message struct {
	Protocol *Protocol
	Kind     uint64 // the packet type; see HasKind
	HasKind  bool
	Node     int // its first node
	Src      uint8
	Off, Len int
	Dir      int
	ID       uint64   // the protocol's own number of the message; see HasID
	Tick     uint64   // game frame or tick; see HasTick
	RepeatOf FrameNum // where the message was first seen, or 0
	Text     string   // what the Info column says of this message alone; see MessageText
	HasID    bool
	HasTick  bool
}

// A Tree is one dissected frame. It is reused by the Dissector that made it: it is valid until that
// dissects again.
type Tree struct {
	Frame      FrameNum
	Nodes      []Node
	Messages   []Message
	Src, Dst   Endpoint
	Conv       *Conversation
	Dir        int
	LayerStack *LayerStack
	Severity   Severity

	reg         *Registry
	session     *Session
	frameBytes  []byte
	more        []Source
	sourceCount int
	arena       []byte
	suffixes    []suffix
	info        []byte
	full        bool
	meta        meta
	top         uint16
	titled      string // in place of the protocol's title
	titledOf    uint16
	by          *D   // who records it
	read        bool // the frame is dissected: what is written from now on are labels
}

func (t *Tree) reset(n FrameNum, frame []byte) {
	t.Frame, t.frameBytes = n, frame
	t.Nodes, t.Messages, t.more, t.arena, t.info = t.Nodes[:0], t.Messages[:0], t.more[:0], t.arena[:0], t.info[:0]
	t.suffixes = t.suffixes[:0]
	t.sourceCount, t.full, t.read, t.titled = 0, false, false, ""
	t.Src, t.Dst, t.Conv, t.Dir = Endpoint{}, Endpoint{}, nil, 0
}

func (t *Tree) addSource(name string, b []byte) {
	t.more = append(t.more, Source{name, b})
	t.sourceCount++
}

// Sources are the frame's bytes and whatever was made of them.
func (t *Tree) Sources() []Source {
	return append([]Source{{"Frame", t.frameBytes}}, t.more...)
}

// Source is the bytes of one data source.
func (t *Tree) Source(i uint8) []byte {
	if i == 0 {
		return t.frameBytes
	}
	return t.more[i-1].Data
}

// Field is the declaration behind node i.
func (t *Tree) Field(i int) *Field { return t.reg.byID[t.Nodes[i].Field] }

// IsDerived is true for nodes that were worked out, not read.
func (t *Tree) IsDerived(i int) bool {
	return t.Nodes[i].Flags&nodeDerived != 0 || t.Field(i).derived
}

// IsHidden is true for nodes that trees leave out.
func (t *Tree) IsHidden(i int) bool { return t.Nodes[i].Flags&nodeHidden != 0 || t.Field(i).hidden }

// IsQuoted is true for nodes inside a packet that another one quotes, as ICMP errors do.
func (t *Tree) IsQuoted(i int) bool { return t.Nodes[i].Flags&nodeQuoted != 0 }

// End is the position behind the last node below node i.
func (t *Tree) End(i int) int {
	j := i + 1
	for j < len(t.Nodes) && t.Nodes[j].Depth > t.Nodes[i].Depth {
		j++
	}
	return j
}

// Parent is the node above node i, or -1.
func (t *Tree) Parent(i int) int {
	for j := i - 1; j >= 0; j-- {
		if t.Nodes[j].Depth < t.Nodes[i].Depth {
			return j
		}
	}
	return -1
}

// Raw is the bytes that node i covers in its source; for values that stand nowhere in the packet, their own bytes.
func (t *Tree) Raw(i int) []byte {
	n := &t.Nodes[i]
	if n.Len == 0 && n.Flags&nodeArena != 0 {
		return t.arenaBytes(n)
	}
	b := t.Source(n.Src)
	lo := min(int(n.Off), len(b))
	return b[lo:min(lo+int(n.Len), len(b))]
}

// Carried is the bytes of a protocol's node and all that it carries: what people search when they ask whether a
// protocol contains something. For other nodes it is Raw.
func (t *Tree) Carried(i int) []byte {
	n := &t.Nodes[i]
	b := t.Source(n.Src)
	if t.Field(i).typ != TypeProtocol || n.Val <= uint64(n.Off) || n.Val > uint64(len(b)) {
		return t.Raw(i)
	}
	return b[n.Off:n.Val]
}

// Bytes is the value of a bytes, string, GUID or IPv6 node: its bytes in the packet or the text worked out.
func (t *Tree) Bytes(i int) []byte {
	n := &t.Nodes[i]
	if n.Flags&nodeArena != 0 {
		return t.arenaBytes(n)
	}
	b := t.Raw(i)
	if n.Flags&nodeNUL != 0 {
		if z := slices.Index(b, 0); z >= 0 {
			b = b[:z]
		}
	}
	return b
}

func (t *Tree) arenaBytes(n *Node) []byte {
	off, size := n.Val>>32, n.Val&0xffffffff
	return t.arena[off : off+size]
}

// At is the innermost node that owns a byte of a source, or -1.
func (t *Tree) At(src uint8, off int) int {
	best := -1
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Src != src || n.Len == 0 || off < int(n.Off) || off >= int(n.Off+n.Len) || t.Field(i).hidden {
			continue
		}
		if f := t.Field(i); f.mask != 0 && best >= 0 && t.Field(best).claims() && t.Nodes[best].Depth < n.Depth {
			continue // the bits of a field stand for it, not for the byte
		}
		if best < 0 || n.Depth > t.Nodes[best].Depth || n.Depth == t.Nodes[best].Depth && n.Len <= t.Nodes[best].Len ||
			t.Nodes[best].Depth == 0 {
			best = i
		}
	}
	return best
}

// Find is the first node of the field (or of one that the alias f covers), or -1.
func (t *Tree) Find(f *Field) int {
	for i := range t.Nodes {
		if g := t.Field(i); g == f || slices.Contains(g.rare.also, f) {
			return i
		}
	}
	return -1
}

// Clone copies the tree, so that it stays valid.
func (t *Tree) Clone() *Tree {
	c := *t
	c.by = nil
	c.Nodes, c.Messages, c.arena, c.info = slices.Clone(t.Nodes), slices.Clone(t.Messages), slices.Clone(t.arena),
		slices.Clone(t.info)
	c.suffixes = slices.Clone(t.suffixes)
	c.frameBytes = slices.Clone(t.frameBytes)
	c.more = slices.Clone(t.more)
	for i := range c.more {
		c.more[i].Data = slices.Clone(c.more[i].Data)
	}
	return &c
}

// claims is true for fields that own their bytes themselves, whatever stands below them.
func (f *Field) claims() bool {
	return f.role != roleGroup && f.typ != TypeProtocol && f.typ != TypeNone
}
