package dcerpc

import (
	"cmp"
	"fmt"

	"remora/dissect"
)

var (
	fHint = proto.Uint32("cn_alloc_hint", "Alloc hint",
		"How long the arguments or results are, with those of the fragments that follow.")
	fOpnum   = proto.Uint16("opnum", "Opnum", "What is called: the number of an operation of the interface.")
	fOfOpnum = proto.Uint16("opnum", "Opnum", "What was called.").Derived()
	fObject  = proto.GUID("obj_id", "Object", "The object that is called.")
	fCancels = proto.Uint8("cn_cancel_count", "Cancel count", "How often the call was given up.")
	fFaultFl = proto.Flags8("cn_fault_flags", "Fault flags",
		[]dissect.Flag{{Name: "extended_error", Label: "Extended error information present", Mask: 1,
			Doc: "More follows on what went wrong."}}, "What follows of a fault.")
	fStatus    = proto.Uint32("cn_status", "Status", "What went wrong.").Hex().Named(statuses)
	fFaultData = proto.Bytes("fault_stub_data", "Fault stub data", "What else is known of a fault.")
	fResponse  = proto.FrameRef("response_in", "Response in frame", "The frame with the response.")
	fRequest   = proto.FrameRef("request_in", "Request in frame", "The frame with the request.")
	fTime      = proto.Span("time", "Time from request", "Time from the request to the response.").Derived()
	fStub      = proto.Bytes("stub_data", "Stub data", "Arguments or results.")
	fSealed    = proto.Bytes("encrypted_stub_data", "Encrypted stub data", "Arguments or results, encrypted.")

	nNoBind = proto.Expert("cn_ctx_id.no_bind", dissect.Hint, "No bind info for interface Context ID").
		About(dissect.AboutUndecoded)
	nNoRequest = proto.Expert("no_request_found", dissect.Hint, "No request to this DCE/RPC call found").
			About(dissect.AboutSequence)
	nFault = proto.Expert("cn_status.expert", dissect.Hint, "Fault").About(dissect.AboutResponse)
)

// A place is the number of an interface on a connection or a pipe, or that of a call.
type place struct {
	pipe   handle
	number uint32
}

// A state is what is known of a connection: its interfaces and its open calls.
type state struct {
	contexts map[place]note
	open     map[place]note
}

// A note is what a packet remembers of its call.
type note struct {
	ID      uuid // of the interface
	Version uint16
	Opnum   uint16
	Bound   bool // ID is known
	Lacks   bool // what tells it may be among what the capture cut off
	Asked   bool // Opnum is known
	Frame   dissect.FrameNum
}

var calls = dissect.NewStore[state, note]()

// maxOpen bounds each list of a connection.
const maxOpen = 1024

func (s *state) bound() {
	if s.contexts == nil || len(s.contexts) >= maxOpen {
		s.contexts = map[place]note{}
	}
	if s.open == nil || len(s.open) >= maxOpen {
		s.open = map[place]note{}
	}
}

// learn remembers which interface a number stands for.
func (p *pdu) learn(ctx uint16, id uuid, version uint16) {
	calls.FirstPass(p.d, func(s *state) note {
		s.bound()
		at := place{p.pipe, uint32(ctx)}
		if known, ok := s.contexts[at]; !ok || p.kind == typeBind || known.ID != id {
			s.contexts[at] = note{ID: id, Version: version, Bound: true}
		}
		return note{}
	})
}

// key joins request and response. Pipes count by themselves.
func (p *pdu) key() uint64 {
	h := uint64(14695981039346656037)
	for _, c := range p.pipe {
		h = (h ^ uint64(c)) * 1099511628211
	}
	if p.pipe == (handle{}) {
		h = 0
	}
	return h<<32 | uint64(p.call)
}

// request reads a call (C706 section 12.6.4.9).
func (p *pdu) request() {
	d := p.d
	p.uint(fHint)
	ctx := p.uint(fContext)
	opnum := p.uint(fOpnum)
	if p.flags&flagObject != 0 {
		p.guid(fObject)
	}
	if d.Short() {
		return
	}
	p.known = calls.FirstPass(d, func(s *state) note {
		s.bound()
		n := s.contexts[place{p.pipe, uint32(ctx)}]
		n.Opnum, n.Asked, n.Frame, n.Lacks = uint16(opnum), true, d.Frame, d.Stream().Cut()
		at := place{p.pipe, p.call}
		if first, ok := s.open[at]; ok && p.flags&flagFirst == 0 {
			n.Frame = first.Frame
		}
		s.open[at] = n
		return n
	})
	if p.flags&flagFirst != 0 {
		d.Request(p.key(), fResponse)
	}
	if d.Info().Wanted() {
		d.Info().List(fmt.Sprintf("opnum: %d, Ctx: %d", opnum, ctx))
	}
	if !p.known.Bound && !p.known.Lacks {
		d.Expert(nNoBind)
	}
	p.stub()
}

// response reads what a call gave (C706 section 12.6.4.10).
func (p *pdu) response() {
	d := p.d
	p.uint(fHint)
	ctx := p.uint(fContext)
	d.Uint(fCancels)
	d.Bytes(fReserved, 1)
	if d.Short() {
		return
	}
	p.answered()
	if d.Info().Wanted() {
		d.Info().List(fmt.Sprintf("Ctx: %d", ctx))
	}
	p.stub()
}

// answered finds the request of a response or a fault.
func (p *pdu) answered() {
	d := p.d
	p.known = calls.FirstPass(d, func(s *state) note {
		n := s.open[place{p.pipe, p.call}]
		if p.flags&flagLast != 0 {
			delete(s.open, place{p.pipe, p.call})
		}
		return n
	})
	if !p.known.Asked {
		d.Expert(nNoRequest)
		return
	}
	d.Set(fOfOpnum, uint64(p.known.Opnum))
	p.from = d.Response(p.key(), fResponse, fRequest, fTime)
}

// fault reads why a call failed (C706 section 12.6.4.7).
func (p *pdu) fault() {
	d := p.d
	p.uint(fHint)
	ctx := p.uint(fContext)
	d.Uint(fCancels)
	d.Uint(fFaultFl)
	status := p.uint(fStatus)
	if d.Short() {
		return
	}
	d.Bytes(fReserved, min(4, d.Left()))
	p.answered()
	d.Expert(nFault)
	if d.Info().Wanted() {
		name := statuses[status]
		if name == "" {
			name = fmt.Sprintf("Unknown (0x%08x)", status)
		}
		d.Info().List(fmt.Sprintf("Ctx: %d, status: %s", ctx, name))
	}
	if n := d.Left() - p.trailer(); n > 0 {
		d.Bytes(fFaultData, n)
	}
}

// stub reads arguments or results, when all fragments are there.
func (p *pdu) stub() {
	d := p.d
	n := d.Left() - p.trailer()
	if n < 0 {
		if !d.CutShort() {
			d.Expert(nLength)
		}
		return
	}
	switch {
	case n == 0 && p.level == levelPrivacy:
	case p.level == levelPrivacy && p.flags&(flagFirst|flagLast) != flagFirst|flagLast:
		d.Bytes(fSealed, n)
	case p.flags&(flagFirst|flagLast) == flagFirst|flagLast:
		d.Within(n, p.hand)
	default:
		p.fragment(n)
	}
}

// hand gives arguments or results to the interface, which names the operation even of those that are encrypted.
func (p *pdu) hand() {
	d := p.d
	s := byID[p.known.ID]
	if s == nil || !p.known.Bound || !p.known.Asked || s.version != p.known.Version {
		if p.known.Bound && d.Info().Wanted() {
			d.Info().Setf("%s V%d", cmp.Or(serviceName(p.known.ID), p.known.ID.String()), p.known.Version)
		}
		if p.level == levelPrivacy {
			d.Rest(fSealed)
		} else {
			d.Rest(fStub)
		}
		return
	}
	d.SetLayerData([]byte{
		byte(p.known.Opnum), byte(p.known.Opnum >> 8), truth(p.kind == typeResponse), truth(p.big),
		byte(p.from), byte(p.from >> 8), byte(p.from >> 16), byte(p.from >> 24), truth(p.level == levelPrivacy),
	})
	d.Next(interfaces, s.number)
}

func truth(b bool) byte {
	if b {
		return 1
	}
	return 0
}
