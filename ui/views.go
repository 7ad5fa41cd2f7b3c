package ui

import "remora/ui/view"

// startExport asks where the numbers of the view go.
func (m *model) startExport() {
	v, ok := m.views.View().(view.Exporter)
	if !ok {
		m.foot.Notice = "e saves the numbers of packet types, statistics, expert info and the other views that count; " +
			"w saves packets"
		return
	}
	m.line.Open(view.Prompt{
		Label: " save these numbers to: ", Text: v.Sheet().Name + ".csv", Forget: true,
		Accept: func(path string) { m.views.Export(path, false) },
	})
}
