package soaprun

import (
	"bytes"
	"fmt"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var (
	fLine   = proto.String("dispatch.request", "Request", "The first line of the request.").Encoded(dissect.ShiftJIS)
	fHeader = proto.String("dispatch.header", "Header", "A further line of the request.").Encoded(dissect.ShiftJIS)
	fPath   = proto.String("dispatch.path", "Path", "What is asked for, without the part behind the question mark.").
		Derived()
	fParam = proto.Group("dispatch.parameter", "Parameter", "One setting of an administration request.").
		Summary("Parameter [{dispatch.parameter.name}] = [{dispatch.parameter.value}]")
	fParamName = proto.String("dispatch.parameter.name", "Name", "What is set.").Derived()
	fParamVal  = proto.String("dispatch.parameter.value", "Value", "What it is set to, with + and %xx decoded.").Derived()

	fIgnored = proto.String("dispatch.ignored", "Ignored by the game", "Text that the game does not read.").
			Encoded(dissect.ShiftJIS)
	fMarker = proto.String("dispatch.marker", "Marker", "The text that the game looks for first.")
	fPage   = proto.String("dispatch.page", "Page",
		"The line behind the marker; the game demands that it begins with Pixel.").Encoded(dissect.ShiftJIS)
	fRecord = proto.String("dispatch.record", "Record", "The line that says where the server is: parts between TABs.").
		Encoded(dissect.ShiftJIS)
	fDate   = proto.String("dispatch.date", "Date", "When the record was written.").Encoded(dissect.ShiftJIS)
	fStatus = proto.String("dispatch.status", "Status", "Whether the server plays; all but open means closed.").
		Encoded(dissect.ShiftJIS)
	fOpen = proto.Bool("dispatch.open", "Server is open",
		"What the game makes of the status, of which case does not matter.").Derived().TrueFalse("yes", "no")
	fAddress = proto.String("dispatch.address", "Server", "Address of the game server as it is written.").
			Encoded(dissect.ShiftJIS)
	fIP      = proto.IPv4("dispatch.ip", "IPv4 address", "Address of the game server.").Derived()
	fPort    = proto.Uint16("dispatch.port", "Port", "TCP port of the game server.").Dec()
	fName    = proto.String("dispatch.protocol", "Protocol", "The game demands Soaprun.").Encoded(dissect.ShiftJIS)
	fVersion = proto.Uint32("dispatch.version", "Version", "Version of the protocol; the last game demands 64.")
	fComment = proto.String("dispatch.comment", "Comment", "A line for the players, as it is written.").
			Encoded(dissect.ShiftJIS)
	fShown = proto.String("dispatch.comment.text", "Text",
		"The comment decoded and cut to the 23 bytes that the game has room for; empty for a blank line.").
		Encoded(dissect.ShiftJIS).Derived()
	fPrinted = proto.Bool("dispatch.comment.shown", "Shown in the game",
		"The game prints the comments when the server is not open.").Derived().TrueFalse("yes", "no")
	fExcess = proto.String("dispatch.excess", "Parts that the game does not read",
		"Parts of the record behind the sixth comment.").Encoded(dissect.ShiftJIS)
	fAccepted = proto.Bool("dispatch.accepted", "Accepted by the game",
		"Whether the game connects to the server after this reply.").Derived().TrueFalse("yes", "no")
	fAnnounced = proto.FrameRef("dispatch.in", "Server named in", "The dispatch's reply that named this server.")
	fUsed      = proto.FrameRef("dispatch.used_in", "First connection in",
		"The first message of the server that this reply names.")

	nRefused = proto.Expert("dispatch.refused", dissect.Warn, "The game does not accept this reply")
	nClosed  = proto.Expert("dispatch.closed", dissect.Hint, "The dispatch says that the server is closed")
	nPort    = proto.Expert("dispatch.port.bad", dissect.Warn, "The port of the game server is no port number")
)

// dispatchText dissects a text of the dispatch: a request or a reply.
func dispatchText(d *dissect.D) {
	if b := d.Data(); bytes.HasPrefix(b, []byte("GET ")) {
		request(d, b)
	} else {
		dispatchReply(d, b)
	}
}

// A lookNote is kept for the frames of connections to the dispatch.
type lookNote struct{ dispatch bool }

// isDispatch tells text of the dispatch from bytes of a game stream that only look like text: by its beginning, its
// marker, or a request in front.
func isDispatch(d *dissect.D, b []byte) bool {
	n := remember(d, &lookNotes, func(c *connection) lookNote { return lookNote{c.lookups > 0 && c.server == 0} })
	return n.dispatch || bytes.HasPrefix(b, []byte("GET ")) || bytes.HasPrefix(b, []byte("HTTP/")) ||
		bytes.Contains(b, []byte(marker))
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
	d.Ends().Role(d.Dst, "dispatch")
	first := true
	for more := d.Elements(); more.Next(); {
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
	remember(d, &restNotes, func(c *connection) restNote {
		c.lookups, c.admin = c.lookups+1, admin
		return restNote{}
	})
	d.Request(keyDispatch, fAnsweredIn)
	if d.Info().Wanted() {
		if admin {
			d.Info().Setf("%s", adminLine(query))
		} else {
			d.Info().Setf("asks where the server is")
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

// adminLine is the text of what an administration request sets.
func adminLine(query string) string {
	set := map[string]string{}
	for _, p := range strings.SplitN(query, "&", 33) {
		name, value, _ := strings.Cut(p, "=")
		set[name] = string(unescape([]byte(value)))
	}
	return fmt.Sprintf("sets the server to %s, %s:%s", set["status"], set["ip"], set["port"])
}

// A restNote marks a text as what follows a page's end, or as the response to settings.
type restNote struct{ rest, admin bool }

// dispatchReply reads a reply by the rules of the game.
func dispatchReply(d *dissect.D, b []byte) {
	d.SetKind(fType, kDispatchReply)
	d.Ends().Role(d.Src, "dispatch")
	rest := remember(d, &restNotes, func(c *connection) restNote {
		c.replies++
		return restNote{c.lookups > 0 && c.replies > c.lookups, c.admin || c.lookups == 0}
	})
	if rest.rest {
		d.Rest(fIgnored)
		d.Info().Set("rest of the page")
		return
	}
	d.Response(keyDispatch, fAnsweredIn, fRequestIn, fTime)
	r := parseReply(b)
	base := d.Pos()
	why := r.missing(rest.admin)
	if why != "" && bytes.HasPrefix(b, []byte("HTTP/")) && d.Inner().Attached(tables.TLSALPN, dissect.Word("http/1.1")) {
		d.Info().Fence("Not understood by the game: " + why + "; ")
		refuse(d, why)
		d.Next(tables.TLSALPN, dissect.Word("http/1.1")) // to others it is a page all the same
		return
	}
	if r.broken != noMarker {
		ignored(d, base+r.mark.from)
		d.Bytes(fMarker, len(marker))
	}
	if r.broken == keepsRules || r.broken == adminAnswer || r.broken == noRecord {
		ignored(d, base+r.page.from)
		_, next := nextLine(b, r.page.from)
		d.Bytes(fPage, next-r.page.from)
	}
	word := "not understood"
	switch r.broken {
	case adminAnswer:
		d.Bytes(fRecord, r.record.to-r.record.from)
		if why == "" {
			d.Info().Set("settings accepted")
		}
	case keepsRules:
		word, why = "refused", record(d, b, base, &r)
	}
	ignored(d, base+len(b))
	if why != "" {
		refuse(d, why)
		if d.Info().Wanted() {
			d.Info().Setf("%s by the game: %s", word, why)
		}
	}
}

// missing says what the game misses in a reply, "" when it finds a record or the reply is that to settings.
func (r *reply) missing(settings bool) string {
	switch r.broken {
	case noMarker:
		return "There is no " + marker + " in it"
	case noPage:
		return "The line behind " + marker + " does not begin with " + page
	case noRecord:
		return "There is no record behind the line with " + page
	case adminAnswer:
		if !settings {
			return "The line behind " + page + " is OK., which only older versions of the game expect in front of the record"
		}
	}
	return ""
}

func refuse(d *dissect.D, why string) {
	if d.CutShort() {
		return
	}
	d.Set(fAccepted, 0)
	d.ExpertText(nRefused, "The game does not accept this reply: "+why)
}

// ignored shows the bytes up to an offset of the source as text that the game passes over.
func ignored(d *dissect.D, to int) {
	if n := to - d.Pos(); n > 0 {
		d.Bytes(fIgnored, n)
	}
}
