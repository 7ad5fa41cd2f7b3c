package files

import (
	"time"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/source"
	"remora/ui/view"
	"remora/ui/widget"
)

// kindOf is what a capture file is called.
func kindOf(info pcapfile.Info) string {
	if info.Compression != "" {
		return info.Format + ", " + info.Compression
	}
	return info.Format
}

// Widths of the columns behind the name, and how wide a screen is that has the later ones.
const (
	kindWidth  = 16
	sizeWidth  = 11
	countWidth = 11
	spanWidth  = 11
	whenWidth  = 17
	whenFrom   = 100
	kindFrom   = 70
)

// Draw draws the files, and below them the first packets of the one under the cursor.
func (v *View) Draw(w, h int) []string {
	if v.listing == nil {
		return widget.Blank(w, h)
	}
	v.take()
	s := v.c.Style()
	name := w - 2 - sizeWidth - countWidth - spanWidth
	if w >= kindFrom {
		name -= kindWidth
	}
	if w >= whenFrom {
		name -= whenWidth
	}
	longest := len("Name")
	for i := range v.shown {
		longest = max(longest, paint.Width(dissect.Escape(v.shown[i].name))+len("/"))
	}
	name = min(name, longest+2)
	out := []string{s.Rule(w, "Files", dissect.Escape(source.ShortHome(v.dir)))}
	head := "  " + paint.Fit("Name", name)
	if w >= kindFrom {
		head += paint.Fit("Type", kindWidth)
	}
	head += paint.FitRight("size", sizeWidth) + paint.FitRight("packets", countWidth) +
		paint.FitRight("duration", spanWidth)
	if w >= whenFrom {
		head += "  modified"
	}
	out = append(out, s.Dim(head, w))
	if len(v.shown) == 0 {
		text := "no captures and no folders are here"
		if v.listing.err != nil {
			text = dissect.Escape(v.listing.err.Error())
		}
		return append(out, view.Empty(v.c, w, h-len(out), text)...)
	}
	below := 0
	if h >= 14 {
		below = h / 3
	}
	out = append(out, v.table.Draw(w, h-len(out)-below, len(v.shown), func(i int, selected bool) string {
		return v.row(&v.shown[i], selected, name, w)
	})...)
	if below > 0 {
		out = append(out, v.first(w, below)...)
	}
	return out
}

func (v *View) row(e *entry, selected bool, name, w int) string {
	var l paint.Line
	s := v.c.Style()
	if selected {
		l.Base = s.Pens.Selected
	}
	pen, label := paint.Pen{}, dissect.Escape(e.name)
	switch {
	case e.folder:
		pen, label = s.Pens.Accent, label+"/"
	case e.kind == "" && e.known:
		pen = s.Pens.Dim
	}
	l.Put(pen, "  "+paint.Fit(paint.FitMiddle(label, name-1), name))
	kind, size, packets, span := e.kind, "", "", ""
	if !e.folder {
		size = humanize.Bytes(e.size)
	}
	if e.packets > 0 {
		packets, span = humanize.Group(e.packets), humanize.Duration(e.span.Seconds())
		if e.more {
			packets, span = "> "+packets, "> "+span
		}
	}
	if w >= kindFrom {
		l.Put(s.Pens.Dim, paint.Fit(kind, kindWidth))
	}
	l.Put(pen, paint.FitRight(size, sizeWidth)+paint.FitRight(packets, countWidth)+paint.FitRight(span, spanWidth))
	if w >= whenFrom {
		l.Put(s.Pens.Dim, "  "+paint.Fit(source.When(e.when, time.Now()), whenWidth-2))
	}
	return paint.Clip(l.End(w), w)
}

// first are the first packets of the file under the cursor.
func (v *View) first(w, h int) []string {
	out := []string{v.c.Style().Rule(w, "Begins with", "")}
	switch e := v.at(); {
	case v.preview.busy:
		out = append(out, paint.Fit("  reading", w))
	case v.preview.path == "" && e != nil && !e.folder && e.known:
		out = append(out, paint.Fit("  this is no capture", w))
	}
	for _, line := range v.preview.lines {
		if len(out) < h {
			out = append(out, paint.Fit("  "+line, w))
		}
	}
	return append(out, widget.Blank(w, h-len(out))...)
}
