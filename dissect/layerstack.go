package dissect

import (
	"encoding/binary"
	"slices"
	"sync/atomic"

	"remora/internal/column"
)

// A KindValue is one packet type: the Kind field and its number.
type KindValue struct {
	Field FieldID
	Value uint64
}

// A LayerStack is what many frames have in common: their layers, in order, and the packet types inside them. The index
// holds one small number per frame; filters and statistics on protocols and packet types ask the layer stack.
type LayerStack struct {
	ID    uint32
	Kinds []KindValue // each once, in the order of first appearance
	path  []step
	top   uint16
	cut   bool // Kinds may lack some: there were too many layer stacks

	unpacks bool // some layer does (see Unpacks)

	kindText atomic.Pointer[string] // see KindText; nil before it was asked for

	ordinals []uint8 // of each layer: which occurrence of its plugin it is, counted from 1

	// What the first pass has counted and not published yet.
	frames, bytes uint64

	Frames, Bytes atomic.Uint64 // how many frames have this layer stack, and their bytes on the wire
}

// layer stacks interns layer stacks. The first pass writes; anybody reads by number.
type layerStacks struct {
	byKey  map[string]uint32
	list   column.Column[*LayerStack]
	key    []byte           // scratch
	recent [256]*LayerStack // by a hash: what byKey has, found without making a key
	fresh  []*LayerStack    // those with something to publish
}

// count adds a frame to its layer stack. publish shows the sums to everybody, once for many frames.
func (s *layerStacks) count(sh *LayerStack, length uint32) {
	if sh.frames == 0 {
		s.fresh = append(s.fresh, sh)
	}
	sh.frames++
	sh.bytes += uint64(length)
}

func (s *layerStacks) publish() {
	for _, sh := range s.fresh {
		sh.Frames.Add(sh.frames)
		sh.Bytes.Add(sh.bytes)
		sh.frames, sh.bytes = 0, 0
	}
	s.fresh = s.fresh[:0]
}

// intern is the layer stack of a frame, found or made.
func (s *layerStacks) intern(of *Session, path []step, kinds []KindValue, top uint16) *LayerStack {
	h := uint64(top)
	for _, p := range path {
		h = (h ^ uint64(p.plugin)<<8 ^ uint64(p.reason)) * 0x9e3779b97f4a7c15
	}
	for _, v := range kinds {
		h = (h ^ uint64(v.Field)<<32 ^ v.Value) * 0x9e3779b97f4a7c15
	}
	recent := &s.recent[h>>56]
	if sh := *recent; sh == nil || sh.top != top || !slices.Equal(sh.path, path) || !slices.Equal(sh.Kinds, kinds) {
		*recent = s.find(of, path, kinds, top)
	}
	return *recent
}

func (s *layerStacks) find(of *Session, path []step, kinds []KindValue, top uint16) *LayerStack {
	id, ok := s.known(path, kinds, top, false)
	cut := !ok && s.list.Len() >= maxLayerStacks // hostile: no honest capture has a hundredth of so many
	if cut {
		if kinds = nil; s.list.Len() >= 2*maxLayerStacks {
			path = path[:min(len(path), 2)]
		}
		id, ok = s.known(path, kinds, top, true)
	}
	if ok {
		return s.list.At(int(id))
	}
	sh := &LayerStack{ID: uint32(s.list.Len()), path: slices.Clone(path), Kinds: slices.Clone(kinds), top: top, cut: cut}
	for i, st := range path {
		id := of.effective(st.plugin)
		sh.ordinals = append(sh.ordinals, ordinal(path[:i], id))
		sh.unpacks = sh.unpacks || id < noLayer && of.reg.plugins[id].Protocol.Has(Unpacks)
	}
	s.byKey[string(s.key)] = sh.ID
	s.list.Append(sh)
	return sh
}

// known looks for a layer stack. It leaves its key in s.key.
func (s *layerStacks) known(path []step, kinds []KindValue, top uint16, cut bool) (id uint32, ok bool) {
	k := s.key[:0]
	for _, p := range path {
		k = append(k, byte(p.plugin), byte(p.plugin>>8), byte(p.reason))
	}
	k = append(k, 0xff, 0xff, 0xff)
	for _, v := range kinds {
		k = binary.LittleEndian.AppendUint16(k, uint16(v.Field))
		k = binary.AppendUvarint(k, v.Value)
	}
	if k = append(k, byte(top), byte(top>>8)); cut {
		k = append(k, 0xff)
	}
	s.key = k
	id, ok = s.byKey[string(k)]
	return id, ok
}

// reach is the number of layers that must be dissected to find what is wanted: 0 when the frame cannot have it.
func (sh *LayerStack) reach(s *Session, w *Wants) int {
	if w.everywhere || w.text {
		return len(sh.path) + 1
	}
	for i := len(sh.path) - 1; i >= 0; i-- {
		if p := s.effective(sh.path[i].plugin); p < noLayer {
			if s.reg.plugins[p].Protocol.speaksOne(w.protocols) {
				return i + 1
			}
		}
	}
	return 0
}

// speaksOne tells whether layers of the protocol may have fields of one of some protocols.
func (p *Protocol) speaksOne(of map[*Protocol]bool) bool {
	return of[p] || slices.ContainsFunc(p.speaks, func(q *Protocol) bool { return of[q] })
}

// maxLayerStacks bounds the layer stacks of a session. Beyond it frames of one path share a layer stack, whatever
// packet types they have, and beyond twice as many all frames that begin alike.
const maxLayerStacks = 1 << 16

// noPlugin stands in a path where nobody took the bytes.
const noPlugin = 0xffff

// noLayer stands in a path where nothing was handed on: a segment that completes no message.
const noLayer = 0xfffe

// maxKinds bounds the packet types that a layer stack remembers.
const maxKinds = 64

// Indexed tells whether the index knows of every frame that has the protocol: it is one of the frame's layers, and not
// of the engine's own.
func Indexed(p *Protocol) bool { return p != ws && p != ends }

// plainName is the protocol of what nobody knows.
const plainName = "data"

// IsPlain tells whether the protocol is that of what nobody knows, which is the one that can be Provisional.
func IsPlain(p *Protocol) bool { return p.name == plainName }
