// Package follow puts together what was said in one conversation: the bytes of a TCP stream in their order, the datagrams of
// UDP, and for every packet its type and Info line, so that a conversation can be read as text, as bytes or as messages.
package follow

import (
	"context"
	"sync"
	"time"

	"remora/dissect"
)

// Bounds of what is kept of one conversation. What is beyond them is left out and said.
const (
	MaxUnits = 1 << 20
	MaxBytes = 64 << 20
)

// A Unit is what one packet contributes.
type Unit struct {
	Frame   dissect.FrameNum
	Time    int64 // nanoseconds since 1970
	Dir     int   // 0 from A to B, 1 back
	Kind    string
	Info    string
	Repeat  bool   // every message in it came before
	Data    []byte // new bytes of the stream, or the datagram's payload
	Missing int    // bytes of the stream that were never captured, in front of Data
}

// A Talk is a conversation as it is put together. One goroutine collects; anybody reads.
type Talk struct {
	s    *dissect.Session
	conv *dissect.Conversation

	mu    sync.RWMutex
	units []Unit
	bytes [2]int
	full  bool
	upTo  dissect.FrameNum
	done  bool

	stream [2]stream
}

// New is the conversation with an ID of the session, of which nothing has been collected yet.
func New(s *dissect.Session, conv uint32) *Talk {
	return &Talk{s: s, conv: s.Conversation(conv)}
}

// Conversation is whose talk it is.
func (t *Talk) Conversation() *dissect.Conversation { return t.conv }

// Collect goes through the packets of the conversation until the capture ends or ctx does.
func (t *Talk) Collect(ctx context.Context) {
	l := t.s.Looker()
	payload := t.payloadField()
	wake, cancel := t.s.Store().Subscribe()
	defer cancel()
	n := t.conv.First
	for ctx.Err() == nil {
		end := dissect.FrameNum(t.s.Passed())
		for ; n <= end; n++ {
			if n%4096 == 0 && ctx.Err() != nil {
				return
			}
			if t.s.ConversationOf(n) == t.conv.ID && !t.add(l.Tree(n), payload) {
				break
			}
		}
		t.progress(end)
		if t.full || t.s.Store().Status().Done && int(end) == t.s.Store().Len() {
			t.finish()
			return
		}
		select {
		case <-ctx.Done():
		case <-wake:
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// payloadField is the transport's payload; nil for what has none.
func (t *Talk) payloadField() *dissect.Field {
	switch t.conv.Transport {
	case dissect.TableTCP:
		return t.s.Registry().Field("tcp.payload")
	case dissect.TableUDP:
		return t.s.Registry().Field("udp.payload")
	}
	return nil
}

func (t *Talk) progress(upTo dissect.FrameNum) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.upTo = upTo
}

func (t *Talk) finish() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flush(0)
	t.flush(1)
	t.done = true
}

// add puts a packet in. It tells whether there is room for more.
func (t *Talk) add(tree *dissect.Tree, payload *dissect.Field) bool {
	_, dir := t.s.TalkOf(tree.Frame)
	u := Unit{Frame: tree.Frame, Time: tree.Time(), Dir: dir, Kind: tree.Kind(), Info: tree.Info(), Repeat: repeats(tree)}
	if payload != nil {
		if i := tree.Find(payload); i >= 0 {
			u.Data = append([]byte(nil), tree.Bytes(i)...)
		}
	}
	if t.conv.Transport == dissect.TableTCP {
		t.order(tree, &u)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep(u)
	return !t.full
}

// keep appends a unit and what it set free. The lock is held.
func (t *Talk) keep(u Unit) {
	if len(t.units) >= MaxUnits || t.bytes[0]+t.bytes[1]+len(u.Data) > MaxBytes {
		t.full = true
		return
	}
	t.bytes[u.Dir] += len(u.Data)
	t.units = append(t.units, u)
}

func repeats(tree *dissect.Tree) bool {
	for _, m := range tree.Messages {
		if m.RepeatOf == 0 {
			return false
		}
	}
	return len(tree.Messages) > 0
}

// Len is how many units there are so far, Unit one of them; its contents never change.
func (t *Talk) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.units)
}

func (t *Talk) Unit(i int) Unit {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.units[i]
}

// State is how far the collecting has come: the last packet looked at, whether it has ended, whether something was left out,
// and the bytes in each direction.
func (t *Talk) State() (upTo dissect.FrameNum, done, full bool, bytes [2]int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.upTo, t.done, t.full, t.bytes
}
