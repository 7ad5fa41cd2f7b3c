// Package xml dissects the Extensible Markup Language (W3C XML 1.0) as far as its tags, attributes and texts go.
package xml

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("xml", "XML", "Extensible Markup Language: texts within named tags.").
	Summary("eXtensible Markup Language").Color(dissect.HueGreen).Quiet()

var (
	fWhole     = proto.String("whole", "Whole text", "The text with all its signs and spaces.").Hidden()
	fTag       = proto.String("tag", "Tag", "A tag with its attributes, and what stands within it.")
	fAttribute = proto.String("attribute", "Attribute", "A name and a value within a tag.")
	fText      = proto.String("cdata", "CDATA", "Text between tags.")
	fSection   = proto.String("cdatasection", "CDATASection", "Text in which no sign means anything.")
	fComment   = proto.String("comment", "Comment", "A remark.")
	fDoctype   = proto.String("doctype", "Doctype", "What kind of document this is.")
	fPI        = proto.String("xmlpi", "XMLPI", "An instruction for a program.")
	fDecl      = proto.String("xmlpi.xml", "xml.xmlpi.xml", "The declaration that begins a document.")
	fVersion   = proto.String("xmlpi.xml.version", "version", "The version of XML.")
	fEncoding  = proto.String("xmlpi.xml.encoding", "encoding", "How the letters are written.")
	fAlone     = proto.String("xmlpi.xml.standalone", "standalone", "Whether the document needs others.")

	nClosing = proto.Expert("closing_unopened_tag", dissect.Hint, "Closing an unopened tag").About(dissect.AboutMalformed)
)

// types are the media types of such text.
var types = []string{
	"text/xml", "application/xml", "application/soap+xml", "image/svg+xml", "application/rss+xml", "application/atom+xml",
	"application/mathml+xml", "application/rdf+xml",
	"application/vnd.wv.csp+xml", "application/x-crd+xml", "application/cpim-pidf+xml", "application/simple-filter+xml",
	"application/conference-info+xml", "application/dialog-info+xml",
	"application/pidf+xml", "application/pidf-diff+xml", "application/rlmi+xml", "application/reginfo+xml",
	"application/media_control+xml", "application/watcherinfo+xml",
	"application/auth-policy+xml", "application/im-iscomposing+xml", "application/resource-lists+xml",
	"application/xcap-diff+xml", "application/x-wms-logconnectstats", "application/xml-dtd",
	"application/vnd.3gpp.cw+xml", "application/vnd.etsi.aoc+xml", "application/vnd.etsi.mcid+xml",
	"application/load-control+xml", "application/ccmp+xml", "text/vnd.wap.wml",
}

// Plugin attaches XML to its media types.
func Plugin() dissect.Plugin {
	p := dissect.Plugin{Protocol: proto, Dissect: text}
	for _, t := range types {
		p.On = append(p.On, dissect.Key{Table: tables.MediaType, Value: dissect.Word(t)})
	}
	return p
}

// Limits of what is taken apart: how deep tags stand in each other, and how many pieces there are.
const (
	maxDepth  = 50
	maxPieces = 20_000
)

func text(d *dissect.D) {
	d.Info().Carries("XML")
	r := reader{d: d, b: d.Data(), base: d.Pos()}
	d.Put(fWhole, 0, r.base, len(r.b))
	r.pieces(0)
	d.Skip(len(r.b))
}

// A reader goes through the text piece by piece.
type reader struct {
	d     *dissect.D
	b     []byte
	base  int
	at    int // where the next piece begins
	count int
}

// put records a part of the text.
func (r *reader) put(f *dissect.Field, from, to int) { r.d.Put(f, 0, r.base+from, to-from) }

// pieces shows what stands up to the end of the tag around, depth tags deep.
func (r *reader) pieces(depth int) {
	for ; r.at < len(r.b) && r.count < maxPieces; r.count++ {
		rest := r.b[r.at:]
		switch {
		case rest[0] != '<':
			r.words()
		case bytes.HasPrefix(rest, []byte("</")):
			r.at = r.until(">")
			if depth > 0 {
				return
			}
			r.d.Expert(nClosing)
		case bytes.HasPrefix(rest, []byte("<!--")):
			r.simple(fComment, "-->")
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			r.simple(fSection, "]]>")
		case bytes.HasPrefix(rest, []byte("<!")):
			r.simple(fDoctype, ">")
		case bytes.HasPrefix(rest, []byte("<?")):
			r.instruction()
		default:
			r.tag(depth)
		}
	}
}

// until is where the next mark ends.
func (r *reader) until(mark string) int {
	if i := bytes.Index(r.b[r.at:], []byte(mark)); i >= 0 {
		return r.at + i + len(mark)
	}
	return len(r.b)
}

func (r *reader) simple(f *dissect.Field, mark string) {
	end := r.until(mark)
	r.put(f, r.at, end)
	r.at = end
}

// words shows text between tags, without the spaces around it.
func (r *reader) words() {
	end := bytes.IndexByte(r.b[r.at:], '<')
	if end < 0 {
		end = len(r.b) - r.at
	}
	piece := r.b[r.at : r.at+end]
	if n := len(bytes.TrimSpace(piece)); n > 0 {
		from := r.at + len(piece) - len(bytes.TrimLeft(piece, " \t\r\n"))
		r.put(fText, from, from+n)
	}
	r.at += end
}

// instruction shows what is meant for programs.
func (r *reader) instruction() {
	end := r.until("?>")
	f := fPI
	if bytes.HasPrefix(r.b[r.at:], []byte("<?xml ")) {
		f = fDecl
	}
	r.put(f, r.at, end)
	from := r.at + 5
	r.at = end
	if f != fDecl {
		return
	}
	r.d.Below(func() {
		attributes(r.b[:end], from, func(name, value, all span) {
			switch string(r.b[name.from:name.to]) {
			case "version":
				r.put(fVersion, value.from, value.to)
			case "encoding":
				r.put(fEncoding, value.from, value.to)
			case "standalone":
				r.put(fAlone, value.from, value.to)
			}
		})
	})
}

// tag shows a tag that opens, and what stands in it.
func (r *reader) tag(depth int) {
	end := r.tagEnd()
	r.put(fTag, r.at, end)
	from := r.at
	r.at = end
	r.d.Below(func() {
		attributes(r.b[:end], from+1, func(_, _, all span) { r.put(fAttribute, all.from, all.to) })
		if !bytes.HasSuffix(r.b[from:end], []byte("/>")) && depth < maxDepth {
			r.count++
			r.pieces(depth + 1)
		}
	})
}

// tagEnd is where the tag's > is that does not stand between quotes.
func (r *reader) tagEnd() int {
	quote := byte(0)
	for i := r.at; i < len(r.b); i++ {
		switch c := r.b[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(r.b)
}

type span struct{ from, to int }

// attributes calls each with the names and values behind a tag's own name, which begins at from.
func attributes(b []byte, from int, each func(name, value, all span)) {
	at := from
	for at < len(b) && !blank(b[at]) {
		at++
	}
	for p := (dissect.Progress{}); at < len(b) && p.Up(at); {
		for at < len(b) && blank(b[at]) {
			at++
		}
		name := span{at, at}
		for name.to < len(b) && b[name.to] != '=' && !blank(b[name.to]) && b[name.to] != '>' {
			name.to++
		}
		if at = name.to; at+1 >= len(b) || b[at] != '=' || b[at+1] != '"' && b[at+1] != '\'' {
			at++
			continue
		}
		end := bytes.IndexByte(b[at+2:], b[at+1])
		if end < 0 {
			return
		}
		value := span{at + 2, at + 2 + end}
		at = value.to + 1
		each(name, value, span{name.from, at})
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
