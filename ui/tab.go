package ui

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"remora/dissect"
	"remora/ui/source"
	"remora/ui/tabs"
	"remora/ui/widget"
)

// A program is all that is on the terminal: one model, or several of which one is shown.
type program struct {
	tabs.Tabs
	ctx context.Context // ends with the program
}

// A tab is a model among others. Each has a capture, a session and all that was chosen for itself.
type tab struct {
	m    *model
	stop context.CancelFunc
}

// modelOf is the model of a tab.
func modelOf(s tabs.Screen) *model { return s.(*tab).m }

// openTab opens a file in a tab of its own, or lets a source be chosen there.
func openTab(m *model, path string) {
	cfg := m.cfg
	cfg.Filter, cfg.Page, cfg.File, cfg.Coloring = "", "", "", m.coloring.Kept
	cfg.Capture.Interfaces, cfg.Capture.Write = nil, ""
	open := func() {
		n := newModelIn(m.look.program, cfg)
		n.look.dark, n.look.few = m.look.dark, m.look.few
		n.repen()
	}
	if path == "" && cfg.Live == nil {
		m.foot.Notice = ":tabnew takes a file"
		return
	}
	if path == "" {
		open()
		return
	}
	path = source.ExpandHome(path)
	m.foot.Notice = "opening " + path
	m.jobs.Later("opening", func(context.Context) func() {
		store, err := cfg.Open(path)
		return func() {
			if err == nil {
				if cfg.Session, err = dissect.NewSession(cfg.Registry, store, cfg.DecodeAs...); err != nil {
					store.Close()
				}
			}
			if err != nil {
				m.foot.Notice = strings.ReplaceAll(err.Error(), "\n", " ")
				return
			}
			m.foot.Notice, cfg.Store, cfg.File = "", store, path
			open()
		}
	})
}

// goToTab shows the tab of a number, or the next one.
func goToTab(m *model, arg string) {
	n, err := strconv.Atoi(arg)
	switch {
	case arg == "":
		m.look.program.Step(1)
	case err != nil:
		m.foot.Notice = ":tabnext takes the number of a tab"
	default:
		m.look.program.Go(n)
	}
}

// Init asks for the background's colour and starts the pulse.
func (t *tab) Init() tea.Cmd { return t.m.Init() }

// Update takes a message.
func (t *tab) Update(msg tea.Msg) tea.Cmd {
	_, cmd := t.m.Update(msg)
	return cmd
}

// View is the screen.
func (t *tab) View() tea.View { return t.m.View() }

// Style is how the screen draws.
func (t *tab) Style() *widget.Style { return &t.m.style }

// Notify says something in the line above the keys.
func (t *tab) Notify(text string) { t.m.foot.Notice, t.m.look.stale = text, true }

// Ended tells whether the screen was left.
func (t *tab) Ended() (bool, error) { return t.m.ending.quit, t.m.ending.failure }

// Leave goes on with then, after asking when packets would be lost.
func (t *tab) Leave(then func()) {
	t.m.look.stale = true
	t.m.control.QuitTo(then)
}

// Label is the name of the capture.
func (t *tab) Label() tabs.Label {
	store := t.m.packets.Store
	if store == nil {
		return tabs.Label{Name: "Choose a capture source"}
	}
	st := store.Status()
	l := tabs.Label{Name: st.Name, Live: st.Live, Unsaved: t.m.saver.Unsaved() != ""}
	if t.m.capture.file != "" {
		l.Name = filepath.Base(t.m.capture.file)
	}
	return l
}

// Close closes the capture, and gives back the memory that it took.
func (t *tab) Close() {
	t.m.closeAll()
	t.stop()
	go debug.FreeOSMemory()
}
