package search

import (
	"cmp"
	"context"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/complete"
	"remora/ui/find"
	"remora/ui/paint"
	"remora/ui/view"
)

// labels stand in front of what is searched, by the mode.
var labels = [find.Modes]string{" find text or 0xBYTES: ", " find in the details: ", ` find bytes or "text": `,
	" find regular expression: ", " find by filter: "}

// Finder understands what is searched here.
func (s *Search) Finder(mode find.Mode, text string) (*find.Finder, error) {
	scope := s.c.Scope()
	return find.New(scope.Session.Registry(), mode, text, scope.Options, s.packet.Tree)
}

// Open opens the search. In the tree it begins with the lines of the tree, in the bytes with bytes. The line is empty,
// so that what was searched before needs no deleting; Enter in the empty line searches that again, and the key for the
// line before has it.
func (s *Search) Open() {
	switch {
	case s.c.Place() == InTree:
		s.Mode = find.Details
	case s.c.Place() == InBytes:
		s.Mode = find.Bytes
	case s.Mode == find.Details || s.Mode == find.Bytes:
		s.Mode = find.Anything
	}
	s.c.Prompt(view.Prompt{
		Mode: func() string { return labels[s.Mode] }, Check: s.check, Resolve: s.resolve, Take: s.take, Says: s.says,
		Accept: func(text string) {
			if s.Text = text; text != "" {
				s.Find(1)
			}
		},
	})
}

// check tries to understand what is searched.
func (s *Search) check(text string, at int) (offers []complete.Offer, problem string) {
	if _, err := s.Finder(s.Mode, text); err != nil && text != "" {
		problem = err.Error()
	}
	if s.Mode == find.Filter && text != "" {
		offers = s.c.Complete(text, at)
	}
	return offers, problem
}

// resolve is what is searched: what is typed, or else what was searched before.
func (s *Search) resolve(t view.Typed) (text string, ok bool) { return cmp.Or(t.Text, s.Text), true }

// take goes on to the next thing to look at, where nothing is offered for a filter.
func (s *Search) take(t view.Typed) (text string, ok bool) {
	if s.Mode == find.Filter && t.Offer != nil {
		return "", false
	}
	s.nextMode()
	return t.Text, true
}

// says what the keys do with what is typed.
func (s *Search) says(t view.Typed) (string, paint.Pen) {
	style := s.c.Style()
	enter, tab := style.Key(act.LineAccept), style.Key(act.LineTake)
	if t.Text == "" && s.Text != "" {
		again := dissect.Escape(paint.Fit(s.Text, min(paint.Width(s.Text), 20)))
		return enter + " finds " + again + " again, " + tab + " elsewhere", style.Pens.Dim
	}
	return enter + " finds, " + tab + " looks elsewhere", style.Pens.Dim
}

// nextMode goes to the next thing to look at.
func (s *Search) nextMode() { s.Mode = (s.Mode + 1) % find.Modes }

// Next goes on to the n-th next place. Where a search goes on beside the screen, so do those behind it.
func (s *Search) Next(step, n int) {
	from := len(s.back)
	for left := max(1, n) - 1; left >= 0; left-- {
		at, here := s.packet.Frame, s.place()
		if s.Find(step); s.seeking != nil {
			s.seeking.again = left
			return
		}
		if s.packet.Frame == at && s.place() == here {
			break
		}
	}
	s.back = s.back[:min(len(s.back), from+1)] // one jump, however far
}

// place is where the cursors of the tree and the bytes are.
func (s *Search) place() [2]int { return [2]int{s.packet.Node, s.packet.Byte} }

// Find goes to the next place, in a direction, that holds what is searched: in the tree or the bytes when the cursor is
// there, then in the packets shown.
func (s *Search) Find(step int) {
	if s.Text == "" {
		s.Open()
		return
	}
	if s.packet.Frame == 0 {
		return
	}
	fd, err := s.Finder(s.Mode, s.Text)
	if err != nil {
		s.c.Notify(err.Error())
		return
	}
	if s.here(fd, step) {
		return
	}
	s.seekHit(fd, step)
}

// seekHit goes to the next packet shown that holds what is searched.
func (s *Search) seekHit(fd *find.Finder, step int) {
	row, then := s.packets.CapturedRow(s.packet.Frame), func() { s.show(fd, step) }
	if h := s.hits; h == nil || h.Text != s.Text || h.Finder.Mode != fd.Mode || h.Of != s.packets.Filtered ||
		h.Session != s.packets.Session || !h.Near(row) {
		s.EndHits()
		s.hits = s.newHits(fd, s.Text, min(row, s.packets.Rows()), step)
	}
	h := s.hits
	h.Turn(step)
	if s.packets.Order != nil {
		l := s.packets.Session.GuardedDissector()
		s.seekAs(step, 1, s.Text, func(n dissect.FrameNum) bool {
			if found, known := h.Has(n, h.Of.Row(n)); known {
				return found
			}
			return !h.Skip[n] && fd.Packet(l, n)
		}, then)
		return
	}
	s.EndSeek()
	if n, known, _ := h.Next(s.packet.Frame, row, step); known {
		s.arrive(n, then)
		return
	}
	job := &seeking{what: s.Text, then: then, total: h.Rows(), step: step}
	s.seeking = job
	cur := s.packet.Frame
	job.cancel = s.c.Later("searching", func(ctx context.Context) func() {
		for {
			n, known, more := h.Next(cur, row, step)
			if known {
				return func() { s.found(job, n) }
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

// here looks in the pane that the cursor is in.
func (s *Search) here(fd *find.Finder, step int) bool {
	if s.packet.Tree == nil || s.packet.Ignored() {
		return false
	}
	switch {
	case s.c.Place() == InTree && (fd.Mode == find.Details || fd.Mode == find.Pattern):
		i := fd.Node(s.packet.Tree, s.packet.Node+step, step)
		if i >= 0 {
			s.c.SelectNode(i)
		}
		return i >= 0
	case s.c.Place() == InBytes && fd.Mode == find.Bytes:
		at := fd.ByteAt(s.packet.Tree.Source(s.packet.Source), s.packet.Byte+step, step)
		if at >= 0 {
			s.c.MoveByte(at)
		}
		return at >= 0
	}
	return false
}

// show puts the cursor of the tree or the bytes on what was found in the packet.
func (s *Search) show(fd *find.Finder, step int) {
	from := 0
	switch fd.Mode {
	case find.Details, find.Pattern:
		if step < 0 {
			from = len(s.packet.Tree.Nodes) - 1
		}
		if i := fd.Node(s.packet.Tree, from, step); i >= 0 {
			s.c.SelectNode(i)
		}
	case find.Bytes, find.Anything:
		for src := range s.packet.Tree.Sources() {
			if step < 0 {
				from = len(s.packet.Tree.Source(uint8(src))) - 1
			}
			if at := fd.ByteAt(s.packet.Tree.Source(uint8(src)), from, step); at >= 0 {
				s.packet.Source = uint8(src)
				s.c.MoveByte(at)
				return
			}
		}
	}
}
