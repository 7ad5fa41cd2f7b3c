package statistics

// term is the filter for the line under the cursor.
func (v *View) term() string {
	at, d := v.tables[v.part].Cur, v.c.Scope().Drilldown()
	if at >= v.rows() {
		return ""
	}
	switch v.part {
	case partLevels:
		return d.Level(v.levels[at])
	case partConversations:
		return d.ConversationRow(&v.conversations[at])
	case partPorts:
		return d.Port(&v.ports[at], v.conversations)
	case partAnswers:
		return d.Response(&v.answers[at])
	case partPlayers:
		return v.playerRows[at].filter(d)
	}
	return d.End(&v.ends[at], v.conversations)
}
