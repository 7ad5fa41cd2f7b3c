package ui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/paint"
)

// seenLines say which values a field had in the last packets of the type.
func (m *model) seenLines(f *dissect.Field) []string {
	h := &m.habit
	if h.field != f || h.looked < 2 || !h.done {
		return nil
	}
	head := "In the last " + humanize.Group(h.looked) + " " + m.typeText() + ": "
	if len(h.told) > 0 {
		return append([]string{""}, m.toldLines(head)...)
	}
	changed := 0
	for i := range h.bytes {
		if h.bytes[i].distinct() > 1 {
			changed++
		}
	}
	return []string{"", head + strconv.Itoa(changed) + " of " + strconv.Itoa(len(h.bytes)) + " bytes changed."}
}

// toldLines are the values that the field had, the most usual first, each with the newest packet that has it.
func (m *model) toldLines(head string) []string {
	h := &m.habit
	if len(h.told) == 1 && h.more == 0 {
		return []string{head + "always " + dissect.Escape(h.told[0].text) + "."}
	}
	if between := m.valuesText(); between != "" {
		head += between + ", "
	}
	head = strings.TrimRight(strings.TrimSuffix(head, ", "), ": ")
	out := []string{head + "; most often:"}
	if h.told[0].n == 1 {
		out[0] = head + ", each once; the newest:"
	}
	for _, v := range h.told {
		times := humanize.Group(v.n) + " times, last in packet "
		if v.n == 1 {
			times = "once, in packet "
		}
		out = append(out, paint.Fit(v.text, min(40, paint.Width(v.text)))+": "+times+humanize.Group(int(v.frame)))
	}
	if h.more > 0 {
		out = append(out, "and others")
	}
	return out
}

// sourceLine says who tells of the field, and where it lies.
func (m *model) sourceLine(i int) string {
	f, n := m.tree.Field(i), m.tree.Nodes[i]
	text := "From the dissector of " + dissect.Escape(f.Protocol().Title()) + " (" + f.Protocol().Name() + ")"
	if n.Len == 0 || f.IsDerived() {
		return text + "; calculated, not in the packet."
	}
	from, to := int(n.Off), int(n.Off+n.Len)-1
	if text += "; byte " + strconv.Itoa(from); to > from {
		text = strings.Replace(text, "; byte ", "; bytes ", 1) + m.style.Glyph("–", "-") + strconv.Itoa(to)
	}
	if srcs := m.tree.Sources(); n.Src > 0 && int(n.Src) < len(srcs) {
		text += " of " + dissect.Escape(srcs[n.Src].Name)
	}
	return text + "."
}

// valuesShown is how many names of values are listed.
const valuesShown = 24

// valueLines list the names that a field has for its values.
func valueLines(f *dissect.Field) []string {
	values := f.Values()
	if len(values) == 0 {
		return nil
	}
	out := []string{"", "It has names for " + strconv.Itoa(len(values)) + " values:"}
	form := "%d"
	if b := f.Base(); b == dissect.Hex || b == dissect.Both || b == dissect.HexThenDecimal {
		form = "0x%02x"
	}
	for i, v := range slices.Sorted(maps.Keys(values)) {
		if i == valuesShown {
			return append(out, "and "+strconv.Itoa(len(values)-i)+" more; they complete behind "+f.Name()+" == in the filter.")
		}
		out = append(out, fmt.Sprintf(form, v)+"  "+values[v])
	}
	return out
}

// askDecodeAs opens the command that decodes the conversation of the packet as something else; only the protocol is missing.
func (m *model) askDecodeAs() {
	if m.curConv == 0 {
		m.notice = "the packet is of no conversation that could be decoded as another protocol"
		return
	}
	c := m.s.Conversation(m.curConv)
	port := min(c.A.Port, c.B.Port) // the lower one is the better known
	if port == 0 {
		port = max(c.A.Port, c.B.Port)
	}
	m.startEdit(editCommand, "decode-as "+string(c.Transport)+"=="+strconv.Itoa(int(port))+",")
}
