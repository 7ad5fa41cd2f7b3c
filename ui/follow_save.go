package ui

import (
	"io"

	"remora/ui/amount"
	"remora/ui/dialogue"
	"remora/ui/source"
)

// export has what is read written to a file, beside the screen: messages as lines of text, else the bytes of the directions
// shown, as they are shown.
func (v *followView) export(m *model, path string) {
	talk, way, reading, epoch := v.talk, v.Way, v.Reading, m.epoch()
	m.notice = "saving to " + path
	m.pending = append(m.pending, func() any {
		defer m.guard("saving")
		n := 0
		err := writeFile(source.ExpandHome(path), func(w io.Writer) (err error) {
			n, err = dialogue.Write(w, talk, reading, way, epoch)
			return err
		})
		return exported{path, amount.Group(n) + " bytes", err}
	})
}

// exported is the end of writing something to a file.
type exported struct {
	path string
	what string
	err  error
}

func (m *model) onExported(e exported) {
	m.notice = e.what + " saved to " + e.path
	if e.err != nil {
		m.notice = "not saved: " + e.err.Error()
	}
}
