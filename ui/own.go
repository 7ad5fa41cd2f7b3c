package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/redissect"
	"remora/ui/view/lab"
	"remora/ui/view/scripts"
)

// Own are the dissectors that a person writes while the screen is shown. Only one goroutine asks.
type Own struct {
	// Stamp changes when one of their files is saved; nil: there are none.
	Stamp func() string
	// Load loads them again. The registry is nil where nothing changed but for mistakes; those name file and line.
	Load func() (*dissect.Registry, []error)
	// Renew makes a registry by the preferences that there are now, while Load may be asked, too.
	Renew func() (*dissect.Registry, error)
	// Scripts is what scripts show beside the packets.
	Scripts *scripts.Screen
	// Lab is what the lab needs beside the screen.
	Lab lab.Tools
}

// ownTime is how often their files are looked at.
const ownTime = 300 * time.Millisecond

// ownLoaded says that dissectors were saved, and what became of them.
type ownLoaded struct {
	reg      *dissect.Registry
	problems []error
}

// watch loads dissectors when they were saved. A file that is just being written is left until it rests.
func (o Own) watch(ctx context.Context, tell func(tea.Msg)) {
	if o.Stamp == nil {
		return
	}
	every := time.NewTicker(ownTime)
	defer every.Stop()
	loaded := o.Stamp()
	for before := loaded; ; {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		now := o.Stamp()
		if now != loaded && now == before {
			reg, problems := o.Load()
			tell(ownLoaded{reg, problems})
			loaded = o.Stamp() // of the files that they need now
			now = loaded
		}
		before = now
	}
}

// use has the packets dissected once more, by dissectors that were saved. Mistakes are told, and the last good
// version goes on.
func (o ownLoaded) use(m *model) {
	m.foot.Notice = "dissectors loaded"
	if len(o.problems) > 0 {
		m.foot.Notice = o.problems[0].Error() + "; the last good version goes on"
	}
	switch {
	case o.reg == nil:
	case m.packets.Session == nil:
		useRegistry(m, o.reg)
	case redissect.Room(m.packets):
		again := redissect.Anew{Registry: o.reg, Filter: func(text string) (*filter.Filter, error) {
			return compileWith(m, o.reg, text)
		}}
		if err := m.capture.again.Use(again, m.packets, m.jobs.Go, m.cfg.DecodeAs); err != nil {
			m.foot.Notice = "dissected as before: " + err.Error()
		}
	default:
		useRegistry(m, o.reg)
		if err := m.dissectAnew(); err != nil {
			m.foot.Notice = err.Error()
		}
	}
}

// useRegistry has everything that asks for protocols ask another registry.
func useRegistry(m *model, reg *dissect.Registry) {
	if reg == m.cfg.Registry {
		return
	}
	m.cfg.Registry = reg
	m.line.Completer.Use(reg)
	m.list.Use(reg)
	m.coloring.In(reg)
}

// openLab looks at the messages of a filter; "" are all that are shown.
func openLab(m *model) func(filter string) {
	return func(filter string) { m.views.Open(lab.New(viewContext{m}, filter, m.cfg.Own.Lab)) }
}

// openScripts shows what scripts show.
func openScripts(m *model, _ string) {
	if m.cfg.Own.Scripts == nil {
		m.foot.Notice = "no script can be loaded"
		return
	}
	m.views.Open(scripts.New(viewContext{m}, m.cfg.Own.Scripts))
}
