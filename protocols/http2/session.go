package http2

import (
	"strings"

	"remora/dissect"
	"remora/protocols/internal/httpbody"
	"remora/protocols/internal/texts"
)

// A session is what the first pass knows of one connection.
type session struct {
	tables  [2]table
	pending [2]pending
	streams dissect.BoundedMap[uint32, stream]
}

// pending is a header block whose last frame has not come.
type pending struct {
	b       []byte
	stream  uint32 // that the header is of: the promised one in a PUSH_PROMISE
	promise bool
	ends    bool // the stream ends with the header
	lost    bool // it is too long, or its beginning is not there
}

// A stream is one exchange: what each side sends.
type stream struct {
	flows [2]flow
	path  string // of the request
}

// A flow is one direction of a stream.
type flow struct {
	began   bool // its first header came
	ended   bool
	asked   bool // it is that of the request
	media   string
	packing string
	coding  string // of messages of gRPC
	body    httpbody.Body
	cut     messages
}

// Limits: of the streams of a connection that are remembered (those that both sides ended are not), of a header block,
// and of what it unfolds to.
const (
	maxStreams = 256
	maxBlock   = 256 << 10
	maxLines   = 200
	maxUnfold  = 256 << 10
)

// A note is what a frame leaves for re-dissections.
type note struct {
	First, Count uint32 // the lines of its header, in the list of rows
	Size         uint32 // of the header without compression
	Stream       uint32 // that a header is of
	Role         role
	Fault        fault
	Whole        bool       // a body ends here
	Parts        uint32     // of the body: the last of its pieces, 0 where it is all in this frame
	Media        texts.Text // what the body is
	Packing      texts.Text // and how it is packed
	Rest         uint32     // bytes of the frame behind it, which begin the next message
}

// A role is what a header is.
type role uint8

const (
	roleNone role = iota
	roleRequest
	roleInterim // a response that another one follows
	roleResponse
	roleTrailer
)

// A fault is why a header is not all there.
type fault uint8

const (
	faultNone fault = iota
	faultBroken
	faultMany
	faultLarge
)

// A pair are a name and a value in their list.
type pair struct{ Name, Value texts.Text }

// A row is a line of a header in its list, in few bytes: floods of lines of one byte each are cheap to send.
type row struct {
	Pair uint32 // 0 where both are empty
	Code uint32 // the index, the form, and whether it refers to what the capture does not hold
}

// The bits of a row's code. A larger index is none that a table has.
const (
	maxIndex    = 1<<27 - 1
	formShift   = 27
	unknownCode = 1 << 31
)

func (l *line) row(d *dissect.D) row {
	r := row{l.pair(d), min(l.index, maxIndex) | uint32(l.form)<<formShift}
	if l.unknown {
		r.Code |= unknownCode
	}
	return r
}

// entry is what a row says.
func (r row) entry(d *dissect.D) entry {
	p := pairs.At(d, r.Pair)
	return entry{p.Name, p.Value, r.Code & maxIndex, form(r.Code >> formShift & 0xf), r.Code&unknownCode != 0}
}

// An entry is a line of a header.
type entry struct {
	Name, Value texts.Text
	Index       uint32
	Form        form
	Unknown     bool
}

var (
	sessions = dissect.NewStore[session, note]()
	rows     = dissect.NewList[row]()
	pairs    = dissect.NewList[pair]()
)

// take moves the connection on by one frame, whose header was read already.
func take(d *dissect.D, h *head) note {
	return sessions.FirstPass(d, func(s *session) (n note) {
		b := d.Data()[:min(h.length, d.Left())]
		if d.Stream().BehindGap() != 0 {
			s.tables[d.Dir&1].forget()
			s.pending[d.Dir&1] = pending{}
		}
		switch h.typ {
		case typeData:
			n = s.data(d, h, b)
		case typeHeaders, typePromise:
			n = s.begin(d, h, b)
		case typeContinuation:
			n = s.goOn(d, h, b)
		}
		return n
	})
}

// begin takes the first frame of a header.
func (s *session) begin(d *dissect.D, h *head, b []byte) note {
	p := &s.pending[d.Dir&1]
	*p = pending{stream: h.stream, promise: h.typ == typePromise, ends: h.typ == typeHeaders && h.flags&flagEnd != 0}
	front := 0
	switch {
	case p.promise:
		front = 4
	case h.flags&flagPriority != 0:
		front = 5
	}
	_, b, ok := h.unpad(b)
	if !ok || len(b) < front {
		p.lost = true
		return note{}
	}
	if p.promise {
		p.stream = (uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])) & 0x7fffffff
	}
	return s.add(d, h, b[front:])
}

// goOn takes a further frame of a header.
func (s *session) goOn(d *dissect.D, h *head, b []byte) note {
	p := &s.pending[d.Dir&1]
	p.lost = p.lost || p.stream == 0 || h.stream != p.stream && !p.promise
	return s.add(d, h, b)
}

// add takes a part of a header block, and reads the block with its last one.
func (s *session) add(d *dissect.D, h *head, b []byte) (n note) {
	p := &s.pending[d.Dir&1]
	if p.lost = p.lost || len(p.b)+len(b) > maxBlock; p.lost {
		p.b = nil
	} else if h.flags&flagWhole != 0 && len(p.b) == 0 {
		p.b = b
	} else {
		p.b = append(p.b, b...)
	}
	if h.flags&flagWhole == 0 {
		return n
	}
	t := &s.tables[d.Dir&1]
	if p.lost {
		n.Fault = faultLarge
		t.forget()
	} else {
		n = s.header(d, t, p)
	}
	*p = pending{}
	return n
}

// header reads a whole header block.
func (s *session) header(d *dissect.D, t *table, p *pending) (n note) {
	n.Stream = p.stream
	exchange := s.streams.Get(p.stream, maxStreams)
	f := &exchange.flows[d.Dir&1]
	if p.promise {
		f = &flow{}
	}
	began := f.began
	err := t.read(p.b, func(l line) {
		f.learn(l)
		n.learn(l, began)
		if l.name == ":path" {
			f.asked, exchange.path = true, l.value[:min(len(l.value), maxMedia)]
		}
		switch n.Size += uint32(len(l.name) + len(l.value) + 8); {
		case n.Count >= maxLines:
			n.Fault = faultMany
			return
		case n.Size > maxUnfold:
			n.Fault = faultLarge
			return
		}
		at := rows.Put(d, l.row(d))
		if n.Count++; n.Count == 1 {
			n.First = at
		}
	})
	if err != nil {
		if !d.CutShort() && !d.Stream().Cut() { // the table of names was not lost in front
			n.Fault = faultBroken
		}
		t.forget()
	}
	f.began = n.Role != roleInterim && !p.promise
	if p.ends {
		exchange.end(d, &n)
		s.over(p.stream, exchange)
	}
	return n
}

// over forgets a stream that both sides ended.
func (s *session) over(number uint32, t *stream) {
	if t.flows[0].ended && t.flows[1].ended {
		s.streams.Drop(number)
	}
}

// learn keeps what a line says of the body that follows.
func (f *flow) learn(l line) {
	switch l.name {
	case "content-type":
		f.media = l.value
	case "content-encoding":
		f.packing = l.value
	case "grpc-encoding":
		f.coding = l.value
	}
}

// learn finds out by a line what the header is: requests have a method, responses a status.
func (n *note) learn(l line, began bool) {
	switch {
	case l.name == ":method":
		n.Role = roleRequest
	case l.name == ":status" && strings.HasPrefix(l.value, "1"):
		n.Role = roleInterim
	case l.name == ":status":
		n.Role = roleResponse
	case n.Role == roleNone && began:
		n.Role = roleTrailer
	}
}

// unpad is what a frame carries between its padding: pad is how many bytes of it stand at the end. It tells false where
// they are more than there are.
func (h *head) unpad(b []byte) (pad int, inner []byte, ok bool) {
	if h.flags&flagPadded == 0 || h.typ != typeData && h.typ != typeHeaders && h.typ != typePromise {
		return 0, b, true
	}
	if len(b) == 0 || int(b[0]) > len(b)-1 {
		return 0, nil, false
	}
	pad = int(b[0])
	return pad, b[1 : len(b)-pad], true
}
