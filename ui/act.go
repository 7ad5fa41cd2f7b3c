package ui

import (
	tea "charm.land/bubbletea/v2"
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
	case m.chooser != nil:
		m.chooser.key(name, msg.Text)
		return
	case m.help.open:
		m.helpKey(name, msg.Text)
		return
	case m.editing != editNone:
		m.editKey(name, msg.Text)
		return
	}
	m.notice = ""
	if act, n := m.press(name); act != actNone {
		m.do(act, n)
	}
}

// do carries out an action; n is the number typed in front of it, or 0.
func (m *model) do(a action, n int) {
	if m.viewAct(a, n) || m.moveAction(a, n) || m.packetAction(a, max(1, n)) {
		return
	}
	switch a {
	case actNextPane, actPrevPane:
		all := panes
		if m.facets.open {
			all++
		}
		step := 1
		if a == actPrevPane {
			step = all - 1
		}
		m.focus = (m.focus + step) % all
	case actFacets:
		m.openFacets()
	case actSelect:
		m.pick()
	case actHide, actOnly:
		m.typeOfPacket(a == actOnly)
	case actColumn:
		if i := m.selectedNode(); i >= 0 {
			m.addColumn(m.tree.Field(i))
		}
	case actReference:
		m.setReference()
	case actUndo:
		m.undoShape()
	case actCompare:
		m.compare()
	case actPlot:
		m.plotField()
	case actFind:
		m.openFind()
	case actFindNext, actFindPrev:
		m.findText(direction(a == actFindNext))
	case actReading:
		m.pickBytes()
	case actExplain:
		m.explain()
	case actChanged:
		m.compareOff = !m.compareOff
		m.findBefore()
	case actTabPackets, actTabTypes, actTabTalkers, actTabNotes:
		m.openTab(int(a - actTabPackets))
	case actProperties:
		m.openProperties()
	case actExport:
		m.startExport()
	case actDesync:
		m.openDesync()
	case actUnknown:
		m.openUnknown()
	case actRates:
		m.openRates()
	case actFollowStream:
		m.followTalk(m.curConv)
	case actOpen:
		m.enter()
	case actOpenAll, actCloseAll:
		if m.tree != nil {
			m.foldAll(a == actOpenAll)
		}
	case actOpenBelow, actCloseBelow:
		m.foldBelow(a == actOpenBelow)
	case actZoom:
		m.zoomed = !m.zoomed
		m.keepTreeInView()
	case actBigger:
		m.heighten(1)
	case actSmaller:
		m.heighten(-1)
	case actWider, actNarrower:
		m.widen(map[action]int{actWider: 1, actNarrower: -1}[a])
	case actArrange:
		m.sizes.arrangement = (m.sizes.arrangement + 1) % arrangements
		m.notice = arrangementNames[m.sizes.arrangement]
		if m.arranged() != m.sizes.arrangement {
			m.notice += ": this screen has no room for it"
		}
		m.keepTreeInView()
	case actSort:
		if m.focus == paneHex {
			m.nextSource()
		} else {
			m.openColumns()
		}
	case actFilter:
		text := ""
		if m.shown != nil {
			text = m.shown.filter.String()
		}
		m.startEdit(editFilter, text)
	case actClearFilter:
		m.escape()
	case actUseField:
		if f := m.fieldFilter(); f != "" {
			m.applyFilter(f)
		}
	case actFollow:
		if m.sortBy != nil && m.store.Status().Live {
			m.followSorted()
			break
		}
		m.follow = !m.follow
		m.frozen = 0
		if m.follow {
			m.unsort() // the newest is the last one
		}
		m.settleCursor()
	case actFreeze:
		m.freeze()
	case actTime:
		m.nextClock()
	case actNames:
		m.names = !m.names
		m.rename()
	case actColoring:
		if n > 0 {
			m.colourTalk(n)
		} else {
			m.toggleColoring()
		}
	case actDecodeAs:
		m.askDecodeAs()
	case actMark, actToMark:
		m.takes, m.pendingKey = a, actionTable[a].Name
	case actCopyRow, actCopyValue, actCopyTree, actCopyFilter, actCopyHex, actCopyC, actCopyGo, actCopyPython, actCopyBase64, actCopyJSON, actCopyLine, actCopyEscaped:
		m.copyAs(rune("yvt=hcgpbjle"[a-actCopyRow]))
	case actCopyFile:
		m.copyFile()
	case actUseThis, actUseNot, actUseAnd, actUseOr, actUseAndNot, actUseOrNot:
		m.useField(rune("snaoAO"[a-actUseThis]), false)
	case actWriteThis, actWriteNot, actWriteAnd, actWriteOr, actWriteAndNot, actWriteOrNot:
		m.useField(rune("snaoAO"[a-actWriteThis]), true)
	default:
		m.programAction(a)
	}
}

// escape ends what goes on in the background; with nothing going on it shows all packets again.
func (m *model) escape() {
	switch {
	case m.seeking != nil:
		m.endSeek()
		m.notice = "the search is ended"
	case m.hits != nil:
		m.endHits()
		if m.notice = "what was found is not marked any more"; m.shown != nil {
			m.notice += "; Esc again shows all packets"
		}
	case m.saving != nil:
		m.saving.cancel()
	case m.sorting != nil:
		m.endSorting()
		m.sortBy, m.notice = nil, "not sorted"
	default:
		m.applyFilter("")
	}
}

func (m *model) programAction(a action) {
	switch a {
	case actGoTo:
		m.startEdit(editCommand, "goto ")
	case actSave:
		m.startEdit(editSave, "")
	case actCommand:
		m.startEdit(editCommand, "")
	case actHelp:
		m.openHelp()
	case actToggleCapture:
		m.toggleCapture()
	case actRestart:
		m.restart()
	case actSources:
		m.choose()
	case actInterrupt:
		m.interrupt()
	case actSuspend:
		m.pending = append(m.pending, func() any { return tea.Suspend() })
	case actRedraw:
		m.pending = append(m.pending, func() any { return tea.ClearScreen() })
	case actQuit:
		m.askQuit()
	case actQuitNow:
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
