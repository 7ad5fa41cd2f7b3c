package ui

import (
	"os"
	"path/filepath"
	"sort"
	"strings"

	"remora/capture"
	"remora/dissect"
)

// command does what is typed behind a colon.
func (m *model) command(text string) {
	name, arg, _ := strings.Cut(text, " ")
	switch name {
	case "":
	case "q", "quit":
		m.askQuit()
	case "q!", "quit!":
		m.quit = true
	case "w", "write", "save":
		m.save(strings.TrimSpace(arg))
	case "wq", "x":
		m.quitWhenSaved = true
		m.save(strings.TrimSpace(arg))
	case "help", "h":
		m.help = true
	default:
		n := 0
		for _, c := range name {
			if c < '0' || c > '9' || n > 1<<30 {
				m.notice = "there is no command " + name + "; there are :123, :w FILE, :q and :q!"
				return
			}
			n = n*10 + int(c-'0')
		}
		m.jumpTo(dissect.FrameNum(n))
	}
}

// saved is the end of a save.
type saved struct {
	path string
	n    int
	err  error
}

// save writes the packets shown to a file, beside everything else that goes on.
func (m *model) save(path string) {
	if path == "" {
		m.notice = "name a file: :w capture.pcapng"
		return
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	var which func(i int) bool
	if m.shown != nil {
		matches := &m.shown.matches
		which = func(i int) bool {
			n := dissect.FrameNum(i + 1)
			at := sort.Search(matches.Len(), func(k int) bool { return matches.At(k) >= n })
			return at < matches.Len() && matches.At(at) == n
		}
	}
	store := m.store
	m.notice = "saving to " + path
	m.pending = append(m.pending, func() any {
		n := 0
		err := capture.SaveAs(store, path, which, capture.SaveOptions{Saved: &n})
		return saved{path, n, err}
	})
}

func (m *model) onSaved(s saved) {
	if s.err != nil {
		m.notice, m.quitWhenSaved = "not saved: "+s.err.Error(), false
		return
	}
	m.notice = group(s.n) + " packets saved to " + s.path
	m.quit = m.quit || m.quitWhenSaved
}

// askQuit leaves, after asking when live packets would be lost.
func (m *model) askQuit() {
	if m.store != nil && m.store.Status().Unsaved && m.store.Len() > 0 {
		m.asking = group(m.store.Len()) + " captured packets are in no file yet and would be lost.\n \nLeave without saving? (n goes back; w there saves)"
		return
	}
	m.quit = true
}
