package ui

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/filtered"
	"remora/ui/find"
	"remora/ui/paint"
	"remora/ui/readline"
	"remora/ui/search"
	"remora/ui/term"
	"remora/ui/widget"
)

// An edit is what the input line is for.
type edit int

const (
	editNone edit = iota
	editFilter
	editCommand
	editSave
	editView // a view asks, typing.prompt says what
	editFindPacket
	editComment
	editFacet
	editSheet
)

// filters tells whether what is typed is a display filter.
func (t *typing) filters() bool {
	return t.edit == editFilter || t.edit == editView && t.prompt.Filter
}

var prompts = map[edit]string{editFilter: " / ", editCommand: " : ", editSave: " save shown packets to: ",
	editComment: " comment: ",
	editFacet:   " find in the facets: ", editSheet: " save these numbers to: "}

// startEdit opens the input line.
func (m *model) startEdit(e edit, text string) {
	m.typing.edit, m.notice = e, ""
	history := prompts[e]
	if e == editView {
		history = m.typing.prompt.Label
	}
	m.typing.input = m.typing.inputs[history]
	if m.typing.input == nil {
		m.typing.input = &readline.Input{}
		if m.typing.filters() {
			m.typing.input.History = m.lists.filters.Lines()
		}
		m.typing.inputs[history] = m.typing.input
	}
	m.typing.input.Set(text)
	m.typing.compiled = nil
	if m.typing.filters() && m.packets.Session != nil {
		m.countFieldsSoon()
	}
	m.checkInput()
}

// prompt is what stands in front of the input line.
func (m *model) prompt() string {
	if m.typing.edit == editFindPacket {
		return search.Prompts[m.search.Mode]
	} else if m.typing.edit == editView {
		return m.typing.prompt.Label
	}
	return prompts[m.typing.edit]
}

// checkFind tries to understand what is searched.
func (m *model) checkFind() {
	text := m.typing.input.Value()
	m.typing.problem, m.typing.offers, m.typing.chosen = "", nil, 0
	if _, err := m.search.Finder(m.search.Mode, text); err != nil && text != "" {
		m.typing.problem = err.Error()
	}
	if m.search.Mode == find.Filter && text != "" {
		m.typing.offers = m.complete.Offers(text, m.typing.input.Offset())
	}
}

func (m *model) endEdit() {
	m.typing.problem = ""
	m.typing.edit, m.typing.offers, m.typing.culprit = editNone, nil, [2]int{}
	m.typing.verdict, m.typing.halfTyped, m.typing.warnings, m.typing.repair = nil, false, nil, ""
}

// checkInput compiles the filter as it is typed and looks for completions.
func (m *model) checkInput() {
	if m.typing.edit == editNone {
		return
	}
	m.typing.culprit, m.typing.verdict, m.typing.halfTyped, m.typing.warnings, m.typing.repair, m.typing.input.Mark =
		[2]int{}, nil, false, nil, "", paint.Pen{}
	switch {
	case m.typing.edit == editFindPacket:
		m.checkFind()
		return
	case m.typing.edit == editFacet:
		m.typing.offers = nil
		m.facets.Search(m.typing.input.Value())
		return
	case m.typing.edit == editView && m.typing.prompt.Field:
		m.typing.offers, m.typing.chosen = nil, 0
		if text := m.typing.input.Value(); text != "" {
			m.typing.offers = m.complete.Offers(text, m.typing.input.Offset())
		}
		return
	case m.typing.edit == editCommand:
		m.typing.offers, m.typing.chosen = m.paletteOffers(m.typing.input.Value()), 0
		return
	case m.typing.choice() != nil:
		m.typing.offerWords()
		return
	case !m.typing.filters():
		return
	}
	text := m.typing.input.Value()
	m.judgeFilter(text)
	m.typing.offers, m.typing.chosen = m.complete.Offers(text, m.typing.input.Offset()), 0
	if len(m.typing.offers) == 0 && m.typing.verdict != nil && !m.typing.halfTyped {
		m.typing.offers = m.complete.Meant(m.typing.verdict, m.typing.input.Offset())
	}
}

// editKey handles a key while the input line is open.
func (m *model) editKey(name, text string) {
	does := m.keymap.Line(name)
	m.tell(does)
	switch does {
	case act.LineCancel:
		if m.typing.edit == editFacet {
			m.facets.Search("")
		}
		if c := m.typing.choice(); c != nil {
			c.Cancel()
		}
		m.endEdit()
		m.capture.afterSave, m.typing.compiled = nil, nil
		return
	case act.LineAccept:
		m.commitEdit()
		return
	case act.LineTake:
		if m.typing.edit == editFindPacket && (m.search.Mode != find.Filter || len(m.typing.offers) == 0) {
			m.search.NextMode()
			m.checkInput()
			return
		}
		if m.typing.edit == editCommand && m.completeFile() {
			return
		}
		if len(m.typing.offers) > 0 {
			c := m.typing.offers[m.typing.chosen]
			s := m.typing.input.Value()
			m.typing.input.Set(s[:c.From] + c.Text + s[c.To:])
			m.typing.input.Cur = len([]rune(s[:c.From] + c.Text))
			m.checkInput()
			if m.typing.edit != editCommand || strings.TrimSpace(c.Text) == c.Text && c.From > 0 {
				m.typing.offers = nil
			}
		} else if m.typing.repair != "" {
			m.typing.input.Set(m.typing.repair)
			m.checkInput()
		}
		return
	case act.LineExplain:
		m.explainOffer()
		return
	case act.LineNext:
		if len(m.typing.offers) > 0 {
			m.typing.chosen = min(m.typing.chosen+1, len(m.typing.offers)-1)
			m.typing.try()
		} else {
			m.typing.input.Recall(1)
		}
		return
	case act.LinePrev:
		if len(m.typing.offers) > 0 && m.typing.chosen > 0 {
			m.typing.chosen--
			m.typing.try()
		} else {
			m.typing.input.Recall(-1)
			m.checkInput()
			m.typing.offers = nil
		}
		return
	}
	if !m.typing.input.Do(does) && text != "" {
		m.typing.input.Insert(text)
	}
	m.checkInput()
}

func (m *model) commitEdit() {
	text := strings.TrimSpace(m.typing.input.Value())
	if e := m.typing.verdict; m.typing.filters() && e != nil { // the line says what is wrong
		m.typing.halfTyped, m.typing.culprit, m.typing.input.Mark = false, [2]int{e.Pos, max(e.End, e.Pos+1)},
			underlined(m.style.Pens.Bad)
		return
	}
	switch m.typing.edit {
	case editFilter:
		m.typing.input.Remember(text)
		if text != "" {
			m.later(func() { m.lists.filters.Add(text) })
		}
		m.endEdit()
		was := m.facets.Origin()
		if m.applyFilter(text); text != "" && m.packets.FilterText() == text {
			m.facets.Edited(was)
		}
	case editCommand:
		m.commitCommand(text)
	case editSave:
		m.typing.input.Remember(text)
		m.endEdit()
		m.save(text)
	case editFacet:
		m.endEdit()
	case editComment:
		m.endEdit()
		m.commitComment(text)
	case editFindPacket:
		if m.typing.problem != "" {
			return
		}
		if text == "" {
			text = m.search.Text
		}
		m.typing.input.Remember(text)
		m.endEdit()
		if m.search.Text = text; text != "" {
			m.search.Find(1)
		}
	case editView:
		if m.typing.choice() == nil {
			m.typing.input.Remember(text)
		} else if word, err := m.typing.chosenWord(); err == nil {
			text = word
		} else { // the line says what is wrong
			return
		}
		m.endEdit()
		m.typing.prompt.Accept(text)
	case editSheet:
		m.endEdit()
		m.views.Export(text)
	}
}

// applyFilter shows the packets that match; the selected packet stays selected.
func (m *model) applyFilter(text string) {
	before := m.packets.Filtered
	m.packets.Filtered = nil
	m.list.EndFewer()
	m.list.EndSorting()
	m.packets.Order = nil // what is shown now is sorted once all of it is known
	if text != "" {
		f, err := m.compile(text)
		if err != nil {
			m.notice = err.Error()
			m.facets.Read("")
			m.facets.Leave(before)
			return
		}
		m.packets.Filtered = filtered.Start(m.packets.Session, f, m.packets.Ignored)
		if ws := f.Warnings(); len(ws) > 0 {
			m.notice = ws[0].Error()
		}
	}
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
