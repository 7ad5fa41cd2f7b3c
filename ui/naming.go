package ui

import "remora/dissect"

// Names are what a choice of names by letters leads to.
type Names struct {
	Lookup Lookup // asks for names of hosts while the screen is open; nil does not
	NoEnds bool   // leave out names and roles told by protocols
}

// named are names that were chosen while the screen is shown.
type named struct {
	letters string
	names   Names
	err     error
}

// resolve has the registry use the names of these letters, beside the screen: files of hosts are read.
func (m *model) resolve(letters string) {
	use := m.cfg.Name
	if use == nil {
		return
	}
	m.jobs.Add(func() any {
		names, err := use(letters)
		return named{letters, names, err}
	})
}

// onNamed draws what is called otherwise now.
func (m *model) onNamed(n named) {
	if n.err != nil {
		m.foot.Notice = "names stay as they are: " + dissect.Escape(n.err.Error())
		return
	}
	m.cfg.Resolve, m.cfg.Names, m.naming.lookedUp = n.letters, n.names, 0
	m.rename()
}
