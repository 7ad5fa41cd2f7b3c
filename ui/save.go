package ui

import (
	"context"
	"errors"
	"sort"
	"strconv"
	"sync/atomic"

	"remora/capture"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/source"
	"remora/ui/view"
)

// saving is a save in the background.
type saving struct {
	path        string
	done, total atomic.Int64 // packets looked at, and all
	cancel      context.CancelFunc
}

// saved is the end of a save.
type saved struct {
	path string
	n    int
	err  error
}

// askSave asks for the file that the packets shown are saved to.
func (m *model) askSave(path string) {
	m.line.Open(view.Prompt{
		Label: " save shown packets to: ", Text: path, Accept: m.save, Cancel: func() { m.capture.afterSave = nil },
	})
}

// save writes the packets shown to a file, beside everything else that goes on.
func (m *model) save(path string) {
	switch {
	case path == "":
		m.notice, m.capture.afterSave = "name a file: :w capture.pcapng", nil
		return
	case m.capture.saving != nil:
		m.notice = "still saving to " + m.capture.saving.path + "; " + m.style.Key(act.ClearFilter) + " ends that"
		return
	}
	path = source.ExpandHome(path)
	m.marks.Keep(m.packets.Store, path, m.changeComments)
	which := m.whichShown()
	if n := m.losesComments(path, which); n > 0 {
		next := m.capture.afterSave
		m.capture.afterSave = nil
		m.dialog.Ask("Save without comments?",
			humanize.Group(n)+" of the packets have comments, and pcap files hold none. A name that ends in .pcapng keeps them.",
			view.Answer{Act: act.AnswerYes, Label: "save without comments",
				Do: func() { m.capture.afterSave = next; m.startSave(path, which) }},
			view.Answer{Act: act.AnswerSave, Label: "choose another name",
				Do: func() { m.capture.afterSave = next; m.askSave("") }})
		return
	}
	m.startSave(path, which)
}

func (m *model) startSave(path string, which func(i int) bool) {
	ctx, cancel := context.WithCancel(m.ctx)
	job := &saving{path: path, cancel: cancel}
	store := m.packets.Store
	m.capture.saving = job
	m.pending = append(m.pending, func() any {
		n := 0
		err := capture.SaveAs(store, path, which,
			capture.SaveOptions{Context: ctx, Saved: &n, Progress: func(done, total int) {
				job.done.Store(int64(done))
				job.total.Store(int64(total))
			}})
		return saved{path, n, err}
	})
}

// whichShown picks the packets that are shown now; nil is all of them.
func (m *model) whichShown() func(i int) bool {
	if m.packets.Filtered == nil {
		return nil
	}
	matches, n := &m.packets.Filtered.Matches, m.packets.Filtered.Matches.Len()
	return func(i int) bool {
		f := dissect.FrameNum(i + 1)
		at := sort.Search(n, func(k int) bool { return matches.At(k) >= f })
		return at < n && matches.At(at) == f
	}
}

func (m *model) onSaved(s saved) {
	next := m.capture.afterSave
	m.capture.saving, m.capture.afterSave = nil, nil
	switch {
	case errors.Is(s.err, context.Canceled):
		m.notice = "not saved: ended before all was written; " + s.path + " is as it was"
	case s.err != nil:
		m.notice = "not saved: " + s.err.Error()
	default:
		m.notice = humanize.Group(s.n) + " packets saved to " + s.path
		if next != nil {
			next()
		}
	}
}

// progress says how far the save is, or nothing.
func (s *saving) progress() string {
	if s == nil {
		return ""
	}
	return "saving to " + s.path + ", " + strconv.Itoa(int(s.done.Load()*100/max(1, s.total.Load()))) + " %"
}
