package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui/act"
	"remora/ui/chooser"
	"remora/ui/complete"
	"remora/ui/source"
	"remora/ui/view"
)

// openCommand opens another file, or goes back to the choice of sources. What would be lost is asked about first.
func (m *model) openCommand(path string) {
	if path == "" {
		m.choose()
		return
	}
	m.leaving("Open another file?", func() {
		path := source.ExpandHome(path)
		m.notice = "opening " + path
		m.pending = append(m.pending, func() any {
			store, err := m.cfg.Open(path)
			return switched{store: store, file: path, err: err}
		})
	})
}

// openOffers are the files that begin as typed, and those opened before.
func (m *model) openOffers(typed string) []complete.Offer {
	var out []complete.Offer
	if typed == "" {
		for _, path := range slices.Backward(m.lists.recent.Lines()) {
			out = append(out, complete.Offer{Completion: filter.Completion{Text: path, Doc: "opened before"}, Packets: -1})
		}
		return out[:min(len(out), 9)]
	}
	if more := source.CompletePath(typed); more != typed {
		out = append(out, complete.Offer{Completion: filter.Completion{Text: more, To: len(typed)}, Packets: -1})
	}
	return out
}

// choose shows the sources again; the capture goes on until another one is opened.
func (m *model) choose() {
	if m.cfg.Live == nil {
		m.notice = "there is nothing else to choose here"
		return
	}
	m.chooser = chooser.New(m.ctx, chooserContext{viewContext{m}}, m.sources(), true)
}

// sources are the ways to captures, and what earlier runs left of them.
func (m *model) sources() chooser.Sources {
	return chooser.Sources{
		Capture: &m.cfg.Capture, Open: m.cfg.Open, Live: m.cfg.Live, Listen: m.cfg.Listen,
		Recover: func(o capture.RecoveredCapture) (*capture.Store, error) { return o.Open(m.ctx, capture.Options{}) },
		IsDisplayFilter: func(text string) bool {
			_, err := filter.CompileWith(m.reg, text, m.cfg.Filters)
			return err == nil
		},
		Recent: m.lists.recent, Games: m.lists.sessionCounts, Chosen: m.lists.chosen,
	}
}

// switched is a source that takes the place of the one that is open.
type switched struct {
	store   *capture.Store
	session *dissect.Session // of the store, if there is one already
	opt     capture.Options  // of a live capture
	file    string
	err     error
	kept    string // the display filter that goes over
}

// leaving does something that gives up the packets that are here, after asking when they would be lost.
func (m *model) leaving(title string, then func()) {
	lost := m.unsaved()
	if lost == "" {
		then()
		return
	}
	m.dialog.Ask(title, lost,
		view.Answer{Act: act.AnswerYes, Label: "go on without saving", Do: then},
		view.Answer{Act: act.AnswerSave, Label: "save them first", Do: func() { m.saveThen(then) }})
}

// onSwitched shows the new source and closes the old one.
func (m *model) onSwitched(o switched) {
	if o.err != nil {
		m.notice = strings.ReplaceAll(o.err.Error(), "\n", " ")
		return
	}
	s := o.session
	if s == nil {
		var err error
		if s, err = dissect.NewSession(m.reg, o.store, m.cfg.DecodeAs...); err != nil {
			o.store.Close()
			m.notice = err.Error()
			return
		}
	}
	old := m.packets.Store
	if len(o.opt.Interfaces) > 0 {
		m.cfg.Capture = o.opt
	} else {
		m.cfg.Capture.Interfaces = nil
	}
	m.rememberFile(o.file)
	m.attach(o.store, s)
	if old != nil {
		old.Close()
	}
	if o.kept != "" {
		m.applyFilter(o.kept)
	}
}

// playCommand plays the file anew as if it came from an interface, or changes the speed while it plays.
func (m *model) playCommand(arg string) {
	speed := 1.0
	if arg != "" {
		v, err := strconv.ParseFloat(strings.TrimLeft(arg, "x×"), 64)
		if err != nil || !(v >= 0 && v <= 1e6) {
			m.notice = ":play takes a speed: 1 is as captured, 10 ten times as fast, 0 the rest at once"
			return
		}
		speed = v
	}
	st := m.packets.Store.Status()
	switch {
	case st.Pace > 0 && m.packets.Store.Play(speed):
		if m.notice = "playing at " + strconv.FormatFloat(speed, 'g', 4, 64) +
			" times the speed it was captured with"; speed == 0 {
			m.notice = "the rest comes at once"
		}
	case st.Live || m.capture.file == "" || m.cfg.Play == nil || speed == 0:
		m.notice = ":play plays a saved capture; this one comes as it is"
	default:
		m.playAnew(speed)
	}
}

func (m *model) playAnew(speed float64) {
	path, text := m.capture.file, ""
	if m.packets.Filtered != nil {
		text = m.packets.Filtered.Filter.String()
	}
	m.leaving("Play it anew?", func() {
		m.pending = append(m.pending, func() any {
			store, err := m.cfg.Play(path, speed)
			return switched{store: store, file: path, err: err, kept: text}
		})
	})
}
