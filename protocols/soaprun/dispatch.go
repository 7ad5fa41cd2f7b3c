package soaprun

import (
	"bytes"
	"fmt"
	"net/netip"
	"strings"

	"remora/dissect"
)

var (
	fLine      = proto.String("dispatch.request", "Request", "The first line of the request.").Encoded(dissect.ShiftJIS)
	fHeader    = proto.String("dispatch.header", "Header", "A further line of the request.").Encoded(dissect.ShiftJIS)
	fPath      = proto.String("dispatch.path", "Path", "What is asked for, without the part behind the question mark.").Derived()
	fParam     = proto.Group("dispatch.parameter", "Parameter", "One setting of an administration request.").Summary("Parameter [{dispatch.parameter.name}] = [{dispatch.parameter.value}]")
	fParamName = proto.String("dispatch.parameter.name", "Name", "What is set.").Derived()
	fParamVal  = proto.String("dispatch.parameter.value", "Value", "What it is set to, with + and %xx decoded.").Derived()

	fIgnored   = proto.String("dispatch.ignored", "Passed over by the game", "Text that the game does not read.").Encoded(dissect.ShiftJIS)
	fMarker    = proto.String("dispatch.marker", "Marker", "The text that the game looks for first.")
	fPage      = proto.String("dispatch.page", "Page", "The line behind the marker; the game demands that it begins with Pixel.").Encoded(dissect.ShiftJIS)
	fRecord    = proto.String("dispatch.record", "Record", "The line that says where the server is: parts between TABs.").Encoded(dissect.ShiftJIS)
	fDate      = proto.String("dispatch.date", "Date", "When the record was written.").Encoded(dissect.ShiftJIS)
	fStatus    = proto.String("dispatch.status", "Status", "Whether the server plays; all but open means closed.").Encoded(dissect.ShiftJIS)
	fOpen      = proto.Bool("dispatch.open", "Server is open", "What the game makes of the status, of which case does not matter.").Derived().TrueFalse("yes", "no")
	fAddress   = proto.String("dispatch.address", "Server", "Address of the game server as it is written.").Encoded(dissect.ShiftJIS)
	fIP        = proto.IPv4("dispatch.ip", "IPv4 address", "Address of the game server.").Derived()
	fPort      = proto.Uint16("dispatch.port", "Port", "TCP port of the game server.").Dec()
	fName      = proto.String("dispatch.protocol", "Protocol", "The game demands Soaprun.").Encoded(dissect.ShiftJIS)
	fVersion   = proto.Uint32("dispatch.version", "Version", "Version of the protocol; the last game demands 64.")
	fComment   = proto.String("dispatch.comment", "Comment", "A line for the players, as it is written.").Encoded(dissect.ShiftJIS)
	fShown     = proto.String("dispatch.comment.text", "Text", "The comment decoded and cut to the 23 bytes that the game has room for; empty for a blank line.").Encoded(dissect.ShiftJIS).Derived()
	fPrinted   = proto.Bool("dispatch.comment.shown", "Shown in the game", "The game prints the comments when the server is not open.").Derived().TrueFalse("yes", "no")
	fExcess    = proto.String("dispatch.excess", "Parts that the game does not read", "Parts of the record behind the sixth comment.").Encoded(dissect.ShiftJIS)
	fAccepted  = proto.Bool("dispatch.accepted", "Accepted by the game", "Whether the game connects to the server after this reply.").Derived().TrueFalse("yes", "no")
	fAnnounced = proto.FrameRef("dispatch.in", "Server named in", "The dispatch's reply that named this server.")
	fUsed      = proto.FrameRef("dispatch.used_in", "First connection in", "The first message of the server that this reply names.")

	nRefused = proto.Note("dispatch.refused", dissect.Warn, "The game does not accept this reply")
	nClosed  = proto.Note("dispatch.closed", dissect.Hint, "The dispatch says that the server is closed")
	nPort    = proto.Note("dispatch.port.bad", dissect.Warn, "The port of the game server is no port number")
)

// dispatchText dissects a text of the dispatch: a request or a reply.
func dispatchText(d *dissect.D) {
	if b := d.Data(); bytes.HasPrefix(b, []byte("GET ")) {
		request(d, b)
	} else {
		dispatchReply(d, b)
	}
}

// A lookNote says that the connection is one of the dispatch.
type lookNote struct{ dispatch bool }

// dispatchLook tells text of the dispatch from bytes of a game stream that only look like text: by its beginning, its
// marker, or a request in front.
func dispatchLook(d *dissect.D, b []byte) bool {
	n := remember(d, &lookNotes, func(c *connection) lookNote { return lookNote{c.lookups > 0 && c.server == 0} })
	return n.dispatch || bytes.HasPrefix(b, []byte("GET ")) || bytes.HasPrefix(b, []byte("HTTP/")) || bytes.Contains(b, []byte(marker))
}

const keyDispatch = 1 << 40

// request reads a request line by line.
func request(d *dissect.D, b []byte) {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	target := ""
	if parts := strings.Fields(string(line)); len(parts) > 1 {
		target = parts[1]
	}
	path, query, admin := strings.Cut(target, "?")
	if admin {
		d.SetKind(fType, kDispatchAdmin)
	} else {
		d.SetKind(fType, kDispatchRequest)
	}
	d.RoleEnd(d.Dst, "dispatch")
	first := true
	for d.More() {
		_, next := nextLine(d.Data(), 0)
		if !first {
			d.Bytes(fHeader, next)
			continue
		}
		first = false
		d.Bytes(fLine, next)
		d.Below(func() {
			if d.Wanted(fPath) {
				d.SetText(fPath, path)
			}
			parameters(d, query)
		})
	}
	remember(d, &restNotes, func(c *connection) restNote { c.lookups++; return restNote{} })
	d.Request(keyDispatch, fAnsweredIn)
	if d.Texting() {
		if admin {
			d.Infof("%s", adminLine(query))
		} else {
			d.Infof("asks where the server is")
		}
	}
}

func parameters(d *dissect.D, query string) {
	if query == "" || !d.WantedOf(proto) {
		return
	}
	for _, p := range strings.SplitN(query, "&", 33)[:min(32, 1+strings.Count(query, "&"))] {
		name, value, _ := strings.Cut(p, "=")
		d.In(fParam, func() {
			d.SetText(fParamName, name)
			d.SetText(fParamVal, dissect.ShiftJIS.Decode(unescape([]byte(value))))
		})
	}
}

// adminLine says in words what an administration request sets.
func adminLine(query string) string {
	set := map[string]string{}
	for _, p := range strings.SplitN(query, "&", 33) {
		name, value, _ := strings.Cut(p, "=")
		set[name] = string(unescape([]byte(value)))
	}
	return fmt.Sprintf("sets the server to %s, %s:%s", set["status"], set["ip"], set["port"])
}

// A restNote says that a text is what a page has behind its end.
type restNote struct{ rest bool }

// dispatchReply reads a reply by the rules of the game.
func dispatchReply(d *dissect.D, b []byte) {
	d.SetKind(fType, kDispatchReply)
	d.RoleEnd(d.Src, "dispatch")
	rest := remember(d, &restNotes, func(c *connection) restNote {
		c.replies++
		return restNote{c.lookups > 0 && c.replies > c.lookups}
	})
	if rest.rest {
		d.Rest(fIgnored)
		d.Info("rest of the page")
		return
	}
	d.Answer(keyDispatch, fAnsweredIn, fRequestIn, fTime)
	r := parseReply(b)
	base := d.Pos()
	if r.broken != noMarker {
		ignored(d, base+r.mark.from)
		d.Bytes(fMarker, len(marker))
	}
	if r.broken == keepsRules || r.broken == adminAnswer || r.broken == noRecord {
		ignored(d, base+r.page.from)
		_, next := nextLine(b, r.page.from)
		d.Bytes(fPage, next-r.page.from)
	}
	var why string
	switch r.broken {
	case noMarker:
		why = "There is no " + marker + " in it"
	case noPage:
		why = "The line behind " + marker + " does not begin with " + page
	case noRecord:
		why = "There is no record behind the line with " + page
	case adminAnswer:
		d.Bytes(fRecord, r.record.to-r.record.from)
		d.Info("settings accepted")
	default:
		why = record(d, b, base, &r)
	}
	ignored(d, base+len(b))
	if why != "" {
		d.Set(fAccepted, 0)
		d.MarkText(nRefused, "The game does not accept this reply: "+why)
		if d.Texting() {
			word := "refused"
			if r.broken != keepsRules {
				word = "not understood"
			}
			d.Infof("%s by the game: %s", word, why)
		}
	}
}

// ignored shows the bytes up to an offset of the source as text that the game passes over.
func ignored(d *dissect.D, to int) {
	if n := to - d.Pos(); n > 0 {
		d.Bytes(fIgnored, n)
	}
}

// record reads the line with the server's address and says which rule it breaks, "" for none.
func record(d *dissect.D, b []byte, base int, r *reply) (why string) {
	d.Bytes(fRecord, r.record.to-r.record.from)
	open := strings.EqualFold(string(r.token(b, tokenStatus)), "open")
	version := atoi(r.token(b, tokenVersion))
	port := atoi(r.token(b, tokenPort))
	address, err := netip.ParseAddr(string(r.token(b, tokenIP)))
	known := err == nil && address.Is4() && port > 0 && port <= 65535
	put := func(f *dissect.Field, i int) bool {
		if i < r.count {
			d.Put(f, 0, base+r.tokens[i].from, r.tokens[i].to-r.tokens[i].from)
		}
		return i < r.count
	}
	d.Below(func() {
		put(fDate, tokenDate)
		put(fStatus, tokenStatus)
		d.Set(fOpen, truth(open))
		if put(fAddress, tokenIP); err == nil && address.Is4() {
			a := address.As4()
			d.Set(fIP, dissect.IPv4Addr(a[:]).Uint64())
		}
		if s := r.tokens[tokenPort]; tokenPort < r.count {
			d.Put(fPort, port, base+s.from, s.to-s.from)
		}
		if port == 0 || port > 65535 {
			d.Mark(nPort)
		}
		put(fName, tokenProtocol)
		if s := r.tokens[tokenVersion]; tokenVersion < r.count {
			d.Put(fVersion, version, base+s.from, s.to-s.from)
		}
		comments(d, b, base, r, open)
	})
	if known {
		follow(d, address, uint16(port))
	}
	if !open {
		d.Mark(nClosed)
	}
	return verdict(d, b, r, open, version)
}

func comments(d *dissect.D, b []byte, base int, r *reply, open bool) {
	for i := tokenComment; i < r.count; i++ {
		s := r.tokens[i]
		d.Put(fComment, 0, base+s.from, s.to-s.from)
		d.Below(func() {
			if d.Wanted(fShown) {
				d.SetText(fShown, dissect.ShiftJIS.Decode(shown(s.of(b))))
			}
			d.Set(fPrinted, truth(!open))
		})
	}
	if r.more.to > r.more.from {
		d.Put(fExcess, 0, base+r.more.from, r.more.to-r.more.from)
	}
}

// verdict says what the game does with a record that it can read.
func verdict(d *dissect.D, b []byte, r *reply, open bool, version uint64) (why string) {
	name := string(r.token(b, tokenProtocol))
	if open {
		switch {
		case name != protocolName:
			return fmt.Sprintf("The protocol is %q, not %s", name, protocolName)
		case version != protocolVersion:
			return fmt.Sprintf("The version is %d, not %d", version, protocolVersion)
		}
		d.Set(fAccepted, 1)
	} else {
		d.Set(fAccepted, 0)
	}
	if d.Texting() {
		state := "closed"
		if open {
			state = "open"
		}
		text := fmt.Sprintf("%s, %s:%s", state, r.token(b, tokenIP), r.token(b, tokenPort))
		for i := tokenComment; i < r.count && !open; i++ {
			if c := shown(r.tokens[i].of(b)); len(c) > 0 {
				text += fmt.Sprintf(" %q", dissect.ShiftJIS.Decode(c))
			}
		}
		d.Infof("%s", text)
	}
	return ""
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// follow makes connections to the server that a reply names this protocol's, whatever its port.
func follow(d *dissect.D, address netip.Addr, port uint16) {
	a := address.As4()
	e := dissect.Endpoint{Addr: dissect.IPv4Addr(a[:]), Port: port}
	d.ClaimEnd(e)
	servers.OnceAt(d, e, func(s *server) none {
		if s.named == 0 {
			s.named = d.Frame
		}
		return none{}
	})
	d.ShowForward(fUsed)
}
