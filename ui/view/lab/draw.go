package lab

import (
	"fmt"
	"math"
	"strconv"

	"remora/dissect"
	"remora/internal/lab"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/plot"
	"remora/ui/widget"
)

const (
	head = 3  // lines over the messages
	foot = 7  // lines below them
	lead = 10 // cells in front of their bytes
)

// cell is how wide a byte is.
func (v *View) cell() int {
	if v.mode == heat {
		return 1
	}
	return 3
}

// rows is how many messages there is room for.
func (v *View) rows(h int) int { return max(1, h-head-foot) }

// Draw draws the messages of a group, with what their columns seem to be above and the bytes under the cursor below.
func (v *View) Draw(w, h int) []string {
	st := v.c.Style()
	if v.report == nil {
		return append([]string{st.Rule(w, "Lab", "")}, widget.Blank(w, h-1)...)
	}
	g := v.current()
	rows, across := v.rows(h), max(1, (w-lead)/v.cell())
	v.top = widget.Clamp(v.top, v.row-rows+1, v.row)
	v.left = widget.Clamp(v.left, v.col-across+1, v.col)
	number := fmt.Sprintf("Lab: group %d of %d", v.group+1, len(v.report.Groups))
	out := []string{st.Rule(w, number, g.String()), v.ruler(w, across), v.labels(w, across)}
	for i := range rows {
		if v.top+i < len(g.Messages) {
			out = append(out, v.message(v.top+i, w, across))
		} else {
			out = append(out, paint.Fit("", w))
		}
	}
	return append(out, v.below(w, h-head-rows)...)
}

// ruler numbers some of the bytes.
func (v *View) ruler(w, across int) string {
	var l paint.Line
	l.Put(v.c.Style().Pens.Dim, paint.FitRight("packet ", lead))
	every := 4
	if v.mode == heat {
		every = 8
	}
	for i := 0; i < across; {
		text, n := "", every-(v.left+i)%every
		if n == every {
			text = strconv.Itoa(v.left + i)
		}
		l.Put(v.c.Style().Pens.Dim, paint.Fit(text, v.cell()*n))
		i += n
	}
	return paint.Clip(l.End(w), w)
}

// labels are the fields over their bytes: their names, or what they seem to be.
func (v *View) labels(w, across int) string {
	var l paint.Line
	l.Put(paint.Pen{}, paint.Fit("", lead))
	g := v.current()
	for i := v.left; i < v.left+across; {
		f, ok := g.At(i)
		end := v.left + across
		switch {
		case !ok:
			end = i + 1
		case f.Size > 0:
			end = min(end, f.Off+f.Size)
		}
		text := ""
		if ok && (f.Kind != lab.Unknown || f.Name != "") {
			text = f.Label()
		}
		room := v.cell()*(end-i) - 1
		if room <= 2 { // no room for a sign that it is cut
			text = text[:min(len(text), room)]
		}
		l.Put(v.pen(f), paint.Fit(text, room)+" ")
		i = end
	}
	return paint.Clip(l.End(w), w)
}

// pen is the colour of what a field seems to be.
func (v *View) pen(f lab.Field) paint.Pen {
	p := v.c.Style().Pens
	if f.Name != "" {
		return p.Bold
	}
	hue, ok := map[lab.Kind]dissect.Hue{lab.Type: dissect.HueMagenta, lab.Enumeration: dissect.HueYellow,
		lab.Counter: dissect.HueGreen, lab.Length: dissect.HueCyan, lab.Count: dissect.HueCyan,
		lab.Timestamp: dissect.HueBlue, lab.Float: dissect.HueRed, lab.Flags: dissect.HueYellow,
		lab.Checksum: dissect.HueGreen}[f.Kind]
	switch {
	case ok:
		return p.Hues[hue]
	case f.Kind == lab.Constant:
		return p.Dim
	}
	return paint.Pen{}
}

// message is the row of a message: bytes in the colours of their fields. Those that are as in the message before, in
// its direction, are dim, and dots where differences are looked for.
func (v *View) message(i, w, across int) string {
	var l paint.Line
	st, g := v.c.Style(), v.current()
	m := g.Messages[i]
	arrow := st.Glyph("→", ">")
	if m.Direction == 1 {
		arrow = st.Glyph("←", "<")
	}
	name := strconv.Itoa(i + 1)
	if m.Frame > 0 {
		name = humanize.Group(int(m.Frame))
	}
	pen := st.Pens.Dim
	if i == v.row {
		pen = st.Pens.Selected
	}
	l.Put(pen, paint.FitRight(name, lead-2)+arrow)
	l.Put(paint.Pen{}, " ")
	lo, hi := v.picked()
	before := v.before(i)
	for c := v.left; c < v.left+across && c < len(m.Data); c++ {
		f, _ := g.At(c)
		same := before != nil && c < len(before) && before[c] == m.Data[c]
		text, pen := widget.HexPair(m.Data[c]), v.pen(f)
		if v.mode == heat {
			text, same = v.shade(c, m.Data[c]), false
		}
		if same {
			pen = st.Pens.Dim
		}
		if same && v.mode == differences {
			text = st.Glyph("··", "..")
		}
		if i == v.row && c >= lo && c < hi {
			pen = st.Pens.Selected
		} else if c >= lo && c < hi {
			pen = st.Pens.Accent
		}
		l.Put(pen, text)
		if v.mode != heat {
			l.Put(paint.Pen{}, " ")
		}
	}
	return paint.Clip(l.End(w), w)
}

// shade is a byte as one cell, the fuller the greater it is among those of its column; one that never changes is
// dotted.
func (v *View) shade(col int, b byte) string {
	if v.rangesOf != v.current() {
		v.rangesOf, v.ranges = v.current(), ranges(v.current())
	}
	low, high := v.ranges[col][0], v.ranges[col][1]
	if low == high {
		return v.c.Style().Glyph("·", ".")
	}
	shades := []rune(v.c.Style().Glyph(" ░▒▓█", " -+*#"))
	return string(shades[int(b-low)*len(shades)/(int(high-low)+1)])
}

// ranges are the least and the greatest byte of each column.
func ranges(g *lab.Group) [][2]byte {
	out := make([][2]byte, g.Max)
	for i := range out {
		out[i][0] = 255
	}
	for _, m := range g.Messages {
		for c, b := range m.Data {
			out[c][0], out[c][1] = min(out[c][0], b), max(out[c][1], b)
		}
	}
	return out
}

// before are the bytes of the message before one, of the same direction of the same conversation.
func (v *View) before(i int) []byte {
	all := v.current().Messages
	for k := i - 1; k >= 0 && k >= i-64; k-- {
		if all[k].Flow == all[i].Flow && all[k].Direction == all[i].Direction {
			return all[k].Data
		}
	}
	return nil
}

// below says of the bytes under the cursor what they seem to be, and reads, counts or plots them.
func (v *View) below(w, h int) []string {
	st, g := v.c.Style(), v.current()
	lo, hi := v.picked()
	title := "byte " + strconv.Itoa(lo)
	if hi > lo+1 {
		title = fmt.Sprintf("bytes %d–%d", lo, hi-1)
	}
	what := ""
	if f, ok := g.At(lo); ok {
		what = f.Label()
		if f.Name == "" && f.Kind != lab.Unknown {
			what += fmt.Sprintf(", %.0f %% sure", 100*f.Confidence)
		}
		if how := f.How(); how != "" && f.Name == "" {
			what += ": " + how
		}
	}
	out := []string{st.Rule(w, title, st.Plain(paint.Fit(what, min(w/2, len(what)))))}
	if v.mode == plotted {
		return append(out, v.curve(lo, hi, w, h-1)...)
	}
	for _, line := range v.readings(lo, hi) {
		out = append(out, paint.Fit("  "+st.Plain(line), w))
	}
	if len(out) > h {
		return out[:h]
	}
	return append(out, widget.Blank(w, h-len(out))...)
}

// curve plots bytes of all messages of the group, read as the type that is chosen.
func (v *View) curve(lo, hi, w, h int) []string {
	st := v.c.Style()
	var values []float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range v.current().Messages {
		x, ok := types[v.as].read(m.Data, lo, hi)
		if !ok || math.IsInf(x, 0) {
			x = math.NaN()
		}
		values = append(values, x)
		if !math.IsNaN(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	if low > high {
		return append([]string{paint.Fit("  "+types[v.as].name+": the messages are too short for it", w)},
			widget.Blank(w, h-1)...)
	}
	for i := range values {
		values[i] -= low
	}
	top := max(high-low, 1e-9)
	line := fmt.Sprintf("  as %s: %s to %s, over %s", types[v.as].name, short(low), short(high),
		humanize.Of(len(values), "message"))
	out := []string{paint.Fit(line, w)}
	if st.ASCII {
		return append(out, plot.Stars(values, w, h-1, top)...)
	}
	return append(out, plot.Braille(values, w, h-1, top)...)
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }
