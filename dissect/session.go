package dissect

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"remora/capture"
	"remora/internal/column"
)

// A Session dissects one capture with one registry. One goroutine runs the first pass; any number of Dissectors look at
// the frames behind it.
type Session struct {
	// Zone is where absolute times are written as local time; nil is UTC. It is set before the first re-dissection.
	Zone *time.Location

	reg         *Registry
	preferences []Setting // by number
	store       *capture.Store
	stores      []any // by store number: *storeData

	records       column.Packed[record]
	stacks        layerStacks
	conversations conversationList
	moreConvs     convList
	experts       column.Packed[ExpertInfo]
	exchanges     column.Packed[exchangeRow]
	expertCount   [Error + 1]atomic.Uint64
	ends          endTable
	hosts         nameTable
	nameless      atomic.Bool
	games         gameTable
	ticks         tickTable
	forward       forwardTable
	facts         factLog
	pdus          pduList                     // messages of TCP streams
	handed        atomic.Pointer[handedList]  // nil where nothing is exported
	datagrams     pduList                     // reassembled fragments
	decrypted     column.Packed[decryptedRow] // packets within frames to which Refs were made
	made          agedColumn[madeRow]
	givenUp       givenUpBook
	columnsOf     fieldColumns
	hangs         atomic.Pointer[hangs] // nil before any dissector did
	spinning      atomic.Int32          // goroutines that were given up and go on

	byKey       conversationMap
	last        *Conversation
	streamCount map[Table]uint32
	claims      map[Endpoint]claim
	ahead       [2]ahead // by the size of addresses
	late        late
	expected    map[announced]claim
	claimed     uint32 // counts the changes of claims, from 1
	decodeAs    map[Key]uint16
	given       map[Key]uint16 // what packets attached (see SessionState.Attach)
	dataPlugin  uint16
	pass        *Dissector
	firstWants  *Wants
	secrets     map[*Keys]*capturedSecrets // the first pass reads them
	used        map[*Keys]*usedSecrets     // see Used
	retention   retention
	forgotten   int         // frames that have left and are forgotten
	ended       atomic.Bool // Pass has seen the last frame
	kept        []FrameNum  // those that count (see Keep)
	keeps       bool
}

// A record is what the index keeps of a frame after the first pass.
type record struct {
	stacked uint32 // the layer stack in the upper 25 bits, the severity, and three marks: what varies lies together
	conv    uint32 // a conversationRef
}

func newRecord(shape uint32, severity Severity) record {
	return record{stacked: shape<<7 | uint32(severity)<<3}
}

// The marks of a record: re-dissections make further bytes of the frame's; the packet itself has to be asked for what
// else its conversation knows, or for its tags.
const (
	markSources  = 1 << 0
	markApart    = 1 << 1
	markRetagged = 1 << 2
)

func (r *record) apart() bool        { return r.stacked&markApart != 0 }
func (r *record) retagged() bool     { return r.stacked&markRetagged != 0 }
func (r *record) stack() uint32      { return r.stacked >> 7 }
func (r *record) severity() Severity { return Severity(r.stacked >> 3 & 15) }

// A ExpertInfo is one expert info of the index.
type ExpertInfo struct {
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
	reg.begun.Store(true)
	s := &Session{reg: reg, preferences: reg.settings(), store: store, stores: freshStores(), dataPlugin: noPlugin,
		byKey: newConversationMap(), claimed: 1, streamCount: map[Table]uint32{}, claims: map[Endpoint]claim{},
		expected: map[announced]claim{}, decodeAs: map[Key]uint16{}, secrets: map[*Keys]*capturedSecrets{},
		used: map[*Keys]*usedSecrets{}}
	s.stacks.byKey = map[string]uint32{}
	s.ends.all = map[Endpoint][]endAt{}
	if i, ok := reg.plugin[plainName]; ok {
		s.dataPlugin = uint16(i)
	}
	for _, a := range as {
		i, ok := reg.plugin[a.Protocol]
		if !ok {
			return nil, fmt.Errorf("decode as: there is no protocol called %q", a.Protocol)
		}
		if _, ok := reg.tables[a.Table]; !ok {
			return nil, fmt.Errorf("decode as: there is no table called %q; the tables are %v", a.Table, reg.Tables())
		}
		s.decodeAs[Key{a.Table, a.Value}] = uint16(i)
	}
	s.pass, s.firstWants = s.newDissector(true), reg.firstWants()
	for _, do := range reg.begins {
		do(s)
	}
	s.SetRetention(reg.Retention)
	return s, nil
}

// Registry has the protocols of the session.
func (s *Session) Registry() *Registry { return s.reg }

// Store holds the packets of the session.
func (s *Session) Store() *capture.Store { return s.store }

// Passed is how many frames the first pass has seen. Frames up to this number may be looked at.
func (s *Session) Passed() int { return s.records.Len() }

// Pass runs the first pass until the capture ends or ctx does. Only one goroutine may run it.
func (s *Session) Pass(ctx context.Context) error {
	wake, cancel := s.store.Subscribe()
	defer cancel()
	defer s.store.Consumed(-1)
	for {
		done := s.store.Status().Done // asked before Len: what was appended before the end is seen below
		if n := s.store.Len(); s.Passed() < n {
			s.guarded(func(w *worker) {
				for s.Passed() < n && ctx.Err() == nil {
					s.passTo(min(n, s.Passed()+4096), w)
					s.store.Consumed(s.Passed())
				}
			})
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if done {
			s.rest()
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
func (hd *SessionState) Ended() bool {
	d := (*D)(hd)
	return d.s.ended.Load()
}

// PassTo runs the first pass up to frame n or the last one stored, whichever comes first, and waits for nothing.
// It is Pass for callers that print as they go.
func (s *Session) PassTo(n int) { s.passTo(min(n, s.store.Len()), s.pass.d.work) }

// PassTo is the session's, under the Guard that the Dissector belongs to.
func (l *Dissector) PassTo(n int) { l.s.passTo(min(n, l.s.store.Len()), l.d.work) }

func (s *Session) passTo(n int, w *worker) {
	s.pass.d.work = w
	if n := s.reg.Naming(); n != nil && (n.File || n.Listed) {
		s.hosts.readFile(s.store)
	}
	for i := s.Passed(); i < n; i++ {
		if i >= s.byKey.repeated.readyTo && s.conversations.Len() > cachedConversations {
			s.pass.d.ready(i)
		}
		s.pass.first(FrameNum(i + 1))
	}
	s.stacks.publish()
	s.retain()
}

func (s *Session) keepExpert(m ExpertInfo) {
	s.experts.Append(m)
	s.expertCount[m.Severity].Add(1)
}

// ExpertInfos is the number of expert infos so far.
func (s *Session) ExpertInfos() int { return s.experts.Len() }

// ExpertInfo is one of them, from 0 on, in the order of frames.
func (s *Session) ExpertInfo(i int) ExpertInfo { return s.experts.At(i) }

// ExpertCount is how many expert infos there are of a severity so far.
func (s *Session) ExpertCount(v Severity) uint64 { return s.expertCount[v].Load() }

// LayerStacks is the number of layer stacks so far.
func (s *Session) LayerStacks() int { return s.stacks.list.Len() }

// LayerStack is the layer stack with a number, below LayerStacks.
func (s *Session) LayerStack(id uint32) *LayerStack { return s.stacks.list.At(int(id)) }

// LayerStackOf is the layer stack of a frame that the first pass has seen.
func (s *Session) LayerStackOf(n FrameNum) *LayerStack { return s.LayerStack(s.LayerStackID(n)) }

// LayerStackID is the number of a frame's layer stack.
func (s *Session) LayerStackID(n FrameNum) uint32 {
	r := record{stacked: s.records.Lead(int(n) - 1)}
	return r.stack()
}

// SeverityOf is the highest severity of a frame's expert infos, or 0.
func (s *Session) SeverityOf(n FrameNum) Severity {
	r := record{stacked: s.records.Lead(int(n) - 1)}
	return r.severity()
}

// StackHas tells whether frames of the layer stack have the protocol among their layers.
func (s *Session) StackHas(sh *LayerStack, p *Protocol) bool {
	for _, st := range sh.path {
		if id := s.effective(st.plugin); id < noLayer && s.reg.plugins[id].Protocol == p {
			return true
		}
	}
	return false
}

// Provisional tells whether frames of the layer stack, which have the protocol among their layers, may turn out not to
// have it: what a stream carries is plain data until somebody knows the stream, and then becomes a part of a message
// that ends in a later frame.
func (s *Session) Provisional(sh *LayerStack, p *Protocol) bool {
	for _, st := range sh.path {
		if st == (step{noPlugin, ByStream}) && s.dataPlugin != noPlugin && s.reg.plugins[s.dataPlugin].Protocol == p {
			return true
		}
	}
	return false
}

// StackProtocols are the protocols of the layer stack's layers, outermost first.
func (s *Session) StackProtocols(sh *LayerStack) []*Protocol {
	var out []*Protocol
	for _, st := range sh.path {
		if id := s.effective(st.plugin); id < noLayer {
			out = append(out, s.reg.plugins[id].Protocol)
		}
	}
	return out
}

// StackPath are the filter names of a layer stack's protocols without the frame's own, joined by colons; several of one
// kind in a row once.
func (s *Session) StackPath(sh *LayerStack) string {
	var text strings.Builder
	var before *Protocol
	for k, p := range s.StackProtocols(sh) {
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

// StackTop is the protocol that the Protocol column names for frames of the layer stack.
func (s *Session) StackTop(sh *LayerStack) *Protocol {
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

// Conversations is the number of conversations so far.
func (s *Session) Conversations() int { return s.conversations.Len() }

// Conversation is the conversation with an ID, from 1 on; nil for 0.
func (s *Session) Conversation(id uint32) *Conversation {
	if id == 0 {
		return nil
	}
	return s.conversations.At(int(id) - 1)
}

// ConversationOf is the ID of a frame's conversation, or 0 for none.
func (s *Session) ConversationOf(n FrameNum) uint32 {
	id, _ := splitRef(s.records.At(int(n) - 1).conv)
	return id
}

// DirectionOf is the ID of a frame's conversation, or 0, and the frame's direction in it: 0 from A to B, 1 back.
func (s *Session) DirectionOf(n FrameNum) (conv uint32, dir int) {
	return splitRef(s.records.At(int(n) - 1).conv)
}

// InnerConversations tells the further conversations of a frame that has several, as tunnels do, in the order of its
// layers.
func (s *Session) InnerConversations(n FrameNum, each func(conv uint32, dir int)) {
	rows := &s.moreConvs.rows
	if rows.Len() == 0 {
		return
	}
	for i := firstFrom(&rows.Rows, n); i < rows.Len() &&
		FrameNum(rows.Lead(i)) == n; i++ {
		each(splitRef(rows.At(i).ref))
	}
}

// convList holds the second and further conversations of frames that have several.
type convList struct{ rows column.Packed[convRow] }
type convRow struct {
	frame FrameNum
	turn  uint32
	ref   uint32 // a conversationRef
}

func (l *convList) find(n FrameNum, turn int) uint32 {
	for i := firstFrom(&l.rows.Rows, n); i < l.rows.Len(); i++ {
		if r := l.rows.At(i); r.frame != n {
			return 0
		} else if r.turn == uint32(turn) {
			return r.ref
		}
	}
	return 0
}

// MayHave tells whether frames of the layer stack can have the field: whether its protocol is among their layers, or
// the field may turn up anywhere.
func (s *Session) MayHave(sh *LayerStack, f *Field) bool {
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

// KindsWhole tells whether the layer stack's Kinds hold every packet type of the field that a tree would show: its
// protocol is one layer of the frame, and the list is not cut short.
func (s *Session) KindsWhole(sh *LayerStack, f *Field) bool {
	layers := 0
	for _, st := range sh.path {
		if id := s.effective(st.plugin); id < noLayer && s.reg.plugins[id].Protocol.has(f.proto) {
			layers++
		}
	}
	return layers == 1 && len(sh.Kinds) < maxKinds && !sh.cut
}
