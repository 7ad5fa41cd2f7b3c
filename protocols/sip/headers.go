package sip

import (
	"bytes"

	"remora/dissect"
)

// The headers with parts of their own.
var (
	fVia      = proto.String("Via", "Via", "The path of the request, on which the response goes back.")
	fFrom     = proto.String("From", "From", "Who asks.")
	fTo       = proto.String("To", "To", "Who is asked for.")
	fCallID   = proto.String("Call-ID", "Call-ID", "Joins the messages of a call.")
	fCSeq     = proto.String("CSeq", "CSeq", "Number and method of the request.")
	fContact  = proto.String("Contact", "Contact", "Where to reach the sender.")
	fLength   = proto.Uint32("Content-Length", "Content-Length", "Length of the body.")
	fType     = proto.String("Content-Type", "Content-Type", "What the body is.")
	fExpires  = proto.Uint32("Expires", "Expires", "How long this holds.")
	fForwards = proto.Uint32("Max-Forwards", "Max-Forwards", "How many proxies may pass it on.")
	fRAck     = proto.String("RAck", "RAck", "Which provisional response is acknowledged.")
	fReason   = proto.String("Reason", "Reason", "Why.")

	fSeq       = proto.Uint32("CSeq.seq", "Sequence Number", "Number of the request within its call.")
	fSeqMethod = proto.String("CSeq.method", "Method", "Method of the request.")

	fViaTransport = proto.String("Via.transport", "Transport", "How the message was sent.")
	fViaHost      = proto.String("Via.sent-by.address", "Sent-by Address", "Who sent it.")
	fViaPort      = proto.Uint16("Via.sent-by.port", "Sent-by port", "The port it answers on.")

	fCallIDMade = proto.String("call_id_generated", "Generated Call-ID",
		"The call by its Call-ID, as for what belongs to it.").Derived().Hidden()

	fOtherID = proto.String("x_call_id", "Other Call-ID",
		"The call that this one carries on, as X-Call-ID or X-CID name it.").Derived().Hidden()

	fRAckSeq    = proto.Uint32("RAck.RSeq.seq", "RSeq Sequence Number", "Number of the response.")
	fRAckCSeq   = proto.Uint32("RAck.CSeq.seq", "CSeq Sequence Number", "Number of the request.")
	fRAckMethod = proto.String("RAck.CSeq.method", "CSeq Method", "Method of the request.")

	fReasonProto = proto.String("reason_protocols", "Reason protocols", "Whose numbers the cause is from.")
	fQ850        = proto.Uint32("reason_cause_q850", "Cause", "Why, in numbers of ITU-T Q.850.").Named(q850)
	fCauseSIP    = proto.Uint32("reason_cause_sip", "Cause", "Why, as a status of SIP.").Named(statuses)
	fCauseOther  = proto.Uint32("reason_cause_other", "Cause", "Why, in other numbers.")
	fReasonText  = proto.String("reason_text", "Text", "Why, in words.")

	fAuth   = proto.String("auth", "Authentication", "A line that proves or asks who somebody is.").Hidden()
	fScheme = proto.String("auth.scheme", "Authentication Scheme", "How.")
)

var viaParameters = map[string]*dissect.Field{
	"branch":   proto.String("Via.branch", "Branch", "Names the transaction."),
	"maddr":    proto.String("Via.maddr", "Maddr", "Where to send the response instead."),
	"rport":    proto.String("Via.rport", "RPort", "The port that the request really came from."),
	"received": proto.String("Via.received", "Received", "The address that the request really came from."),
	"ttl":      proto.String("Via.ttl", "TTL", "How far a multicast may go."),
	"oc":       fOverload,
	"oc-validity": proto.String("Via.oc_validity", "Overload Control Validity",
		"How long the limit holds, in ms (RFC 7339)."),
	"oc-seq":  proto.String("Via.oc_seq", "Overload Control Sequence", "When the limit was set."),
	"oc-algo": proto.String("Via.oc_algo", "Overload Control Algorithm", "How the load is limited."),
	"comp":    proto.String("Via.comp", "Comp", "How messages are packed."),
}

var (
	fOverload = proto.String("Via.oc", "Overload Control", "How much the load is to fall (RFC 7339).")
	fOverVal  = proto.Uint32("Via.oc_val", "Overload Control Value", "The same as a number.")
)

var authParameters = map[string]*dissect.Field{
	"response":  proto.String("auth.digest.response", "Digest Authentication Response", "The proof."),
	"nc":        proto.String("auth.nc", "Nonce Count", "How often the nonce was used."),
	"username":  proto.String("auth.username", "Username", "Who."),
	"realm":     proto.String("auth.realm", "Realm", "For what."),
	"nonce":     proto.String("auth.nonce", "Nonce Value", "A number used once, by the server."),
	"algorithm": proto.String("auth.algorithm", "Algorithm", "How the proof is made."),
	"opaque":    proto.String("auth.opaque", "Opaque Value", "What the client hands back as it is."),
	"qop":       proto.String("auth.qop", "QOP", "What is protected."),
	"cnonce":    proto.String("auth.cnonce", "CNonce Value", "A number used once, by the client."),
	"uri":       proto.String("auth.uri", "Authentication URI", "For which address."),
	"domain":    proto.String("auth.domain", "Authentication Domain", "For which addresses."),
	"stale":     proto.String("auth.stale", "Stale Flag", "The nonce is too old."),
	"auts":      proto.String("auth.auts", "Authentication Token", "Sets numbers right (RFC 3310)."),
	"rspauth":   proto.String("auth.rspauth", "Response auth", "The server's proof."),
	"ik":        proto.String("auth.ik", "Integrity Key", "A key for the network (TS 24.229)."),
	"ck":        proto.String("auth.ck", "Cyphering Key", "A key for the network (TS 24.229)."),
	"nextnonce": proto.String("auth.nextnonce", "Next Nonce", "The nonce to use from now on."),
}

var parted = map[string]*dissect.Field{
	"via": fVia, "from": fFrom, "to": fTo, "call-id": fCallID, "cseq": fCSeq, "contact": fContact,
	"content-length": fLength,
	"content-type":   fType, "expires": fExpires, "max-forwards": fForwards, "rack": fRAck, "reason": fReason,
}

// headers records the lines of the header. A line that begins with a space goes on with the one before.
func (m *reader) headers() {
	d := m.d
	if d.Left() == 0 {
		return
	}
	i, found := d.Open(fHeader), false
	for at, more := m.h.next, d.Elements(); at < len(m.b) && more.Next(); {
		line, next, ok := dissect.LineAt(m.b, at, maxHead)
		if line == at {
			found = true
			break
		}
		for p := (dissect.Progress{}); ok && next < len(m.b) && (m.b[next] == ' ' || m.b[next] == '\t') && p.Up(next); {
			line, next, ok = dissect.LineAt(m.b, next, maxHead)
		}
		m.header(span{at, line}, next-at)
		at = next
	}
	d.Close(i)
	if !found {
		if !d.CutShort() {
			d.Expert(nNoEnd)
		}
		return
	}
	n := 1
	if d.Peek(0) == '\r' {
		n = min(2, d.Left())
	}
	d.Put(fEnd, 0, d.Pos(), n)
	d.Skip(n)
}

// header records one line, with all its n bytes.
func (m *reader) header(s span, n int) {
	d := m.d
	name, value := nameAndValue(m.b, s.from, s.to)
	key := ""
	if name.to-name.from <= 40 {
		key = long(bytes.ToLower(m.b[name.from:name.to]))
	}
	f := parted[key]
	if f == nil {
		f = named[key]
	}
	if f == nil || f.Type() == dissect.TypeUint && number(m.b[value.from:value.to]) < 0 {
		if f == fLength {
			d.Expert(nBadLen)
		}
		d.Put(fLine, 0, m.base+s.from, s.to-s.from)
		switch {
		case name.to == s.to && d.CutShort() && n == d.Left(): // the colon may follow
		case name.to == s.to:
			d.Below(func() { d.Expert(nNoColon) })
		case f == nil:
			d.Below(func() { d.Expert(nUnknown) })
		}
		if (key == "x-call-id" || key == "x-cid") && d.Wanted(fOtherID) {
			d.PutText(fOtherID, string(m.b[value.from:value.to]), m.base+s.from, n)
		}
		d.Skip(n)
		return
	}
	switch {
	case f.Type() == dissect.TypeUint:
		d.Put(f, uint64(number(m.b[value.from:value.to])), m.base+s.from, n)
	case d.Wanted(f):
		d.PutText(f, string(m.b[value.from:value.to]), m.base+s.from, n)
	}
	d.Below(func() { m.detail(key, value) })
	if authHeaders[key] {
		d.Put(fAuth, 0, m.base+s.from, n)
	}
	d.Skip(n)
}

var authHeaders = map[string]bool{
	"authorization": true, "proxy-authorization": true, "www-authenticate": true, "proxy-authenticate": true,
	"authentication-info": true,
}

// detail takes the value of a header apart.
func (m *reader) detail(key string, s span) {
	if p, ok := addressed[key]; ok {
		n := m.addresses(p, s)
		if key == "contact" {
			m.bindings(s, n)
		}
		return
	}
	switch key {
	case "via":
		m.via(s)
	case "call-id":
		if m.d.Wanted(fCallIDMade) {
			m.d.PutText(fCallIDMade, string(m.b[s.from:s.to]), m.base+s.from, s.to-s.from)
		}
	case "p-access-network-info":
		m.access(s)
	case "p-charging-vector":
		m.parameters(s, func(name string, _, value span) {
			if f := chargingParameters[name]; f != nil {
				m.put(f, value)
			}
		})
	case "security-client", "security-server", "security-verify":
		m.mechanisms(s)
	case "session-id":
		m.sessionID(s)
	case "cseq":
		m.number(fSeq, m.h.seq)
		m.put(fSeqMethod, m.h.verb)
	case "rack":
		m.words(s, fRAckSeq, fRAckCSeq, fRAckMethod)
	case "reason":
		m.reason(s)
	default:
		if authHeaders[key] {
			m.auth(s)
		}
	}
}

// bindings counts what a registration is about.
func (m *reader) bindings(s span, n int) {
	m.h.contacts += n
	text := bytes.ReplaceAll(bytes.ToLower(m.b[s.from:s.to]), []byte(" "), nil)
	m.h.star = string(text) == "*"
	m.h.leaves = bytes.HasSuffix(text, []byte(";expires=0")) || bytes.Contains(text, []byte(";expires=0;"))
}

// via records the hops of a Via header, which commas separate.
func (m *reader) via(s span) {
	for more := m.d.Elements(); s.from < s.to && more.NextAt(s.from); {
		end := until(m.b, s, ',')
		m.hop(trim(m.b, span{s.from, end}))
		s.from = end + 1
	}
}

// hop records one hop: "SIP/2.0/UDP host:port;parameters".
func (m *reader) hop(s span) {
	params := until(m.b, s, ';')
	first := span{s.from, params}
	slash := bytes.LastIndexByte(m.b[first.from:first.to], '/')
	if slash < 0 {
		return
	}
	rest := trim(m.b, span{first.from + slash + 1, first.to})
	gap := bytes.IndexAny(m.b[rest.from:rest.to], " \t")
	if gap < 0 {
		return
	}
	m.put(fViaTransport, span{rest.from, rest.from + gap})
	host, after := m.hostPort(trim(m.b, span{rest.from + gap, rest.to}))
	m.put(fViaHost, host)
	if after < rest.to && m.b[after] == ':' {
		m.number(fViaPort, trim(m.b, span{after + 1, rest.to}))
	}
	m.parameters(span{min(params+1, s.to), s.to}, func(name string, whole, value span) {
		f := viaParameters[name]
		switch {
		case f == nil:
		case value.to > value.from:
			m.put(f, value)
			if f == fOverload {
				m.number(fOverVal, value)
			}
		default:
			m.put(f, whole)
		}
	})
}

// words records the words of a header in fields in turn.
func (m *reader) words(s span, fields ...*dissect.Field) {
	for _, f := range fields {
		s = trim(m.b, s)
		word := s
		if n := bytes.IndexAny(m.b[s.from:s.to], " \t"); n >= 0 {
			word.to = s.from + n
		}
		if f.Type() == dissect.TypeUint {
			m.number(f, word)
		} else {
			m.put(f, word)
		}
		s.from = word.to
	}
}

// reason records why (RFC 3326), of several reasons each.
func (m *reader) reason(s span) {
	for more := m.d.Elements(); s.from < s.to && more.NextAt(s.from); {
		end := until(m.b, s, ',')
		m.oneReason(trim(m.b, span{s.from, end}))
		s.from = end + 1
	}
}

func (m *reader) oneReason(s span) {
	params := until(m.b, s, ';')
	who := trim(m.b, span{s.from, params})
	m.put(fReasonProto, who)
	cause := fCauseOther
	switch string(m.b[who.from:who.to]) {
	case "Q.850":
		cause = fQ850
	case "SIP":
		cause = fCauseSIP
	}
	m.parameters(span{min(params+1, s.to), s.to}, func(name string, _, value span) {
		switch name {
		case "cause":
			m.number(cause, value)
		case "text":
			if value.to-value.from >= 2 && m.b[value.from] == '"' {
				value.from++
				if n := bytes.IndexByte(m.b[value.from:value.to], '"'); n >= 0 {
					value.to = value.from + n
				}
			}
			m.put(fReasonText, value)
		}
	})
}

// auth records a challenge or its answer: a scheme, and parameters between commas.
func (m *reader) auth(s span) {
	if n := bytes.IndexAny(m.b[s.from:s.to], " \t="); n >= 0 && m.b[s.from+n] != '=' {
		m.put(fScheme, span{s.from, s.from + n})
		s.from += n
	}
	for more := m.d.Elements(); s.from < s.to && more.NextAt(s.from); {
		end := until(m.b, s, ',')
		m.parameters(span{s.from, end}, func(name string, _, value span) {
			if f := authParameters[name]; f != nil {
				m.put(f, value)
			}
		})
		s.from = end + 1
	}
}
