// Package imf dissects the Internet Message Format (RFC 5322): the header of mail, with its addresses and its content
// type, and the lines of its text.
package imf

import (
	"bytes"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("imf", "IMF", "Internet Message Format: mail as it is written, with its header.").
	Summary("Internet Message Format").Color(dissect.HueGreen)

var (
	fType     = proto.String("content.type", "Content-Type", "What kind of text or data the message is.")
	fMedia    = proto.String("content.type.type", "Type", "The kind alone.")
	fParams   = proto.String("content.type.parameters", "Parameters", "How it is written.")
	fMailbox  = proto.String("mailbox_list.item", "Item", "One of the authors.")
	fAddress  = proto.String("address_list.item", "Item", "One of the addresses.")
	fName     = proto.String("display_name", "Display-Name", "The name in front of an address.")
	fAt       = proto.String("address", "Address", "The address itself.")
	fOther    = proto.String("extension", "Unknown-Extension", "A line of the header that has no field of its own.")
	fOtherKey = proto.String("extension.type", "Type", "The name of the line.")
	fOtherVal = proto.String("extension.value", "Value", "What stands behind the colon.")
	fEnd      = proto.Label("header_end", "\\r\\n", "The empty line behind the header.")
	fText     = proto.Node("message_text", "Message-Text", "The text behind the header.")
	fTextLine = proto.String("message_text.line", "Line", "A line of the text.")

	nHeader = proto.Expert("header.bad", dissect.Warn, "A line of the header has no colon")
)

// Plugin attaches the format to what protocols of mail carry.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Objects: objects, Dissect: message,
		On: []dissect.Key{{Table: tables.Message, Value: 0},
			{Table: tables.MediaType, Value: dissect.Word("message/rfc822")}}}
}

const (
	maxHeaders = 500  // lines of the header beyond these are text
	maxLines   = 1000 // lines of the text that are shown one by one
	maxTold    = 400  // bytes of the text in the Info column
)

// message reads a message: its header, then its text.
func message(d *dissect.D) {
	var whole []byte
	for n, more := 0, d.Elements(); n < maxHeaders && more.Next(); n++ {
		b := d.Data()
		if end := lineEnd(b); end > 0 {
			d.Put(fEnd, 0, d.Pos(), end)
			d.Skip(end)
			break
		}
		if kind := header(d, b); kind != nil {
			whole = kind
		}
	}
	body(d, whole)
}

// body hands on what stands behind the header, by its media type, or shows its lines.
func body(d *dissect.D, whole []byte) {
	name, _, _ := bytes.Cut(whole, []byte{';'})
	media := lower(name)
	switch {
	case !d.More():
	case strings.HasPrefix(media, "multipart/"):
		d.SetLayerData(whole)
		d.NextPart(tables.MediaType, dissect.Word("multipart/*"))
		return
	case media != "" && d.Inner().Attached(tables.MediaType, dissect.Word(media)):
		d.SetLayerData(whole)
		d.NextPart(tables.MediaType, dissect.Word(media))
		d.Skip(d.Left())
		return
	default:
		d.In(fText, func() { text(d, len(name) == 0) })
	}
	if len(name) > 0 {
		d.Info().Setf(" (%s)", bytes.TrimSpace(name))
	}
}

// lineEnd is how long the end of a line is that b begins with.
func lineEnd(b []byte) int {
	switch {
	case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
		return 2
	case len(b) > 0 && b[0] == '\n':
		return 1
	}
	return 0
}

// unfolded is how long a line of the header is with those that go on with it, which begin with white space.
func unfolded(b []byte) int {
	for end, p := 0, (dissect.Progress{}); p.Up(end); {
		i := bytes.IndexByte(b[end:], '\n')
		if i < 0 {
			return len(b)
		}
		if end += i + 1; end >= len(b) || b[end] != ' ' && b[end] != '\t' {
			return end
		}
	}
	return len(b)
}

// header reads one line of the header, folded or not. It returns the value of the content type.
func header(d *dissect.D, b []byte) (whole []byte) {
	start, n := d.Pos(), unfolded(b)
	line := bytes.TrimRight(b[:n], "\r\n")
	colon := bytes.IndexByte(line, ':')
	if colon < 0 {
		if !d.CutShort() {
			d.Expert(nHeader)
		}
		d.Put(fOther, 0, start, n)
		d.Skip(n)
		return nil
	}
	from := colon + 1
	for from < len(line) && (line[from] == ' ' || line[from] == '\t') {
		from++
	}
	key, value := lower(line[:colon]), line[from:]
	at := start + from
	var kind []byte
	put := func(f *dissect.Field, text []byte) { // a field owns its line, but its text is what stands behind the colon
		if d.Wanted(f) {
			d.PutText(f, string(text), start, n)
		}
	}
	f := headers[key]
	switch {
	case key == "content-type":
		put(fType, value)
		kind = value
		d.Below(func() { contentType(d, value, at) })
	case f == nil:
		put(fOther, line)
		d.Below(func() {
			d.Put(fOtherKey, 0, start, colon)
			d.Put(fOtherVal, 0, at, len(value))
		})
	default:
		put(f, value)
	}
	appendInfo(d, key, value)
	if item := lists[key]; item != nil {
		d.Below(func() { addresses(d, item, value, at) })
	}
	d.Skip(n)
	return kind
}

func lower(b []byte) string {
	if len(b) > 64 {
		return ""
	}
	return string(bytes.ToLower(bytes.TrimSpace(b)))
}

// appendInfo writes who and what about to the Info column.
func appendInfo(d *dissect.D, key string, value []byte) {
	if d.Info().Wanted() && (key == "from" || key == "subject") {
		d.Info().Fence(dissect.Escape(key+": ") + dissect.Escape(string(value)) + ", ")
	}
}

// contentType reads a media type and its parameters (RFC 2045 section 5.1).
func contentType(d *dissect.D, value []byte, at int) {
	kind, params, ok := bytes.Cut(value, []byte{';'})
	kind = bytes.TrimRight(kind, " \t\r\n")
	d.Put(fMedia, 0, at, len(kind))
	if ok && len(params) > 0 {
		d.Put(fParams, 0, at+len(value)-len(params), len(params))
	}
}

// text shows lines, the first ones in the Info column too if nobody has said what kind of text it is.
func text(d *dissect.D, plain bool) {
	left := maxTold
	for n, more := 0, d.Elements(); more.Next(); n++ {
		b := d.Data()
		size := bytes.IndexByte(b, '\n') + 1
		if size == 0 || n >= maxLines {
			size = len(b)
		}
		line := bytes.TrimRight(b[:size], " \t\r\n")
		if left -= size; plain && left >= 0 && d.Info().Wanted() && (len(line) > 0 || size < len(b)) {
			d.Info().Setf(", %s", line)
		}
		d.Bytes(fTextLine, size)
	}
}
