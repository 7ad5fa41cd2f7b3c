package ui

import (
	"context"
	"sync/atomic"

	"remora/dissect"
	"remora/ui/humanize"
)

// seekAtOnce is how many packets a search looks at before it goes on beside everything else: well under a frame's time.
const seekAtOnce = 50_000

// found is the end of a search that went on in the background.
type found struct {
	seek *seeking
	n    dissect.FrameNum // 0: there is none
}

// seeking is a search in the background. Any further key that moves ends it.
type seeking struct {
	cancel context.CancelFunc
	what   string
	total  int
	looked atomic.Int64
	then   func()           // once it has arrived
	left   int              // how many such packets are still to be found
	last   dissect.FrameNum // the last one found so far
	again  int              // how often the search goes on from what it finds
	step   int              // in which direction
}

func (s *seeking) progress() string {
	if s == nil {
		return ""
	}
	text := "searching"
	if s.what != "" {
		text += " " + s.what
	}
	return text + ", looked at " + humanize.Group(int(s.looked.Load())) + " of " + humanize.Group(s.total) + " packets"
}

// seek moves to the packet shown for which same says yes for the by-th time, forward or, where by is negative, backward; to
// the last such one where there are fewer. It looks at the index alone; same must be safe beside the screen.
func (m *model) seek(by int, same func(n dissect.FrameNum) bool) {
	m.seekAs(by, seekAtOnce, "", same, nil)
}

// seekAs is seek with the number of packets to look at before it goes on beside the screen, what is searched, and what to do
// at the packet found.
func (m *model) seekAs(by, atOnce int, what string, same func(n dissect.FrameNum) bool, then func()) {
	m.endSeek()
	step := step1(by)
	rows, row := m.packets.Rows(), m.packets.Row(m.selected.Frame)+step
	if step > 0 && m.packets.Filtered != nil && row-step < rows && m.packets.Frame(row-step) != m.selected.Frame {
		row -= step // the selected packet is hidden: its row is already the next one
	}
	job := &seeking{what: what, then: then, step: step, total: rows - row, left: by * step}
	if step < 0 {
		job.total = row + 1
	}
	frame := m.packets.Frames() // as they are shown now: beside the screen nobody may ask the model
	n, at := seekRows(context.Background(), job, frame, row, rows, step, atOnce, same)
	if at < 0 {
		m.arrive(n, then)
		return
	}
	var ctx context.Context
	ctx, job.cancel = context.WithCancel(m.ctx)
	m.finding.seeking = job
	m.pending = append(m.pending, func() any {
		defer m.guard("searching")
		n, _ := seekRows(ctx, job, frame, at, rows, step, rows, same)
		return found{job, n}
	})
}

// seekRows looks at no more than most rows. It returns the packet found, or 0; at is the row to go on with, -1 at the end.
func seekRows(ctx context.Context, job *seeking, frame func(row int) dissect.FrameNum, row, rows, step, most int, same func(n dissect.FrameNum) bool) (n dissect.FrameNum, at int) {
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

func (m *model) arrive(n dissect.FrameNum, then func()) {
	if n == 0 {
		m.notice = "there is no further one"
		if h := m.finding.hits; h != nil && then != nil {
			count, looked, _ := h.State(m.selected.Frame)
			switch {
			case count > 0:
				m.notice += " of " + humanize.Group(count) + " found"
			case looked < h.Rows():
				m.notice = "found nowhere from here on: " + dissect.Escape(h.Text)
			default:
				m.notice = "found nowhere in the packets shown: " + dissect.Escape(h.Text)
			}
			if err := h.Finder.Stopped(); err != nil {
				m.notice = err.Error()
			}
		}
		return
	}
	m.notice = ""
	m.list.Jump(n)
	if then != nil && m.selected.Frame == n {
		then()
	}
}

func (m *model) onFound(f found) {
	if f.seek == m.finding.seeking {
		m.finding.seeking = nil
		m.arrive(f.n, f.seek.then)
		if f.seek.again > 0 && f.n != 0 {
			m.findTimes(f.seek.step, f.seek.again)
		}
	}
}

func (m *model) endSeek() {
	if m.finding.seeking != nil {
		m.finding.seeking.cancel()
		m.finding.seeking = nil
	}
}

func step1(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}
