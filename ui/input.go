package ui

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/find"
	"remora/ui/paint"
	"remora/ui/readline"
	"remora/ui/shown"
	"remora/ui/term"
)

// An edit is what the input line is for.
type edit int

const (
	editNone edit = iota
	editFilter
	editCommand
	editSave
	editFind
	editExport
	editFindPacket
	editSeries
	editColumn
	editTitle
	editComment
	editFacet
	editSheet
	editRule
	editRuleName
	editInk
	editGround
)

// filters tells whether what is typed is a display filter.
func (e edit) filters() bool { return e == editFilter || e == editRule || e == editSeries }

var prompts = map[edit]string{editFilter: " / ", editCommand: " : ", editSave: " save shown packets to: ", editFind: " search: ", editExport: " save bytes to: ", editSeries: " a curve of the packets: ", editColumn: " field for a column: ", editTitle: " title of the column: ", editComment: " comment: ", editFacet: " find in the facets: ", editSheet: " save these numbers to: ",
	editRule: " colour the packets: ", editRuleName: " name of the rule: ", editInk: " colour of the text: ", editGround: " colour of the background: "}

// startEdit opens the input line.
func (m *model) startEdit(e edit, text string) {
	m.editing, m.notice = e, ""
	m.input = m.inputs[e]
	if m.input == nil {
		m.input = &readline.Input{}
		if e.filters() {
			m.input.History = m.lists.filters.Lines()
		}
		m.inputs[e] = m.input
	}
	m.input.Set(text)
	if e.filters() && m.s != nil {
		m.takeCensusSoon()
	}
	m.checkInput()
}

// prompt is what stands in front of the input line.
func (m *model) prompt() string {
	if m.editing == editFindPacket {
		return findPrompts[m.findMode]
	}
	return prompts[m.editing]
}

// checkFind tries to understand what is searched.
func (m *model) checkFind() {
	text := m.input.Value()
	m.findProblem, m.completions, m.completing = "", nil, 0
	if _, err := m.newFinder(m.findMode, text); err != nil && text != "" {
		m.findProblem = err.Error()
	}
	if m.findMode == find.Filter && text != "" {
		m.completions = m.offers(text, m.input.Offset())
	}
}

func (m *model) endEdit() {
	m.findProblem = ""
	m.editing, m.completions, m.culprit, m.verdict, m.halfTyped, m.warnings, m.repair = editNone, nil, [2]int{}, nil, false, nil, ""
}

// checkInput compiles the filter as it is typed and looks for completions.
func (m *model) checkInput() {
	if m.editing == editNone {
		return
	}
	m.culprit, m.verdict, m.halfTyped, m.warnings, m.repair, m.input.Mark = [2]int{}, nil, false, nil, "", paint.Pen{}
	switch {
	case m.editing == editFindPacket:
		m.checkFind()
		return
	case m.editing == editFacet:
		m.completions = nil
		m.findFacets(m.input.Value())
		return
	case m.editing == editColumn && m.input.Value() != "":
		m.completions, m.completing = m.offers(m.input.Value(), m.input.Offset()), 0
		return
	case m.editing == editColumn:
		m.completions = nil
		return
	case m.editing == editCommand:
		m.completions, m.completing = m.paletteOffers(m.input.Value()), 0
		return
	case m.editing == editInk, m.editing == editGround:
		m.completions, m.completing = m.colourOffers(m.editing == editGround, strings.ToLower(strings.TrimSpace(m.input.Value()))), 0
		m.showColour()
		return
	case !m.editing.filters():
		return
	}
	text := m.input.Value()
	m.judgeFilter(text)
	m.completions, m.completing = m.offers(text, m.input.Offset()), 0
	if len(m.completions) == 0 && m.verdict != nil && !m.halfTyped {
		m.completions = m.meant(m.verdict, m.input.Offset())
	}
}

// editKey handles a key while the input line is open.
func (m *model) editKey(name, text string) {
	does := m.keymap.Line(name)
	switch does {
	case act.LineCancel:
		if m.editing == editFacet {
			m.findFacets("")
		}
		m.leaveColours()
		m.endEdit()
		m.afterSave = nil
		return
	case act.LineAccept:
		m.commitEdit()
		return
	case act.LineTake:
		if m.editing == editFindPacket && (m.findMode != find.Filter || len(m.completions) == 0) {
			m.nextFindMode()
			return
		}
		if m.editing == editCommand && m.completeFile() {
			return
		}
		if len(m.completions) > 0 {
			c := m.completions[m.completing]
			s := m.input.Value()
			m.input.Set(s[:c.From] + c.Text + s[c.To:])
			m.input.Cur = len([]rune(s[:c.From] + c.Text))
			m.checkInput()
			if m.editing != editCommand || strings.TrimSpace(c.Text) == c.Text && c.From > 0 {
				m.completions = nil
			}
		} else if m.repair != "" {
			m.input.Set(m.repair)
			m.checkInput()
		}
		return
	case act.LineExplain:
		m.explainOffer()
		return
	case act.LineNext:
		if len(m.completions) > 0 {
			m.completing = min(m.completing+1, len(m.completions)-1)
			m.showColour()
		} else {
			m.input.Recall(1)
		}
		return
	case act.LinePrev:
		if len(m.completions) > 0 && m.completing > 0 {
			m.completing--
			m.showColour()
		} else {
			m.input.Recall(-1)
			m.checkInput()
			m.completions = nil
		}
		return
	}
	if !m.input.Do(does) && text != "" {
		m.input.Insert(text)
	}
	m.checkInput()
}

func (m *model) commitEdit() {
	text := strings.TrimSpace(m.input.Value())
	if e := m.verdict; m.editing.filters() && e != nil { // the line says what is wrong
		m.halfTyped, m.culprit, m.input.Mark = false, [2]int{e.Pos, max(e.End, e.Pos+1)}, underlined(m.pens.Bad)
		return
	}
	switch e := m.editing; e {
	case editFilter:
		m.input.Remember(text)
		if text != "" {
			m.later(func() { m.lists.filters.Add(text) })
		}
		m.endEdit()
		f := &m.facets
		edited := (f.own || f.edited) && text != ""
		m.applyFilter(text)
		f.edited = edited && m.filterText() == text
	case editRule, editRuleName:
		m.input.Remember(text)
		m.endEdit()
		if v, ok := m.over.(*coloringView); ok && e == editRule {
			v.commitFilter(m, text)
		} else if ok {
			v.commitName(m, text)
		}
	case editInk, editGround:
		m.commitColour()
	case editCommand:
		m.commitCommand(text)
	case editSave:
		m.input.Remember(text)
		m.endEdit()
		m.save(text)
	case editFacet:
		m.endEdit()
	case editComment:
		m.endEdit()
		m.commitComment(text)
	case editTitle:
		m.endEdit()
		if v, ok := m.over.(*columnsView); ok {
			v.rename(m, text)
		}
	case editColumn:
		m.input.Remember(text)
		m.endEdit()
		if text != "" {
			m.columnCommand(text)
		}
	case editFindPacket:
		if m.findProblem != "" {
			return
		}
		m.input.Remember(text)
		m.endEdit()
		if m.find = text; text != "" {
			m.findText(1)
		}
	case editSeries:
		m.input.Remember(text)
		m.endEdit()
		if v, ok := m.over.(*ratesView); ok {
			v.add(m, text)
		}
	case editSheet:
		m.endEdit()
		m.exportSheet(text)
	case editFind, editExport:
		m.input.Remember(text)
		m.endEdit()
		if v, ok := m.over.(*followView); ok {
			m.followEdit(v, e, text)
		}
	}
}

// applyFilter shows the packets that match; the selected packet stays selected.
func (m *model) applyFilter(text string) {
	before := m.shown
	m.shown = nil
	m.endFewer()
	m.endSorting()
	m.order = nil // what is shown now is sorted once all of it is known
	if text != "" {
		f, err := m.compile(text)
		if err != nil {
			m.notice = err.Error()
			m.readTicks("")
			m.leaveFilter(before)
			return
		}
		m.shown = shown.Start(m.s, f, m.ignored)
		if ws := f.Warnings(); len(ws) > 0 {
			m.notice = ws[0].Error()
		}
	}
	m.readTicks(text)
	m.leaveFilter(before)
	m.anchor = m.cur
	m.place()
	if m.shown == nil {
		m.anchor = 0
	}
}

// place puts the list so that the selected packet, or the next one shown, is in the middle.
func (m *model) place() {
	rows := m.rows()
	if rows == 0 {
		m.top = 0
		return
	}
	row := min(m.row(m.anchor), rows-1)
	h := max(1, m.layout().list.h-1)
	m.top = max(0, min(row-h/2, rows-h))
	if m.frame(row) == m.anchor || m.settled() {
		m.select_(m.frame(row))
	}
}

// fieldFilter is the filter for the selected field, or for the packet's type or protocol.
func (m *model) fieldFilter() string {
	if m.tree == nil {
		return ""
	}
	if lo, hi, ok := m.pickedBytes(); ok && m.hex.src == 0 {
		return "frame[" + strconv.Itoa(lo) + ":" + strconv.Itoa(hi-lo) + "] == " + colons(m.tree.Source(0)[lo:hi])
	}
	i := m.selectedNode()
	if i < 0 || m.focus == paneList {
		p := m.tree.Protocol()
		if k := p.KindField(); k != nil {
			if n := m.tree.Find(k); n >= 0 {
				if name := k.ValueName(m.tree.Nodes[n].Val); name != "" {
					return k.Name() + ` == "` + name + `"`
				}
				return k.Name() + " == " + m.tree.Show(n)
			}
		}
		return p.Name()
	}
	f := m.tree.Field(i)
	switch f.Type() {
	case dissect.TypeNone, dissect.TypeProtocol:
		return f.Name()
	case dissect.TypeString:
		return f.Name() + " == " + term.Quote(m.tree.Text(i))
	case dissect.TypeTime:
		return f.Name() + ` == "` + m.tree.Show(i) + `"`
	case dissect.TypeBytes, dissect.TypeGUID:
		b := m.tree.Bytes(i)
		if len(b) == 0 || len(b) > 64 {
			return f.Name()
		}
		var parts []string
		for _, c := range b {
			parts = append(parts, hexPair(c))
		}
		if len(parts) == 1 {
			return f.Name() + " == 0x" + parts[0]
		}
		return f.Name() + " == " + strings.Join(parts, ":")
	}
	return f.Name() + " == " + m.tree.Show(i)
}

// colons writes bytes as the filter language reads them.
func colons(b []byte) string {
	if len(b) == 1 {
		return "0x" + hexPair(b[0])
	}
	var parts []string
	for _, c := range b {
		parts = append(parts, hexPair(c))
	}
	return strings.Join(parts, ":")
}
