package ui

import (
	tea "charm.land/bubbletea/v2"

	"remora/ui/act"
)

// key handles a key press wherever the cursor is.
func (m *model) key(msg tea.KeyPressMsg) {
	name := msg.String()
	m.profiles.touched = m.profiles.touched || m.profiles.store == m.store
	if name == "alt+esc" { // two quick ones, as the terminal sends them
		name = "esc"
	}
	switch {
	case m.question != nil:
		m.questionKey(name)
		return
	case m.info != nil:
		m.infoKey(name)
		return
	case m.help.open:
		m.helpKey(name, msg.Text)
		return
	case m.chooser != nil:
		m.chooser.key(name, msg.Text)
		return
	case m.typing.edit != editNone:
		m.editKey(name, msg.Text)
		return
	}
	m.notice = ""
	if does, n := m.press(name); does != act.None {
		m.do(does, n)
	}
}

// tell lets whoever watches know that an action is done.
func (m *model) tell(a act.Action) {
	if m.watched != nil && a != act.None {
		m.watched(a)
	}
}

// do carries out an action; n is the number typed in front of it, or 0.
func (m *model) do(a act.Action, n int) {
	m.tell(a)
	if m.viewAct(a, n) || m.moveAction(a, n) || m.packetAction(a, max(1, n)) {
		return
	}
	switch a {
	case act.NextPane, act.PrevPane:
		all := panes
		if m.facets.open {
			all++
		}
		step := 1
		if a == act.PrevPane {
			step = all - 1
		}
		m.focus = (m.focus + step) % all
	case act.Facets:
		m.openFacets()
	case act.Select:
		m.pick()
	case act.Hide, act.Only:
		m.typeOfPacket(a == act.Only)
	case act.Column:
		if i := m.selectedNode(); i >= 0 {
			m.addColumn(m.tree.Field(i))
		}
	case act.Reference:
		m.setReference()
	case act.Undo:
		m.undoShape()
	case act.Compare:
		m.compare()
	case act.Plot:
		m.plotField()
	case act.Find:
		m.openFind()
	case act.FindNext, act.FindPrev:
		m.findTimes(direction(a == act.FindNext), n)
	case act.Reading:
		m.pickBytes()
	case act.Explain:
		m.explain()
	case act.Changed:
		m.compareOff = !m.compareOff
		m.findBefore()
	case act.TabPackets, act.TabTypes, act.TabTalkers, act.TabNotes:
		m.openTab(int(a - act.TabPackets))
	case act.Properties:
		m.openProperties()
	case act.Export:
		m.startExport()
	case act.Desync:
		m.openDesync()
	case act.Unknown:
		m.openUnknown()
	case act.Rates:
		m.openRates()
	case act.FollowStream:
		m.followHere()
	case act.Open:
		m.enter()
	case act.OpenAll, act.CloseAll:
		if m.tree != nil {
			m.foldAll(a == act.OpenAll)
		}
	case act.OpenBelow, act.CloseBelow:
		m.foldBelow(a == act.OpenBelow)
	case act.Zoom:
		m.zoomed = !m.zoomed
		m.keepTreeInView()
	case act.Bigger:
		m.heighten(1)
	case act.Smaller:
		m.heighten(-1)
	case act.Wider, act.Narrower:
		m.widen(map[act.Action]int{act.Wider: 1, act.Narrower: -1}[a])
	case act.UsualSizes:
		m.sizes, m.zoomed, m.notice = usualSizes, false, "the panes are as they were at first"
		m.keepTreeInView()
	case act.Arrange:
		m.sizes.arrangement = (m.arranged() + 1) % arrangements
		m.notice = arrangementNames[m.sizes.arrangement]
		if m.arranged() != m.sizes.arrangement {
			m.notice += ": this screen has no room for it"
		}
		m.keepTreeInView()
	case act.Sort:
		if m.focus == paneHex {
			m.nextSource()
		} else {
			m.openColumns()
		}
	case act.Filter:
		text := ""
		if m.shown != nil {
			text = m.shown.Filter.String()
		}
		m.startEdit(editFilter, text)
	case act.ClearFilter:
		m.escape()
	case act.UseField:
		if f := m.fieldFilter(); f != "" {
			m.applyFilter(f)
		}
	case act.Follow:
		if m.sorted.by != nil && m.store.Status().Live {
			m.followSorted()
			break
		}
		m.follow = !m.follow
		m.frozen = 0
		if m.follow {
			m.unsort() // the newest is the last one
		}
		m.settleCursor()
	case act.Freeze:
		m.freeze()
	case act.Time:
		m.nextClock()
	case act.Names:
		m.names = !m.names
		m.rename()
	case act.Coloring:
		if n > 0 {
			m.colourTalk(n)
		} else {
			m.toggleColoring()
		}
	case act.ColoringRules:
		m.openColoring()
	case act.ColourBy:
		m.colourBy()
	case act.DecodeAs:
		m.askDecodeAs()
	case act.Mark, act.ToMark:
		m.keying.takes = a
		m.await(a.Name())
	case act.CopyRow, act.CopyValue, act.CopyTree, act.CopyFilter, act.CopyHex, act.CopyC, act.CopyGo, act.CopyPython, act.CopyBase64, act.CopyJSON, act.CopyLine, act.CopyEscaped:
		m.copyAs(rune("yvt=hcgpbjle"[a-act.CopyRow]))
	case act.CopyFile:
		m.copyFile()
	case act.UseThis, act.UseNot, act.UseAnd, act.UseOr, act.UseAndNot, act.UseOrNot:
		m.useField(rune("snaoAO"[a-act.UseThis]), false)
	case act.WriteThis, act.WriteNot, act.WriteAnd, act.WriteOr, act.WriteAndNot, act.WriteOrNot:
		m.useField(rune("snaoAO"[a-act.WriteThis]), true)
	default:
		m.programAction(a)
	}
}

// escape ends what goes on in the background; with nothing going on it shows all packets again.
func (m *model) escape() {
	switch {
	case m.finding.seeking != nil:
		m.endSeek()
		m.notice = "the search is ended"
	case m.finding.hits != nil:
		m.endHits()
		if m.notice = "what was found is not marked any more"; m.shown != nil {
			m.notice += "; " + m.keyOf(act.ClearFilter) + " again shows all packets"
		}
	case m.saving != nil:
		m.saving.cancel()
	case m.sorted.under != nil:
		m.endSorting()
		m.sorted.by, m.notice = nil, "not sorted"
	default:
		m.applyFilter("")
	}
}

func (m *model) programAction(a act.Action) {
	switch a {
	case act.GoTo:
		m.startEdit(editCommand, "goto ")
	case act.Save:
		m.startEdit(editSave, "")
	case act.Command:
		m.startEdit(editCommand, "")
	case act.Help:
		m.openHelp()
	case act.ToggleCapture:
		m.toggleCapture()
	case act.Restart:
		m.restart()
	case act.Sources:
		m.choose()
	case act.Interrupt:
		m.interrupt()
	case act.Suspend:
		m.pending = append(m.pending, func() any { return tea.Suspend() })
	case act.Redraw:
		m.pending = append(m.pending, func() any { return tea.ClearScreen() })
	case act.Quit:
		m.askQuit()
	case act.QuitNow:
		m.quit = true
	}
}

func (m *model) enter() {
	switch m.focus {
	case paneTree:
		m.enterNode()
	default:
		m.focus = paneTree
	}
}
