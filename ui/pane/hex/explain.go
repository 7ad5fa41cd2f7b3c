package hex

import (
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/inspector"
	"remora/ui/paint"
)

// Explain tells what the bytes picked, or those from the cursor on, could be; nothing where there are none.
func (p *Pane) Explain() (title string, lines []string) {
	data := p.packet.Tree.Source(p.packet.Source)
	lo, hi, picked := p.Picked()
	if !picked {
		lo, hi = min(p.packet.Byte, len(data)), min(p.packet.Byte+8, len(data))
	}
	if lo >= hi {
		return "", nil
	}
	whole := 0
	title = "byte " + strconv.Itoa(lo) + " and on"
	if picked {
		whole, title = hi-lo,
			"bytes "+strconv.Itoa(lo)+p.c.Style().Glyph("–", "-")+strconv.Itoa(hi-1)+", "+strconv.Itoa(hi-lo)+" B"
	}
	b := data[lo:]
	if picked {
		b = data[lo:hi]
	}
	lines = []string{fmt.Sprintf("% x", data[lo:min(hi, lo+16)]) + "  " + inspector.Bits(data[lo]), "",
		paint.Fit("", 10) + paint.Fit("little endian", 28) + "big endian"}
	for _, v := range inspector.Of(b, whole) {
		if v.High == "" {
			lines = append(lines, paint.Fit(v.Name, 10)+v.Low)
			continue
		}
		if v.Low == "" {
			v.Low = p.c.Style().Glyph("–", "-")
		}
		lines = append(lines, paint.Fit(v.Name, 10)+paint.Fit(v.Low, 27)+" "+v.High)
	}
	return title, lines
}

// Seen say which values a field had in the last packets of the type.
func (p *Pane) Seen(f *dissect.Field) []string {
	h := &p.habit
	if h.Field != f || h.Packets < 2 || !h.Done {
		return nil
	}
	head := "In the last " + humanize.Group(h.Packets) + " " + p.typeText() + ": "
	if len(h.Common) > 0 {
		return append([]string{""}, p.toldLines(head)...)
	}
	changed := 0
	for i := range h.Bytes {
		if h.Bytes[i].Distinct() > 1 {
			changed++
		}
	}
	return []string{"", head + strconv.Itoa(changed) + " of " + strconv.Itoa(len(h.Bytes)) + " bytes changed."}
}

// toldLines are the values that the field had, the most usual first, each with the newest packet that has it.
func (p *Pane) toldLines(head string) []string {
	h := &p.habit
	if len(h.Common) == 1 && h.More == 0 {
		return []string{head + "always " + dissect.Escape(h.Common[0].Text) + "."}
	}
	if between := p.valuesText(); between != "" {
		head += between + ", "
	}
	head = strings.TrimRight(strings.TrimSuffix(head, ", "), ": ")
	out := []string{head + "; most often:"}
	if h.Common[0].N == 1 {
		out[0] = head + ", each once; the newest:"
	}
	for _, v := range h.Common {
		times := humanize.Group(v.N) + " times, last in packet "
		if v.N == 1 {
			times = "once, in packet "
		}
		out = append(out, paint.Fit(v.Text, min(40, paint.Width(v.Text)))+": "+times+humanize.Group(int(v.Frame)))
	}
	if h.More > 0 {
		out = append(out, "and others")
	}
	return out
}
