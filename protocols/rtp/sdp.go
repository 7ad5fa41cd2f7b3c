package rtp

import (
	"bytes"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var sdp = dissect.NewProtocol("sdp", "SDP",
	"Session Description Protocol: what media a session has, where they go and in what form.").
	Summary("Session Description Protocol").Color(dissect.HueMagenta).Quiet()

// The lines of a description. Their values are what stands behind the equals sign.
var (
	fSdpVersion = sdp.String("version", "Session Description Protocol Version (v)", "Version of the format.")
	fOwner      = sdp.String("owner", "Owner/Creator, Session Id (o)", "Who made the description.")
	fName       = sdp.String("session_name", "Session Name (s)", "What the session is called.")
	fInfo       = sdp.String("session_info", "Session Information (i)", "What the session is about.")
	fMediaTitle = sdp.String("media_title", "Media Title (i)", "What the media are about.")
	fURI        = sdp.String("uri", "URI of Description (u)", "Where to read more.")
	fEmail      = sdp.String("email", "E-mail Address (e)", "Whom to write to.")
	fPhone      = sdp.String("phone", "Phone Number (p)", "Whom to call.")
	fConnection = sdp.String("connection_info", "Connection Information (c)", "Where media go.")
	fBandwidth  = sdp.String("bandwidth", "Bandwidth Information (b)", "How much is sent.")
	fWhen       = sdp.String("time", "Time Description, active time (t)", "When the session takes place.")
	fRepeat     = sdp.String("repeat_time", "Repeat Time (r)", "When it takes place again.")
	fZones      = sdp.String("timezone", "Time Zone Adjustments (z)", "When clocks change.")
	fKey        = sdp.String("encryption_key", "Encryption Key (k)", "How to get the key.")
	fSessAttr   = sdp.String("session_attr", "Session Attribute (a)", "Something about the whole session.")
	fMediaAttr  = sdp.String("media_attr", "Media Attribute (a)", "Something about these media.")
	fMedia      = sdp.String("media", "Media Description, name and address (m)", "Media, and where they go.")
	fOdd        = sdp.String("unknown", "Unknown", "A line of an unknown type.")
	fInvalid    = sdp.String("invalid", "Invalid line", "A line that is none of a description.")
	fBlank      = sdp.Label("blank", "\\r\\n", "An empty line.")

	nNoEqual = sdp.Expert("invalid_line.no_equal", dissect.Warn, "Invalid SDP line (no '=' delimiter)").
			About(dissect.AboutMalformed)
	nPort = sdp.Expert("invalid_media_port", dissect.Error, "Invalid media port").About(dissect.AboutMalformed)
)

// The parts of lines.
var (
	ownerParts = []*dissect.Field{
		sdp.String("owner.username", "Owner Username", "Who."),
		sdp.String("owner.sessionid", "Session ID", "Number of the session."),
		sdp.String("owner.version", "Session Version", "Number of this description of it."),
		sdp.String("owner.network_type", "Owner Network Type", "IN is the Internet."),
		sdp.String("owner.address_type", "Owner Address Type", "IP4 or IP6."),
		sdp.String("owner.address", "Owner Address", "Where the owner is."),
	}
	connectionParts = []*dissect.Field{
		sdp.String("connection_info.network_type", "Connection Network Type", "IN is the Internet."),
		sdp.String("connection_info.address_type", "Connection Address Type", "IP4 or IP6."),
		sdp.String("connection_info.address", "Connection Address", "Where media go."),
	}
	timeParts = []*dissect.Field{sdp.String("time.start", "Session Start Time", "In seconds since 1900."),
		sdp.String("time.stop", "Session Stop Time", "In seconds since 1900.")}
	repeatParts = []*dissect.Field{
		sdp.String("repeat_time.interval", "Repeat Interval", "How often."),
		sdp.String("repeat_time.duration", "Repeat Duration", "How long."),
		sdp.String("repeat_time.offset", "Repeat Offset", "How long after the start."),
	}
	zoneParts = []*dissect.Field{sdp.String("timezone.time", "Timezone Time", "When."),
		sdp.String("timezone.offset", "Timezone Offset", "By how much.")}
	bandParts = []*dissect.Field{sdp.String("bandwidth.modifier", "Bandwidth Modifier", "Of what."),
		sdp.String("bandwidth.value", "Bandwidth Value", "How much.")}
	keyParts = []*dissect.Field{sdp.String("encryption_key.type", "Key Type", "How."),
		sdp.String("encryption_key.data", "Key Data", "The key.")}

	fMediaKind  = sdp.String("media.media", "Media Type", "What: audio, video.")
	fMediaPort  = sdp.Uint16("media.port", "Media Port", "Where to.")
	fPortText   = sdp.String("media.port_string", "Media Port", "Where to, as it is written.").Hidden()
	fPortCount  = sdp.String("media.portcount", "Media Port Count", "How many pairs of ports.")
	fMediaProto = sdp.String("media.proto", "Media Protocol", "How media are sent.")
	fFormat     = sdp.String("media.format", "Media Format", "A form that media may have.")
)

// Description attaches descriptions to their media type.
func Description() dissect.Plugin {
	return dissect.Plugin{Protocol: sdp, Dissect: description,
		On: []dissect.Key{{Table: tables.MediaType, Value: dissect.Word("application/sdp")}}, Stateful: true}
}

// Limits of one description.
const (
	maxMedia = 32
	maxForms = 64
)

// A span is a range of bytes of the description.
type span struct{ from, to int }

// A sheet is a description while it is read.
type sheet struct {
	d     *dissect.D
	base  int
	b     []byte
	addr  dissect.Addr // of the whole session
	media []medium
}

// A medium is what a description says of one stream.
type medium struct {
	addr    dissect.Addr
	port    uint16
	proto   string
	control uint16 // the port of RTCP if it is not the next
	mux     bool   // RTCP goes where RTP goes
	forms   map[uint8]form
}

func description(d *dissect.D) {
	d.Info().Carries("SDP")
	s := &sheet{d: d, base: d.Pos(), b: d.Data()}
	for at, more := 0, d.Elements(); at < len(s.b) && more.Next(); {
		n := bytes.IndexByte(s.b[at:], '\n')
		next := at + n + 1
		if n < 0 {
			next = len(s.b)
		}
		line := span{at, next}
		for line.to > line.from && (s.b[line.to-1] == '\n' || s.b[line.to-1] == '\r') {
			line.to--
		}
		s.line(line, next-at)
		at = next
	}
	s.announce()
}

// put records a part of the description.
func (s *sheet) put(f *dissect.Field, p span) {
	if p.to > p.from {
		s.d.Put(f, 0, s.base+p.from, p.to-p.from)
	}
}

// plain are the lines without a place in what follows, by their letters.
var plain = map[byte]struct {
	field *dissect.Field
	parts []*dissect.Field
}{
	'v': {fSdpVersion, nil}, 'o': {fOwner, ownerParts}, 's': {fName, nil}, 'u': {fURI, nil}, 'e': {fEmail, nil},
	'p': {fPhone, nil},
	'c': {fConnection, connectionParts}, 't': {fWhen, timeParts}, 'r': {fRepeat, repeatParts}, 'z': {fZones, zoneParts},
}

// line reads one line with all its n bytes.
func (s *sheet) line(l span, n int) {
	d := s.d
	defer d.Skip(n)
	switch {
	case l.to == l.from:
		d.Put(fBlank, 0, d.Pos(), n)
		return
	case l.to-l.from < 2 || s.b[l.from+1] != '=':
		d.PutText(fInvalid, string(s.b[l.from:l.to]), d.Pos(), n)
		d.Below(func() { d.Expert(nNoEqual) })
		return
	}
	value := span{l.from + 2, l.to}
	letter := s.b[l.from]
	f, parts := plain[letter].field, plain[letter].parts
	switch letter {
	case 'i':
		if f = fInfo; len(s.media) > 0 {
			f = fMediaTitle
		}
	case 'a':
		if f = fSessAttr; len(s.media) > 0 {
			f = fMediaAttr
		}
	case 'b':
		f = fBandwidth
	case 'k':
		f = fKey
	case 'm':
		f = fMedia
	}
	if f == nil {
		f = fOdd
	}
	if d.Wanted(f) {
		d.PutText(f, string(s.b[value.from:value.to]), d.Pos(), n)
	}
	d.Below(func() { s.parts(letter, value, parts) })
}

// parts takes the value of a line apart.
func (s *sheet) parts(letter byte, v span, fields []*dissect.Field) {
	if letter == 'c' {
		s.connection(string(s.b[v.from:v.to]))
	}
	switch letter {
	case 'a':
		s.attribute(v)
	case 'b':
		s.halves(v, bandParts)
	case 'k':
		if bytes.IndexByte(s.b[v.from:v.to], ':') >= 0 {
			s.halves(v, keyParts)
		}
	case 'm':
		s.medium(v)
	case 'z':
		for i, p := 0, (dissect.Progress{}); v.from < v.to && p.Up(v.from); i++ {
			s.put(fields[i%2], s.word(&v))
		}
	default:
		for i, p := 0, (dissect.Progress{}); v.from < v.to && len(fields) > 0 && p.Up(v.from); i++ {
			s.put(fields[min(i, len(fields)-1)], s.word(&v))
			if letter != 'r' && i == len(fields)-1 {
				break
			}
		}
	}
}

// word takes the next word off the front of a part.
func (s *sheet) word(v *span) span {
	for v.from < v.to && s.b[v.from] == ' ' {
		v.from++
	}
	w := *v
	if n := bytes.IndexByte(s.b[w.from:w.to], ' '); n >= 0 {
		w.to = w.from + n
	}
	v.from = w.to
	for v.from < v.to && s.b[v.from] == ' ' {
		v.from++
	}
	return w
}

// halves records what stands in front of a colon and behind it.
func (s *sheet) halves(v span, fields []*dissect.Field) {
	name, value := s.cut(v, ':')
	s.put(fields[0], name)
	s.put(fields[1], value)
}

// cut splits a part at the first byte c.
func (s *sheet) cut(v span, c byte) (before, behind span) {
	if n := bytes.IndexByte(s.b[v.from:v.to], c); n >= 0 {
		return span{v.from, v.from + n}, span{v.from + n + 1, v.to}
	}
	return v, span{v.to, v.to}
}

// connection keeps where media go, for the session or for the last medium.
func (s *sheet) connection(text string) {
	words := strings.Fields(text)
	if len(words) < 3 {
		return
	}
	host, _, _ := strings.Cut(words[2], "/")
	a := address(host)
	if n := len(s.media); n > 0 {
		s.media[n-1].addr = a
	} else {
		s.addr = a
	}
}

// medium reads a line of media: "audio 49170/2 RTP/AVP 0 97".
func (s *sheet) medium(v span) {
	text := string(s.b[v.from:v.to])
	s.put(fMediaKind, s.word(&v))
	port, count := s.cut(s.word(&v), '/')
	s.put(fPortText, port)
	number, ok := digits(s.b[port.from:port.to])
	if ok && number < 1<<16 {
		s.d.Put(fMediaPort, number, s.base+port.from, port.to-port.from)
	} else {
		s.d.ExpertText(nPort, "Invalid media port")
	}
	s.put(fPortCount, count)
	how := s.word(&v)
	s.put(fMediaProto, how)
	m := medium{addr: s.addr, port: uint16(number), proto: string(s.b[how.from:how.to]), forms: map[uint8]form{}}
	if len(text) == 0 || len(s.media) >= maxMedia {
		m.port = 0
	}
	for more := s.d.Elements(); v.from < v.to && more.NextAt(v.from); {
		w := s.word(&v)
		n, ok := digits(s.b[w.from:w.to])
		if name := formats[n]; ok && name != "" && strings.HasPrefix(m.proto, "RTP/") {
			s.d.PutText(fFormat, name, s.base+w.from, w.to-w.from)
		} else {
			s.put(fFormat, w)
		}
	}
	if len(s.media) < maxMedia {
		s.media = append(s.media, m)
	}
}

// announce tells where the media that were described will be.
func (s *sheet) announce() {
	for _, m := range s.media {
		if m.port == 0 || m.addr.IsZero() ||
			!strings.HasPrefix(m.proto, "RTP/") && !strings.HasPrefix(m.proto, "UDP/TLS/RTP/") {
			continue
		}
		secure := strings.Contains(m.proto, "RTP/SAVP")
		end := dissect.Endpoint{Addr: m.addr, Port: m.port}
		s.d.Ends().ClaimFor(proto, end)
		describe(s.d, end, bySDP, secure, m.forms)
		control := dissect.Endpoint{Addr: m.addr, Port: m.port + 1}
		if m.control != 0 {
			control.Port = m.control
		}
		if !m.mux && control.Port != 0 && control != end {
			s.d.Ends().ClaimFor(rtcp, control)
			describe(s.d, control, bySDP, secure, nil)
		}
	}
}
