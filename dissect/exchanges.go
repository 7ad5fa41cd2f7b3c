package dissect

// An Exchange is a packet that asks, or one that answers: Asked is the frame with the question then, else 0. A question
// that was answered twice has one answer. Kind and Value say what was asked where the packet type of the protocol does
// not.
type Exchange struct {
	Frame, Asked FrameNum
	Protocol     *Protocol
	Kind         FieldID // 0: the packet type says it
	Value        uint32
}

// exchangeRow is an Exchange as it is kept: 16 bytes without a pointer. The protocol is the number of its own field.
type exchangeRow struct {
	frame, asked   FrameNum
	value          uint32
	protocol, kind FieldID
}

// Exchanges is how many requests and responses the first pass has met.
func (s *Session) Exchanges() int { return s.exchanges.Len() }

// Exchange is one of them, from 0 on, in the order of frames. One with frame 0 was evicted by the retention limit.
func (s *Session) Exchange(i int) Exchange {
	row := s.exchanges.At(i)
	e := Exchange{Frame: row.frame, Asked: row.asked, Kind: row.kind, Value: row.value}
	if f := s.reg.FieldByID(row.protocol); f != nil {
		e.Protocol = f.proto
	}
	return e
}

// asks keeps that the packet asks something, once for each protocol in it.
func (d *D) asks(kind *Field, value uint64) {
	d.alive()
	e := exchangeRow{frame: d.Frame, protocol: d.proto.self.id}
	if kind != nil {
		e.kind, e.value = kind.id, uint32(value)
	}
	if n := d.s.exchanges.Len(); n > 0 {
		if last := d.s.exchanges.At(n - 1); last.frame == e.frame && last.asked == 0 && last.protocol == e.protocol {
			return
		}
	}
	d.s.exchanges.Append(e)
}

// answers keeps that the packet answers one before, and how long a round trip of the conversation takes at most. A
// transport that knows better says so itself.
func (d *D) answers(asked FrameNum) {
	d.s.exchanges.Append(exchangeRow{frame: d.Frame, asked: asked, protocol: d.proto.self.id})
	c := d.Conversation()
	at, known := d.Packet().TimeOf(asked)
	if c == nil || c.Transport == TableTCP || !known {
		return
	}
	if took := d.Time() - at; took > 0 && (c.Fact(FactRoundTrip) == 0 || took < c.Fact(FactRoundTrip)) {
		d.Ends().SetFact(FactRoundTrip, took)
	}
}

// IsRequest says that the packet asks something, for protocols that join questions and answers by themselves: see
// Links.ResponseTo.
func (hd *Links) IsRequest() {
	d := (*D)(hd)
	if d.first {
		d.asks(nil, 0)
	}
}

// ResponseTo says that the packet is the response to the request in frame asked: it links both frames by the two
// fields, as Link does, and counts for response times. Frame 0 does nothing; back may be nil.
func (hd *Links) ResponseTo(asked FrameNum, forward, back *Field) {
	d := (*D)(hd)
	d.alive()
	if asked == 0 {
		return
	}
	if d.first && d.tell(forward, asked, d.Frame) {
		d.answers(asked)
	}
	if back != nil {
		d.Set(back, uint64(asked))
	}
}
