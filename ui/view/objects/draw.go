package objects

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/transcript"
	"remora/ui/view"
	"remora/ui/widget"
)

const (
	numberWidth = 9
	protoWidth  = 9
	sizeWidth   = 10
	previewAt   = 14 // lines from which on there is a preview
)

// Draw draws the list, and the first bytes of the object under the cursor.
func (v *View) Draw(w, h int) []string {
	v.refresh()
	s := v.c.Style()
	out := []string{s.Rule(w, "Objects", "files that packets carry")}
	if len(v.objects) == 0 {
		text := "no HTTP body, SMB, FTP or TFTP file and no mail is in this capture"
		switch {
		case v.Busy():
			text = "looking for objects"
		case v.find != "":
			text = "no object with " + dissect.Escape(v.find)
		}
		return append(out, view.Says(w, h-1, text)...)
	}
	host, kind := v.columns(w)
	head := paint.FitRight("packet", numberWidth) + " " + paint.Fit("protocol", protoWidth) + paint.Fit("host", host) +
		paint.Fit("type", kind) + paint.FitRight("size", sizeWidth) + "  name"
	out = append(out, s.Dim(head, w))
	preview := 0
	if h >= previewAt {
		preview = min(h/3, 16)
	}
	out = append(out, v.table.Draw(w, h-2-preview, len(v.objects), func(i int, selected bool) string {
		return v.line(&v.objects[i], selected, host, kind, w)
	})...)
	if preview > 0 {
		out = append(out, v.preview(w, preview)...)
	}
	return out
}

// Bounds of the columns of texts: how short one is cut, and of how many objects they hold all.
const (
	leastText = 8
	measured  = 500
)

// columns are the widths of host and type, as these need them; where there is less room the longest texts are cut.
func (v *View) columns(w int) (host, kind int) {
	need := []int{len("host") + 1, len("type") + 1, len("name")}
	for i := range v.objects[:min(len(v.objects), measured)] {
		o := &v.objects[i]
		for k, text := range [...]string{o.Host + " ", o.Type + " ", o.Name} {
			need[k] = max(need[k], paint.Width(dissect.Escape(text)))
		}
	}
	widget.Share(need, w-numberWidth-1-protoWidth-sizeWidth-2, leastText)
	return need[0], need[1]
}

func (v *View) line(o *found, selected bool, host, kind, w int) string {
	var l paint.Line
	s := v.c.Style()
	if selected {
		l.Base = s.Pens.Selected
	}
	l.Put(s.Pens.Dim, paint.FitRight(humanize.Group(int(o.Frame)), numberWidth)+" ")
	l.Put(paint.Pen{}, paint.Fit(o.proto, protoWidth)+paint.FitEnds(dissect.Escape(o.Host), host-1)+" "+
		fitted(o.Type, kind)+
		paint.FitRight(humanize.Bytes(o.size), sizeWidth)+"  "+paint.Fit(dissect.Escape(o.Name), max(0, w-l.Width-
		protoWidth-host-kind-sizeWidth-2)))
	return paint.Clip(l.End(w), w)
}

func fitted(text string, w int) string { return paint.Fit(dissect.Escape(text), w-1) + " " }

// preview are the first bytes of the object under the cursor: lines of text where it is some, else hexadecimal.
func (v *View) preview(w, h int) []string {
	o := v.at()
	out := []string{v.c.Style().Rule(w, "Begins with", "")}
	if o == nil {
		return append(out, widget.Blank(w, h-1)...)
	}
	if isText(o.head) {
		for line := range strings.Lines(string(o.head)) {
			if len(out) < h {
				out = append(out, paint.Fit("  "+dissect.Escape(strings.TrimRight(line, "\r\n")), w))
			}
		}
	} else {
		for at := 0; at < len(o.head) && len(out) < h; at += 16 {
			dot := v.c.Style().Glyph("·", ".")
			out = append(out, paint.Fit("  "+transcript.Hex(at, o.head[at:min(len(o.head), at+16)], dot, 16), w))
		}
	}
	return append(out, widget.Blank(w, h-len(out))...)
}

// isText tells whether bytes are a text, whose last character may be cut.
func isText(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 && utf8.FullRune(b) ||
			!unicode.IsPrint(r) && r != '\n' && r != '\r' && r != '\t' && utf8.FullRune(b) {
			return false
		}
		b = b[n:]
	}
	return true
}
