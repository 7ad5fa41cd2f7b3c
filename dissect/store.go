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

type noteRow[N any] struct {
	frame FrameNum
	turn  uint32 // which call in the frame, counted from 0
	note  N
}

type storeData[S any, N comparable] struct {
	conversations []*S
	endpoints     map[Endpoint]*S
	capture       *S
	notes         column.Column[noteRow[N]]
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
		data.conversations = append(data.conversations, make([]*S, 1+len(data.conversations))...)
	}
	s := data.conversations[d.conv.ID]
	if s == nil {
		s = new(S)
		data.conversations[d.conv.ID] = s
	}
	return data.keep(d, turn, change(s))
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

// keep appends a note. Zero notes are not kept: a missing note is zero.
func (data *storeData[S, N]) keep(d *D, turn uint32, note N) N {
	var zero N
	if note != zero {
		data.notes.Append(noteRow[N]{d.Frame, turn, note})
	}
	return note
}

// recall finds the note of a call. Looks mostly go forward, so the place after the last find is tried first.
func (data *storeData[S, N]) recall(d *D, id, turn uint32) (note N) {
	n := data.notes.Len()
	at := int(d.hints[id])
	if at >= n || !data.reached(at, d.Frame, turn) || at > 0 && data.reached(at-1, d.Frame, turn) {
		if at+1 < n && !data.reached(at, d.Frame, turn) && data.reached(at+1, d.Frame, turn) {
			at++
		} else {
			at = sort.Search(n, func(i int) bool { return data.reached(i, d.Frame, turn) })
		}
	}
	d.hints[id] = uint32(at)
	if at < n {
		if r := data.notes.Ref(at); r.frame == d.Frame && r.turn == turn {
			return r.note
		}
	}
	return note
}

// reached tells whether row i is at or behind the call.
func (data *storeData[S, N]) reached(i int, frame FrameNum, turn uint32) bool {
	r := data.notes.Ref(i)
	return r.frame > frame || r.frame == frame && r.turn >= turn
}
