package dissect

import (
	"fmt"
	"reflect"
	"sort"
	"sync"
	"unsafe"

	"remora/internal/column"
)

// A Store gives a plugin state that lives in the session, and is the only way to it. S is the state, one per
// conversation (FirstPass), per endpoint (FirstPassAt) or for the whole capture (FirstPassIn); N is the per-frame data
// that a call leaves behind: a plain value without pointers. Declare a Store by NewStore, as a package variable.
//
// The closure runs in the first pass; every re-dissection gets what it returned then. Calls must depend on the packet's
// bytes and on earlier per-frame data only, so that they come in the same order in every
// re-dissection.
type Store[S any, N comparable] struct{ id uint32 }

// NewStore declares a store. Sessions that begin later have it. It panics when N holds pointers.
func NewStore[S any, N comparable]() Store[S, N] {
	return Store[S, N]{declare(reflect.TypeFor[N](), func() any { return &storeData[S, N]{} })}
}

// declared are what makes the data of each store and list in a new session, by their numbers.
var declared struct {
	sync.Mutex
	fresh []func() any
}

// declare gives a store or list of values of a type its number.
func declare(t reflect.Type, fresh func() any) uint32 {
	if !plain(t) {
		panic(fmt.Sprintf("dissect: per-frame data of type %s: it must be plain, without pointers, strings, slices or maps",
			t))
	}
	declared.Lock()
	defer declared.Unlock()
	declared.fresh = append(declared.fresh, fresh)
	return uint32(len(declared.fresh))
}

// StateTypes are the types of what the stores declared so far keep for conversations, endpoints and captures: for the
// test that whatever grows in them has a bound.
func StateTypes() []reflect.Type {
	var out []reflect.Type
	for _, st := range freshStores() {
		if h, ok := st.(interface{ stateType() reflect.Type }); ok {
			out = append(out, h.stateType())
		}
	}
	return out
}

func (data *storeData[S, N]) stateType() reflect.Type { return reflect.TypeFor[S]() }

// freshStores are the empty data of all stores and lists, by their numbers.
func freshStores() []any {
	declared.Lock()
	defer declared.Unlock()
	out := []any{nil} // no store has number 0
	for _, fresh := range declared.fresh {
		out = append(out, fresh())
	}
	return out
}

// A frameData is what one call left. What a frame's calls left lies in the order of the calls.
type frameData[N any] struct {
	frame FrameNum
	note  N
}

type storeData[S any, N comparable] struct {
	endpoints
	capture  *S
	notes    column.Packed[frameData[N]]
	numbered bool // notes are known by numbers, too
}

// A stateNode begins what one store keeps for a conversation, a convState. It tells which store, and so which type.
type stateNode struct {
	next  *stateNode
	store uint32
	size  uint32 // of the whole
}

// convState is one state of a conversation. They hang on it, so that they go with it, in the order in which they came
// about: those of the transport, which each packet asks for, are first.
type convState[S any] struct {
	stateNode
	state S
}

// endpoints are the states of a store for endpoints.
type endpoints struct{ of map[Endpoint]*endpointState }

// lose has nobody see a state again that a plugin may still be changing.
func (l *endpoints) lose(state any) {
	for e, s := range l.of {
		if s.state == state {
			delete(l.of, e)
		}
	}
}

// endpointState is the state of an endpoint, a *S, and the last frame that asked for it.
type endpointState struct {
	state  any
	latest FrameNum
}

// of is the state of a conversation, or nil.
func (st *Store[S, N]) of(c *Conversation) *S {
	for n := c.states; n != nil; n = n.next {
		if n.store == st.id {
			return &(*convState[S])(unsafe.Pointer(n)).state // only this store makes those with its number
		}
	}
	return nil
}

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
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.String, reflect.Chan, reflect.Func, reflect.Interface,
		reflect.UnsafePointer:
		return false
	}
	return true
}

func (st *Store[S, N]) data(d *D) *storeData[S, N] { return storeOf[*storeData[S, N]](d, st.id) }

// storeOf is the data of a store in the frame's session.
func storeOf[T any](d *D, id uint32) T {
	if id == 0 || int(id) >= len(d.s.stores) {
		panic("dissect: a store that NewStore or NewList did not declare before the session began")
	}
	if d.lazy {
		panic("dissect: a plugin that keeps state, inside Lazily: it must say that it is Stateful")
	}
	return d.s.stores[id].(T)
}

// FirstPass runs change on the state of the frame's conversation, or recalls what it said. Packets quoted inside others
// (ICMP errors) and packets without a conversation have no state: the note is zero.
func (st *Store[S, N]) FirstPass(d *D, change func(*S) N) (note N) {
	if d.quoted || d.conv == nil {
		return note
	}
	data, turn := st.data(d), d.turn(st.id)
	if !d.first {
		return data.recall(d, st.id, turn)
	}
	var s *S
	if unsafe.Sizeof(*s) == 0 { // which new does not allocate
		return data.keep(d, turn, st.made(d, new(S), change))
	}
	if s = st.of(d.conv); s == nil {
		n := &convState[S]{}
		n.stateNode = stateNode{store: st.id, size: uint32(unsafe.Sizeof(*n))}
		d.conv.hang(&n.stateNode)
		s = &n.state
		d.s.holds(d.conv, unsafe.Sizeof(*n))
	}
	return data.keep(d, turn, st.made(d, s, change))
}

// hang adds a state behind the others.
func (c *Conversation) hang(added *stateNode) {
	var last *stateNode
	for n := c.states; n != nil; n = n.next {
		last = n
	}
	if last == nil {
		c.states = added
		return
	}
	last.next = added
}

// Note keeps what the first pass has worked out of the packet without a state, as FirstPass with an empty one does, and
// returns what was kept then in every re-dissection. It spares a function.
func (st *Store[S, N]) Note(d *D, note N) N {
	if d.quoted || d.conv == nil {
		var none N
		return none
	}
	return st.note(d, note)
}

func (st *Store[S, N]) note(d *D, note N) N {
	data, turn := st.data(d), d.turn(st.id)
	if !d.first {
		return data.recall(d, st.id, turn)
	}
	d.step(1)
	d.alive()
	return data.keep(d, turn, note)
}

// made makes a change. It is compiled once for each store, not for each call: so often it stands in the program.
//
//go:noinline
func (st *Store[S, N]) made(d *D, s *S, change func(*S) N) N {
	d.step(1)
	if unsafe.Sizeof(*s) == 0 { // nothing that a change could leave half done
		d.settle()
		note := change(s)
		d.alive()
		return note
	}
	d.beginChange(st.id, s)
	note := change(s)
	d.endChange()
	return note
}

// lose has nobody see a state again that a plugin may still be changing.
func (data *storeData[S, N]) lose(c *Conversation, state any) {
	if s, ok := state.(*S); ok && c != nil {
		for n := c.states; n != nil; n = n.next {
			if uintptr(unsafe.Pointer(n))+unsafe.Offsetof(convState[S]{}.state) == uintptr(unsafe.Pointer(s)) {
				n.store = 0
			}
		}
	}
	data.endpoints.lose(state)
	if any(data.capture) == state {
		data.capture = nil
	}
}

// Peek is the state of the frame's conversation, or nil where there is none yet. It serves Plugin.Cut in the first
// pass, which leaves no notes; the state must not be changed through it.
func (st *Store[S, N]) Peek(d *D) *S {
	if !d.first || d.quoted || d.conv == nil {
		return nil
	}
	return st.of(d.conv)
}

// PeekIn is Peek for the state of the whole capture. It serves Plugin.Guess in the first pass.
func (st *Store[S, N]) PeekIn(d *D) *S {
	if !d.first || d.quoted {
		return nil
	}
	return st.data(d).capture
}

// FirstPassAt is Once with one state per endpoint.
func (st *Store[S, N]) FirstPassAt(d *D, e Endpoint, change func(*S) N) (note N) {
	if d.quoted {
		return note
	}
	data, turn := st.data(d), d.turn(st.id)
	if !d.first {
		return data.recall(d, st.id, turn)
	}
	s := data.endpoints.of[e]
	if s == nil {
		s = &endpointState{state: new(S)}
		if data.endpoints.of == nil {
			data.endpoints.of = map[Endpoint]*endpointState{}
		}
		data.endpoints.of[e] = s
	}
	s.latest = d.Frame
	return data.keep(d, turn, st.made(d, s.state.(*S), change))
}

// FirstPassIn is Once with one state for the whole capture.
func (st *Store[S, N]) FirstPassIn(d *D, change func(*S) N) (note N) {
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
	return data.keep(d, turn, st.made(d, data.capture, change))
}

// keep appends a note. Zero notes are not kept, a missing note being zero, unless a later call of the frame leaves one:
// then they keep its place.
func (data *storeData[S, N]) keep(d *D, turn uint32, note N) N {
	var zero N
	if note == zero {
		return note
	}
	for have := d.kept(&data.notes.Rows); have < turn; have++ {
		data.notes.Append(frameData[N]{d.Frame, zero})
	}
	data.notes.Append(frameData[N]{d.Frame, note})
	return note
}

// kept is how many notes of the frame there are.
func (d *D) kept(notes *column.Rows) (n uint32) {
	for i := notes.Len() - 1; i >= 0 && FrameNum(notes.Lead(i)) == d.Frame; i-- {
		n++
	}
	return n
}

// recall finds the note of a call.
func (data *storeData[S, N]) recall(d *D, id, turn uint32) (note N) {
	d.step(1)
	if row := (*frameData[N])(d.recalled(id, turn, &data.notes.Rows)); row != nil {
		return row.note
	}
	return note
}

// recalled points at the note of a call, or is nil. Here and below, what does not need the type of the notes is not
// compiled for each.
func (d *D) recalled(id, turn uint32, notes *column.Rows) unsafe.Pointer {
	n := notes.Len()
	if n == 0 {
		return nil
	}
	w := d.window(id)
	at := firstNear(w, notes, d.Frame, &d.hints[id])
	if at += int(turn); at < n && FrameNum(w.Lead(notes, at)) == d.Frame {
		return w.At(notes, at)
	}
	return nil
}

// window is what reads the notes of a store for this Dissector.
func (d *D) window(id uint32) *column.Window {
	if d.windows[id] == nil {
		d.windows[id] = new(column.Window)
	}
	return d.windows[id]
}

// firstNear is firstFrom for who mostly goes forward: it tries the place that it found last, and the one behind it.
func firstNear(w *column.Window, rows *column.Rows, from FrameNum, last *uint32) int {
	n := rows.Len()
	starts := func(i int) bool { // the rows of the frame start, or would start, here
		return i <= n && (i == n || FrameNum(w.Lead(rows, i)) >= from) &&
			(i == 0 || FrameNum(w.Lead(rows, i-1)) < from)
	}
	at := int(*last)
	if !starts(at) {
		if at++; !starts(at) {
			at = firstFrom(rows, from)
		}
	}
	*last = uint32(at)
	return at
}

// firstFrom is the first of rows that begin with their frame that is of a frame or a later one.
func firstFrom(rows *column.Rows, from FrameNum) int {
	return sort.Search(rows.Len(), func(i int) bool { return FrameNum(rows.Lead(i)) >= from })
}

// DataOf is the note that the first call of an earlier frame left behind, zero when there was none. It serves notes
// that many later frames refer to by that frame's number instead of repeating them.
func (st *Store[S, N]) DataOf(d *D, frame FrameNum) (note N) {
	if d.quoted || frame > d.Frame {
		return note
	}
	data := st.data(d)
	if at := firstFrom(&data.notes.Rows, frame); at < data.notes.Len() {
		if r := data.notes.At(at); r.frame == frame {
			return r.note
		}
	}
	return note
}

// Keep keeps a note that others refer to by the number it returns, counted from 1, where many frames would say the
// same. It works in the closures of other stores' FirstPass alone; the store itself is for Keep and Kept only.
func (st *Store[S, N]) Keep(d *D, note N) uint32 {
	d.alive()
	d.step(keepingCosts)
	st.data(d).numbered = true
	number := 1 + uint32(st.data(d).notes.Append(frameData[N]{d.Frame, note}))
	d.settle()
	return number
}

// Renewed tells whether a number that Keep gave is to be kept anew, in place of the old: old ones are forgotten where
// there are many. What goes on for long asks it for each frame, so that the numbers of frames that are still there
// last.
func (st *Store[S, N]) Renewed(d *D, number uint32) bool {
	notes := &st.data(d).notes
	return number > 0 && notes.Len()-int(number) >= renewAfter
}

// renewAfter is the age in notes at which they are renewed.
const renewAfter = 4 * markEvery

// Kept is the note of a number that Keep gave, zero for number 0.
func (st *Store[S, N]) Kept(d *D, number uint32) (note N) {
	if notes := &st.data(d).notes; number > 0 && int(number) <= notes.Len() {
		return (*frameData[N])(d.window(st.id).At(&notes.Rows, int(number)-1)).note
	}
	return note
}

// holds counts bytes that are held for a conversation.
func (s *Session) holds(c *Conversation, n uintptr) {
	c.held += uint32(n)
	s.retention.states += int64(n)
}
