package ui

import (
	"context"

	"remora/dissect"
	"remora/ui/find"
)

var findPrompts = [find.Modes]string{" find text or 0xBYTES: ", " find in the details: ", ` find bytes or "text": `, " find regular expression: ", " find by filter: "}

// newFinder understands what is searched here.
func (m *model) newFinder(mode find.Mode, text string) (*find.Finder, error) {
	return find.New(m.reg, mode, text, m.cfg.Filters, m.selected.Tree)
}

// openFind opens the search. In the tree it begins with the lines of the tree, in the bytes with bytes. The line is empty, so that
// what was searched before needs no deleting; Enter in the empty line searches that again, and the key for the line before has it.
func (m *model) openFind() {
	switch {
	case m.focus == paneTree:
		m.finding.mode = find.Details
	case m.focus == paneHex:
		m.finding.mode = find.Bytes
	case m.finding.mode == find.Details || m.finding.mode == find.Bytes:
		m.finding.mode = find.Anything
	}
	m.startEdit(editFindPacket, "")
}

// nextFindMode goes to the next thing to look at.
func (m *model) nextFindMode() {
	m.finding.mode = (m.finding.mode + 1) % find.Modes
	m.checkInput()
}

// findTimes goes on to the n-th next place. Where a search goes on beside the screen, so do those behind it.
func (m *model) findTimes(step, n int) {
	from := len(m.way.back)
	for left := max(1, n) - 1; left >= 0; left-- {
		at, here := m.selected.Frame, m.placeInPacket()
		if m.findText(step); m.finding.seeking != nil {
			m.finding.seeking.again = left
			return
		}
		if m.selected.Frame == at && m.placeInPacket() == here {
			break
		}
	}
	m.way.back = m.way.back[:min(len(m.way.back), from+1)] // one jump, however far
}

// placeInPacket is where the cursors of the tree and the bytes are.
func (m *model) placeInPacket() [2]int { return [2]int{m.tree.Line(), m.selected.Byte} }

// findText goes to the next place, in a direction, that holds what is searched: in the tree or the bytes when the cursor is
// there, then in the packets shown.
func (m *model) findText(step int) {
	if m.finding.text == "" {
		m.openFind()
		return
	}
	if m.selected.Frame == 0 {
		return
	}
	fd, err := m.newFinder(m.finding.mode, m.finding.text)
	if err != nil {
		m.notice = err.Error()
		return
	}
	if m.findHere(fd, step) {
		return
	}
	m.seekHit(fd, step)
}

// seekHit goes to the next packet shown that holds what is searched.
func (m *model) seekHit(fd *find.Finder, step int) {
	row, then := m.packets.CapturedRow(m.selected.Frame), func() { m.showFound(fd, step) }
	if h := m.finding.hits; h == nil || h.Text != m.finding.text || h.Finder.Mode != fd.Mode || h.Of != m.packets.Filtered || h.Session != m.packets.Session || !h.Near(row) {
		m.endHits()
		m.finding.hits = m.newHits(fd, m.finding.text, min(row, m.packets.Rows()), step)
	}
	h := m.finding.hits
	h.Turn(step)
	if m.packets.Order != nil {
		l := m.packets.Session.Dissector()
		m.seekAs(step, 1, m.finding.text, func(n dissect.FrameNum) bool {
			if found, known := h.Has(n, h.Of.Row(n)); known {
				return found
			}
			return !h.Skip[n] && fd.Packet(l, n)
		}, then)
		return
	}
	m.endSeek()
	if n, known, _ := h.Next(m.selected.Frame, row, step); known {
		m.arrive(n, then)
		return
	}
	ctx, cancel := context.WithCancel(m.ctx)
	job := &seeking{what: m.finding.text, then: then, total: h.Rows(), cancel: cancel, step: step}
	m.finding.seeking = job
	cur := m.selected.Frame
	m.pending = append(m.pending, func() any {
		for {
			n, known, more := h.Next(cur, row, step)
			if known {
				return found{job, n}
			}
			_, looked, _ := h.State(cur)
			job.looked.Store(int64(looked))
			select {
			case <-more:
			case <-ctx.Done():
				return nil
			}
		}
	})
}

// findHere looks in the pane that the cursor is in.
func (m *model) findHere(fd *find.Finder, step int) bool {
	if m.selected.Tree == nil || m.selected.Ignored() {
		return false
	}
	switch {
	case m.focus == paneTree && (fd.Mode == find.Details || fd.Mode == find.Pattern):
		i := fd.Node(m.selected.Tree, m.selected.Node+step, step)
		if i >= 0 {
			m.tree.Select(i)
		}
		return i >= 0
	case m.focus == paneHex && fd.Mode == find.Bytes:
		at := fd.ByteAt(m.selected.Tree.Source(m.selected.Source), m.selected.Byte+step, step)
		if at >= 0 {
			m.hex.MoveTo(at)
		}
		return at >= 0
	}
	return false
}

// showFound puts the cursor of the tree or the bytes on what was found in the packet.
func (m *model) showFound(fd *find.Finder, step int) {
	from := 0
	switch fd.Mode {
	case find.Details, find.Pattern:
		if step < 0 {
			from = len(m.selected.Tree.Nodes) - 1
		}
		if i := fd.Node(m.selected.Tree, from, step); i >= 0 {
			m.tree.Select(i)
		}
	case find.Bytes, find.Anything:
		for src := range m.selected.Tree.Sources() {
			if step < 0 {
				from = len(m.selected.Tree.Source(uint8(src))) - 1
			}
			if at := fd.ByteAt(m.selected.Tree.Source(uint8(src)), from, step); at >= 0 {
				m.selected.Source = uint8(src)
				m.hex.MoveTo(at)
				return
			}
		}
	}
}
