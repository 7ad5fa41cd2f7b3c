// Package json dissects JavaScript Object Notation (RFC 8259), and rows of it (as application/x-ndjson has them).
package json

import (
	"bytes"
	"encoding/json"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("json", "JSON",
	"JavaScript Object Notation: values with names, as programs send them to each other.").
	Summary("JavaScript Object Notation[: {json.media}]").Color(dissect.HueGreen).Quiet()

var (
	fMedia     = proto.String("media", "Media type", "What the text was said to be.").Derived().Hidden()
	fObject    = proto.Node("object", "Object", "Members with names.")
	fArray     = proto.Node("array", "Array", "A list of values.")
	fMember    = proto.String("member", "Member", "A member of an object, by its name.")
	fKey       = proto.String("key", "Key", "The name of a member.")
	fPath      = proto.String("path", "Path", "The names down to a member, with [] for the items of arrays.").Derived()
	fPathValue = proto.String("path_with_value", "Path with value", "The names down to a value, and the value.").Hidden().
			Derived()
	fNamedValue = proto.String("member_with_value", "Member with value", "The name of a member, and its value.").Hidden().
			Derived()
	fString = proto.String("value.string", "String value", "A text.")
	fNumber = proto.String("value.number", "Number value", "A number, as it is written.")
	fFalse  = proto.Label("value.false", "False value", "The value false.")
	fTrue   = proto.Label("value.true", "True value", "The value true.")
	fNull   = proto.Label("value.null", "Null value", "The value null.")
	fDeep   = proto.String("deep", "Further values",
		"Values that are not taken apart: they are too many, or too deep in others.")
	fWhole = proto.String("whole", "Whole text", "The text with all its signs and spaces.").Hidden()
	fText  = proto.String("text", "Text", "Text that is not well formed.")
)

// types are the media types of such text.
var types = []string{
	"application/json", "application/json-rpc", "application/jsonrequest", "application/x-ndjson",
	"application/problem+json",
	"application/merge-patch+json", "application/json-patch+json", "application/3gpphal+json",
	"application/3gpphalforms+json",
	"application/reports+json", "application/dds-web+json",
}

// Plugin attaches JSON to its media types.
func Plugin() dissect.Plugin {
	p := dissect.Plugin{Protocol: proto, Dissect: text}
	for _, t := range types {
		p.On = append(p.On, dissect.Key{Table: tables.MediaType, Value: dissect.Word(t)})
	}
	return p
}

func text(d *dissect.D) {
	b := d.Data()
	media, _, _ := bytes.Cut(d.LayerData(), []byte{';'})
	if media = bytes.ToLower(bytes.TrimSpace(media)); len(media) > 0 {
		d.SetText(fMedia, string(media))
		d.Info().Fence(", JavaScript Object Notation (" + dissect.Escape(string(media)) + ")")
		d.Info().Carries("JSON")
	}
	r := reader{d: d, b: b, base: d.Pos()}
	if !r.scan() {
		d.Bytes(fText, len(b))
		return
	}
	d.Put(fWhole, 0, r.base, len(b))
	for i, p := 0, (dissect.Progress{}); i < len(r.nodes) && p.Up(i); i = r.nodes[i].next {
		r.value(i, "", "")
	}
	d.Skip(len(b))
}

// A node is a value of the text, in front of those within it.
type node struct {
	kind     byte // the character that begins it
	from, to int
	key      span // of a member: its name with the quotes
	next     int  // the node behind all within it
}

type span struct{ from, to int }

// A reader shows the values of a text by their places in it.
type reader struct {
	d     *dissect.D
	b     []byte
	base  int
	nodes []node
}

// put records a part of the text.
func (r *reader) put(f *dissect.Field, from, to int) { r.d.Put(f, 0, r.base+from, to-from) }

// plain is a text between quotes as it is meant.
func (r *reader) plain(from, to int) string {
	quoted := r.b[from:to]
	if bytes.IndexByte(quoted, '\\') >= 0 {
		var out string
		if json.Unmarshal(quoted, &out) == nil {
			return out
		}
	}
	return string(bytes.Trim(quoted, `"`))
}

// value shows one value that stands under a path; name is what the last part of the path is called.
func (r *reader) value(i int, path, name string) {
	d, n := r.d, &r.nodes[i]
	if n.kind == '{' || n.kind == '[' {
		r.group(i, path)
		return
	}
	text := string(r.b[n.from:n.to])
	if n.kind == '"' {
		text = r.plain(n.from, n.to)
	}
	if path != "" && d.Wanted(fPathValue) {
		d.PutText(fPathValue, path+":"+text, r.base+n.from, n.to-n.from)
	}
	if path != "" && d.Wanted(fNamedValue) {
		d.PutText(fNamedValue, name+":"+text, r.base+n.from, n.to-n.from)
	}
	switch n.kind {
	case '"':
		if d.Wanted(fString) {
			d.PutText(fString, text, r.base+n.from, n.to-n.from)
		}
	case 't':
		r.put(fTrue, n.from, n.to)
	case 'f':
		r.put(fFalse, n.from, n.to)
	case 'n':
		r.put(fNull, n.from, n.to)
	case deeper:
		r.put(fDeep, n.from, n.to)
	default:
		r.put(fNumber, n.from, n.to)
	}
}

// group shows an object or an array, and what is in it.
func (r *reader) group(i int, path string) {
	d, n := r.d, &r.nodes[i]
	f := fObject
	if n.kind == '[' {
		f = fArray
	}
	r.put(f, n.from, n.to)
	d.Below(func() {
		for j, p := i+1, (dissect.Progress{}); j < n.next && p.Up(j); j = r.nodes[j].next {
			if n.kind == '[' {
				r.value(j, path+"/[]", "[]")
			} else {
				r.member(j, path)
			}
		}
	})
}

// member shows a member of an object, with its name.
func (r *reader) member(i int, path string) {
	d, n := r.d, &r.nodes[i]
	name := r.plain(n.key.from, n.key.to)
	if len(path) < maxPath {
		path += "/" + name[:min(len(name), maxPath)]
	}
	at, size := r.base+n.key.from, n.to-n.key.from
	if d.Wanted(fMember) {
		d.PutText(fMember, name, at, size)
	}
	d.Below(func() {
		r.value(i, path, name)
		if d.Wanted(fKey) {
			d.PutText(fKey, name, at, n.key.to-n.key.from)
		}
		if d.Wanted(fPath) {
			d.PutText(fPath, path, at, size)
		}
	})
}
