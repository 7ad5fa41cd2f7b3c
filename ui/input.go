package ui

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/filtered"
	"remora/ui/term"
	"remora/ui/widget"
)

// applyFilter shows the packets that match; the selected packet stays selected. A filter that is wrong changes nothing.
func (m *model) applyFilter(text string) {
	before, next := m.packets.Filtered, (*filtered.Packets)(nil)
	if text != "" {
		f, err := m.compile(text)
		if err != nil {
			m.foot.Notice = err.Error()
			return
		}
		next = filtered.Start(m.packets.Session, f, m.packets.Ignored)
		if ws := f.Warnings(); len(ws) > 0 {
			m.foot.Notice = ws[0].Error()
		}
	}
	m.packets.Filtered = next
	m.list.EndFewer()
	m.list.EndSorting()
	m.packets.Order = nil // what is shown now is sorted once all of it is known
	m.facets.Read(text)
	m.facets.Leave(before)
	m.list.Refilter()
}

// fieldFilter is the filter for the selected field, or for the packet's type or protocol.
func (m *model) fieldFilter() string {
	if m.selected.Tree == nil {
		return ""
	}
	if lo, hi, ok := m.hex.Picked(); ok && m.selected.Source == 0 {
		return "frame[" + strconv.Itoa(lo) + ":" + strconv.Itoa(hi-lo) + "] == " + colons(m.selected.Tree.Source(0)[lo:hi])
	}
	i := m.selected.Node
	if i < 0 || m.room.focus == paneList {
		p := m.selected.Tree.Protocol()
		if k := p.KindField(); k != nil {
			if n := m.selected.Tree.Find(k); n >= 0 {
				if name := k.ValueName(m.selected.Tree.Nodes[n].Val); name != "" {
					return k.Name() + ` == "` + name + `"`
				}
				return k.Name() + " == " + m.selected.Tree.Show(n)
			}
		}
		return p.Name()
	}
	f := m.selected.Tree.Field(i)
	switch f.Type() {
	case dissect.TypeNone, dissect.TypeProtocol:
		return f.Name()
	case dissect.TypeString:
		return f.Name() + " == " + term.Quote(m.selected.Tree.Text(i))
	case dissect.TypeTime:
		return f.Name() + ` == "` + m.selected.Tree.Show(i) + `"`
	case dissect.TypeBytes, dissect.TypeGUID:
		b := m.selected.Tree.Bytes(i)
		if len(b) == 0 || len(b) > 64 {
			return f.Name()
		}
		var parts []string
		for _, c := range b {
			parts = append(parts, widget.HexPair(c))
		}
		if len(parts) == 1 {
			return f.Name() + " == 0x" + parts[0]
		}
		return f.Name() + " == " + strings.Join(parts, ":")
	}
	return f.Name() + " == " + m.selected.Tree.Show(i)
}

// colons writes bytes as the filter language reads them.
func colons(b []byte) string {
	if len(b) == 1 {
		return "0x" + widget.HexPair(b[0])
	}
	var parts []string
	for _, c := range b {
		parts = append(parts, widget.HexPair(c))
	}
	return strings.Join(parts, ":")
}
