package kaillera

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"

	"remora/dissect"
)

var listProto = dissect.NewProtocol("kailleralist", "Kaillera list",
	"Lists of Kaillera servers and their registration, as text over HTTP.").
	Traits(dissect.Unpacks).Color(dissect.HueGreen).Summary("Kaillera server list[, {type:name}]")

// The types of what goes over the list's connections.
const (
	listRequest = iota + 1
	listAnswer
	listRegister
	listRegistered
	listOther
)

var listTypes = dissect.Values{listRequest: "LIST_REQUEST", listAnswer: "LIST", listRegister: "REGISTER",
	listRegistered: "REGISTERED", listOther: "OTHER"}

// List is the plugin for the lists. It lives on HTTP's port and takes only what asks for a list or registers a server.
func List() dissect.Plugin {
	return dissect.Plugin{Protocol: listProto, Dissect: dissectList, Guess: guessList, GuessTCP: true, Special: true,
		Message: cutList, Remainder: true}
}

// listAsked keeps what a connection asked for last.
var listAsked = dissect.NewStore[listState, listState]()

type listState struct {
	kind  uint8
	games bool // the games that wait were asked for
}

var listPaths = []string{"/raw_server_list", "/touch_server.php", "/touch_list.php"}

func guessList(d *dissect.D) dissect.Confidence {
	asked, ok := bytes.CutPrefix(d.Data(), []byte("GET "))
	for _, p := range listPaths {
		if ok && bytes.HasPrefix(asked, []byte(p)) {
			return dissect.Strong
		}
	}
	return dissect.No
}

// cutList finds the length of a request or an answer. An answer without a length ends with its connection.
func cutList(b []byte) int {
	if !bytes.HasPrefix(b, []byte("GET ")[:min(4, len(b))]) && !bytes.HasPrefix(b, []byte("HTTP/")[:min(5, len(b))]) {
		return -len(b)
	}
	n := headEnd(b)
	if n < 0 {
		if len(b) > 64<<10 {
			return -len(b)
		}
		return 0
	}
	if b[0] == 'G' {
		return n
	}
	for _, line := range strings.Split(string(b[:n]), "\n") {
		key, value, _ := strings.Cut(line, ":")
		if chunkedLine(key, value) {
			return chunksEnd(b, n)
		}
		if strings.EqualFold(key, "Content-Length") {
			if size, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && size >= 0 && size < 1<<24 {
				return n + size
			}
		}
	}
	return 0
}

// headEnd is where the body begins behind the empty line, or -1.
func headEnd(b []byte) int {
	if i := bytes.Index(b, []byte("\r\n\r\n")); i >= 0 {
		return i + 4
	}
	if i := bytes.Index(b, []byte("\n\n")); i >= 0 {
		return i + 2
	}
	return -1
}

// part reads text up to one of the ends, which belongs to the field but not to its value; all there is if none comes.
func part(d *dissect.D, f *dissect.Field, ends string) string {
	b := d.Data()
	n, over := bytes.IndexAny(b, ends), 1
	if n < 0 {
		n, over = len(b), 0
	}
	if n+over == 0 {
		return ""
	}
	text := strings.TrimSuffix(string(b[:n]), "\r")
	if f == lLine {
		text = strings.TrimSpace(text)
	}
	d.PutText(f, text, d.Pos(), n+over)
	d.Skip(n + over)
	return text
}

// listKey joins the requests of a connection with their answers.
const listKey = 1

// dissectList reads one request or answer.
func dissectList(d *dissect.D) {
	b := d.Data()
	head := headEnd(b)
	if head < 0 {
		head = len(b)
	}
	end := d.Pos() + head
	if bytes.HasPrefix(b, []byte("GET ")) {
		askList(d, end)
		return
	}
	if !bytes.HasPrefix(b, []byte("HTTP/")) {
		d.SetKind(lType, listOther)
		d.Rest(lRest)
		return
	}
	asked := listAsked.FirstPass(d, func(s *listState) listState { return *s })
	kind := uint64(listRegistered)
	if asked.kind == listRequest {
		kind = listAnswer
	}
	d.SetKind(lType, kind)
	d.Response(listKey, lAnsweredIn, lRequestIn, lTime)
	status := part(d, lLine, "\n")
	headerLines(d, end)
	servers := 0
	inBody(d, b[:head], func() {
		if kind == listAnswer {
			servers = answerList(d, asked.games)
		} else {
			d.Rest(lReply)
		}
	})
	if d.Info().Wanted() && kind == listAnswer {
		d.Info().Setf("%s", plural(uint64(servers), "server"))
	} else {
		d.Info().Setf("%s", status)
	}
}

// askList reads a request: its line with the query, and its headers.
func askList(d *dissect.D, end int) {
	b := d.Data()
	line := b[:max(0, bytes.IndexByte(b, '\n'))]
	kind := uint64(listRegister)
	if bytes.HasPrefix(line, []byte("GET /raw_server_list")) {
		kind = listRequest
	}
	d.SetKind(lType, kind)
	d.Request(listKey, lAnsweredIn)
	name := ""
	if q := bytes.IndexByte(line, '?'); q >= 0 {
		part(d, lLine, "?")
		name = query(d)
	}
	part(d, lLine, "\n")
	headerLines(d, end)
	games := bytes.Contains(line, []byte("wg=1"))
	listAsked.FirstPass(d, func(s *listState) listState {
		*s = listState{uint8(kind), games}
		return listState{}
	})
	switch {
	case kind == listRegister:
		d.Info().Setf("%s", name)
	case games:
		d.Info().Setf("servers, and the games that wait")
	default:
		d.Info().Setf("servers")
	}
}

// query reads the parameters of a request, and returns the server's name among them.
func query(d *dissect.D) (name string) {
	for more := d.Elements(); more.Next(); {
		b := d.Data()
		n := bytes.IndexAny(b, "& \n")
		if n < 0 {
			n = len(b)
		}
		key, value, _ := strings.Cut(string(b[:n]), "=")
		if text, err := url.QueryUnescape(value); err == nil {
			value = text
		}
		f := listParams[key]
		if f == nil {
			f, value = lParam, string(b[:n])
		}
		if f == lName {
			name = value
		}
		last := n == len(b) || b[n] != '&'
		if !last {
			n++
		}
		if n > 0 {
			d.PutText(f, value, d.Pos(), n)
			d.Skip(n)
		}
		if last {
			break
		}
	}
	return name
}

// headerLines reads lines up to an offset: those that list games entry by entry.
func headerLines(d *dissect.D, end int) {
	for more := d.Elements(); d.Pos() < end && more.Next(); {
		b := d.Data()[:min(end-d.Pos(), d.Left())]
		n := bytes.IndexByte(b, '\n') + 1
		if n == 0 {
			n = len(b)
		}
		key, _, _ := bytes.Cut(b[:n], []byte(": "))
		fields := listHeaders[string(key)]
		d.Within(n, func() {
			if fields == nil {
				part(d, lHeader, "\n")
				return
			}
			part(d, lHeader, " ")
			gamesOf(d, fields)
		})
	}
}

var listHeaders = map[string][]*dissect.Field{
	"Kaillera-games":  {lGameName},
	"Kaillera-wgames": {lGameID, lGameName, lOwner, lEmulator, lSeats},
	"Waiting-games":   {lGameName, lOwner, lEmulator, lSeats},
}

// gamesOf reads games whose fields each end with a bar, up to the line's end.
func gamesOf(d *dissect.D, fields []*dissect.Field) {
	for more := d.Elements(); d.Peek(0) != '\r' && d.Peek(0) != '\n' && more.Next(); {
		d.In(lGame, func() {
			for _, f := range fields {
				if d.More() && d.Peek(0) != '\r' && d.Peek(0) != '\n' {
					part(d, f, "|\r\n")
				}
			}
		})
	}
	d.Rest(lBreak)
}

// answerList reads the body of a list, and counts its servers.
func answerList(d *dissect.D, games bool) (servers int) {
	if games {
		n := bytes.IndexByte(d.Data(), '\n') + 1
		if n == 0 {
			n = d.Left()
		}
		d.Within(n, func() { gamesOf(d, []*dissect.Field{lGameName, lAddress, lOwner, lEmulator, lSeats, lName, lLocation}) })
	}
	for more := d.Elements(); more.Next(); {
		if b := d.Data(); bytes.Count(b[:min(len(b), 4096)], []byte("\n")) == 0 || b[0] == '\n' || b[0] == '\r' {
			d.Rest(lRest)
			break
		}
		servers++
		d.In(lServer, func() {
			part(d, lName, "\n")
			n := bytes.IndexByte(d.Data(), '\n') + 1
			if n == 0 {
				n = d.Left()
			}
			d.Within(n, func() { serverLine(d) })
		})
	}
	return servers
}

// serverLine reads the second line of a server: address, users, games (which some lists leave out), version, location.
func serverLine(d *dissect.D) {
	fields := []*dissect.Field{lAddress, lUsers, lGames, lVersion, lLocation}
	if bytes.Count(d.Data(), []byte(";")) < 4 {
		fields = []*dissect.Field{lAddress, lUsers, lVersion, lLocation}
	}
	for i, f := range fields {
		ends := ";\n"
		if i == len(fields)-1 {
			ends = "\n"
		}
		part(d, f, ends)
	}
	d.Rest(lRest)
}
