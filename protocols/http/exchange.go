package http

import (
	"bytes"
	"fmt"
	"slices"

	"remora/dissect"
	"remora/protocols/internal/tables"
	"remora/protocols/internal/texts"
)

var (
	fFull  = proto.String("request.full_uri", "Full request URI", "The target with the host's name.").Derived()
	fReqNo = proto.Uint32("request_number", "HTTP request",
		"Which exchange of the connection this begins, counted from 1.").Derived()
	fResNo = proto.Uint32("response_number", "HTTP response",
		"Which exchange of the connection this belongs to, counted from 1.").Derived()
	fTime      = proto.Span("time", "Time since request", "Time from the request to the response.").Derived()
	fPrevReq   = proto.FrameRef("prev_request_in", "Prev request in frame", "The request before.")
	fPrevRes   = proto.FrameRef("prev_response_in", "Prev response in frame", "The response before.")
	fReqIn     = proto.FrameRef("request_in", "Request in frame", "The request that this answers.")
	fResIn     = proto.FrameRef("response_in", "Response in frame", "The answer to this request.")
	fNextReq   = proto.FrameRef("next_request_in", "Next request in frame", "The request that follows.")
	fNextRes   = proto.FrameRef("next_response_in", "Next response in frame", "The response that follows.")
	fForURI    = proto.String("response_for.uri", "Request URI", "What the answered request asked for.").Derived()
	fProxyHost = proto.String("proxy_connect_host", "Proxy-Connect-Hostname", "The host that a tunnel leads to.").Derived()
	fProxyPort = proto.Uint16("proxy_connect_port", "Proxy-Connect-Port", "The port that a tunnel leads to.").Derived()
	fTunnelIn  = proto.FrameRef("tunnel_in", "Protocol changed in frame",
		"The response after which the connection speaks another protocol.")
)

// exchangeState is what is known of a connection: the requests without an answer, oldest first. A response that comes
// while none waits, as 100 Continue does before the body of the request, counts as an exchange of its own.
type exchangeState struct {
	count        uint32
	lastRequest  dissect.FrameNum
	lastResponse dissect.FrameNum
	waiting      []question
	tunnel       uint32 // the word of the protocol that took the connection over, 0 while it is HTTP's
	changed      dissect.FrameNum
	host         dissect.Ref // where a tunnel leads, as it was asked for
	port         uint32
	inner        dissect.InnerProtocol // what a tunnel carries, by its port or its first bytes
	guessed      bool
	heads        [2]uint8 // what each direction has sent: requests, responses
}

// What one direction has sent.
const (
	asked = 1 << iota
	answered
)

// mute tells whether a direction has sent nothing of HTTP while the other one has answered: what it sends is no part of
// a message.
func (s *exchangeState) mute(dir int) bool {
	return s != nil && s.heads[dir&1] == 0 && s.heads[1-dir&1] == answered
}

// A question is a request.
type question struct {
	frame, before, after dissect.FrameNum // its frame, and those of its neighbours
	verb                 uint64
	number               uint32
	port                 uint32 // of CONNECT
	uri, host            dissect.Ref
	whole                texts.Text // the full URI, where no bytes of one frame hold its parts
}

// next is the request that the next response answers.
func (s *exchangeState) next() question {
	if s == nil || len(s.waiting) == 0 {
		return question{}
	}
	return s.waiting[0]
}

// maxAsked bounds the unanswered requests remembered in one connection, maxWhole the URIs that are kept as text.
const (
	maxAsked = 1024
	maxWhole = 4096
)

// exchange is how a message stands to the others of its connection.
type exchange struct {
	Number           uint32
	Total            uint32 // exchanges of the connection so far
	PrevReq, PrevRes dissect.FrameNum
	// Answered: the response before a request, if it is newer than the last request
	Request, NextReq, Answered dissect.FrameNum
	URI, Host                  dissect.Ref
	Whole                      texts.Text
	Tunnel                     uint32
	Port                       uint32 // that a tunnel leads to
	Inner                      dissect.InnerProtocol
	Changed                    dissect.FrameNum
	Foreign                    bool // nothing of HTTP was seen on the connection
}

var exchanges = dissect.NewStore[exchangeState, exchange]()

// exchange takes the message into the order of its connection.
func (h *head) exchange(d *dissect.D, b []byte) exchange {
	return exchanges.FirstPass(d, func(s *exchangeState) exchange {
		switch {
		case s.tunnel != 0:
			if s.inner == 0 && !s.guessed {
				s.guessed, s.inner = true, d.Inner().Guess(b)
			}
			return exchange{Tunnel: s.tunnel, Changed: s.changed, Host: s.host, Port: s.port, Inner: s.inner}
		case h.request:
			s.heads[d.Dir&1] |= asked
			return s.ask(d, b, h)
		case h.response && (h.status >= 200 || h.status == 101 || len(s.waiting) == 0):
			s.heads[d.Dir&1] |= answered
			return s.answer(d, b, h)
		}
		if h.response {
			s.heads[d.Dir&1] |= answered
		}
		return exchange{Foreign: s.count == 0 && !h.response}
	})
}

func (s *exchangeState) ask(d *dissect.D, b []byte, h *head) exchange {
	s.count++
	x := exchange{Number: s.count, PrevReq: s.lastRequest}
	if s.lastResponse > s.lastRequest {
		x.Answered = s.lastResponse
	}
	q := question{frame: d.Frame, before: s.lastRequest, verb: h.verb, number: s.count}
	var plain bool
	q.host, _ = d.Stream().RefAt(d.Pos()+h.host.from, h.host.to-h.host.from)
	if q.uri, plain = d.Stream().RefAt(d.Pos()+h.uri.from, h.uri.to-h.uri.from); !plain && h.host.to > h.host.from {
		if uri, host := b[h.uri.from:h.uri.to], b[h.host.from:h.host.to]; len(uri)+len(host) <= maxWhole {
			q.whole = texts.Put(d, full(d, string(host), string(uri)))
		}
	}
	if h.verb == methods["CONNECT"] {
		q.port = portOf(b[h.uri.from:h.uri.to])
	}
	if n := len(s.waiting); n > 0 {
		s.waiting[n-1].after = d.Frame
	}
	if len(s.waiting) >= maxAsked {
		s.waiting = s.waiting[1:]
	}
	s.waiting = append(s.waiting, q)
	s.lastRequest = d.Frame
	return x
}

func (s *exchangeState) answer(d *dissect.D, b []byte, h *head) exchange {
	x := exchange{PrevRes: s.lastResponse}
	if q := s.next(); q.frame == 0 {
		s.count++
		x.Number = s.count
	} else {
		s.waiting = s.waiting[1:]
		x.Number, x.Request, x.PrevReq, x.NextReq, x.URI, x.Host, x.Whole = q.number, q.frame, q.before, q.after, q.uri,
			q.host, q.whole
		if q.verb == methods["CONNECT"] && h.status < 300 {
			s.enter(d, q)
		}
	}
	if h.status == 101 {
		s.tunnel, s.changed = h.protocol(d, b), d.Frame
	}
	s.lastResponse = d.Frame
	x.Total = s.count
	return x
}

// protocol is what a response changes the connection to. Where the capture cut that off it is what nearly all change
// to.
func (h *head) protocol(d *dissect.D, b []byte) uint32 {
	if h.upgrade.to == h.upgrade.from && d.CutShort() {
		return dissect.Word("websocket")
	}
	return dissect.Word(lower(b, h.upgrade))
}

// enter makes the connection a tunnel, as was asked for. One that carries HTTP leaves it what it is: the requests
// within follow those in front.
func (s *exchangeState) enter(d *dissect.D, q question) {
	in := d.Inner().Find(dissect.TableTCP, q.port)
	if in == d.Inner().Self() {
		return
	}
	s.tunnel, s.changed = dissect.Word("CONNECT"), d.Frame
	s.host, s.port, s.inner = q.uri, q.port, in
}

// show records how the message stands to the others.
func (x exchange) show(d *dissect.D, b []byte, h *head) {
	if h.request {
		if h.uri.to > h.uri.from && h.host.to > h.host.from && d.Wanted(fFull) {
			d.SetText(fFull, full(d, string(b[h.host.from:h.host.to]), string(b[h.uri.from:h.uri.to])))
		}
		if h.notice() {
			d.Set(fIsNotice, 1)
		} else {
			d.Set(fIsReq, 1)
		}
		x.number(d, fReqNo, "request", x.Number)
		d.Link(x.PrevReq, fNextReq, fPrevReq)
		d.Link(x.Answered, fNextReq, nil)
		d.Request(uint64(x.Number), fResIn)
		d.Links().ShowForward(fNextReq)
		return
	}
	d.Set(fIsRes, 1)
	if x.Number == 0 { // an interim response, while the request waits for another
		return
	}
	if h.status == 101 {
		d.Inner().HandOver(tables.HTTPUpgrade, h.protocol(d, b))
	}
	x.number(d, fResNo, "response", x.Total)
	d.Response(uint64(x.Number), fResIn, fReqIn, fTime)
	if x.PrevReq != 0 {
		d.Set(fPrevReq, uint64(x.PrevReq))
	}
	d.Link(x.PrevRes, fNextRes, fPrevRes)
	if x.NextReq != 0 {
		d.Set(fNextReq, uint64(x.NextReq))
	} else {
		d.Links().ShowForward(fNextReq)
	}
	d.Links().ShowForward(fNextRes)
	switch {
	case x.Whole.Len > 0 && d.Wanted(fForURI):
		d.SetText(fForURI, x.Whole.String(d))
	case x.URI.Len > 0 && x.Host.Len > 0 && d.Wanted(fForURI):
		host, known := d.Stream().Recall(x.Host)
		if uri, also := d.Stream().Recall(x.URI); known && also {
			d.SetText(fForURI, full(d, string(host), string(uri)))
		}
	}
}

// number records which exchange the message is of, and of how many so far.
func (x exchange) number(d *dissect.D, f *dissect.Field, what string, total uint32) {
	if d.Set(f, uint64(x.Number)); d.Labelling() {
		dissect.Relabel(d, f, fmt.Sprintf("HTTP %s %d/%d", what, x.Number, total))
	}
}

// full is the whole address of what is asked for: of https where it comes within TLS.
func full(d *dissect.D, host, uri string) string {
	if uri == host {
		return uri // of CONNECT
	}
	for _, whole := range [...]string{"http://", "https://"} {
		if len(uri) >= len(whole) && uri[:len(whole)] == whole {
			return uri
		}
	}
	if slices.ContainsFunc(d.Packet().Layers(), func(p *dissect.Protocol) bool { return p.Name() == "tls" }) {
		return "https://" + host + uri
	}
	return "http://" + host + uri
}

// tunnel hands on what another protocol says on the connection.
func tunnel(d *dissect.D, x exchange) {
	if x.Changed != d.Frame {
		d.Link(x.Changed, nil, fTunnelIn)
	}
	d.Stream().SetEarlier(fProxyHost, x.Host, func(b []byte) string {
		return string(b[:max(0, bytes.LastIndexByte(b, ':'))])
	})
	if x.Port != 0 {
		d.Set(fProxyPort, uint64(x.Port))
	}
	switch {
	case x.Inner != 0:
		d.Stream().Carry(x.Inner)
	default:
		d.Next(tables.HTTPUpgrade, x.Tunnel)
	}
}

// portOf is the port of "host:port", 0 where there is none.
func portOf(uri []byte) uint32 {
	i := bytes.LastIndexByte(uri, ':')
	if n := number(uri[i+1:]); i > 0 && n > 0 && n < 1<<16 {
		return uint32(n)
	}
	return 0
}
