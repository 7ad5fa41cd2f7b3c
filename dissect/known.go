package dissect

import (
	"encoding/binary"

	"remora/internal/column"
)

// What is the same in all packets of a conversation is known without reading them: addresses, ports, the number of the
// stream, the tags of virtual LANs, what its ends are called. The first pass says of each packet whether that holds for
// it (record.apart): in tunnels, behind source routes and around quoted packets, the packet itself has to be asked.

// knownAs says which part of what a conversation knows a field is.
type knownAs uint8

const (
	knownNot knownAs = iota
	knownSrc
	knownDst
	knownSrcPort
	knownDstPort
	knownStream
	knownTag
	knownEnd   // the role or the name of an end
	knownAlias // other fields
)

type knownField struct {
	as    knownAs
	table Table    // of ports and streams
	kind  AddrKind // of addresses
}

// knownFields says of each field what conversations know of it.
func (r *Registry) knownFields() []knownField {
	known := make([]knownField, lastField.Load()+1)
	for _, f := range []*Field{fRoleSrc, fRoleDst, fNameSrc, fNameDst} {
		known[f.id].as = knownEnd
	}
	kinds := map[Type]AddrKind{TypeIPv4: AddrIPv4, TypeIPv6: AddrIPv6}
	for i := range r.plugins {
		p := &r.plugins[i]
		if e := p.Ends; e != nil && e.Source != nil && kinds[e.Source.typ] != 0 {
			known[e.Source.id] = knownField{as: knownSrc, kind: kinds[e.Source.typ]}
			known[e.Dest.id] = knownField{as: knownDst, kind: kinds[e.Dest.typ]}
		}
		if p.Tag != nil {
			known[p.Tag.id] = knownField{as: knownTag}
		}
		if t := p.Transport; t != nil && t.Stream != nil {
			known[t.Stream.id] = knownField{as: knownStream, table: t.Table}
			known[t.SrcPort.id] = knownField{as: knownSrcPort, table: t.Table}
			known[t.DstPort.id] = knownField{as: knownDstPort, table: t.Table}
		}
	}
	for _, f := range r.byID {
		if f != nil && len(f.rare.members) > 0 && allKnown(known, f) {
			known[f.id] = knownField{as: knownAlias}
		}
	}
	return known
}

func allKnown(known []knownField, alias *Field) bool {
	for _, m := range alias.rare.members {
		if as := known[m.id].as; m != alias && (as == knownNot || as == knownAlias) {
			return false
		}
	}
	return true
}

// Known tells whether conversations know all of the fields, of packets for which Dissector.Known does not say
// otherwise.
func (r *Registry) Known(fields ...*Field) bool {
	r.knowing.Do(func() { r.known = r.knownFields() })
	for _, f := range fields {
		if int(f.id) >= len(r.known) || r.known[f.id].as == knownNot {
			return false
		}
	}
	return true
}

// Tagged tells whether the field is the number of a virtual LAN that conversations know. The field must be Known.
func (r *Registry) Tagged(f *Field) bool { return r.known[f.id].as == knownTag }

// Knowable tells whether the frames of a layer stack have one layer at most of each protocol that the fields belong to,
// so that the conversation can know the fields.
func (s *Session) Knowable(sh *LayerStack, fields ...*Field) bool {
	if sh.cut || !s.reg.Known(fields...) { // the fields may be of another registry
		return false
	}
	for _, f := range fields {
		if as := s.reg.known[f.id].as; as == knownTag || as == knownEnd {
			continue
		}
		if s.layersOf(sh, f.proto) > 1 {
			return false
		}
	}
	return true
}

// layersOf is how many layers of a protocol frames of a layer stack have.
func (s *Session) layersOf(sh *LayerStack, p *Protocol) (n int) {
	for _, st := range sh.path {
		if id := s.effective(st.plugin); id < noLayer && s.reg.plugins[id].Protocol.has(p) {
			n++
		}
	}
	return n
}

// A Scope says for which packets something holds.
type Scope uint8

// The scopes.
const (
	ForNone         Scope = iota // it is not known
	ForPacket                    // for the one packet
	ForConversation              // for all packets of its conversation in its direction that Record.Known tells of
)

// Known makes a tree of what frame n's conversation knows of the given fields, and says for which packets it holds. The
// fields must be Known, and Knowable for the frame's layer stack. The tree is the Dissector's.
func (l *Dissector) Known(n FrameNum, fields ...*Field) (*Tree, Scope) {
	s, t := l.s, &l.t
	rec := *column.Seen(&l.d.records, &s.records, int(n)-1)
	id, dir := splitRef(rec.conv)
	if id == 0 || rec.apart() {
		return nil, ForNone
	}
	c := l.convs.at(&s.conversations, int(id)-1)
	if c.Evicted() {
		return nil, ForNone
	}
	t.reset(n, l.known[:])
	t.LayerStack, t.Severity = s.LayerStack(rec.stack()), rec.severity()
	t.top = t.LayerStack.top
	t.Src, t.Dst, t.Conv, t.Dir = c.A, c.B, c, dir
	if dir == 1 {
		t.Src, t.Dst = c.B, c.A
	}
	scope := ForConversation
	for _, f := range fields {
		if got := l.know(&rec, f, s.reg.known[f.id]); got == ForNone {
			return nil, ForNone
		} else if got < scope {
			scope = got
		}
	}
	return t, scope
}

// know adds what the tree's conversation knows of one field.
func (l *Dissector) know(rec *record, f *Field, k knownField) Scope {
	t := &l.t
	node := Node{Field: f.id, Depth: 1, Layer: 1}
	switch k.as {
	case knownSrc, knownDst:
		a, off := t.Src.Addr, 0
		if k.as == knownDst {
			a, off = t.Dst.Addr, 16
		}
		if a.kind != k.kind {
			return ForNone
		}
		node.Val, node.Len = a.lo, 4
		if a.kind == AddrIPv6 {
			binary.BigEndian.PutUint64(l.known[off:], a.hi)
			binary.BigEndian.PutUint64(l.known[off+8:], a.lo)
			node.Val, node.Off, node.Len = 0, uint32(off), 16
		}
	case knownSrcPort, knownDstPort, knownStream:
		if t.Conv.Transport != k.table {
			return ForNone
		}
		switch k.as {
		case knownSrcPort:
			node.Val, node.Len = uint64(t.Src.Port), 2
		case knownDstPort:
			node.Val, node.Len = uint64(t.Dst.Port), 2
		default:
			node.Val, node.Flags = uint64(t.Conv.Stream), nodeDerived
		}
	case knownTag:
		if rec.retagged() {
			return ForNone
		}
		l.knowTags(node)
		return ForConversation
	case knownEnd:
		return l.knowEnd(f, node)
	default:
		return ForConversation
	}
	t.Nodes = append(t.Nodes, node)
	return ForConversation
}

func (l *Dissector) knowTags(node Node) {
	tags := l.t.Conv.tags
	for i := range tags.count() {
		node.Val, node.Len, node.Layer = uint64(tags>>(12*(tags.count()-1-i)))&0xfff, 2, uint8(i+1)
		l.t.Nodes = append(l.t.Nodes, node)
	}
}

// knowEnd adds the role or the name of an end. What an end is called may change within a conversation.
func (l *Dissector) knowEnd(f *Field, node Node) Scope {
	t := &l.t
	e := t.Src
	if f == fRoleDst || f == fNameDst {
		e = t.Dst
	}
	end, changed := l.s.ends.within(e, t.Frame, l.d.spelt())
	text := end.Name
	if f == fRoleSrc || f == fRoleDst {
		text = end.Role
	}
	if text != "" {
		node.Val, node.Flags = uint64(len(t.arena))<<32|uint64(len(text)), nodeArena|nodeDerived
		t.arena, t.Nodes = append(t.arena, text...), append(t.Nodes, node)
	}
	if changed > t.Conv.First {
		return ForPacket
	}
	return ForConversation
}

// tags are the numbers of the virtual LANs around a packet: twelve bits each, the outermost one highest, and how many
// there are in the uppermost eight.
type tags uint32

const mostTags = 2

func (t tags) count() int { return int(t >> 24) }

// Tag says that the packet is in a virtual LAN of this number. A conversation knows the tags of its first packet.
func (hd *Ends) Tag(id uint16) {
	d := (*D)(hd)
	if !d.first || d.quoted {
		return
	}
	if d.conv != nil || d.tags.count() >= mostTags {
		d.apart = true
		return
	}
	d.tags = tags(d.tags.count()+1)<<24 | (d.tags&0xfff)<<12 | tags(id&0xfff)
}

// A Record is what the index has of a frame.
type Record = record

// Stack is the number of the frame's layer stack.
func (r *record) Stack() uint32 { return r.stack() }

// Hash is a number by which records are found again.
func (r Record) Hash() uint32 { return (r.stacked*31 + r.conv) * 0x9e3779b1 >> 16 }

// Known is a number for the frame's conversation with its direction in it, and whether the conversation knows what is
// in the frame; tagged: also the numbers of its virtual LANs.
func (r *record) Known() (ref uint32, known, tagged bool) {
	return r.conv, r.conv != 0 && !r.apart(), !r.retagged()
}

// Records are the index's records from frame n on, as many as lie together. Frame n must have passed. They may be put
// into buf.
func (s *Session) Records(n FrameNum, buf []Record) []Record { return s.records.Run(int(n)-1, buf) }

// RecordOf is the index's record of frame n, which must have passed.
func (s *Session) RecordOf(n FrameNum) Record { return s.records.At(int(n) - 1) }

// Sources are the frame's bytes and all that re-dissections make of them: Tree's Sources, for which a packet is
// dissected only where it may have more than its own bytes. They are valid until the next re-dissection.
func (l *Dissector) Sources(n FrameNum) ([]Source, error) {
	rec := l.s.records.At(int(n) - 1)
	switch {
	case l.s.LayerStack(rec.stack()).unpacks:
		return l.Tree(n).Sources(), nil
	case rec.stacked&markSources == 0:
		b, err := l.Bytes(n)
		return []Source{{"Frame", b}}, err
	}
	if l.made == nil {
		l.made = l.s.reg.sourceWants()
	}
	return l.Redissect(n, l.made).Sources(), nil
}

// EndChanges counts the changes of what ends are called.
func (s *Session) EndChanges() uint64 { return s.ends.changes.Load() }
