package ui

import (
	"os"
	"path/filepath"

	"remora/dissect"
	"remora/ui/control"
	"remora/ui/source"
	"remora/ui/view/calls"
	"remora/ui/view/files"
	"remora/ui/view/flow"
	"remora/ui/view/tcpgraph"
)

// openCalls returns what lists calls, or streams of RTP.
func openCalls(m *model, streams bool) func() {
	c := viewContext{m}
	ladder := func(title string, frames []dissect.FrameNum, notes map[dissect.FrameNum]string) {
		m.views.Open(flow.Of(c, title, frames, notes))
	}
	return func() { m.views.Open(calls.New(c, ladder, streams)) }
}

// openStreamGraph draws the selected packet's stream; the name of a graph may be left out.
func openStreamGraph(m *model, name string) {
	v := tcpgraph.New(viewContext{m}, tcpgraph.Named(name))
	if v == nil {
		m.foot.Notice = "the selected packet is of no TCP stream"
		return
	}
	m.views.Open(v)
}

// openFiles lists the captures of a folder: of the one that is named, else where the open file is, else of this one.
func openFiles(m *model, dir string) {
	if dir == "" && m.capture.file != "" {
		dir = filepath.Dir(m.capture.file)
	}
	m.views.Open(files.New(viewContext{m}, dir, m.control.Open, func(path string) { openTab(m, path) }))
}

// openSet lists the files of the set that the open one belongs to.
func openSet(m *model, _ string) {
	set := source.FileSet(m.capture.file)
	if set == nil {
		m.foot.Notice = control.NoSet
		return
	}
	m.views.Open(files.NewSet(viewContext{m}, m.capture.file, set, m.control.Open, func(path string) { openTab(m, path) }))
}

// openPath opens a file, or lists the captures of a folder.
func openPath(m *model, path string) {
	if info, err := os.Stat(source.ExpandHome(path)); path != "" && err == nil && info.IsDir() {
		openFiles(m, path)
		return
	}
	m.control.Open(path)
}
