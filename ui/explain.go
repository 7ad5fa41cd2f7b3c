package ui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"remora/dissect"
	"remora/ui/amount"
)

// seenLines say which values a field had in the last packets of the type.
func (m *model) seenLines(f *dissect.Field) []string {
	h := &m.habit
	if h.field != f || h.looked < 2 || !h.done {
		return nil
	}
	text := "In the last " + amount.Group(h.looked) + " " + m.typeText() + ": "
	if len(h.values) > 0 {
		return []string{"", text + m.valuesText() + "."}
	}
	changed := 0
	for i := range h.bytes {
		if h.bytes[i].distinct() > 1 {
			changed++
		}
	}
	return []string{"", text + strconv.Itoa(changed) + " of " + strconv.Itoa(len(h.bytes)) + " bytes changed."}
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
