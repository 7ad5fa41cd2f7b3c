package ui

import "remora/ui/doors"

// doors writes the filters behind the numbers that views show.
func (m *model) doors() doors.Writer { return doors.New(m.speller()) }

// term is the filter for the line under the cursor.
func (v *talkersView) term(m *model) string {
	at, d := v.tables[v.part].cur, m.doors()
	if at >= v.rows() {
		return ""
	}
	switch v.part {
	case partLevels:
		return d.Level(v.levels[at])
	case partTalks:
		return d.Talk(&v.talks[at])
	case partPorts:
		return d.Port(&v.ports[at], v.talks)
	case partAnswers:
		return d.Response(&v.answers[at])
	case partPlayers:
		return v.playerRows[at].filter(d)
	}
	return d.End(&v.ends[at], v.talks)
}
