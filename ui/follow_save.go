package ui

import (
	"bufio"
	"os"

	"remora/dissect/follow"
)

// export has what is read written to a file, beside the screen: messages as lines of text, else the bytes of the directions
// shown.
func (v *followView) export(m *model, path string) {
	talk, way, messages := v.talk, v.way, v.messages()
	epoch := m.epoch()
	m.notice = "saving to " + path
	m.pending = append(m.pending, func() any {
		defer m.guard("saving")
		n, err := exportTalk(talk, expandHome(path), way, messages, epoch)
		return exported{path, group(n) + " bytes", err}
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
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(f)
	for i := 0; i < t.Len() && err == nil; i++ {
		u := t.Unit(i)
		if way >= 0 && u.Dir != way {
			continue
		}
		n := 0
		if messages {
			n, err = w.WriteString(messageText(&u, epoch))
		} else {
			n, err = w.Write(u.Data)
		}
		total += n
	}
	if err == nil {
		err = w.Flush()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return total, err
}
