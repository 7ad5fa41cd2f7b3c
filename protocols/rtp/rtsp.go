package rtp

import (
	"bytes"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var rtsp = dissect.NewProtocol("rtsp", "RTSP",
	"Real Time Streaming Protocol: the buttons of a player far away (RFC 2326).").
	Summary("Real Time Streaming Protocol").Color(dissect.HueMagenta)

var (
	rKind = rtsp.Kind("type", "Message type", dissect.Values{1: "Request", 2: "Response", 3: "Interleaved data"},
		"What the message is.").Dec().Derived().Wordless()
	rRequest  = rtsp.String("request", "Request", "The first line of a request.")
	rResponse = rtsp.String("response", "Response", "The first line of a response.")
	rMethod   = rtsp.String("method", "Method", "What is asked for.")
	rURL      = rtsp.String("url", "URL", "What it is asked of.")
	rStatus   = rtsp.Uint32("status", "Status", "How the request went.")
	rLine     = rtsp.String("header_line", "Header", "A line of the header.")
	rSession  = rtsp.String("session", "Session", "Names the session.")
	rHow      = rtsp.String("transport", "Transport", "How media are sent.")
	rType     = rtsp.String("content-type", "Content-type", "What the body is.")
	rLength   = rtsp.Uint32("content-length", "Content-length", "Length of the body.")
	rEnd      = rtsp.Label("header_end", "\\r\\n", "The empty line behind the header.")
	rBody     = rtsp.Bytes("body", "Body", "What the message carries.")
	rMagic    = rtsp.Uint8("magic", "Magic", "A dollar sign: media follow.").Hex()
	rChannel  = rtsp.Uint8("channel", "Channel", "Which of the streams.").Hex()
	rSize     = rtsp.Uint16("length", "Length", "Length of what follows.")
	rAsked    = rtsp.FrameRef("request_in", "Request in frame", "The request that this answers.")
	rAnswered = rtsp.FrameRef("response_in", "Response in frame", "The answer to this request.")
	rTime     = rtsp.Span("time", "Time since request", "Time from the request to the response.").Derived()
)

// Streaming attaches RTSP to its ports.
func Streaming() dissect.Plugin {
	return dissect.Plugin{Protocol: rtsp, Statistics: rtspStatistics, Dissect: streaming, TCP: []uint16{554, 8554},
		Message: rtspLength, Remainder: true}
}

// maxRTSP bounds a header.
const maxRTSP = 64 << 10

// rtspLength is how long the message at the start of b is.
func rtspLength(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	if b[0] == '$' {
		if len(b) < 4 {
			return 0
		}
		return 4 + int(b[2])<<8 + int(b[3])
	}
	end := bytes.Index(b[:min(len(b), maxRTSP)], []byte("\r\n\r\n"))
	switch {
	case end < 0 && len(b) < maxRTSP:
		return 0
	case end < 0:
		return len(b)
	}
	n := 0
	for _, line := range bytes.Split(b[:end], []byte("\r\n")) {
		if name, value, ok := bytes.Cut(line, []byte(":")); ok && strings.EqualFold(string(name), "content-length") {
			n, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
		}
	}
	return end + 4 + min(max(n, 0), dissect.MaxMessage)
}

func streaming(d *dissect.D) {
	if d.Peek(0) == '$' {
		interleaved(d)
		return
	}
	s := &sheet{d: d, base: d.Pos(), b: d.Data()}
	var seq, length uint64
	kind := ""
	for at, more := 0, d.Elements(); at < len(s.b) && more.Next(); {
		n := bytes.IndexByte(s.b[at:], '\n') + 1
		if n == 0 {
			n = len(s.b) - at
		}
		line := span{at, at + len(bytes.TrimRight(s.b[at:at+n], "\r\n"))}
		if at == 0 {
			s.first(line, n)
		} else if line.to == line.from {
			d.Put(rEnd, 0, d.Pos(), n)
			d.Skip(n)
			break
		} else {
			s.header(line, n, &seq, &length, &kind)
		}
		at += n
	}
	s.answer(seq)
	if d.Left() == 0 {
		return
	}
	d.Within(min(d.Left(), max(int(length), 1)), func() {
		d.SetLayerData([]byte(kind))
		if !d.Inner().Attached(tables.MediaType, dissect.Word(kind)) || !d.NextPart(tables.MediaType, dissect.Word(kind)) {
			d.Rest(rBody)
		}
	})
	d.Rest(rBody)
	d.Info().KeepProtocol()
}

// first reads the first line.
func (s *sheet) first(l span, n int) {
	d, text := s.d, string(s.b[l.from:l.to])
	defer d.Skip(n)
	rest := l
	if strings.HasPrefix(text, "RTSP/") {
		d.SetKind(rKind, 2)
		d.Put(rResponse, 0, d.Pos(), n)
		s.word(&rest)
		w := s.word(&rest)
		if v, ok := digits(s.b[w.from:w.to]); ok {
			d.Below(func() { d.Put(rStatus, v, s.base+w.from, w.to-w.from) })
		}
		d.Info().Fence(dissect.Escape("Reply: " + text))
		return
	}
	d.SetKind(rKind, 1)
	d.Put(rRequest, 0, d.Pos(), n)
	d.Below(func() {
		s.put(rMethod, s.word(&rest))
		s.put(rURL, s.word(&rest))
	})
	d.Info().Fence(dissect.Escape(text))
}

// header reads one line of the header.
func (s *sheet) header(l span, n int, seq, length *uint64, kind *string) {
	d := s.d
	defer d.Skip(n)
	d.PutText(rLine, string(s.b[l.from:l.to]), d.Pos(), n)
	name, value := s.cut(l, ':')
	for value.from < value.to && s.b[value.from] == ' ' {
		value.from++
	}
	text := string(s.b[value.from:value.to])
	d.Below(func() {
		switch strings.ToLower(string(s.b[name.from:min(name.to, name.from+32)])) {
		case "cseq":
			*seq, _ = digits([]byte(text))
		case "content-length":
			*length, _ = digits([]byte(text))
			*length = min(*length, 1<<30)
			d.Put(rLength, *length, s.base+value.from, len(text))
		case "content-type":
			media, _, _ := strings.Cut(text, ";")
			*kind = strings.ToLower(strings.TrimSpace(media))
			s.put(rType, value)
		case "session":
			s.put(rSession, value)
		case "transport":
			s.put(rHow, value)
			s.ports(text)
		}
	})
}

// ports claims the ends that a transport names, of both sides.
func (s *sheet) ports(text string) {
	d := s.d
	client, server := d.Dst.Addr, d.Src.Addr // the response tells both
	if !strings.Contains(text, "server_port=") {
		return
	}
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(part, "=")
		who := client
		switch name {
		case "client_port":
		case "server_port":
			who = server
		default:
			continue
		}
		first, second, _ := strings.Cut(value, "-")
		if n, ok := digits([]byte(first)); ok && n > 0 && n < 1<<16 {
			e := dissect.Endpoint{Addr: who, Port: uint16(n)}
			d.Ends().ClaimFor(proto, e)
			describe(d, e, byRTSP, false, nil)
		}
		if n, ok := digits([]byte(second)); ok && n > 0 && n < 1<<16 {
			e := dissect.Endpoint{Addr: who, Port: uint16(n)}
			d.Ends().ClaimFor(rtcp, e)
			describe(d, e, byRTSP, false, nil)
		}
	}
}

// answer joins requests and responses by their numbers.
func (s *sheet) answer(seq uint64) {
	switch {
	case seq == 0:
	case bytes.HasPrefix(s.b, []byte("RTSP/")):
		s.d.Response(seq, rAnswered, rAsked, rTime)
	default:
		s.d.Request(seq, rAnswered)
	}
}

// interleaved reads media between messages (RFC 2326 section 10.12): by custom even channels are RTP, odd ones RTCP.
func interleaved(d *dissect.D) {
	d.SetKind(rKind, 3)
	d.Uint(rMagic)
	channel := d.Uint(rChannel)
	n := int(d.Uint(rSize))
	if d.Info().Wanted() {
		d.Info().Setf("Interleaved channel 0x%02x, %d bytes", channel, n)
	}
	d.Within(n, func() {
		if channel%2 == 1 {
			d.Next(muxed, 1)
		} else {
			d.Next(tables.MediaType, dissect.Word("rtp"))
		}
	})
}
