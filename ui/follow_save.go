package ui

import (
	"io"

	"remora/dissect/follow"
	"remora/ui/amount"
	"remora/ui/source"
)

// export has what is read written to a file, beside the screen: messages as lines of text, else the bytes of the directions
// shown.
func (v *followView) export(m *model, path string) {
	talk, way, messages := v.talk, v.way, v.messages()
	epoch := m.epoch()
	m.notice = "saving to " + path
	m.pending = append(m.pending, func() any {
		defer m.guard("saving")
		n, err := exportTalk(talk, source.ExpandHome(path), way, messages, epoch)
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

func exportTalk(t *follow.Talk, path string, way int, messages bool, epoch int64) (total int, err error) {
	err = writeFile(path, func(w io.Writer) error {
		for i := range t.Len() {
			u := t.Unit(i)
			if way >= 0 && u.Dir != way {
				continue
			}
			b := u.Data
			if messages {
				b = []byte(messageText(&u, epoch))
			}
			n, err := w.Write(b)
			if total += n; err != nil {
				return err
			}
		}
		return nil
	})
	return total, err
}
