package ui

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// inspectLines is the room that the inspector takes below the bytes.
const inspectLines = 5

// drawInspector says what the bytes from the cursor on would be as numbers of every kind, and how the selected field behaved.
func (m *model) drawInspector(w int) []string {
	out := []string{m.rule(w, "", m.inspectTitle())}
	data := m.tree.Source(m.hex.src)
	at := min(m.hex.cur, max(0, len(data)-1))
	b := data[min(at, len(data)):]
	var buf [8]byte
	n := copy(buf[:], b)
	le, be := binary.LittleEndian, binary.BigEndian
	need := func(k int, text string) string {
		if n < k {
			return m.glyph("–", "-")
		}
		return text
	}
	u := func(v uint64) string { return strconv.FormatUint(v, 10) }
	i := func(v int64) string { return strconv.FormatInt(v, 10) }
	f := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	rows := [][4]string{
		{"u8", need(1, u(uint64(buf[0]))), "i8", need(1, i(int64(int8(buf[0]))))},
		{"u16", need(2, u(uint64(le.Uint16(buf[:])))+m.glyph(" ◂ ▸ ", " le be ")+u(uint64(be.Uint16(buf[:])))), "bits", need(1, bits8(buf[0]))},
		{"u32", need(4, u(uint64(le.Uint32(buf[:])))+m.glyph(" ◂ ▸ ", " le be ")+u(uint64(be.Uint32(buf[:])))), "f32", need(4, f(float64(math.Float32frombits(le.Uint32(buf[:]))))+m.glyph(" ◂ ▸ ", " le be ")+f(float64(math.Float32frombits(be.Uint32(buf[:])))))},
	}
	for _, r := range rows {
		var l line
		l.put(m.pens.dim, " "+fit(r[0], 5))
		l.put(pen{}, fit(r[1], max(10, w/2-7)))
		l.put(m.pens.dim, fit(r[2], 5))
		l.put(pen{}, r[3])
		out = append(out, fitLine(l.end(w), w))
	}
	return append(out, m.drawHabit(w))
}

func (m *model) inspectTitle() string {
	return "byte " + itoa(m.hex.cur) + m.glyph(", ◂ little ▸ big endian", ", little and big endian")
}

func bits8(c byte) string {
	s := strconv.FormatUint(uint64(c), 2)
	s = strings.Repeat("0", 8-len(s)) + s
	return s[:4] + " " + s[4:]
}

// drawHabit says how the selected field behaved in the last packets of the type.
func (m *model) drawHabit(w int) string {
	var l line
	h := m.habit
	if len(h.values) < 2 {
		return strings.Repeat(" ", w)
	}
	room := max(8, w-52)
	l.put(m.pens.dim, " "+group(len(h.values))+" of this type ")
	l.put(m.pens.bars, sparkRange(h.values, room, m.cfg.ASCII)+" ")
	text := group(h.distinct) + " values"
	switch {
	case !h.done:
		text = ""
	case h.distinct == 1:
		text = "always " + h.low
	case h.distinct <= 4096:
		text += ", " + h.low + m.glyph("…", "..") + h.high
	}
	l.put(pen{}, text)
	return fitLine(l.end(w), w)
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
		out = append(out, levels[clamp(k, 0, len(levels)-1)])
	}
	return string(out)
}
