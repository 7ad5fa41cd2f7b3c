package dissect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"remora/capture"
	"remora/internal/column"
	"remora/internal/keylog"
)

// A Session dissects one capture with one registry. One goroutine runs the first pass; any number of Lookers look at
// the frames behind it.
type Session struct {
	// Zone is where absolute times are written as local time; nil is UTC. It is set before the first look.
	Zone *time.Location

	reg    *Registry
	store  *capture.Store
	stores []any // by store number: *storeData

	records       column.Column[record]
	shapes        shapes
	conversations column.Column[*Conversation]
	moreConvs     convList
	marks         column.Column[Mark]
	exchanges     column.Column[Exchange]
	markCount     [Error + 1]atomic.Uint64
	ends          endBook
	told          nameBook
	nameless      atomic.Bool
	games         gameBook
	tellings      toldBook
	forward       forwardBook
	pdus          pduList // messages of TCP streams
	datagrams     pduList // reassembled fragments
	made          column.Column[madeRow]

	byKey        conversationMap
	last         *Conversation
	slab         []Conversation // room for the next ones
	streamCount  map[Table]uint32
	claims       map[Endpoint]uint16
	awaited      map[appointment]uint16
	claimed      uint32 // counts the changes of claims, from 1
	decodeAs     map[Key]uint16
	dataPlugin   uint16
	pass         *Looker
	secrets      *keylog.Log // that the capture itself holds; the first pass reads them
	secretBlocks int
	forgotten    int         // frames that have left and are forgotten
	ended        atomic.Bool // Pass has seen the last frame
}

// A record is what the index keeps of a frame after the first pass.
type record struct {
	shaped uint32 // the shape in the lower 28 bits, the severity above
	conv   uint32 // a conversationRef
}

func newRecord(shape uint32, severity Severity) record {
	return record{shaped: shape | uint32(severity)<<28}
}
func (r *record) shape() uint32      { return r.shaped & (1<<28 - 1) }
func (r *record) severity() Severity { return Severity(r.shaped >> 28) }

// A Mark is one expert note of the index.
type Mark struct {
	Frame    FrameNum
	Field    FieldID
	Severity Severity
}

type meta = capture.Meta
type reader = *capture.Reader

// DecodeAs binds a number of a table to a protocol, whatever is declared there.
type DecodeAs struct {
	Table    Table
	Value    uint32
	Protocol string
}

// NewSession prepares to dissect a capture. It fails when decode-as names an unknown table or protocol.
func NewSession(reg *Registry, store *capture.Store, as ...DecodeAs) (*Session, error) {
	s := &Session{reg: reg, store: store, dataPlugin: noPlugin,
		byKey: newConversationMap(), claimed: 1, streamCount: map[Table]uint32{}, claims: map[Endpoint]uint16{}, awaited: map[appointment]uint16{}, decodeAs: map[Key]uint16{}}
	s.shapes.byKey = map[string]uint32{}
	s.ends.all = map[Endpoint][]endAt{}
	s.forward.all = map[forwardKey]FrameNum{}
	if err := errors.Join(pairStore.check(), previousStore.check(), fragmentStore.check(), segmentStore.check(), quotedStore.check()); err != nil {
		return nil, err
	}
	for _, st := range append([]AnyStore{&pairStore, &previousStore, &fragmentStore, &segmentStore, &quotedStore}, reg.stores...) {
		for int(st.index()) >= len(s.stores) {
			s.stores = append(s.stores, nil)
		}
		s.stores[st.index()] = st.fresh()
	}
	if i, ok := reg.byName[plainName]; ok {
		s.dataPlugin = uint16(i)
	}
	for _, a := range as {
		i, ok := reg.byName[a.Protocol]
		if !ok {
			return nil, fmt.Errorf("decode as: there is no protocol called %q", a.Protocol)
		}
		if _, ok := reg.tables[a.Table]; !ok {
			return nil, fmt.Errorf("decode as: there is no table called %q; the tables are %v", a.Table, reg.Tables())
		}
		s.decodeAs[Key{a.Table, a.Value}] = uint16(i)
	}
	s.pass = s.newLooker(true)
	return s, nil
}

// Registry and Store are what the session was made of.
func (s *Session) Registry() *Registry   { return s.reg }
func (s *Session) Store() *capture.Store { return s.store }

// Passed is how many frames the first pass has seen. Frames up to this number may be looked at.
func (s *Session) Passed() int { return s.records.Len() }

// Pass runs the first pass until the capture ends or ctx does. Only one goroutine may run it.
func (s *Session) Pass(ctx context.Context) error {
	wake, cancel := s.store.Subscribe()
	defer cancel()
	for {
		done := s.store.Status().Done // asked before Len: what was appended before the end is seen below
		for n := s.store.Len(); s.Passed() < n; {
			s.passTo(min(n, s.Passed()+4096))
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if done {
			s.ended.Store(true)
			s.pass.d.reader = s.store.NewReader() // the old one's buffers are not needed any more
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-wake:
		}
	}
}

// Ended is true once Pass has seen the whole capture: what no later frame told so far will not be told any more. It
// stays false where frames are looked at as they come, with PassTo.
func (d *D) Ended() bool { return d.s.ended.Load() }

// PassTo runs the first pass up to frame n or the last one stored, whichever comes first, and waits for nothing.
// It is Pass for callers that print as they go.
func (s *Session) PassTo(n int) { s.passTo(min(n, s.store.Len())) }

func (s *Session) passTo(n int) {
	if n := s.reg.Naming(); n != nil && n.File {
		s.told.readFile(s.store)
	}
	for i := s.Passed(); i < n; i++ {
		s.pass.first(FrameNum(i + 1))
	}
	s.shapes.publish()
	s.forgetOld()
}

func (s *Session) keepMark(m Mark) {
	s.marks.Append(m)
	s.markCount[m.Severity].Add(1)
}

// Marks is the number of expert notes so far, Mark one of them in the order of frames; MarkCount how many there are
// of a severity.
func (s *Session) Marks() int                  { return s.marks.Len() }
func (s *Session) Mark(i int) Mark             { return s.marks.At(i) }
func (s *Session) MarkCount(v Severity) uint64 { return s.markCount[v].Load() }

// Shapes is the number of shapes so far, Shape one of them; ShapeOf the shape of a frame,
// ShapeID its number.
func (s *Session) Shapes() int               { return s.shapes.list.Len() }
func (s *Session) Shape(id uint32) *Shape    { return s.shapes.list.At(int(id)) }
func (s *Session) ShapeOf(n FrameNum) *Shape { return s.Shape(s.records.Ref(int(n) - 1).shape()) }
func (s *Session) ShapeID(n FrameNum) uint32 { return s.records.Ref(int(n) - 1).shape() }
func (s *Session) SeverityOf(n FrameNum) Severity {
	return s.records.Ref(int(n) - 1).severity()
}

// ShapeHas tells whether frames of the shape have the protocol among their layers.
func (s *Session) ShapeHas(sh *Shape, p *Protocol) bool {
	for _, st := range sh.path {
		if id := s.effective(st.plugin); id < noLayer && s.reg.plugins[id].Protocol == p {
			return true
		}
	}
	return false
}

// Provisional tells whether frames of the shape, which have the protocol among their layers, may turn out not to have it: what
// a stream carries is plain data until somebody knows the stream, and then becomes a part of a message that ends in a later
// frame.
func (s *Session) Provisional(sh *Shape, p *Protocol) bool {
	for _, st := range sh.path {
		if st == (step{noPlugin, ByStream}) && s.dataPlugin != noPlugin && s.reg.plugins[s.dataPlugin].Protocol == p {
			return true
		}
	}
	return false
}

// ShapeProtocols are the protocols of the shape's layers, outermost first; ShapeTop the one the Protocol column names.
func (s *Session) ShapeProtocols(sh *Shape) []*Protocol {
	var out []*Protocol
	for _, st := range sh.path {
		if id := s.effective(st.plugin); id < noLayer {
			out = append(out, s.reg.plugins[id].Protocol)
		}
	}
	return out
}

// ShapePath are the filter names of a shape's protocols without the frame's own, joined by colons; several of one kind in a row
// once.
func (s *Session) ShapePath(sh *Shape) string {
	var text strings.Builder
	var before *Protocol
	for k, p := range s.ShapeProtocols(sh) {
		if k == 0 || p == before {
			continue
		}
		if before != nil {
			text.WriteByte(':')
		}
		text.WriteString(p.Name())
		before = p
	}
	return text.String()
}

func (s *Session) ShapeTop(sh *Shape) *Protocol {
	if sh.top == noPlugin {
		return ws
	}
	return s.reg.plugins[sh.top].Protocol
}

func (s *Session) effective(plugin uint16) uint16 {
	if plugin == noPlugin {
		return s.dataPlugin
	}
	return plugin
}

// Conversations is the number of conversations so far; Conversation one by ID, counted from 1. ConversationOf is the
// ID of a frame's, or 0.
func (s *Session) Conversations() int                   { return s.conversations.Len() }
func (s *Session) Conversation(id uint32) *Conversation { return s.conversations.At(int(id) - 1) }
func (s *Session) ConversationOf(n FrameNum) uint32 {
	id, _ := splitRef(s.records.Ref(int(n) - 1).conv)
	return id
}

// TalkOf is the ID of a frame's conversation, or 0, and the frame's direction in it: 0 from A to B, 1 back.
func (s *Session) TalkOf(n FrameNum) (conv uint32, dir int) {
	return splitRef(s.records.Ref(int(n) - 1).conv)
}

// InnerTalks tells the further conversations of a frame that has several, as tunnels do, in the order of its layers.
func (s *Session) InnerTalks(n FrameNum, each func(conv uint32, dir int)) {
	rows := &s.moreConvs.rows
	if rows.Len() == 0 {
		return
	}
	for i := searchRows(rows.Len(), func(i int) bool { return rows.Ref(i).frame >= n }); i < rows.Len() && rows.Ref(i).frame == n; i++ {
		each(splitRef(rows.Ref(i).ref))
	}
}

// convList holds the second and further conversations of frames that have several.
type convList struct{ rows column.Column[convRow] }
type convRow struct {
	frame FrameNum
	turn  uint32
	ref   uint32 // a conversationRef
}

func (l *convList) find(n FrameNum, turn int) uint32 {
	for i := searchRows(l.rows.Len(), func(i int) bool { return l.rows.Ref(i).frame >= n }); i < l.rows.Len(); i++ {
		if r := l.rows.Ref(i); r.frame != n {
			return 0
		} else if r.turn == uint32(turn) {
			return r.ref
		}
	}
	return 0
}

// MayHave tells whether frames of the shape can have the field: whether its protocol is among their layers, or the field
// may turn up anywhere.
func (s *Session) MayHave(sh *Shape, f *Field) bool {
	if f.proto == ws || f.proto == ends {
		return true
	}
	for _, st := range sh.path {
		if id := s.effective(st.plugin); id < noLayer && s.reg.plugins[id].Protocol.has(f.proto) {
			return true
		}
	}
	return false
}

// KindsWhole tells whether the shape's Kinds hold every packet type of the field that a tree would show: its protocol is
// one layer of the frame, and the list is not cut short.
func (s *Session) KindsWhole(sh *Shape, f *Field) bool {
	layers := 0
	for _, st := range sh.path {
		if id := s.effective(st.plugin); id < noLayer && s.reg.plugins[id].Protocol.has(f.proto) {
			layers++
		}
	}
	return layers == 1 && len(sh.Kinds) < maxKinds
}
