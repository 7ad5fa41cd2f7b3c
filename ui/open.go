package ui

import (
	"strings"

	"remora/capture"
	"remora/capture/live"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/chooser"
	"remora/ui/control"
	"remora/ui/listed"
	"remora/ui/redissect"
	"remora/ui/ticks"
	"remora/ui/views"
)

// show shows another capture and closes the one before.
func (m *model) show(o control.Opened) {
	if o.Err != nil {
		m.foot.Notice = strings.ReplaceAll(o.Err.Error(), "\n", " ")
		return
	}
	s := o.Session
	if s == nil {
		var err error
		if s, err = dissect.NewSession(m.cfg.Registry, o.Store, m.cfg.DecodeAs...); err != nil {
			o.Store.Close()
			m.foot.Notice = err.Error()
			return
		}
	}
	old := m.packets.Store
	if len(o.Options.Interfaces) > 0 {
		m.cfg.Capture = o.Options
	} else {
		m.cfg.Capture.Interfaces = nil
	}
	m.rememberFile(o.File)
	m.attach(o.Store, s)
	if old != nil {
		leave(m.jobs.Ctx, old)
	}
	if o.Filter != "" {
		m.applyFilter(o.Filter)
		m.list.Await(o.Selected)
	} else {
		m.list.Resume(o.Selected)
	}
	if m.foot.Notice == "" {
		m.foot.Notice = dissect.Escape(o.Says)
	}
}

// closeCapture closes the capture; a source is chosen, with none behind.
func closeCapture(m *model) {
	old := m.packets.Store
	m.detach()
	m.capture, *m.packets = openCapture{}, listed.Packets{}
	m.selected.Forget()
	m.tree.Clear()
	m.marks.Clear()
	m.foot.Notice = ""
	leave(m.jobs.Ctx, old)
	m.chooser = chooser.New(m.jobs.Ctx, chooserContext{viewContext{m}}, m.sources(), false)
}

// replace shows another session of the same packets. All that somebody chose stays.
func (m *model) replace(r *redissect.Run) {
	m.list.EndFewer()
	m.list.EndSorting()
	tab, stays, renew := m.views.Tab(), m.views.Stays(), m.views.Renews()
	m.views.End()
	m.capture.stop()
	m.capture.stopCounting()
	m.facets.Drop(nil)
	m.capture.stop, m.capture.stopCounting = r.StopPass, r.StopCounting
	r.Session.ShowNames(m.naming.on)
	useRegistry(m, r.Session.Registry())
	m.list.Change(func() { r.Show(m.packets) })
	said := m.foot.Notice
	if tab != views.Packets {
		m.views.OpenTab(tab)
	}
	if renew != nil {
		stays = renew()
	}
	if stays != nil {
		m.views.Open(stays)
	}
	m.foot.Notice = said
	m.packets.Speller = ticks.NewSpeller(r.Session, m.cfg.Registry, m.cfg.Filters)
	m.line.Completer.Forget()
	m.facets.Recount()
	if r.Lost != nil {
		m.applyFilter("")
		m.foot.Notice = "the filter is off: " + r.Lost.Error()
	}
}

// redraw forgets what was seen of a packet; 0 is of all.
func (m *model) redraw(n dissect.FrameNum) {
	if n == 0 {
		m.list.Redraw()
	}
	m.list.RedrawPacket(n)
	if cur := m.selected.Frame; cur > 0 && (n == 0 || n == cur) {
		m.selected.Tree = nil
		m.select_(cur)
	}
}

// refilter decides again what is shown.
func (m *model) refilter() {
	if text := m.packets.FilterText(); text != "" {
		m.applyFilter(text)
	}
}

// sources are the ways to captures, and what earlier runs left of them.
func (m *model) sources() chooser.Sources {
	return chooser.Sources{
		Capture: &m.cfg.Capture, Open: m.cfg.Open, Live: m.cfg.Live, Listen: m.cfg.Listen,
		Recover: func(o live.Recovered) (*capture.Store, error) { return o.Open(m.jobs.Ctx, capture.Options{}) },
		IsDisplayFilter: func(text string) bool {
			_, err := filter.CompileWith(m.cfg.Registry, text, m.cfg.Filters)
			return err == nil
		},
		Arguments: live.ExtcapArguments, Links: live.LinksOf,
		Kept:   m.cfg.KeptCapture,
		Recent: m.lists.recent, Games: m.lists.sessionCounts, Chosen: m.lists.chosen,
	}
}
