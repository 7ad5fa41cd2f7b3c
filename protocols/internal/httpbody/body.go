// Package httpbody shows what HTTP carries, whatever its version: the content coding undone (RFC 9110 section 8.4), and
// the rest handed on by its media type. A body that comes in several parts is put together from them.
package httpbody

import (
	"bytes"
	"errors"
	"strings"

	"remora/dissect"
	"remora/internal/coding"
	"remora/protocols/internal/tables"
)

// Fields are what a protocol shows bodies by.
type Fields struct {
	Data    *dissect.Field // the body as it was before it was packed
	Packed  *dissect.Field // the body as it is packed
	Broken  *dissect.Field // the note of a body that cannot be unpacked
	Large   *dissect.Field // the note of a body of which the beginning is unpacked alone
	Untyped dissect.Table  // a table that nobody is attached to: what goes there is plain data
}

// Declare declares the fields of a protocol that shows bodies in frames, under the field that holds their data.
func Declare(p *dissect.Protocol, data *dissect.Field) (Fields, Joined) {
	what := "[{" + p.Name() + ".body.fragment.count} Body fragments ({" + p.Name() + ".body.reassembled.length} bytes)]"
	return Fields{
			Data:    data,
			Packed:  p.Bytes("data.encoded", "Content-encoded entity body", "The body as it is packed."),
			Broken:  p.Expert("body_decompression_failed", dissect.Warn, "Body decompression failed"),
			Large:   p.Expert("body_decompression_large", dissect.Warn, "The body is too large: its beginning is shown"),
			Untyped: dissect.Table(p.Name() + ".untyped"),
		}, Joined{
			Group: p.Group("body.fragments", "Body fragments", "The frames that the body came in.").Summary(what),
			Part:  p.FrameRef("body.fragment", "Body fragment", "A packet with a part of the body."),
			Count: p.Uint32("body.fragment.count", "Body fragment count", "How many parts the body came in.").Derived(),
			Size:  p.Uint32("body.reassembled.length", "Reassembled body length", "Length of the body.").Derived(),
			Bytes: p.Bytes("body.reassembled.data", "Reassembled body data", "The body.").Derived(),
			In:    p.FrameRef("body.reassembled.in", "Reassembled body in frame", "The packet in which the body ends."),
		}
}

// An Entity is what a message carries, and who reads it.
type Entity struct {
	Asked bool // somebody looks at the body: then it is put together and unpacked

	// GoesOn says that behind this body the frame has a part of the next one, whose end the frame tells.
	GoesOn bool

	d        *dissect.D
	fields   *Fields
	encoding string
	kind     uint32 // the media type's number
	deep     bool   // what is in it counts for the first pass: parts, descriptions of calls
	next     func() // shows a body that is not deep
}

// Open finds out who reads a body, from the media type with its parameters, and the content coding in lower case. The
// cursor must not stand at the beginning of what has no bytes. What reads the body is told the media type.
func Open(d *dissect.D, f *Fields, contentType []byte, encoding string) Entity {
	if d.Left() == 0 { // the last frame of a body may be empty: who reads the body is asked for where there are bytes
		at := d.Pos()
		d.Seek(max(0, at-1))
		defer d.Seek(at)
	}
	name, _, _ := bytes.Cut(contentType, []byte(";"))
	what := strings.ToLower(string(bytes.TrimSpace(name)))
	e := Entity{d: d, fields: f, encoding: encoding, kind: dissect.Word(what), next: func() {}}
	d.SetLayerData(contentType)
	switch {
	case what == "" || what == "application/octet-stream":
		e.next, e.Asked = d.Inner().Lazily(f.Untyped, 0)
	case strings.HasPrefix(what, "multipart/") && len(what) > len("multipart/"):
		e.kind, e.deep = dissect.Word("multipart/*"), true
	case d.Inner().Simple(tables.MediaType, e.kind):
		e.next, e.Asked = d.Inner().Lazily(tables.MediaType, e.kind)
	default:
		e.deep = true
	}
	e.Asked = e.Asked || e.deep || d.Wanted(f.Data) || d.Wanted(f.Packed) || d.Wanted(f.Broken) || d.Wanted(f.Large)
	return e
}

// Show shows the body, which starts at the cursor, unpacked where it can be, and hands it on.
func (e *Entity) Show(b []byte) {
	d := e.d
	if e.encoding == "" || e.encoding == "identity" {
		e.plain(b)
		return
	}
	pos := d.Pos()
	d.Bytes(e.fields.Packed, len(b))
	if !e.Asked {
		return
	}
	d.Spend(coding.Cost(len(b)))
	plain, err := coding.Unpack(b, e.encoding)
	switch {
	case errors.Is(err, coding.ErrLarge):
		d.Expert(e.fields.Large)
	case err != nil:
		d.Expert(e.fields.Broken)
	}
	if len(plain) > 0 {
		d.From("Uncompressed entity body", plain, func() { e.plain(plain) })
	} else {
		d.Put(e.fields.Data, 0, pos, len(b))
	}
}

// plain shows a body that is not packed.
func (e *Entity) plain(b []byte) {
	d := e.d
	d.Put(e.fields.Data, 0, d.Pos(), len(b))
	if e.deep {
		d.NextPart(tables.MediaType, e.kind)
	} else {
		e.next()
	}
	d.Skip(d.Left())
}
