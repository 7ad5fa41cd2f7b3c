package dissect

import (
	"fmt"
	"reflect"
	"sort"
	"sync/atomic"

	"remora/internal/column"
)

// A Store gives a plugin state that lives in the session, and is the only way to it. S is the state, one per
// conversation (Once), per endpoint (OnceAt) or for the whole capture (OnceIn); N is the note that a frame
// leaves behind: a plain value without pointers. Declare a Store as a package variable and name it in
// Plugin.Stores.
//
// The closure runs when the frame passes first; every later look gets the note that it returned. Calls must
// depend on the packet's bytes and on earlier notes only, so that they come in the same order on every look.
type Store[S any, N comparable] struct{ id uint32 }

// AnyStore is any Store.
type AnyStore interface {
	check() error
	index() uint32
	fresh() any
}

var lastStore atomic.Uint32

// A noteRow is one note. The notes of a frame's calls lie in the order of the calls.
type noteRow[N any] struct {
	frame FrameNum
	note  N
}

type storeData[S any, N comparable] struct {
	conversations []*S
	endpoints     map[Endpoint]*S
	capture       *S
	notes         column.Column[noteRow[N]]
	numbered      bool // notes are known by numbers, too
}

func (st *Store[S, N]) check() error {
	if st.id == 0 {
		st.id = lastStore.Add(1)
	}
	if t := reflect.TypeFor[N](); !plain(t) {
		return fmt.Errorf("the notes of a store are %s: notes must be plain values without pointers, strings, slices or maps", t)
	}
	return nil
}
func (st *Store[S, N]) index() uint32 { return st.id }
func (st *Store[S, N]) fresh() any    { return &storeData[S, N]{endpoints: map[Endpoint]*S{}} }

// plain tells whether values of the type hold no pointer.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.String, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return false
	}
	return true
}

func (st *Store[S, N]) data(d *D) *storeData[S, N] {
	if int(st.id) >= len(d.s.stores) || d.s.stores[st.id] == nil {
		panic("dissect: a store is used that no plugin of this registry names in Stores")
	}
	return d.s.stores[st.id].(*storeData[S, N])
}

// Once runs change on the state of the frame's conversation, or recalls what it said. Packets quoted inside others
// (ICMP errors) and packets without a conversation have no state: the note is zero.
func (st *Store[S, N]) Once(d *D, change func(*S) N) (note N) {
	if d.quoted || d.conv == nil {
		return note
	}
	data, turn := st.data(d), d.turn(st.id)
	if !d.first {
		return data.recall(d, st.id, turn)
	}
	for int(d.conv.ID) >= len(data.conversations) {
		data.conversations = append(data.conversations, make([]*S, 1+len(data.conversations)/4)...)
	}
	s := data.conversations[d.conv.ID]
	if s == nil {
		s = new(S)
		data.conversations[d.conv.ID] = s
	}
	return data.keep(d, turn, change(s))
}

// Glance is the state of the frame's conversation, or nil where there is none yet. It serves Plugin.Cut in the first
// pass, which leaves no notes; the state must not be changed through it.
func (st *Store[S, N]) Glance(d *D) *S {
	if !d.first || d.quoted || d.conv == nil {
		return nil
	}
	if data := st.data(d); int(d.conv.ID) < len(data.conversations) {
		return data.conversations[d.conv.ID]
	}
	return nil
}

// GlanceIn is Glance for the state of the whole capture. It serves Plugin.Guess in the first pass.
func (st *Store[S, N]) GlanceIn(d *D) *S {
	if !d.first || d.quoted {
		return nil
	}
	return st.data(d).capture
}

// OnceAt is Once with one state per endpoint.
func (st *Store[S, N]) OnceAt(d *D, e Endpoint, change func(*S) N) (note N) {
	if d.quoted {
		return note
	}
	data, turn := st.data(d), d.turn(st.id)
	if !d.first {
		return data.recall(d, st.id, turn)
	}
	s := data.endpoints[e]
	if s == nil {
		s = new(S)
		data.endpoints[e] = s
	}
	return data.keep(d, turn, change(s))
}

// OnceIn is Once with one state for the whole capture.
func (st *Store[S, N]) OnceIn(d *D, change func(*S) N) (note N) {
	if d.quoted {
		return note
	}
	data, turn := st.data(d), d.turn(st.id)
	if !d.first {
		return data.recall(d, st.id, turn)
	}
	if data.capture == nil {
		data.capture = new(S)
	}
	return data.keep(d, turn, change(data.capture))
}

// keep appends a note. Zero notes are not kept, a missing note being zero, unless a later call of the frame leaves one:
// then they keep its place.
func (data *storeData[S, N]) keep(d *D, turn uint32, note N) N {
	var zero N
	if note == zero {
		return note
	}
	have := uint32(0)
	for i := data.notes.Len() - 1; i >= 0 && data.notes.Ref(i).frame == d.Frame; i-- {
		have++
	}
	for ; have < turn; have++ {
		data.notes.Append(noteRow[N]{d.Frame, zero})
	}
	data.notes.Append(noteRow[N]{d.Frame, note})
	return note
}

// recall finds the note of a call. Looks mostly go forward, so the place of the last find and the one behind it are
// tried first.
func (data *storeData[S, N]) recall(d *D, id, turn uint32) (note N) {
	n := data.notes.Len()
	at := int(d.hints[id])
	if !data.starts(at, n, d.Frame) {
		if at++; !data.starts(at, n, d.Frame) {
			at = sort.Search(n, func(i int) bool { return data.notes.Ref(i).frame >= d.Frame })
		}
	}
	d.hints[id] = uint32(at)
	if at += int(turn); at < n {
		if r := data.notes.Ref(at); r.frame == d.Frame {
			return r.note
		}
	}
	return note
}

// NoteOf is the note that the first call of an earlier frame left behind, zero when there was none. It serves notes that
// many later frames refer to by that frame's number instead of repeating them.
func (st *Store[S, N]) NoteOf(d *D, frame FrameNum) (note N) {
	if d.quoted || frame > d.Frame {
		return note
	}
	data := st.data(d)
	n := data.notes.Len()
	if at := sort.Search(n, func(i int) bool { return data.notes.Ref(i).frame >= frame }); at < n {
		if r := data.notes.Ref(at); r.frame == frame {
			return r.note
		}
	}
	return note
}

// Keep keeps a note that others refer to by the number it returns, counted from 1, where many frames would say the same.
// It works in the closures of other stores' Once alone; the store itself is for Keep and Kept only.
func (st *Store[S, N]) Keep(d *D, note N) uint32 {
	st.data(d).numbered = true
	return 1 + uint32(st.data(d).notes.Append(noteRow[N]{d.Frame, note}))
}

// Kept is the note of a number that Keep gave, zero for number 0.
func (st *Store[S, N]) Kept(d *D, number uint32) (note N) {
	if notes := &st.data(d).notes; number > 0 && int(number) <= notes.Len() {
		return notes.Ref(int(number) - 1).note
	}
	return note
}

// starts tells whether the notes of a frame start, or would start, at row i.
func (data *storeData[S, N]) starts(i, n int, frame FrameNum) bool {
	return i <= n && (i == n || data.notes.Ref(i).frame >= frame) && (i == 0 || data.notes.Ref(i-1).frame < frame)
}
