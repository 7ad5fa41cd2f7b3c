package search

import (
	"context"
	"sync/atomic"

	"remora/dissect"
	"remora/ui/humanize"
)

// seekAtOnce is how many packets a search looks at before it goes on beside everything else: well under a frame's time.
const seekAtOnce = 50_000

// seeking is a search in the background. Any further key that moves ends it.
type seeking struct {
	cancel func()
	what   string
	total  int
	looked atomic.Int64
	then   func()           // once it has arrived
	left   int              // how many such packets are still to be found
	last   dissect.FrameNum // the last one found so far
	again  int              // how often the search goes on from what it finds
	step   int              // in which direction
}

func (j *seeking) progress() string {
	if j == nil {
		return ""
	}
	text := "searching"
	if j.what != "" {
		text += " " + j.what
	}
	return text + ", looked at " + humanize.Group(int(j.looked.Load())) + " of " + humanize.Group(j.total) + " packets"
}

// Seek moves to the packet shown for which same says yes for the by-th time, forward or, where by is negative,
// backward; to the last such one where there are fewer. It looks at the index alone; same must be safe beside the
// screen.
func (s *Search) Seek(by int, same func(n dissect.FrameNum) bool) {
	s.seekAs(by, seekAtOnce, "", same, nil)
}

// seekAs is seek with the number of packets to look at before it goes on beside the screen, what is searched, and what
// to do at the packet found.
func (s *Search) seekAs(by, atOnce int, what string, same func(n dissect.FrameNum) bool, then func()) {
	s.EndSeek()
	step := step1(by)
	rows, row := s.packets.Rows(), s.packets.Row(s.packet.Frame)+step
	if step > 0 && s.packets.Filtered != nil && row-step < rows && s.packets.Frame(row-step) != s.packet.Frame {
		row -= step // the selected packet is hidden: its row is already the next one
	}
	job := &seeking{what: what, then: then, step: step, total: rows - row, left: by * step}
	if step < 0 {
		job.total = row + 1
	}
	frame := s.packets.Frames() // as they are shown now: beside the screen nobody may ask the model
	n, at := seekRows(context.Background(), job, frame, row, rows, step, atOnce, same)
	if at < 0 {
		s.arrive(n, then)
		return
	}
	s.seeking = job
	job.cancel = s.c.Later("searching", func(ctx context.Context) func() {
		n, _ := seekRows(ctx, job, frame, at, rows, step, rows, same)
		return func() { s.found(job, n) }
	})
}

// seekRows looks at no more than most rows. It returns the packet found, or 0; at is the row to go on with, -1 at the
// end.
func seekRows(ctx context.Context, job *seeking, frame func(row int) dissect.FrameNum, row, rows, step, most int,
	same func(n dissect.FrameNum) bool) (n dissect.FrameNum, at int) {
	for looked := 0; row >= 0 && row < rows; row += step {
		if looked++; looked > most || looked%256 == 0 && ctx.Err() != nil {
			return 0, row
		}
		if looked%256 == 0 {
			job.looked.Add(256)
		}
		if n := frame(row); same(n) {
			if job.left, job.last = job.left-1, n; job.left <= 0 {
				return n, -1
			}
		}
	}
	return job.last, -1
}

func (s *Search) arrive(n dissect.FrameNum, then func()) {
	if n == 0 {
		s.c.Notify(s.nowhere(then != nil))
		return
	}
	s.c.Notify("")
	s.c.GoTo(n)
	if then != nil && s.packet.Frame == n {
		then()
	}
}

// nowhere says that there is no further packet; of a search also how many there are.
func (s *Search) nowhere(searched bool) string {
	text, h := "there is no further one", s.hits
	if h == nil || !searched {
		return text
	}
	if err := h.Finder.Stopped(); err != nil {
		return err.Error()
	}
	switch count, looked, _ := h.State(s.packet.Frame); {
	case count > 0:
		return text + " of " + humanize.Group(count) + " found"
	case looked < h.Rows():
		return "found nowhere from here on: " + dissect.Escape(h.Text)
	}
	return "found nowhere in the packets shown: " + dissect.Escape(h.Text)
}

// found is the end of a search that went on in the background; 0: there is none.
func (s *Search) found(job *seeking, n dissect.FrameNum) {
	if job != s.seeking {
		return
	}
	s.seeking = nil
	s.arrive(n, job.then)
	if job.again > 0 && n != 0 {
		s.Next(job.step, job.again)
	}
}

// EndSeek ends the search in the background, if there is one.
func (s *Search) EndSeek() {
	if s.seeking != nil {
		s.seeking.cancel()
		s.seeking = nil
	}
}

func step1(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}
