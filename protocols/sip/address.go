package sip

import (
	"bytes"

	"remora/dissect"
)

// A place is the set of fields in which an address of one header is shown.
type place struct {
	display, uri, user, host, port, param *dissect.Field
	other                                 *dissect.Field // parameters of the header, not of the address
	tag                                   *dissect.Field
}

var (
	fDisplay = proto.String("display.info", "SIP Display info", "A name for people.").Hidden()
	fTag     = proto.String("tag", "SIP tag", "One end's half of a dialog's name.").Hidden()

	requestURI = place{
		display: proto.String("r-uri.display.info", "Request-URI display info", "A name for people."),
		uri:     proto.String("r-uri", "Request-URI", "Whom the request is for."),
		user:    proto.String("r-uri.user", "Request-URI User Part", "The user of the address."),
		host:    proto.String("r-uri.host", "Request-URI Host Part", "The host of the address."),
		port:    proto.String("r-uri.port", "Request-URI Host Port", "The port of the address."),
		param:   proto.String("r-uri.param", "Request URI parameter", "A parameter of the address."),
	}
	fromPlace = places("from", "SIP from", "addr", "SIP from address", "SIP from address", "SIP From URI parameter")
	toPlace   = places("to", "SIP to", "addr", "SIP to address", "SIP to address", "SIP To URI parameter")
	atContact = places("contact", "SIP C-URI", "uri", "Contact URI", "Contact URI", "Contact URI parameter")
	fContactP = proto.String("contact.parameter", "Contact parameter", "A parameter of a contact.")
)

func places(name, display, uri, uriLabel, part, param string) place {
	parts := part + " "
	return place{
		display: proto.String(name+".display.info", display+" display info", "A name for people."),
		uri:     proto.String(name+"."+uri, uriLabel, "The address."),
		user:    proto.String(name+".user", parts+"User Part", "The user of the address."),
		host:    proto.String(name+".host", parts+"Host Part", "The host of the address."),
		port:    proto.String(name+".port", parts+"Host Port", "The port of the address."),
		param:   proto.String(name+".param", param, "A parameter of the address."),
	}
}

func routes(name string) place {
	return place{
		display: proto.String(name+".display.info", name+" display info", "A name for people."),
		uri:     proto.String(name+".uri", name+" URI", "The address."),
		user:    proto.String(name+".user", name+" Userinfo", "The user of the address."),
		host:    proto.String(name+".host", name+" Host Part", "The host of the address."),
		port:    proto.String(name+".port", name+" Host Port", "The port of the address."),
		param:   proto.String(name+".param", name+" URI parameter", "A parameter of the address."),
	}
}

// addressed are the headers of addresses, by their names in lower case.
var addressed = map[string]place{
	"from": withTag(fromPlace, "from"), "to": withTag(toPlace, "to"), "contact": withParameters(atContact, fContactP),
	"route": routes("Route"), "record-route": routes("Record-Route"), "service-route": routes("Service-Route"),
	"path":                 routes("Path"),
	"p-asserted-identity":  places("pai", "SIP PAI", "addr", "SIP PAI Address", "SIP PAI", "SIP PAI URI parameter"),
	"p-preferred-identity": places("ppi", "SIP PPI", "addr", "SIP PPI Address", "SIP PPI", "SIP PPI URI parameter"),
	"permission-missing": places("pmiss", "SIP PMISS", "addr", "SIP PMISS Address", "SIP PMISS",
		"SIP PMISS URI parameter"),
	"trigger-consent": places("tc", "SIP TC", "addr", "SIP TC Address", "SIP TC", "SIP TC URI parameter"),
}

func withTag(p place, name string) place {
	p.tag = proto.String(name+".tag", "SIP "+name+" tag", "One end's half of the dialog's name.")
	return p
}

func withParameters(p place, f *dissect.Field) place { p.other = f; return p }

// addresses records the addresses of a header, which commas separate. It returns how many there are.
func (m *reader) addresses(p place, s span) (n int) {
	for more := m.d.Elements(); s.from < s.to && more.NextAt(s.from); {
		end := until(m.b, s, ',')
		if part := trim(m.b, span{s.from, end}); part.to > part.from {
			m.address(p, part)
			n++
		}
		s.from = end + 1
	}
	return n
}

// until is the place of the first byte c outside of quotes and angle brackets, or the end.
func until(b []byte, s span, c byte) int {
	quoted, angled := false, false
	for i := s.from; i < s.to; i++ {
		switch {
		case quoted:
			if b[i] == '\\' {
				i++
			}
			quoted = i < s.to && b[i] != '"'
		case b[i] == '"':
			quoted = true
		case b[i] == '<':
			angled = true
		case b[i] == '>':
			angled = false
		case b[i] == c && !angled:
			return i
		}
	}
	return s.to
}

// address records one address: a name and a URI in angle brackets, or a bare URI, and parameters behind it.
func (m *reader) address(p place, s span) {
	params := until(m.b, s, ';')
	uri := trim(m.b, span{s.from, params})
	if at := angle(m.b, uri); at >= 0 {
		if name := (span{uri.from, at}); name.to > name.from {
			if m.b[name.from] == '"' {
				name = trim(m.b, name)
			}
			m.put(p.display, name)
			m.put(fDisplay, name)
		}
		end := bytes.IndexByte(m.b[at:uri.to], '>')
		if end < 0 {
			end = uri.to - at
		}
		uri = span{at + 1, at + end}
	}
	if string(m.b[uri.from:uri.to]) == "*" { // all bindings, which is no address
		return
	}
	m.put(p.uri, uri)
	m.d.Below(func() { m.uri(p, uri) })
	m.parameters(span{min(params+1, s.to), s.to}, func(name string, whole, value span) {
		switch {
		case name == "tag" && p.tag != nil:
			m.put(p.tag, value)
			m.put(fTag, value)
			m.h.inDialog = m.h.inDialog || p.uri == toPlace.uri
		case p.other != nil:
			m.put(p.other, whole)
		}
	})
}

// angle is the place of the opening angle bracket outside of quotes, or -1.
func angle(b []byte, s span) int {
	quoted := false
	for i := s.from; i < s.to; i++ {
		switch {
		case quoted && b[i] == '\\':
			i++
		case b[i] == '"':
			quoted = !quoted
		case b[i] == '<' && !quoted:
			return i
		}
	}
	return -1
}

// parameters calls do for each "name=value" between semicolons.
func (m *reader) parameters(s span, do func(name string, whole, value span)) {
	for more := m.d.Elements(); s.from < s.to && more.NextAt(s.from); {
		end := until(m.b, s, ';')
		whole := trim(m.b, span{s.from, end})
		name, value := whole, span{whole.to, whole.to}
		if eq := bytes.IndexByte(m.b[whole.from:whole.to], '='); eq >= 0 {
			name, value = trim(m.b, span{whole.from, whole.from + eq}), trim(m.b, span{whole.from + eq + 1, whole.to})
		}
		if whole.to > whole.from && name.to-name.from <= 32 {
			do(string(bytes.ToLower(m.b[name.from:name.to])), whole, value)
		}
		s.from = end + 1
	}
}

// uri records the parts of a SIP URI (RFC 3261 section 19.1.1). Others have none.
func (m *reader) uri(p place, s span) {
	colon := bytes.IndexByte(m.b[s.from:s.to], ':')
	if colon < 0 {
		return
	}
	switch string(bytes.ToLower(m.b[s.from : s.from+min(colon, 5)])) {
	case "sip", "sips":
	default:
		return
	}
	rest := span{s.from + colon + 1, s.to}
	if at := bytes.IndexByte(m.b[rest.from:rest.to], '@'); at >= 0 {
		user := span{rest.from, rest.from + at}
		m.put(p.user, user)
		rest.from += at + 1
	}
	host, after := m.hostPort(rest)
	m.put(p.host, host)
	if after < rest.to && m.b[after] == ':' {
		port := span{after + 1, after + 1}
		for port.to < rest.to && m.b[port.to] >= '0' && m.b[port.to] <= '9' {
			port.to++
		}
		m.put(p.port, port)
		after = port.to
	}
	if after < rest.to && m.b[after] == ';' {
		m.parameters(span{after + 1, rest.to}, func(_ string, whole, _ span) { m.put(p.param, whole) })
	}
}

// hostPort is the host at the start of a part, and where it ends. Addresses of IP version 6 stand in brackets.
func (m *reader) hostPort(s span) (host span, after int) {
	if s.from < s.to && m.b[s.from] == '[' {
		if end := bytes.IndexByte(m.b[s.from:s.to], ']'); end >= 0 {
			return span{s.from, s.from + end + 1}, s.from + end + 1
		}
	}
	n := bytes.IndexAny(m.b[s.from:s.to], ":;?>")
	if n < 0 {
		return s, s.to
	}
	return span{s.from, s.from + n}, s.from + n
}
