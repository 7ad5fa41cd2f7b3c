package dissect

import "hash/maphash"

// A Conversation is what goes back and forth between two endpoints over one transport.
type Conversation struct {
	ID        uint32 // counted from 1 over all transports
	Stream    uint32 // counted from 0 within the transport, as Wireshark's tcp.stream
	Transport Table
	A, B      Endpoint // A sent the first packet
	First     FrameNum

	// The first pass alone reads and writes what follows.
	plugin  uint16
	reason  Reason
	likely  uint16 // the plugin that said Likely of the packet before
	owned   bool   // the ends are claimed, or never will be
	streams [2]*stream
}

type conversationKey struct {
	transport Table
	low, high Endpoint
}

func keyOf(t Table, a, b Endpoint) conversationKey {
	if a.compare(b) > 0 {
		a, b = b, a
	}
	return conversationKey{t, a, b}
}

func (c *Conversation) key() conversationKey { return keyOf(c.Transport, c.A, c.B) }

// conversationMap finds conversations by their ends. It holds hashes and numbers only, twelve bytes an entry: the ends
// stand in the conversations themselves. A hash that another conversation has already is tried one higher.
type conversationMap struct {
	seed maphash.Seed
	ids  map[uint64]uint32
}

// place is the slot of a key: its conversation's ID, or 0 for a free slot.
func (m *conversationMap) place(s *Session, k conversationKey) (slot uint64, id uint32) {
	for slot = maphash.Comparable(m.seed, k); ; slot++ {
		id = m.ids[slot]
		if id == 0 || s.conversations.At(int(id)-1).key() == k {
			return slot, id
		}
	}
}

// Between tells the engine the addresses of the frame's ends; the innermost call counts.
func (d *D) Between(src, dst Addr) {
	d.Src, d.Dst = Endpoint{Addr: src}, Endpoint{Addr: dst}
}

// Converse finds or makes the conversation of the frame from the addresses and the given ports, and sets d.Conv and
// d.Dir. Transports call it once their ports are read.
func (d *D) Converse(t Table, srcPort, dstPort uint16) *Conversation {
	d.Src.Port, d.Dst.Port = srcPort, dstPort
	d.transport = t
	if d.quoted {
		d.conv = nil
		return nil
	}
	turn := d.converses
	d.converses++
	if d.first {
		d.conv = d.s.conversation(t, d.Src, d.Dst, d.Frame)
		d.convIDs = append(d.convIDs, d.conv.ID)
	} else {
		d.conv = d.s.recallConversation(d.Frame, turn)
	}
	d.setDir()
	return d.conv
}

// Renew starts a new conversation between the same ends: a port that is used again.
func (d *D) Renew() {
	if !d.first || d.conv == nil {
		return
	}
	d.conv = d.s.newConversation(keyOf(d.conv.Transport, d.Src, d.Dst), d.conv.Transport, d.Src, d.Dst, d.Frame)
	d.convIDs[len(d.convIDs)-1] = d.conv.ID
	d.setDir()
}

func (d *D) setDir() {
	d.Dir = 0
	if d.conv != nil && d.Src != d.conv.A {
		d.Dir = 1
	}
}

func (s *Session) conversation(t Table, src, dst Endpoint, n FrameNum) *Conversation {
	k := keyOf(t, src, dst)
	if s.last.conv != nil && s.last.key == k { // packets come in runs
		return s.last.conv
	}
	_, id := s.byKey.place(s, k)
	if id == 0 {
		return s.newConversation(k, t, src, dst, n)
	}
	s.last = lastConversation{k, s.conversations.At(int(id) - 1)}
	return s.last.conv
}

func (s *Session) newConversation(k conversationKey, t Table, src, dst Endpoint, n FrameNum) *Conversation {
	c := &Conversation{ID: uint32(s.conversations.Len() + 1), Stream: s.streamCount[t], Transport: t, A: src, B: dst, First: n, plugin: noPlugin, likely: noPlugin}
	s.streamCount[t]++
	slot, _ := s.byKey.place(s, k)
	s.conversations.Append(c)
	s.byKey.ids[slot] = c.ID
	s.last = lastConversation{k, c}
	return c
}

// recallConversation is the conversation that the frame's turn-th call of Converse led to. The first is in the
// frame's record; a frame with several (tunnels) left the others in a list of their own.
func (s *Session) recallConversation(n FrameNum, turn int) *Conversation {
	id := s.records.Ref(int(n) - 1).conv
	if turn > 0 {
		id = s.moreConvs.find(n, turn-1)
	}
	if id == 0 {
		return nil
	}
	return s.conversations.At(int(id) - 1)
}

type lastConversation struct {
	key  conversationKey
	conv *Conversation
}
