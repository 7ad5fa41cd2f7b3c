package ui

import (
	"time"

	"remora/capture"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/view"
)

// interrupt is Ctrl-C: first it stops a capture, then it leaves.
func (m *model) interrupt() {
	if m.packets.Store != nil && m.packets.Store.Status().Live && time.Since(m.ending.interrupted) > 2*time.Second {
		m.ending.interrupted = time.Now()
		m.stopCapture()
		m.notice = "the capture is stopped; Ctrl-C again leaves"
		return
	}
	m.askQuit()
}

func (m *model) stopCapture() {
	store := m.packets.Store
	m.pending = append(m.pending, func() any { store.Stop(); return nil })
}

// toggleCapture stops a running capture, or starts one anew.
func (m *model) toggleCapture() {
	if m.packets.Store.Status().Live {
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

// restart captures anew with the same settings, after asking when packets would be lost.
func (m *model) restart() {
	if len(m.cfg.Capture.Interfaces) == 0 {
		m.notice = "this is a saved capture; live capture starts with remora -i IFACE"
		return
	}
	lost := m.unsaved()
	if lost == "" {
		m.startAnew()
		return
	}
	m.dialog.Ask("Restart capture?", lost,
		view.Answer{Act: act.AnswerYes, Label: "restart without saving", Do: m.startAnew},
		view.Answer{Act: act.AnswerSave, Label: "save them first", Do: func() { m.saveThen(m.startAnew) }})
}

func (m *model) startAnew() {
	opt := m.cfg.Capture
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
	old, text := m.packets.Store, ""
	if m.packets.Filtered != nil {
		text = m.packets.Filtered.Filter.String()
	}
	m.attach(r.store, s)
	if old != nil {
		old.Close()
	}
	if text != "" {
		m.applyFilter(text)
	}
}

// unsaved says what would be lost if this capture were closed, or "".
func (m *model) unsaved() string {
	switch {
	case m.packets.Store == nil:
	case m.packets.Store.Status().Unsaved && m.packets.Store.Len() > 0:
		return humanize.Group(m.packets.Store.Len()) + " unsaved packets."
	case m.packets.Store.CommentsChanged():
		return "Unsaved comments."
	}
	return ""
}

// askQuit leaves, after asking when live packets would be lost.
func (m *model) askQuit() {
	lost := m.unsaved()
	if lost == "" {
		m.ending.quit = true
		return
	}
	m.dialog.Ask("Quit?", lost,
		view.Answer{Act: act.AnswerYes, Label: "Quit without saving", Do: func() { m.ending.quit = true }},
		view.Answer{Act: act.AnswerSave, Label: "save them first",
			Do: func() { m.saveThen(func() { m.ending.quit = true }) }})
}

// saveThen asks for a file and goes on once everything is in it.
func (m *model) saveThen(next func()) {
	m.capture.afterSave = next
	m.applyFilter("") // all packets, not only those shown
	m.askSave(m.savePlace())
}
