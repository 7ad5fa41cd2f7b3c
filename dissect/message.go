package dissect

import ()

// Message reads one of several messages of a packet. Inside, Kind, MessageID, Tick and Repeats belong to it.
func (d *D) Message(read func()) {
	d.step(1)
	was := d.message
	if d.want.text && len(d.t.Messages) < MaxMessages {
		d.t.Messages = append(d.t.Messages,
			Message{Protocol: d.proto, Node: len(d.t.Nodes), Src: d.src, Off: d.pos, Dir: d.Dir})
		d.message = len(d.t.Messages) - 1
	}
	at := d.message
	read()
	if at >= 0 && at != was {
		m := &d.t.Messages[at]
		m.Len = max(0, d.pos-m.Off)
	}
	d.message = was
}

// ID is the protocol's own number of the message; Tick its game frame; Repeats says that the message is a
// repeat of one first seen in an earlier frame.
func (hd *Transcript) ID(id uint64) {
	d := (*D)(hd)
	if d.message >= 0 {
		d.t.Messages[d.message].ID, d.t.Messages[d.message].HasID = id, true
	}
}

// Kind tells the packet type of a message that does not count as a packet of its type, such as a repeat: the index,
// and with it the statistics, leave it out. Its field is read by other means.
func (hd *Transcript) Kind(kind uint64) {
	d := (*D)(hd)
	if d.message >= 0 {
		d.t.Messages[d.message].Kind, d.t.Messages[d.message].HasKind = kind, true
	}
}

// Text is what the Info column would say of the message if it were alone in its packet. It need be told only where
// the column is put together behind the messages: what Info and Infof say inside a message is its text without that.
func (hd *Transcript) Text(text string) {
	d := (*D)(hd)
	if d.want.text && d.message >= 0 {
		d.t.Messages[d.message].Text = Escape(text)
	}
}

// reportsLoss adds what the Info column was told inside a message to the message's text. It is escaped.
func (d *D) reportsLoss(text []byte) {
	if d.message < 0 {
		return
	}
	m := &d.t.Messages[d.message]
	if m.Text != "" && m.Text[len(m.Text)-1] != ' ' {
		m.Text += " "
	}
	m.Text += string(text)
}

// Tick is the game frame or turn that the message is about.
func (hd *Transcript) Tick(tick uint64) {
	d := (*D)(hd)
	if d.message >= 0 {
		d.t.Messages[d.message].Tick, d.t.Messages[d.message].HasTick = tick, true
	}
}

// Repeats says that the message is a copy of one in an earlier frame.
func (hd *Transcript) Repeats(first FrameNum) {
	d := (*D)(hd)
	if d.message >= 0 {
		d.t.Messages[d.message].RepeatOf = first
	}
}

// A pairState joins requests and their answers. The first request of a conversation, mostly the only one, needs no map.
type pairState struct {
	first   pairKey
	asked   FrameNum // by first
	waiting map[pairKey]FrameNum
}
type pairKey struct {
	proto *Protocol
	key   uint64
}

var pairStore = NewStore[pairState, FrameNum]()

// maxWaiting bounds the unanswered requests remembered in one conversation.
const maxWaiting = 4096

func (s *pairState) put(k pairKey, n FrameNum) {
	if len(s.waiting) >= maxWaiting {
		*s = pairState{}
	}
	switch {
	case s.asked == 0 || s.first == k:
		s.first, s.asked = k, n
		return
	case s.waiting == nil:
		s.waiting = map[pairKey]FrameNum{}
	}
	s.waiting[k] = n
}

func (s *pairState) get(k pairKey) FrameNum {
	if s.asked != 0 && s.first == k {
		return s.asked
	}
	return s.waiting[k]
}

// Request says that the packet asks something that an answer with the same key, in the same conversation, will
// settle. Once the answer was seen, in links to it.
func (d *D) Request(key uint64, in *Field) { d.Links().RequestOf(nil, 0, key, in) }

// RequestOf is Request of a protocol whose packet type does not say what is asked: a field's value does.
func (hd *Links) RequestOf(kind *Field, value, key uint64, in *Field) {
	d := (*D)(hd)
	pairStore.FirstPass(d, func(s *pairState) FrameNum {
		s.put(pairKey{d.proto, key}, d.Frame)
		d.asks(kind, value)
		return 0
	})
	if !d.first && d.Wanted(in) {
		if n := d.told(in, d.Frame); n != 0 {
			d.Set(in, uint64(n))
		}
	}
}

// Response finds the request with the key: to links to it, took is the time since. It returns the request's frame, or 0
// when none was seen. in is the field that the request was given, so that it can link back.
func (d *D) Response(key uint64, in, to, took *Field) FrameNum {
	n := pairStore.FirstPass(d, func(s *pairState) FrameNum {
		n := s.get(pairKey{d.proto, key})
		if n != 0 && in != nil && d.tell(in, n, d.Frame) {
			d.answers(n)
		}
		return n
	})
	if n != 0 {
		d.Set(to, uint64(n))
		if took != nil {
			d.Packet().SetSince(took, n)
		}
	}
	return n
}

// Link says that an earlier frame belongs to this one: there, the field forward links here once the first pass has
// come this far. The field back, if not nil, links to the earlier frame here.
func (d *D) Link(earlier FrameNum, forward, back *Field) {
	d.alive()
	d.step(keepingCosts)
	if earlier == 0 {
		return
	}
	if d.first && forward != nil {
		d.tell(forward, earlier, d.Frame)
	}
	if back != nil {
		d.Set(back, uint64(earlier))
	}
}

// ShowForward sets the field to the frame that a later packet's Link named for this one, if there is one.
func (hd *Links) ShowForward(forward *Field) {
	d := (*D)(hd)
	if d.first || !d.Wanted(forward) {
		return
	}
	if n := d.told(forward, d.Frame); n != 0 {
		d.Set(forward, uint64(n))
	}
}
