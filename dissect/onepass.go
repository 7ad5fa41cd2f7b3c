package dissect

import "slices"

// Pass passes the next frame, n, and returns what Redissect would with the wants: the frame is dissected once for both.
// It returns nil where the first pass does not record all, or in another order: then the frame has passed, and is to be
// dissected again.
func (l *Dissector) Pass(n FrameNum, w *Wants) *Tree {
	s, d, t := l.s, &l.s.pass.d, &l.s.pass.t
	if s.Passed()+1 != int(n) || s.firstWants != wantsNothing || s.reg.foreign {
		l.PassTo(int(n))
		return nil
	}
	if s.firstWants = w; w.Row() {
		s.firstWants = s.pass.learned(w)
	}
	d.past, d.recording = l.d.past, w.nodes
	s.passTo(int(n), l.d.work)
	row := s.firstWants
	s.firstWants, d.recording = wantsNothing, false
	if row.learning {
		row.learning = false
		return nil
	}
	if d.over != nil || d.apart || t.full || d.hangs != nil || w.nodes && d.again || !d.sameInStreams(w) {
		return nil
	}
	if d.layersAt >= 0 { // the frame's nodes are the first: none before them goes away
		at := len(t.arena)
		t.arena = d.layersText(t.arena, d)
		t.Nodes[d.layersAt].Val = uint64(at)<<32 | uint64(len(t.arena)-at)
	}
	s.pass.passedRow(n)
	if w.nodes {
		d.depth = 1
		d.putEnds()
	}
	return t
}

// Recording tells whether whoever looks may want any field: not where the first pass records the fields of a row at
// most.
func (hd *SessionState) Recording() bool { return !hd.first || hd.recording || hd.want.all }

// LayersText records what text appends, which is made of the frame's layers. A first pass that records makes it at the
// end, when it knows them.
func (hd *PacketRecord) LayersText(f *Field, text func(dst []byte, d *D) []byte) {
	d := (*D)(hd)
	switch {
	case !d.Wanted(f):
	case d.first:
		d.layersAt, d.layersText = len(d.t.Nodes), text
		d.SetText(f, "")
	default:
		d.texts = text(d.texts[:0], d)
		d.SetBytes(f, d.texts)
	}
}

// Limits of trees that are copied: of many at once.
const (
	maxCopiedNodes = 512
	maxCopiedBytes = 4 << 10
)

// CopyTo makes c a copy of the tree for another goroutine, in memory that c has already: of what was wanted. It copies
// no tree that is large or has bytes of its own, and tells whether it did.
func (t *Tree) CopyTo(c *Tree, w *Wants) bool {
	if !w.nodes {
		return t.copyRow(c)
	}
	if len(t.Nodes) > maxCopiedNodes || len(t.frameBytes)+len(t.arena) > maxCopiedBytes || t.sourceCount > 0 {
		return false
	}
	was := *c
	*c = *t
	c.Nodes, c.Messages = append(was.Nodes[:0], t.Nodes...), append(was.Messages[:0], t.Messages...)
	c.arena, c.info = append(was.arena[:0], t.arena...), append(was.info[:0], t.info...)
	c.suffixes, c.frameBytes = append(was.suffixes[:0], t.suffixes...), append(was.frameBytes[:0], t.frameBytes...)
	c.by, c.more = nil, nil
	return true
}

// copyRow is CopyTo without the nodes and what they stand for.
func (t *Tree) copyRow(c *Tree) bool {
	if len(t.info) > maxCopiedBytes {
		return false
	}
	was := *c
	*c = *t
	c.info = append(was.info[:0], t.info...)
	c.Nodes, c.Messages, c.arena = was.Nodes[:0], was.Messages[:0], was.arena[:0]
	c.suffixes, c.frameBytes = was.suffixes[:0], was.frameBytes[:0]
	c.by, c.more, c.sourceCount = nil, nil, 0
	return true
}

// Adopt has the Dissector's goroutine draw a copied tree.
func (l *Dissector) Adopt(t *Tree) { t.by = &l.d }

// unlocks tells whether the frame has bytes that were made, by decryption for example, other than put together from
// segments: what is handed on of them the first pass does later than re-dissections.
func (d *D) unlocks() bool {
	return slices.ContainsFunc(d.t.more, func(made Source) bool { return made.Name != reassembled })
}

// A streamMark is where the first stream of a frame is followed: how many layers there are up to it, 0 for none.
type streamMark struct {
	at    int
	again bool // re-dissections record what it carries in another order, or what the first pass does not
}

// sameInStreams tells whether a re-dissection would record what was recorded of the layers that are handed on. Where
// none is asked for but those around a stream, what it carries does not matter.
func (d *D) sameInStreams(w *Wants) bool {
	makes := d.unpacks || d.unlocks()
	if !makes && !(w.nodes && (d.stream.again || d.t.sourceCount > 0)) {
		return true
	}
	if makes && (w.text || w.everywhere) || d.stream.at == 0 || !w.around(d.s, d.path[min(d.stream.at, len(d.path)):]) {
		return false
	}
	d.t.dropSources()
	return true
}

// around tells whether none of the fields that were asked for is of the layers.
func (w *Wants) around(s *Session, inner []step) bool {
	return w.asked != nil && !slices.ContainsFunc(inner, func(st step) bool {
		id := s.effective(st.plugin)
		return id < noLayer && s.reg.plugins[id].Protocol.speaksOne(w.asked)
	})
}

// dropSources leaves the tree what is recorded of the frame itself.
func (t *Tree) dropSources() {
	if t.sourceCount > 0 {
		t.Nodes = slices.DeleteFunc(t.Nodes, func(n Node) bool { return n.Src != 0 })
		t.more, t.sourceCount = t.more[:0], 0
	}
}

// passedRow completes the tree of a frame that has just passed.
func (l *Dissector) passedRow(n FrameNum) *Tree {
	s, d, t := l.s, &l.d, &l.t
	rec := s.records.At(int(n) - 1)
	sh := s.LayerStack(rec.stack())
	t.LayerStack, t.Severity, t.top, t.read = sh, rec.severity(), sh.top, true
	if t.titledOf != t.top {
		t.titled = ""
	}
	t.Src, t.Dst, t.Dir = d.Src, d.Dst, d.Dir
	if id, _ := splitRef(rec.conv); id != 0 {
		t.Conv = s.Conversation(id)
	}
	return t
}
