package ui

import (
	"remora/ui/act"
	"remora/ui/keys"
)

// press turns a key into an action and a count. Digits, first keys of several and letters of marks wait for more.
func (m *model) press(key string) (act.Action, int) {
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' && m.keying.keys == "" && (m.keying.count > 0 || key != "0") {
		m.keying.count = min(m.keying.count*10+int(key[0]-'0'), 1<<30)
		return act.None, 0
	}
	n, before, pressed := m.keying.count, m.keying.keys, key
	if m.room.focus == paneFacets && before == "" && m.views.View() == nil {
		if does := m.keymap.Facets(key); does != act.None {
			m.keying.count = 0
			return does, n
		}
	}
	if before != "" {
		pressed = before + " " + key
	}
	does := m.keymap.Does[pressed]
	if m.keying.takes != act.None && does == act.None {
		m.markKey(key)
		return act.None, 0
	}
	if m.keymap.Waits[pressed] || act.TakesLetter(does) {
		if before == "" {
			m.keying.cell = "" // of a click before
		}
		m.keying.takes = does
		m.await(pressed)
		return act.None, 0
	}
	m.keying.keys, m.keying.count, m.keying.takes = "", 0, act.None
	if does == act.None && before != "" && key != "esc" && key != "ctrl+c" {
		m.notice = "there is no " + keys.Label(pressed)
	}
	return does, n
}
