package hex

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/inspector"
	"remora/ui/paint"
	"remora/ui/widget"
)

// inspectLines is the room that the inspector takes below the bytes.
const inspectLines = 6

// drawInspector says what the bytes from the cursor on would be as numbers of every kind, and how the selected field
// behaved.
func (p *Pane) drawInspector(w int) []string {
	out := []string{p.c.Style().Rule(w, "", p.inspectTitle())}
	data := p.packet.Tree.Source(p.packet.Source)
	at := min(p.packet.Byte, max(0, len(data)-1))
	b := data[min(at, len(data)):]
	var buf [8]byte
	n := copy(buf[:], b)
	le, be := binary.LittleEndian, binary.BigEndian
	need := func(k int, text string) string {
		if n < k {
			return p.c.Style().Glyph("–", "-")
		}
		return text
	}
	u := func(v uint64) string { return strconv.FormatUint(v, 10) }
	i := func(v int64) string { return strconv.FormatInt(v, 10) }
	f := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	rows := [][4]string{
		{"u8", need(1, u(uint64(buf[0]))), "i8", need(1, i(int64(int8(buf[0]))))},
		{"u16", need(2, u(uint64(le.Uint16(buf[:])))+p.c.Style().Glyph(" ◂ ▸ ", " le be ")+u(uint64(be.Uint16(buf[:])))),
			"bits", need(1, inspector.Bits(buf[0]))},
		{"u32", need(4, u(uint64(le.Uint32(buf[:])))+p.c.Style().Glyph(" ◂ ▸ ", " le be ")+u(uint64(be.Uint32(buf[:])))),
			"f32", need(4,
				f(float64(math.Float32frombits(le.Uint32(buf[:]))))+p.c.Style().
					Glyph(" ◂ ▸ ", " le be ")+f(float64(math.Float32frombits(be.Uint32(buf[:])))))},
	}
	for _, r := range rows {
		var l paint.Line
		l.Put(p.c.Style().Pens.Dim, " "+paint.Fit(r[0], 5))
		l.Put(paint.Pen{}, paint.Fit(r[1], max(10, w/2-7)))
		l.Put(p.c.Style().Pens.Dim, paint.Fit(r[2], 5))
		l.Put(paint.Pen{}, r[3])
		out = append(out, paint.Clip(l.End(w), w))
	}
	return append(out, p.drawHabit(w), p.drawByteHabits(w))
}

func (p *Pane) inspectTitle() string {
	text := ""
	if p.text > 0 {
		text = byteTexts[p.text].name + ", "
	}
	return text + "byte " + strconv.Itoa(p.packet.Byte) + p.c.Style().
		Glyph(", ◂ little ▸ big endian", ", little and big endian")
}

// drawHabit says how the selected number behaved, or of how many packets of the type the bytes below it are told.
func (p *Pane) drawHabit(w int) string {
	var l paint.Line
	h := &p.habit
	if h.Packets < 2 {
		return strings.Repeat(" ", w)
	}
	head := " last " + humanize.Group(h.Packets) + " " + p.typeText()
	if len(h.Values) < 2 {
		l.Put(p.c.Style().Pens.Dim, paint.Fit(head, w))
		return paint.Clip(l.End(w), w)
	}
	text := " " + p.valuesText()
	l.Put(p.c.Style().Pens.Dim, paint.Fit(head, min(paint.Width(head), max(12, w-paint.Width(text)-18)))+" ")
	l.Put(p.c.Style().Pens.Bars, sparkRange(h.Values, max(8, w-l.Width-max(18, paint.Width(text))), p.c.Style().ASCII))
	l.Put(paint.Pen{}, text)
	return paint.Clip(l.End(w), w)
}

// typeText is the type of the selected packet, and the end that it is from.
func (p *Pane) typeText() string {
	text := dissect.Escape(p.packet.Tree.Kind())
	if text == "" {
		text = p.packet.Tree.ProtocolText()
	}
	_, short := p.c.Scope().EndText(p.packet.Tree, p.packet.Tree.Src)
	if short != "" {
		text += " from " + short
	}
	return text
}

// valuesText says how many values the selected field had, and between which.
func (p *Pane) valuesText() string {
	h := &p.habit
	switch {
	case !h.Done:
		return ""
	case h.Distinct == 1:
		return "always " + h.Low
	case h.Distinct == 0:
		return ""
	}
	return humanize.Group(h.Distinct) + " values, " + h.Low + p.c.Style().Glyph("…", "..") + h.High
}

// drawByteHabits says how often the selected bytes had which values: those of them that were not always the same.
func (p *Pane) drawByteHabits(w int) string {
	var l paint.Line
	h, more, still := &p.habit, 0, 0
	if h.Packets < 2 || len(h.Bytes) == 0 {
		return strings.Repeat(" ", w)
	}
	for i := range h.Bytes {
		b := &h.Bytes[i]
		k := b.Distinct()
		if k == 1 {
			still++
			continue
		}
		at, count := " byte "+strconv.Itoa(b.At)+" ", " "+values(k)+"  "
		if l.Width+paint.Width(at)+8+paint.Width(count)+8 > w {
			more++
			continue
		}
		l.Put(p.c.Style().Pens.Dim, at)
		l.Put(p.c.Style().Pens.Bars, sparkBars(b.Bars(8), p.c.Style().Levels()))
		l.Put(paint.Pen{}, count)
	}
	switch {
	case more > 0:
		l.Put(p.c.Style().Pens.Dim, " +"+strconv.Itoa(more))
	case still == len(h.Bytes):
		l.Put(p.c.Style().Pens.Dim,
			map[bool]string{true: " the byte was always the same",
				false: " all " + strconv.Itoa(still) + " bytes were always the same"}[still == 1])
	case still > 0:
		l.Put(p.c.Style().Pens.Dim, " "+strconv.Itoa(still)+" always same")
	}
	return paint.Clip(l.End(w), w)
}

func values(n int) string {
	if n == 1 {
		return "1 value"
	}
	return strconv.Itoa(n) + " values"
}

// sparkBars draws bars from nothing to the highest.
func sparkBars(values []float64, levels []rune) string {
	top, out := 1.0, make([]rune, 0, len(values))
	for _, v := range values {
		top = max(top, v)
	}
	for _, v := range values {
		out = append(out, levels[widget.Clamp(int(v/top*float64(len(levels)-1)+0.999), 0, len(levels)-1)])
	}
	return string(out)
}

// sparkRange draws the newest values between the lowest and the highest of them.
func sparkRange(values []float64, w int, ascii bool) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	if ascii {
		levels = []rune("_.:-=+*#")
	}
	values = values[max(0, len(values)-w):]
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	out := make([]rune, 0, w)
	for _, v := range values {
		k := 0
		if high > low {
			k = int((v - low) / (high - low) * float64(len(levels)-1))
		}
		out = append(out, levels[widget.Clamp(k, 0, len(levels)-1)])
	}
	return string(out)
}
