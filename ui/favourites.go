package ui

import (
	"strings"
)

// favourite keeps the filter that is on under a name; without a filter it applies the one of that name.
func (m *model) favourite(name string) {
	name = strings.Join(strings.Fields(name), " ")
	text := m.packets.FilterText()
	for _, line := range m.favouriteLines() {
		if n, old, _ := strings.Cut(line, "\t"); n == name {
			if text == "" {
				m.applyFilter(old)
				return
			}
			m.lists.favourites.Remove(line)
		}
	}
	switch {
	case name == "":
		m.notice = ":fav NAME keeps the filter that is on under that name"
	case text == "":
		m.notice = "there is no favourite called " + name
	default:
		m.lists.favourites.Add(name + "\t" + text)
		m.notice = "kept as " + name + "; :fav " + name + " brings it back, :unfav " + name + " forgets it"
	}
}

// favouriteLines are the favourites kept from the screen and, behind them, those of the settings, each "name TAB
// filter". A name counts once, as kept last.
func (m *model) favouriteLines() []string {
	lines := m.lists.favourites.Lines()
	have := map[string]bool{}
	for _, line := range lines {
		name, _, _ := strings.Cut(line, "\t")
		have[name] = true
	}
	for _, name := range sortedKeys(m.cfg.Favourites) {
		if !have[name] {
			lines = append(lines, name+"\t"+m.cfg.Favourites[name])
		}
	}
	return lines
}

func (m *model) unfavourite(name string) {
	for _, line := range m.lists.favourites.Lines() {
		if n, _, _ := strings.Cut(line, "\t"); n == strings.TrimSpace(name) {
			m.lists.favourites.Remove(line)
			m.notice = n + " is forgotten"
			return
		}
	}
	m.notice = "there is no favourite called " + name
	if m.cfg.Favourites[strings.TrimSpace(name)] != "" {
		m.notice = strings.TrimSpace(name) + " is written in the settings: take it away there"
	}
}
