package dissect

import (
	"remora/internal/column"
	"remora/internal/sorting"
)

// An answer says how the wanted fields of all frames of a layer stack are known without reading them.
type answer struct {
	asked, known bool
	fields       []*Field // that the conversation has to tell
	counts       []*Field // that the index has of the frame, where the outermost layer is asked for nothing else
}

// answersTo are the answers for some wants.
type answersTo struct {
	wants   *Wants
	byStack []answer
}

// Values is Redissect for who wants the values of fields alone, and not where they stand: those of packets whose record
// and conversation know them all are not read.
func (l *Dissector) Values(n FrameNum, w *Wants) *Tree {
	rec := *column.Seen(&l.d.records, &l.s.records, int(n)-1)
	if w.all || w.text || w.everywhere || rec.apart() || l.guard != nil {
		return l.Redissect(n, w)
	}
	sh := l.s.LayerStack(rec.stack())
	a := l.answerOf(sh, w)
	id, dir := splitRef(rec.conv)
	if !a.known || len(a.fields) > 0 && (id == 0 || l.s.Conversation(id).Evicted()) {
		return l.Redissect(n, w)
	}
	t := &l.t
	t.LayerStack, t.Severity, t.top, t.meta = sh, rec.severity(), sh.top, l.d.reader.Meta(int(n)-1)
	if len(a.counts) > 0 {
		l.counted(n, a.counts)
	} else {
		l.dissect(n, w, sh, 1, nil, nil) // the outermost layer is the record
	}
	t.frameBytes = l.known[:]
	if len(a.fields) == 0 {
		return t
	}
	c := l.s.Conversation(id)
	t.Src, t.Dst, t.Conv, t.Dir = c.A, c.B, c, dir
	if dir == 1 {
		t.Src, t.Dst = c.B, c.A
	}
	for _, f := range a.fields {
		if l.know(&rec, f, l.s.reg.known[f.id]) == ForNone {
			return l.Redissect(n, w)
		}
	}
	return t
}

// counted makes a tree of what the index has of the frame.
func (l *Dissector) counted(n FrameNum, fields []*Field) {
	t, c := &l.t, l.s.reg.plugins[l.s.reg.root].Counts
	t.reset(n, nil)
	for _, f := range fields {
		v := uint64(l.s.Number(n))
		switch f {
		case c.Length:
			v = uint64(t.meta.Len)
		case c.Captured:
			v = uint64(t.meta.CapLen)
		}
		t.Nodes = append(t.Nodes, Node{Val: v, Field: f.id, Depth: 1, Layer: 1})
	}
}

// counts are the wanted fields of the outermost layer, in their order in the tree, or none where the index alone does
// not tell them all.
func (r *Registry) counts(w *Wants) (out []*Field) {
	root := &r.plugins[r.root]
	wanted := 0
	for _, f := range root.Protocol.fields {
		if w.ids[f.id]&^wantLayer != 0 {
			wanted++
		}
	}
	if c := root.Counts; c != nil && w.ids[root.Protocol.self.id]&wantNode == 0 {
		for _, f := range [...]*Field{c.Number, c.Length, c.Captured} {
			if w.ids[f.id]&wantNode != 0 {
				out = append(out, f)
			}
		}
	}
	if len(out) < wanted {
		return nil
	}
	return out
}

// answerOf is how the wanted fields are known for a layer stack, worked out once.
func (l *Dissector) answerOf(sh *LayerStack, w *Wants) *answer {
	of := &l.answers[0]
	if of.wants != w {
		if of = &l.answers[1]; of.wants != w {
			*of = l.answers[0]
			of = &l.answers[0]
			*of = answersTo{wants: w}
		}
	}
	for int(sh.ID) >= len(of.byStack) {
		of.byStack = append(of.byStack, answer{})
	}
	a := &of.byStack[sh.ID]
	if !a.asked {
		*a = l.s.answer(sh, w)
	}
	return a
}

func (s *Session) answer(sh *LayerStack, w *Wants) answer {
	none := answer{asked: true}
	out := answer{asked: true, known: true}
	root := &s.reg.plugins[s.reg.root]
	if !root.Recorded || len(s.reg.post) > 0 || sh.cut || !s.reg.Known() || len(w.mirrored) > 0 {
		return none
	}
	for _, f := range s.reg.byID {
		if f == nil || w.ids[f.id]&^wantLayer == 0 || f.proto == root.Protocol {
			continue
		}
		switch as := s.reg.known[f.id].as; {
		case as == knownAlias:
		case s.layersOf(sh, f.proto) == 0 && as >= knownSrc && as <= knownStream:
		case s.layersOf(sh, f.proto) > 1 || as < knownSrc || as > knownStream || w.ids[f.id]&wantInside != 0:
			return none
		default:
			out.fields = append(out.fields, f)
		}
	}
	out.counts = s.reg.counts(w)
	sorting.Func(out.fields, func(a, b *Field) int { return int(s.reg.known[a.id].as) - int(s.reg.known[b.id].as) })
	return out
}
