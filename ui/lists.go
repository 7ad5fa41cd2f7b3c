package ui

import (
	"path/filepath"

	"remora/internal/home"
)

// lists are what is kept between runs.
type lists struct{ filters, recent, favourites, columns home.List }

// later does something with files beside the screen, one after the other.
func (m *model) later(do func()) {
	m.pending = append(m.pending, func() any {
		m.files.Lock()
		defer m.files.Unlock()
		do()
		return nil
	})
}

func newLists(dir string) lists {
	return lists{filters: home.NewList(dir, "filters", 500), recent: home.NewList(dir, "recent", 50), favourites: home.NewList(dir, "favourites", 200), columns: home.NewList(dir, "columns", 50)}
}

// rememberFile puts a file on the list of those opened before.
func (m *model) rememberFile(path string) {
	m.file = ""
	if path == "" || path == "-" {
		return
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	m.file = path
	m.lists.recent.Add(path)
}
