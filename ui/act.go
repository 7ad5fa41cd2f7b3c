package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/dissect"
)

// key handles a key press wherever the cursor is.
func (m *model) key(msg tea.KeyPressMsg) {
	name := msg.String()
	switch {
	case m.chooser != nil:
		m.chooser.key(name, msg.Text)
		return
	case m.asking != "":
		switch name {
		case "y", "Y", "enter":
			m.quit = true
		case "n", "N", "esc", "q", "ctrl+c":
			m.asking = ""
		}
		return
	case m.help:
		m.helpKey(name)
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

func (m *model) helpKey(name string) {
	switch name {
	case "down", "j":
		m.helpTop++
	case "up", "k":
		m.helpTop--
	case "pgdown", "space":
		m.helpTop += m.h / 2
	case "pgup":
		m.helpTop -= m.h / 2
	default:
		m.help, m.helpTop = false, 0
	}
}

// do carries out an action; n is the number typed in front of it, or 0.
func (m *model) do(a action, n int) {
	if m.moveAction(a, n) {
		return
	}
	switch a {
	case actNextPane, actPrevPane:
		step := 1
		if a == actPrevPane {
			step = panes - 1
		}
		m.focus = (m.focus + step) % panes
	case actOpen:
		m.enter()
	case actOpenAll, actCloseAll:
		if m.tree != nil {
			m.foldAll(a == actOpenAll)
		}
	case actZoom:
		m.zoomed = !m.zoomed
		m.keepTreeInView()
	case actBigger:
		m.share = min(80, m.share+5)
	case actSmaller:
		m.share = max(15, m.share-5)
	case actSource:
		m.nextSource()
	case actFilter:
		text := ""
		if m.shown != nil {
			text = m.shown.filter.String()
		}
		m.startEdit(editFilter, text)
	case actClearFilter:
		m.applyFilter("")
	case actUseField:
		if f := m.fieldFilter(); f != "" {
			m.applyFilter(f)
		}
	case actFollow:
		m.follow = !m.follow
		m.frozen = 0
		m.settleCursor()
	case actFreeze:
		m.freeze()
	case actTime:
		m.nextClock()
	case actNames:
		m.names = !m.names
		clear(m.rowCache)
	default:
		m.programAction(a)
	}
}

func (m *model) programAction(a action) {
	switch a {
	case actSave:
		m.startEdit(editSave, "")
	case actCommand:
		m.startEdit(editCommand, "")
	case actHelp:
		m.help = true
	case actToggleCapture:
		m.toggleCapture()
	case actRestart:
		m.restart()
	case actInterrupt:
		m.interrupt()
	case actSuspend:
		m.pending = append(m.pending, func() any { return suspendMsg{} })
	case actRedraw:
		m.pending = append(m.pending, func() any { return tea.ClearScreen() })
	case actQuit:
		m.askQuit()
	case actQuitNow:
		m.quit = true
	}
}

// moveAction handles what moves within the focused pane or the list.
func (m *model) moveAction(a action, n int) bool {
	times := max(1, n)
	page := max(1, m.layout().list.h-2)
	switch m.focus {
	case paneTree:
		page = max(1, m.layout().tree.h-1)
	case paneHex:
		page = max(1, m.layout().hex.h-1)
	}
	switch a {
	case actDown:
		m.step(times)
	case actUp:
		m.step(-times)
	case actPageDown:
		m.step(page * times)
	case actPageUp:
		m.step(-page * times)
	case actHalfDown:
		m.step(max(1, page/2))
	case actHalfUp:
		m.step(-max(1, page/2))
	case actFirst:
		m.edge(false, n)
	case actLast:
		m.edge(true, n)
	case actLeft, actRight:
		m.sideways(a == actRight, times)
	case actNextPacket:
		m.stepList(times)
	case actPrevPacket:
		m.stepList(-times)
	case actSameNext, actSamePrev:
		m.sameType(a == actSameNext)
	case actTalkNext, actTalkPrev:
		m.sameTalk(a == actTalkNext)
	case actPartner:
		if m.tree != nil {
			m.partner()
		}
	case actBack:
		if k := len(m.back); k > 0 {
			n, rest := m.back[k-1], m.back[:k-1]
			m.jumpTo(n)
			m.back = rest // going back is no jump of its own
		}
	default:
		return false
	}
	return true
}

func (m *model) step(n int) {
	switch {
	case m.tree == nil && m.focus != paneList:
	case m.focus == paneTree:
		m.moveTree(m.treePane.cur + n)
	case m.focus == paneHex:
		m.moveHex(m.hex.cur + n*perLine(m.layout().hex.w))
	default:
		m.stepList(n)
	}
}

func (m *model) stepList(n int) {
	if m.rows() == 0 {
		return
	}
	row := m.row(m.cur)
	if n > 0 && m.shown != nil && row < m.rows() && m.frame(row) != m.cur {
		n-- // the selected packet is hidden: the row is already the next one
	}
	m.follow = m.follow && row+n >= m.rows()-1
	m.moveTo(row + n)
}

// edge goes to the first or last line, or with a number to that packet.
func (m *model) edge(last bool, n int) {
	switch {
	case n > 0:
		m.jumpTo(dissect.FrameNum(n))
	case m.focus == paneTree && m.tree != nil:
		m.moveTree(map[bool]int{false: 0, true: len(m.treePane.lines) - 1}[last])
	case m.focus == paneHex && m.tree != nil:
		m.moveHex(map[bool]int{false: 0, true: len(m.tree.Source(m.hex.src)) - 1}[last])
	case last:
		m.back = append(m.back, m.cur)
		m.follow = !m.store.Status().Done
		m.moveTo(m.rows() - 1)
	default:
		m.back = append(m.back, m.cur)
		m.follow = false
		m.moveTo(0)
	}
}

func (m *model) sideways(right bool, n int) {
	if m.tree == nil {
		return
	}
	switch m.focus {
	case paneTree:
		if right {
			m.fold(1)
		} else {
			m.fold(-1)
		}
	case paneHex:
		if !right {
			n = -n
		}
		m.moveHex(m.hex.cur + n)
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

// sameType goes to the next packet of the same protocol and packet type.
func (m *model) sameType(forward bool) {
	if m.tree == nil {
		return
	}
	p, kind := m.tree.Protocol(), m.tree.Kind()
	seen := map[*dissect.Shape]bool{}
	m.seek(direction(forward), func(n dissect.FrameNum) bool {
		sh := m.s.ShapeOf(n)
		same, known := seen[sh]
		if !known {
			same = m.s.ShapeTop(sh) == p && m.s.KindText(sh) == kind
			seen[sh] = same
		}
		return same
	})
}

func (m *model) sameTalk(forward bool) {
	if conv := m.curConv; conv != 0 {
		m.seek(direction(forward), func(n dissect.FrameNum) bool { return m.s.ConversationOf(n) == conv })
	}
}

func direction(forward bool) int {
	if forward {
		return 1
	}
	return -1
}

func (m *model) freeze() {
	if m.frozen > 0 {
		m.frozen = 0
		return
	}
	m.frozen, m.follow = m.s.Passed(), false
}

// interrupt is Ctrl-C: first it stops a capture, then it leaves.
func (m *model) interrupt() {
	if m.store != nil && m.store.Status().Live && time.Since(m.interrupted) > 2*time.Second {
		m.interrupted = time.Now()
		m.stopCapture()
		m.notice = "the capture is stopped; Ctrl-C again leaves"
		return
	}
	m.askQuit()
}

func (m *model) stopCapture() {
	store := m.store
	m.pending = append(m.pending, func() any { store.Stop(); return nil })
}

// toggleCapture stops a running capture, or starts one anew.
func (m *model) toggleCapture() {
	if m.store.Status().Live {
		m.stopCapture()
		m.notice = "the capture is stopped; Ctrl-E starts a new one"
		return
	}
	m.restart()
}

type restartMsg struct {
	store *capture.Store
	err   error
}

// restart captures anew with the same settings. Unsaved packets are asked for first.
func (m *model) restart() {
	opt := m.cfg.Capture
	if len(opt.Interfaces) == 0 {
		m.notice = "this is a saved capture; live capture starts with remora -i IFACE"
		return
	}
	if m.store.Status().Unsaved && m.store.Len() > 0 {
		m.store.Keep() // offered for recovery at the next start rather than lost
	}
	m.pending = append(m.pending, func() any {
		store, err := m.cfg.Live(opt)
		return restartMsg{store, err}
	})
}

func (m *model) onRestart(r restartMsg) {
	if r.err != nil {
		m.notice = r.err.Error()
		return
	}
	s, err := dissect.NewSession(m.reg, r.store, m.cfg.DecodeAs...)
	if err != nil {
		m.notice = err.Error()
		return
	}
	old, text := m.store, ""
	if m.shown != nil {
		text = m.shown.filter.String()
	}
	m.attach(r.store, s)
	if old != nil {
		old.Close()
	}
	if text != "" {
		m.applyFilter(text)
	}
}

// mouse handles clicks, the wheel and dragging the rule.
func (m *model) mouse(msg tea.Msg) {
	if m.chooser != nil || m.help || m.asking != "" || m.s == nil {
		return
	}
	p := m.layout()
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		n := 3
		if e.Button == tea.MouseWheelUp {
			n = -3
		}
		m.wheel(p, e.X, e.Y, n)
	case tea.MouseClickMsg:
		if e.Button == tea.MouseLeft {
			m.click(p, e.X, e.Y)
		}
	case tea.MouseMotionMsg:
		if m.dragging {
			m.share = max(15, min(80, (e.Y-2)*100/max(1, m.h-4)))
		}
	case tea.MouseReleaseMsg:
		m.dragging = false
	}
}

// wheel scrolls what is under the pointer and leaves the selection alone.
func (m *model) wheel(p places, x, y, n int) {
	switch {
	case p.list.has(x, y):
		m.follow = false
		m.top = max(0, min(m.top+n, max(0, m.rows()-(p.list.h-1))))
	case p.tree.has(x, y):
		m.treePane.top = max(0, min(m.treePane.top+n, max(0, len(m.treePane.lines)-p.tree.h)))
	case p.hex.has(x, y):
		m.hex.top = max(0, m.hex.top+n)
	}
}

func (m *model) click(p places, x, y int) {
	switch {
	case p.filter.has(x, y):
		m.do(actFilter, 0)
	case p.list.has(x, y):
		m.focus, m.follow = paneList, false
		if row := m.top + y - p.list.y - 1; y > p.list.y && row < m.rows() {
			m.moveTo(row)
		}
	case p.rule.has(x, y):
		m.dragging = true
	case p.tree.has(x, y) && m.tree != nil:
		m.focus = paneTree
		line := m.treePane.top + y - p.tree.y
		again := line == m.treePane.cur
		if line < len(m.treePane.lines) {
			m.moveTree(line)
			if again {
				m.enterNode()
			}
		}
	case p.hex.has(x, y) && m.tree != nil:
		m.focus = paneHex
		m.clickHex(p.hex, x, y)
	}
}

// clickHex selects the byte under the pointer, in the hex or the text column, or a data source's tab.
func (m *model) clickHex(r rect, x, y int) {
	n, row := perLine(r.w), y-r.y
	if len(m.tree.Sources()) > 1 {
		if row == 0 {
			m.nextSource()
			return
		}
		row--
	}
	col := x - r.x - 7
	text := 6 + 3*n + n/16 + 2
	byteAt := -1
	if c := x - r.x - text; c >= 0 && c < n {
		byteAt = c
	} else if col >= 0 {
		if n == 16 && col >= 24 {
			col--
		}
		if col/3 < n {
			byteAt = col / 3
		}
	}
	if byteAt >= 0 {
		m.moveHex((m.hex.top+row)*n + byteAt)
	}
}
