package ui

import (
	"fmt"
	"strconv"

	"remora/ui/inspector"
	"remora/ui/paint"
)

// explainBytes tells what the bytes picked, or those from the cursor on, could be.
func (m *model) explainBytes() {
	data := m.tree.Source(m.hex.src)
	lo, hi, picked := m.pickedBytes()
	if !picked {
		lo, hi = min(m.hex.cur, len(data)), min(m.hex.cur+8, len(data))
	}
	if lo >= hi {
		return
	}
	whole := 0
	title := "byte " + strconv.Itoa(lo) + " and on"
	if picked {
		whole, title = hi-lo, "bytes "+strconv.Itoa(lo)+m.style.Glyph("–", "-")+strconv.Itoa(hi-1)+", "+strconv.Itoa(hi-lo)+" B"
	}
	b := data[lo:]
	if picked {
		b = data[lo:hi]
	}
	lines := []string{fmt.Sprintf("% x", data[lo:min(hi, lo+16)]) + "  " + inspector.Bits(data[lo]), "",
		paint.Fit("", 10) + paint.Fit("little endian", 28) + "big endian"}
	for _, v := range inspector.Of(b, whole) {
		if v.High == "" {
			lines = append(lines, paint.Fit(v.Name, 10)+v.Low)
			continue
		}
		if v.Low == "" {
			v.Low = m.style.Glyph("–", "-")
		}
		lines = append(lines, paint.Fit(v.Name, 10)+paint.Fit(v.Low, 27)+" "+v.High)
	}
	m.info = &infoBox{title: title, lines: lines, plain: true}
}
