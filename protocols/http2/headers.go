package http2

import (
	"encoding/binary"
	"strconv"
	"strings"

	"remora/dissect"
)

var (
	fPadding        = proto.Uint8("padding", "Pad Length", "How many bytes at the end say nothing.").Hex()
	fPadLength      = proto.Uint16("pad_length", "Pad Length", "How many bytes at the end say nothing.").Derived()
	fHeadersPadding = proto.Bytes("headers.padding", "Padding", "Bytes that say nothing.")
	fPromisePadding = proto.Bytes("push_promise.padding", "Padding", "Bytes that say nothing.")

	fHeaders  = proto.Bytes("headers", "Header Block Fragment", "The header, or its first part, compressed.")
	fPromiseR = proto.Uint32("push_promise.r", "Reserved", "A bit without a meaning.").Hex().Masked(0x80000000)
	fPromised = proto.Uint32("push_promise.promised_stream_id", "Promised-Stream-ID",
		"The stream on which the answer will come.").Masked(0x7fffffff)
	fPromise = proto.Bytes("push_promise.header", "Header Block Fragment",
		"The header of the request that is answered unasked, compressed.")
	fContinued = proto.Bytes("continuation.header", "Continuation Header", "A further part of a header.")

	fHeaderLength = proto.Uint32("header.length", "Header Length",
		"Length of the header without compression: four bytes of length in front of each name and value.").Derived()
	fHeaderCount = proto.Uint32("header.count", "Header Count", "How many lines the header has.").Derived()
	fHeader      = proto.Node("header", "Header", "A line of the header.").
			Summary("Header[: {http2.header.name}][: {http2.header.value}]")
	fNameLength  = proto.Uint32("header.name.length", "Name Length", "Length of the name.")
	fName        = proto.String("header.name", "Name", "The name.")
	fValueLength = proto.Uint32("header.value.length", "Value Length", "Length of the value.")
	fValue       = proto.String("header.value", "Value", "The value.")
	fUnescaped   = proto.String("header.unescaped", "Unescaped", "The value without the escapes that URLs have.")
	fForm        = proto.String("header.repr", "Representation", "How the line is written.").Derived()
	fIndex       = proto.Uint32("header.index", "Index", "Which line of the tables it refers to.").Derived()
	fResize      = proto.Node("header_table_size_update", "Header table size update",
		"How many bytes of headers the receiver is to remember.")
	fNewSize = proto.Uint32("header_table_size_update.header_table_size", "Header table size",
		"How many bytes of headers the receiver is to remember.").Derived()
	fFullURI = proto.String("request.full_uri", "Full request URI", "The scheme, the host and the path in one.").
			Derived()

	fRequestIn  = proto.FrameRef("request_in", "Request in frame", "The request that this answers.")
	fResponseIn = proto.FrameRef("response_in", "Response in frame", "The answer to this request.")
	fTime       = proto.Span("time", "Time since request", "Time from the request to the response.").Derived()

	nBroken = proto.Expert("header.broken", dissect.Warn, "The header block cannot be read to its end")
	nMany   = proto.Expert("header_lines_exceeded", dissect.Error, "Decompression stopped after 200 header lines.").
		About(dissect.AboutUndecoded)
	nLarge  = proto.Expert("header_size_exceeded", dissect.Error, "Decompression stopped.").About(dissect.AboutUndecoded)
	nMissed = proto.Expert("header.unknown", dissect.Hint,
		"A line refers to one that came before, which the capture does not hold")
	nPad = proto.Expert("padding.bad", dissect.Warn, "The padding is longer than the frame")
)

// faults are the notes of the reasons why a header is not all there.
var faults = [...]*dissect.Field{faultBroken: nBroken, faultMany: nMany, faultLarge: nLarge}

// padded reads what a frame carries between its padding.
func padded(d *dissect.D, h *head, f *dissect.Field, read func()) {
	pad, inner, ok := h.unpad(d.Data())
	if !ok && d.CutShort() && d.More() { // the padding is among what was cut off
		pad, inner, ok = 0, d.Data()[1:], true
	}
	if h.flags&flagPadded != 0 {
		d.Uint(fPadding)
	}
	d.Set(fPadLength, uint64(pad))
	if !ok {
		d.Expert(nPad)
		return
	}
	d.Within(len(inner), read)
	if pad > 0 {
		d.Bytes(f, pad)
	}
}

// block shows a part of a header block, and behind the last one what the header says.
func block(d *dissect.D, n note, f *dissect.Field) {
	d.Rest(f)
	if n.Fault != faultNone {
		d.Expert(faults[n.Fault])
	}
	switch n.Role {
	case roleRequest:
		d.Request(uint64(n.Stream), fResponseIn)
	case roleResponse:
		d.Response(uint64(n.Stream), fResponseIn, fRequestIn, fTime)
	}
	if n.Count > 0 && d.Session().Recording() && d.WantedOf(proto) {
		n.lines(d)
	}
	if n.Whole {
		n.body(d)
	}
}

// lines shows the header, whose bytes are a source of their own: in front of each name and each value stands its
// length.
func (n note) lines(d *dissect.D) {
	d.Set(fHeaderLength, uint64(n.Size))
	var b []byte
	count := n.Count
	for i := range n.Count {
		e := rows.At(d, n.First+i).entry(d)
		if e.Form == formResize {
			count--
			d.In(fResize, func() { d.Set(fNewSize, uint64(e.Index)) })
			continue
		}
		b = binary.BigEndian.AppendUint32(b, e.Name.Len)
		b = e.Name.Append(d, b)
		b = binary.BigEndian.AppendUint32(b, e.Value.Len)
		b = e.Value.Append(d, b)
	}
	d.Set(fHeaderCount, uint64(count))
	d.From("Decompressed Header", b, func() {
		for i := range n.Count {
			if e := rows.At(d, n.First+i).entry(d); e.Form != formResize {
				d.In(fHeader, func() { e.show(d) })
			}
		}
	})
	if n.Role == roleRequest && d.Wanted(fFullURI) {
		if p := n.pseudo(d); p.scheme != "" && p.authority != "" && p.path != "" {
			d.SetText(fFullURI, p.scheme+"://"+p.authority+p.path)
		}
	}
}

// show shows a line of the header.
func (e *entry) show(d *dissect.D) {
	name := d.Bytes(fName, nameAt(d))
	at := d.Pos() + 4
	value := d.Bytes(fValue, valueAt(d))
	if e.Unknown {
		d.Expert(nMissed)
	} else {
		special(d, string(name), string(value), at)
	}
	d.SetText(fForm, forms[e.Form])
	if e.Index != 0 {
		d.Set(fIndex, uint64(e.Index))
	}
}

func nameAt(d *dissect.D) int  { return int(d.Uint(fNameLength)) }
func valueAt(d *dissect.D) int { return int(d.Uint(fValueLength)) }

// special shows the value of a line once more under the name that it has for itself, and without escapes.
func special(d *dissect.D, name, value string, at int) {
	if f := named[name]; f != nil && f.Type() == dissect.TypeUint {
		if v, err := strconv.ParseUint(value, 10, 8*f.Size()); err == nil {
			d.Put(f, v, at, len(value))
		}
	} else if f != nil {
		d.Put(f, 0, at, len(value))
	}
	if d.Wanted(fUnescaped) {
		if plain, ok := unescape(value); ok {
			d.PutText(fUnescaped, plain, at, len(value))
		}
	}
}

// unescape undoes the escapes of URLs; false tells that some are none.
func unescape(s string) (string, bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			if i+2 >= len(s) {
				return "", false
			}
			v, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
			if err != nil || v == 0 {
				return "", false
			}
			c = byte(v)
			i += 2
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

// A pseudo is what the first lines of a header say: what is asked, or how it went.
type pseudo struct{ method, scheme, authority, path, status string }

// pseudo finds those lines, which stand in front of all others (RFC 9113 section 8.3).
func (n note) pseudo(d *dissect.D) (p pseudo) {
	for i := range min(n.Count, 16) {
		e := rows.At(d, n.First+i).entry(d)
		if e.Name.Len > 16 || e.Unknown {
			continue
		}
		switch e.Name.String(d) {
		case ":method":
			p.method = e.Value.String(d)
		case ":scheme":
			p.scheme = e.Value.String(d)
		case ":authority":
			p.authority = e.Value.String(d)
		case ":path":
			p.path = e.Value.String(d)
		case ":status":
			p.status = e.Value.String(d)
		}
	}
	return p
}

// summary is the header in a few words: "GET /", "200 OK".
func (n note) summary(d *dissect.D) string {
	if n.Role != roleRequest && n.Role != roleResponse && n.Role != roleInterim {
		return ""
	}
	p := n.pseudo(d)
	if n.Role == roleRequest {
		return strings.TrimSpace(p.method + " " + p.path)
	}
	return strings.TrimSpace(p.status + " " + statuses[p.status])
}
