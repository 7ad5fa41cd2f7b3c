package dissect

import (
	"encoding/binary"
	"hash/maphash"
	"strings"
)

// RepeatedLines keeps runs of lines that stood below each other in a tree, as they were drawn: most lines of a packet's
// tree stood in the trees before it, too. Lines of fields that mostly change are in no run. It is for one goroutine.
type RepeatedLines struct {
	LeavesOut func(f *Field) bool // fields that are not drawn, nor what is below them

	seed     maphash.Seed
	naming   *Naming
	nameless bool
	fields   []lineField // by FieldID
	seen     []uint32    // of nodes that came lately, hashed
	calls    uint32
	kept     []keptLines
	key      []byte
	slot     *keptLines // that the run being drawn is to take, or nil
}

// A lineField is what is known of the lines of a field.
type lineField struct {
	by      lineBy
	changes uint8 // grows with each new value and falls with each that was there
	longest uint8 // of the runs that it begins; 0 is maxRun
	luck    int8  // grows with each run that was there and falls with each new one
}

type keptLines struct {
	hash      uint64
	key, text []byte
}

// lineBy says what the line of a node depends on beside its field, depth and flags.
type lineBy uint8

const (
	lineFixed  lineBy = 1 // on nothing
	lineNumber lineBy = 2 // on the value
	lineBytes  lineBy = 3 // on the bytes
	lineWhat   lineBy = 3

	lineNever  lineBy = 1 << 3 // on more than the tree, or it is not drawn, nor what is below
	lineBelow  lineBy = 1 << 4 // and on the nodes below
	lineHidden lineBy = 1 << 5 // it is not drawn
	lineSimple lineBy = 1 << 6 // it is a label and a value
)

const (
	maxRun      = 64   // nodes
	maxRunKey   = 1024 // bytes
	maxRunText  = 4096
	maxLineText = 64 // bytes of a value
	keptRuns    = 1 << 11
	seenNodes   = 1 << 12
	changing    = 128
	luckless    = 24
)

// Begin readies it for the lines of a tree.
func (r *RepeatedLines) Begin(t *Tree) {
	naming, nameless := t.reg.Naming(), t.session.nameless.Load()
	if r.kept == nil || r.naming != naming || r.nameless != nameless {
		*r = RepeatedLines{LeavesOut: r.LeavesOut, seed: maphash.MakeSeed(), naming: naming, nameless: nameless,
			fields: make([]lineField, len(t.reg.byID)), seen: make([]uint32, seenNodes), kept: make([]keptLines, keptRuns)}
	}
}

// Append appends the lines of the nodes [i, to). Where it does not know them, they are to be drawn, and Keep takes
// their text.
func (r *RepeatedLines) Append(dst []byte, t *Tree, i int) (_ []byte, to int, known bool) {
	r.slot = nil
	n := &t.Nodes[i]
	f := &r.fields[n.Field]
	if to = r.run(t, i, f); to == i {
		if f.by&lineSimple != 0 && n.Flags&(nodeHidden|nodeArena) == 0 {
			return t.appendSimple(dst, i), i + 1, true
		}
		return dst, i + 1, false
	}
	hash := maphash.Bytes(r.seed, r.key)
	s := &r.kept[hash%keptRuns]
	known = s.hash == hash && string(s.key) == string(r.key)
	if r.calls++; r.calls&7 == 0 {
		r.learn(t, i, to, known)
	}
	if !known {
		s.hash, r.slot = hash, s
		return dst, to, false
	}
	return append(dst, s.text...), to, true
}

// Keep takes the text of the nodes that Append left to draw.
func (r *RepeatedLines) Keep(text []byte) {
	if s := r.slot; s != nil && len(text) <= maxRunText {
		s.key, s.text = append(s.key[:0], r.key...), append(s.text[:0], text...)
	} else if s != nil {
		s.hash, s.key, s.text = 0, s.key[:0], s.text[:0]
	}
}

// run is where the run of nodes ends that begins with node i, whose lines depend on nothing but the key that it makes.
func (r *RepeatedLines) run(t *Tree, i int, first *lineField) int {
	longest := int(first.longest)
	if longest == 0 {
		longest = maxRun
	}
	key, below, belowKey := r.key[:0], -1, 0
	to, last := i, min(len(t.Nodes), i+longest)
	for ; to < last && len(key) < maxRunKey; to++ {
		n := &t.Nodes[to]
		f := &r.fields[n.Field]
		if f.by == 0 {
			f.by = r.lineBy(t.Field(to))
		}
		if f.by&lineNever != 0 || f.changes >= changing || n.Flags&nodeHidden != 0 {
			break
		}
		if below >= 0 && n.Depth <= t.Nodes[below].Depth {
			below = -1
		}
		at := len(key)
		if key = t.appendLineKey(key, to, f.by, below >= 0); key == nil {
			key = r.key[:at]
			break
		}
		r.key = key
		if below < 0 && f.by&lineBelow != 0 {
			below, belowKey = to, at
		}
	}
	deeper := to > i && to < len(t.Nodes) && t.Nodes[to].Depth > t.Nodes[to-1].Depth
	if below >= 0 && to < len(t.Nodes) && t.Nodes[to].Depth > t.Nodes[below].Depth { // not all below is in the run
		if f := &r.fields[t.Nodes[below].Field]; f.changes < changing {
			f.changes++
		}
		to, key, deeper = below, key[:belowKey], below > i && t.Nodes[below].Depth > t.Nodes[below-1].Depth
	}
	if deeper {
		key = append(key, 1)
	}
	r.key = key
	return to
}

// lineBy is what the lines of a field depend on.
func (r *RepeatedLines) lineBy(f *Field) (by lineBy) {
	switch {
	case f.role == roleExpert || f.rare.unitIf != nil || r.LeavesOut(f):
		return lineNever
	case f.role == roleGroup || f.typ == TypeNone || f.typ == TypeProtocol:
		by = lineFixed
	case f.typ == TypeString || f.typ == TypeBytes || f.typ == TypeGUID || f.typ == TypeIPv6:
		by = lineBytes
	default:
		by = lineNumber
	}
	if r.isSimple(f) {
		by |= lineSimple
	}
	if n := r.naming; f.typ == TypeTime || f.typ == TypeFrame ||
		(f.typ == TypeIPv4 || f.typ == TypeIPv6) && n != nil && !r.nameless && (n.Host != nil || n.File || n.Seen) {
		by |= lineNever // the name may come with a later packet
	}
	if strings.Contains(f.rare.summary, "{") {
		by |= lineBelow
	}
	if f.hidden {
		by |= lineHidden
	}
	return by
}

// isSimple tells whether appendSimple draws the field's lines.
func (r *RepeatedLines) isSimple(f *Field) bool {
	x := f.rare
	if f.hidden || f.mask != 0 || f.format != nil || len(f.values)+len(x.flags) > 0 || x.summary != "" || x.plain ||
		x.sized || x.port != "" && r.naming != nil && r.naming.Port != nil {
		return false
	}
	switch f.typ {
	case TypeUint, TypeInt, TypeSpan, TypeTime, TypeIPv4, TypeIPv6:
		return true
	}
	return false
}

// appendSimple is the line of a node whose field is simple.
func (t *Tree) appendSimple(dst []byte, i int) []byte {
	f, n := t.Field(i), &t.Nodes[i]
	for range n.Depth {
		dst = append(dst, "    "...)
	}
	derived := n.Flags&nodeDerived != 0 || f.derived
	if derived {
		dst = append(dst, '[')
	}
	start := len(dst)
	dst = append(append(dst, f.label...), ": "...)
	switch {
	case f.rare.formatTo != nil:
		dst = f.rare.formatTo(dst, n.Val)
	case f.typ == TypeUint || f.typ == TypeInt:
		dst = f.appendUnit(f.appendPlain(dst, n.Val))
	case f.typ == TypeTime:
		dst = t.AppendShow(dst, i)
	case f.typ == TypeSpan:
		dst = append(AppendSpan(dst, int64(n.Val), 9), " seconds"...)
	default:
		dst = t.session.appendAddr(dst, t.Address(i), t.Frame)
	}
	if dst = t.appendSuffixes(dst, start, i); derived {
		dst = append(dst, ']')
	}
	return append(dst, '\n')
}

// appendLineKey appends what the line of a node depends on, or gives nil where that is much.
func (t *Tree) appendLineKey(key []byte, i int, by lineBy, named bool) []byte {
	n := &t.Nodes[i]
	key = binary.LittleEndian.AppendUint32(key, uint32(n.Field)|uint32(n.Depth)<<16|uint32(n.Flags)<<24)
	switch kind := by & lineWhat; {
	case by&lineHidden != 0 && !named || kind == lineFixed:
	case n.Flags&nodeArena != 0 || kind == lineBytes:
		b := t.Bytes(i)
		if len(b) > maxLineText {
			return nil
		}
		key = append(append(key, byte(len(b))), b...)
	default:
		key = binary.LittleEndian.AppendUint64(key, n.Val)
	}
	if n.Flags&nodeSuffixed == 0 {
		return key
	}
	for _, s := range t.suffixes {
		if int(s.node) == i {
			key = append(binary.LittleEndian.AppendUint32(key, s.len<<1), t.arena[s.off:s.off+s.len]...)
			if s.instead {
				key = append(key, 1)
			}
		}
	}
	return append(key, 0xff)
}

// learn counts for the fields of a run how often their values change, and how often the run was there.
func (r *RepeatedLines) learn(t *Tree, i, to int, ok bool) {
	var room [2 * maxLineText]byte
	for k := i; k < to; k++ {
		f := &r.fields[t.Nodes[k].Field]
		hash := maphash.Bytes(r.seed, t.appendLineKey(room[:0], k, f.by, false))
		if s := &r.seen[hash%seenNodes]; *s == uint32(hash>>32) {
			f.changes -= min(f.changes, 1)
		} else {
			*s = uint32(hash >> 32)
			f.changes = min(f.changes+8, changing)
		}
	}
	f := &r.fields[t.Nodes[i].Field]
	switch {
	case ok && f.luck < luckless:
		f.luck++
	case !ok && f.luck > -luckless:
		f.luck -= 4
	case ok && f.longest != 0:
		f.luck, f.longest = 0, 2*f.longest%maxRun
	case !ok:
		f.luck, f.longest = 0, uint8(max(1, (to-i)/2))
	}
}
