package media

import (
	"bytes"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var parts = dissect.NewProtocol("mime_multipart", "Multipart",
	"A body of several parts, each with a type of its own (RFC 2046 section 5.1).").
	Summary("MIME Multipart Media Encapsulation, Type: {mime_multipart.type}[, Boundary: " +
		"\"{mime_multipart.boundary_text}\"]").Quiet()

var (
	fType      = parts.String("type", "Type", "The media type of the whole.").Derived()
	fBoundText = parts.String("boundary_text", "Boundary", "What stands between the parts, without hyphens.").Derived().
			Hidden()
	fPreamble = parts.Bytes("preamble", "Preamble", "What stands in front of the first part.")
	fFirst    = parts.String("first_boundary", "First boundary", "The line in front of the first part.")
	fPart     = parts.String("part", "Encapsulated multipart part", "A part: its header and its body.").
			Summary("Encapsulated multipart part:[ ({mime_multipart.part_type})]")
	fPartType  = parts.String("part_type", "Type", "The media type of a part.").Derived().Hidden()
	fBoundary  = parts.String("boundary", "Boundary", "The line between two parts.")
	fLast      = parts.String("last_boundary", "Last boundary", "The line behind the last part.")
	fTrailer   = parts.Bytes("trailer", "Trailer", "What stands behind the last part.")
	fOther     = parts.String("header.line", "Header", "A line of a part's header that has no field of its own.")
	fHeaderEnd = parts.Label("header.end", "\\r\\n", "The empty line behind a part's header.")
	nBoundary  = parts.Expert("no_required_parameter", dissect.Error,
		"The multipart dissector could not find a required parameter.")
	partHeaders = map[string]*dissect.Field{
		"content-description": parts.String("header.content-description", "Content-Description",
			"What the part is, in words."),
		"content-disposition": parts.String("header.content-disposition", "Content-Disposition",
			"What to do with the part, and its name."),
		"content-encoding": parts.String("header.content-encoding", "Content-Encoding", "How the part is packed."),
		"content-id":       parts.String("header.content-id", "Content-Id", "The name of the part for the others."),
		"content-language": parts.String("header.content-language", "Content-Language", "The language of the part."),
		"content-length":   parts.String("header.content-length", "Content-Length", "Length of the part."),
		"content-transfer-encoding": parts.String("header.content-transfer-encoding", "Content-Transfer-Encoding",
			"How the part is written."),
		"content-type": parts.String("header.content-type", "Content-Type", "The media type of the part."),
	}
)

// Multipart attaches bodies of several parts to their media types. Those with other names go to "multipart/*".
func Multipart() dissect.Plugin {
	return dissect.Plugin{Protocol: parts, Dissect: multipart,
		On: []dissect.Key{{Table: tables.MediaType, Value: dissect.Word("multipart/*")}}}
}

// maxParts bounds the parts that are shown one by one.
const maxParts = 500

func multipart(d *dissect.D) {
	kind, parameters := mediaType(d.LayerData())
	d.SetText(fType, kind)
	bound := parameter(parameters, "boundary")
	if bound == "" {
		d.Expert(nBoundary)
		d.Rest(fTrailer)
		return
	}
	d.SetText(fBoundText, bound)
	line := boundaryAt(d.Data(), bound)
	if !line.found {
		d.Rest(fPreamble)
		return
	}
	if line.mark > 0 {
		d.Bytes(fPreamble, line.mark)
	}
	d.Bytes(fFirst, line.to-line.mark)
	for n, more := 0, d.Elements(); !line.last && n < maxParts && more.Next(); n++ {
		b := d.Data()
		if line = boundaryAt(b, bound); !line.found {
			line.from, line.to = len(b), len(b)
		}
		part(d, line.from)
		switch {
		case line.last:
			d.Bytes(fLast, line.to-line.from)
		case line.found:
			d.Bytes(fBoundary, line.to-line.from)
		}
	}
	if d.More() {
		d.Rest(fTrailer)
	}
}

// parameter is the value of a parameter of a media type, without quotes.
func parameter(b []byte, name string) string {
	for p := range bytes.SplitSeq(b, []byte{';'}) {
		key, value, ok := bytes.Cut(p, []byte{'='})
		if ok && strings.EqualFold(string(bytes.TrimSpace(key)), name) {
			return string(bytes.Trim(bytes.TrimSpace(value), `"`))
		}
	}
	return ""
}

// A border is a boundary's line, with the line's end in front of it, which belongs to it.
type border struct {
	from, to    int
	mark        int // where the boundary itself begins
	found, last bool
}

// boundaryAt is the first line of b that is the boundary.
func boundaryAt(b []byte, bound string) (l border) {
	mark := []byte("--" + bound)
	for at, p := 0, (dissect.Progress{}); at < len(b) && p.Up(at); {
		i := bytes.Index(b[at:], mark)
		if i < 0 {
			return l
		}
		i += at
		at = i + len(mark)
		if i > 0 && b[i-1] != '\n' {
			continue
		}
		l.to, l.last = at, bytes.HasPrefix(b[at:], []byte("--"))
		for l.to < len(b) && b[l.to] != '\n' {
			l.to++
		}
		if l.last && len(bytes.TrimRight(b[at+2:l.to], " \t\r")) > 0 ||
			!l.last && len(bytes.TrimRight(b[at:l.to], " \t\r")) > 0 {
			continue // a longer boundary
		}
		l.found, l.from, l.mark, l.to = true, i, i, min(l.to+1, len(b))
		if l.from > 0 {
			l.from--
		}
		if l.from > 0 && b[l.from-1] == '\r' {
			l.from--
		}
		return l
	}
	return border{}
}

// part shows the n bytes of a part: the lines of its header, then its body by its type.
func part(d *dissect.D, n int) {
	b := d.Data()[:n]
	start := d.Pos()
	d.PutText(fPart, "", start, n)
	d.Below(func() {
		var kind []byte
		at := 0
		for p := (dissect.Progress{}); at < len(b) && p.Up(at); {
			line := unfolded(b[at:])
			text := bytes.TrimRight(b[at:at+line], "\r\n")
			if len(text) == 0 {
				d.Put(fHeaderEnd, 0, start+at, line)
				at += line
				break
			}
			value, f := partHeader(text)
			if f == nil {
				d.Put(fOther, 0, start+at, line)
			} else if d.Wanted(f) {
				d.PutText(f, tight(value), start+at, line)
			}
			if f == partHeaders["content-type"] {
				kind = value
			}
			at += line
		}
		name, _ := mediaType(kind)
		if name != "" {
			d.SetText(fPartType, name)
		}
		d.Skip(at)
		if at < len(b) {
			d.Within(len(b)-at, func() { content(d, name, kind) })
		}
	})
}

// content hands a part's body on, by its media type.
func content(d *dissect.D, name string, kind []byte) {
	d.SetLayerData(kind)
	switch {
	case strings.HasPrefix(name, "multipart/"):
		d.NextPart(tables.MediaType, dissect.Word("multipart/*"))
	case name == "" || name == "application/octet-stream":
		d.NextPart(rawBodies, 0)
	default:
		d.NextPart(tables.MediaType, dissect.Word(name))
	}
	d.Skip(d.Left())
}

// rawBodies is a table that nobody is attached to: what goes there is plain data.
const rawBodies dissect.Table = "media.raw"

// partHeader is the value of a header line, and its field.
func partHeader(line []byte) (value []byte, f *dissect.Field) {
	name, value, ok := bytes.Cut(line, []byte{':'})
	if !ok {
		return nil, nil
	}
	return bytes.TrimSpace(value), partHeaders[strings.ToLower(string(bytes.TrimSpace(name)))]
}

// tight is a header's value as Wireshark keeps it: without the spaces around semicolons, and on one line.
func tight(value []byte) string {
	fields := bytes.Split(value, []byte{';'})
	for i := range fields {
		fields[i] = bytes.TrimSpace(fields[i])
	}
	return string(bytes.Join(fields, []byte{';'}))
}

// unfolded is how long a header line is with those that go on with it, which begin with white space.
func unfolded(b []byte) int {
	for end, p := 0, (dissect.Progress{}); p.Up(end); {
		i := bytes.IndexByte(b[end:], '\n')
		if i < 0 {
			return len(b)
		}
		first := end == 0 && i <= 1
		if end += i + 1; first || end >= len(b) || b[end] != ' ' && b[end] != '\t' {
			return end
		}
	}
	return len(b)
}
