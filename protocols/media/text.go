package media

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var text = dissect.NewProtocol("data-text-lines", "Text", "Text, line by line.").
	Summary("Line-based text data[: {data-text-lines.type}] ({data-text-lines.count} lines)").Quiet()

var (
	fTextType = text.String("type", "Media type", "What the text is.").Derived().Hidden()
	fCount    = text.Uint32("count", "Lines", "How many lines there are.").Derived().Hidden()
	fLine     = text.String("line", "Line", "A line of the text.").Plain().Unnamed()
)

// Text attaches lines of text to their media types, and to the number 0 of a table of their own for text without a
// type.
func Text() dissect.Plugin {
	p := dissect.Plugin{Protocol: text, Dissect: lines, On: []dissect.Key{{Table: tables.Text, Value: 0}}}
	for _, t := range []string{
		"text/plain", "text/html", "text/css", "text/javascript", "text/richtext", "text/enriched", "text/parameters",
		"text/rtf", "text/sgml", "text/tab-separated-values",
		"application/x-javascript", "application/x-ns-proxy-autoconfig", "application/pkixcmp-poll",
		"application/x-tia-p25-issi", "application/x-tia-p25-sndcp",
	} {
		p.On = append(p.On, dissect.Key{Table: tables.MediaType, Value: dissect.Word(t)})
	}
	return p
}

// maxLines bounds the lines that are shown one by one; the rest is one.
const maxLines = 10_000

func lines(d *dissect.D) {
	b := d.Data()
	if kind, _ := mediaType(d.LayerData()); kind != "" {
		name(d, kind)
		d.SetText(fTextType, kind)
	}
	if d.Wanted(fCount) {
		n := bytes.Count(b, []byte{'\n'})
		if len(b) > 0 && b[len(b)-1] != '\n' {
			n++
		}
		d.Set(fCount, uint64(n))
	}
	for n, more := 0, d.Elements(); more.Next(); n++ {
		b := d.Data()
		size := bytes.IndexByte(b, '\n') + 1
		if size == 0 || n >= maxLines {
			size = len(b)
		}
		d.Bytes(fLine, size)
	}
}
