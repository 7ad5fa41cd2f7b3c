package ui

import (
	"path/filepath"
	"strconv"
	"strings"

	"remora/internal/userdirs"
	"remora/ui/favourites"
	"remora/ui/macros"
)

// lists are what is kept between runs.
type lists struct {
	filters, recent, columns, sessions, ticks, sizes, chosen, commands, marks userdirs.List

	favourites *favourites.Favourites
	macros     *macros.Macros
}

func newLists(dir string, c viewContext) lists {
	return lists{filters: userdirs.NewList(dir, "filters", 500), recent: userdirs.NewList(dir, "recent", 50),
		favourites: favourites.New(favouritesContext{c}, userdirs.NewList(dir, "favourites", 200)),
		macros:     macros.New(c.Notify, userdirs.NewList(dir, "macros", 200)),
		columns:    userdirs.NewList(dir, "columns", 50),
		sessions:   userdirs.NewList(dir, "sessions", 50), ticks: userdirs.NewList(dir, "ticks", 200),
		sizes: userdirs.NewList(dir, "sizes", 1), chosen: userdirs.NewList(dir, "chosen", 64),
		commands: userdirs.NewList(dir, "commands", 50), marks: userdirs.NewList(dir, "marks", 200)}
}

// rememberFile puts a file on the list of those opened before.
func (m *model) rememberFile(path string) {
	m.capture.file = ""
	if path == "" || path == "-" {
		return
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	m.capture.file = path
	m.lists.recent.Add(path)
}

// rememberSessions keeps how many games the file that is open holds, once all of it has been read.
func (m *model) rememberSessions() {
	if m.capture.file == "" || m.packets.Session == nil || !m.packets.Store.Status().Done ||
		m.packets.Session.Passed() < m.packets.Store.Len() {
		return
	}
	m.lists.keepSessions(m.capture.file, len(m.packets.Session.Games()))
}

func (l lists) keepSessions(path string, n int) {
	had, known := l.sessionCounts()[path]
	if known && had == n {
		return
	}
	if known {
		l.sessions.Remove(strconv.Itoa(had) + " " + path)
	}
	l.sessions.Add(strconv.Itoa(n) + " " + path)
}

// sessionCounts are the games of files opened before.
func (l lists) sessionCounts() map[string]int {
	out := map[string]int{}
	for _, line := range l.sessions.Lines() {
		number, path, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(number); err == nil {
			out[path] = n
		}
	}
	return out
}
