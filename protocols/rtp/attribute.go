package rtp

import (
	"net/netip"
	"strings"

	"remora/dissect"
)

var (
	fSessField = sdp.String("session_attr.field", "Session Attribute Fieldname", "What the attribute is.")
	fSessValue = sdp.String("session_attr.value", "Session Attribute Value", "What it says.")
	fField     = sdp.String("media_attribute.field", "Media Attribute Fieldname", "What the attribute is.")
	fValue     = sdp.String("media_attribute.value", "Media Attribute Value", "What it says.")
	fMIME      = sdp.String("mime.type", "MIME Type", "Name of the form.")
	fRate      = sdp.String("sample_rate", "Sample Rate", "The form's clock in Hz.")

	candidateParts = []*dissect.Field{
		sdp.String("ice_candidate.foundation", "Foundation", "Joins candidates of a kind."),
		sdp.String("ice_candidate.componentid", "Component ID", "1 is RTP, 2 RTCP."),
		sdp.String("ice_candidate.transport", "Transport", "UDP or TCP."),
		sdp.String("ice_candidate.priority", "Priority", "Which is tried first."),
		sdp.String("ice_candidate.address", "Connection Address", "Where to."),
		sdp.String("ice_candidate.port", "Candidate Port", "Where to."),
	}
	fCandidate = sdp.String("ice_candidate.type", "Candidate Type", "How the address was found.")
)

// attribute reads a line "name:value" or "name".
func (s *sheet) attribute(v span) {
	field, value := fField, fValue
	if len(s.media) == 0 {
		field, value = fSessField, fSessValue
	}
	name, rest := s.cut(v, ':')
	key := strings.ToLower(string(s.b[name.from:min(name.to, name.from+32)]))
	if rest.from == name.to && len(s.media) > 0 { // a name alone is no field of its own
		if key == "rtcp-mux" {
			s.media[len(s.media)-1].mux = true
		}
		return
	}
	if rest.from == name.to {
		return
	}
	s.put(field, name)
	switch key {
	case "rtpmap":
		s.rtpmap(rest)
	case "fmtp":
		s.parameters(rest)
	case "candidate":
		s.candidate(rest)
	case "crypto":
		s.crypto(rest)
	default:
		s.put(value, rest)
	}
	if key == "rtcp" && len(s.media) > 0 {
		w := s.word(&rest)
		if n, ok := digits(s.b[w.from:w.to]); ok && n < 1<<16 {
			s.media[len(s.media)-1].control = uint16(n)
		}
	}
}

// rtpmap reads "97 iLBC/8000/1": which form a payload type stands for.
func (s *sheet) rtpmap(v span) {
	kind := s.word(&v)
	s.put(fFormat, kind)
	name, clock := s.cut(v, '/')
	clock, _ = s.cut(clock, '/')
	s.put(fMIME, name)
	s.put(fRate, clock)
	n, ok := digits(s.b[kind.from:kind.to])
	if !ok || n > 127 || len(s.media) == 0 || name.to == name.from || name.to-name.from > 64 {
		return
	}
	forms := s.media[len(s.media)-1].forms
	if len(forms) >= maxForms {
		return
	}
	text := strings.ToLower(string(s.b[name.from:name.to]))
	f := form{text: text, word: word(text)}
	if refs, ok := s.d.Stream().RefsAt(s.base+name.from, name.to-name.from); ok && len(refs) == 1 {
		f.name = refs[0]
	}
	if r, ok := digits(s.b[clock.from:clock.to]); ok && r < 1<<32 {
		f.rate = uint32(r)
	}
	forms[uint8(n)] = f
}

// candidate reads an address that a peer may be reached at (RFC 8839 section 5.1).
func (s *sheet) candidate(v span) {
	for _, f := range candidateParts {
		s.put(f, s.word(&v))
	}
	s.word(&v) // "typ"
	s.put(fCandidate, s.word(&v))
}

// digits reads a decimal number; what is none tells false.
func digits(b []byte) (n uint64, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' || n > 1<<40 {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, len(b) > 0
}

// address reads an address of IP; names have none.
func address(text string) dissect.Addr {
	a, err := netip.ParseAddr(text)
	switch {
	case err != nil || a.Zone() != "":
		return dissect.Addr{}
	case a.Is4():
		b := a.As4()
		return dissect.IPv4Addr(b[:])
	}
	b := a.As16()
	return dissect.IPv6Addr(b[:])
}
