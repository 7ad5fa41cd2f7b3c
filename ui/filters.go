package ui

import (
	"strings"

	"remora/dissect/stats"
	"remora/ui/amount"
)

// filterText is the filter that is on, or "".
func (m *model) filterText() string {
	if m.shown == nil {
		return ""
	}
	return m.shown.filter.String()
}

// narrow keeps of what is shown what passes a filter, too.
func (m *model) narrow(text string) { m.applyFilter(joined(m.filterText(), "&&", text)) }

// joined joins two filters by an operator, with brackets where they are needed.
func joined(a, op, b string) string {
	if a == "" {
		return b
	}
	return bracketed(a) + " " + op + " " + bracketed(b)
}

// bracketed brackets a filter that consists of several parts.
func bracketed(s string) string {
	for _, op := range []string{"||", "&&", " or ", " and ", " xor ", "^^"} {
		if strings.Contains(s, op) {
			return "(" + s + ")"
		}
	}
	return s
}

// typeOfPacket shows only packets of the selected one's type, or hides them.
func (m *model) typeOfPacket(only bool) {
	if m.tree == nil {
		return
	}
	sh := m.tree.Shape
	p := &stats.Protocol{Protocol: m.s.ShapeTop(sh)}
	x := facet{proto: p, dir: -1}
	if f := p.Protocol.KindField(); f != nil {
		for _, k := range sh.Kinds {
			if k.Field == f.ID() {
				x.kind = &stats.Type{Protocol: p.Protocol, Field: f, Value: k.Value, Name: f.ValueName(k.Value)}
				break
			}
		}
	}
	if only {
		m.applyFilter(m.term(x))
		return
	}
	m.hideFacet(x)
}

// setReference makes the selected packet the one that times are relative to, or the first one again.
func (m *model) setReference() {
	if m.cur == 0 {
		return
	}
	if m.reference == m.cur {
		m.reference = 0
		m.notice = "times are relative to the first packet"
	} else {
		m.reference = m.cur
		m.notice = "times are relative to packet " + amount.Group(int(m.cur))
	}
	clear(m.rowCache)
}
