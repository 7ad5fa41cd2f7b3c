package dissect

import "slices"

// PassRow passes the next frame, n, and returns what Redissect would with the wants of a row (see Registry.RowWants):
// the frame is dissected once for both. Where the first pass does not tell all that a row says, it is dissected again.
func (l *Dissector) PassRow(n FrameNum, w *Wants) *Tree {
	s := l.s
	if s.Passed()+1 != int(n) || s.firstWants != wantsNothing || !w.Row() || s.reg.foreign {
		l.PassTo(int(n))
		return l.Redissect(n, w)
	}
	s.firstWants, s.pass.d.past = s.pass.learned(w), l.d.past
	s.passTo(int(n), l.d.work)
	row := s.firstWants
	s.firstWants = wantsNothing
	d := &s.pass.d
	if row.learning || d.over != nil || d.apart || d.unpacks || d.unlocks() || d.t.full || d.hangs != nil {
		row.learning = false
		return l.Redissect(n, w)
	}
	return s.pass.passedRow(n)
}

// unlocks tells whether the frame has bytes that were made, by decryption for example, other than put together from
// segments: what is handed on of them the first pass does later than re-dissections.
func (d *D) unlocks() bool {
	return slices.ContainsFunc(d.t.more, func(made Source) bool { return made.Name != reassembled })
}

// passedRow completes the tree of a frame that has just passed.
func (l *Dissector) passedRow(n FrameNum) *Tree {
	s, d, t := l.s, &l.d, &l.t
	rec := s.records.At(int(n) - 1)
	sh := s.LayerStack(rec.stack())
	t.LayerStack, t.Severity, t.top, t.read = sh, rec.severity(), sh.top, true
	if t.titledOf != t.top {
		t.titled = ""
	}
	t.Src, t.Dst, t.Dir = d.Src, d.Dst, d.Dir
	if id, _ := splitRef(rec.conv); id != 0 {
		t.Conv = s.Conversation(id)
	}
	return t
}
