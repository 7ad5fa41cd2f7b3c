package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/widget"
)

// A menu is a small list of the keys that may follow those pressed. It opens for people who wait for it, so that nobody has to
// know the letters, and at the pointer on a right click.
type menu struct {
	open    bool
	since   time.Time // the key before was pressed
	pointed bool      // it stands at the pointer, which chooses from it
	x, y    int       // of the pointer
	frame   rect      // where it was drawn last
	deep    int       // lines of a column
	across  int       // width of a column
}

// menuWait is how long a key waits for the next one before the list opens.
const menuWait = 400 * time.Millisecond

// await has keys wait for the next one.
func (m *model) await(keys string) {
	m.keying.keys, m.keying.menu = keys, menu{since: time.Now()}
}

// menuDue tells whether the list will open.
func (m *model) menuDue() bool { return m.keying.keys != "" && !m.keying.menu.open }

// openMenu opens the list once a key has waited long enough.
func (m *model) openMenu() {
	if m.menuDue() && time.Since(m.keying.menu.since) >= menuWait {
		m.keying.menu.open = true
	}
}

// useMenu opens the uses of what is under the pointer.
func (m *model) useMenu(x, y int) {
	m.await("a")
	m.keying.menu.open, m.keying.menu.pointed, m.keying.menu.x, m.keying.menu.y = true, true, x, y
}

// A menuLine is a line of the list; does is what a click on it does.
type menuLine struct {
	key, words string
	does       func()
}

// menuLines are what may come next.
func (m *model) menuLines() []menuLine {
	if m.keying.takes != act.None {
		return m.markLines()
	}
	var out []menuLine
	n := m.keying.count
	for _, c := range m.keymap.Choices(m.keying.keys) {
		out = append(out, menuLine{c.Key, c.Words, func() { m.do(c.Act, n) }})
	}
	if m.keying.menu.pointed {
		out = append(out, m.pointedLines()...)
	}
	return out
}

// pointedLines are what else the pointer does with what it is on.
func (m *model) pointedLines() []menuLine {
	var out []menuLine
	add := func(words string, does act.Action) {
		out = append(out, menuLine{"", words, func() { m.do(does, 0) }})
	}
	switch {
	case m.views.Over() != nil:
	case m.room.focus == paneList:
		add("copy the row", act.CopyRow)
	case m.room.focus == paneTree:
		add("copy the value", act.CopyValue)
		add("as a column, or no more", act.Column)
		add("plot over time", act.Plot)
	case m.room.focus == paneHex:
		add("copy the bytes", act.CopyHex)
	}
	if m.selected.Conv != 0 {
		add("follow the conversation", act.FollowStream)
	}
	return out
}

// markLines are the marks there are, and that a letter is waited for.
func (m *model) markLines() []menuLine {
	sets := m.keying.takes == act.Mark
	out := []menuLine{{"a-z A-Z", "go to the packet with that mark", nil}}
	if sets {
		out[0].words = "mark the packet with that letter"
	} else {
		out = append(out, menuLine{"'", "back to where the last jump began", func() { m.do(act.Back, 0) }})
	}
	for _, letter := range m.marks.Letters() {
		n := m.marks.Frame(letter)
		words := "packet " + humanize.Group(int(n))
		if sets {
			words = "is on " + words
		}
		out = append(out, menuLine{string(letter), words, func() {
			if sets {
				m.setMark(letter)
			} else {
				m.goToMark(letter)
			}
		}})
	}
	return out
}

// menuTitle says what is used, or which keys were pressed.
func (m *model) menuTitle() string {
	if m.keying.keys == "a" || m.keying.keys == "A" {
		if text := m.keying.cell; text != "" {
			return dissect.Escape(text)
		}
		return dissect.Escape(m.fieldFilter())
	}
	return m.pressed()
}

// overMenu draws the list over the screen: at the pointer, else above the line of keys.
func (m *model) overMenu(lines []string) {
	all := m.menuLines()
	if len(all) == 0 {
		return
	}
	deep, keys, words := len(all), 1, 0
	for _, l := range all {
		keys, words = max(keys, paint.Width(l.key)), max(words, paint.Width(l.words))
	}
	if room := min(m.room.h-6, 12); deep > room {
		deep = min((len(all)+1)/2, room)
	}
	across := keys + words + 4
	columns := min((len(all)+deep-1)/deep, max(1, (m.room.w-4)/across))
	title := paint.Cut(m.menuTitle(), min(m.room.w-8, 60))
	w := max(columns*across, paint.Width(title)+4) + 2
	body := make([]string, deep)
	for i, l := range all[:min(len(all), deep*columns)] {
		text := m.style.Pens.Bold.Open + paint.Fit(l.key, keys) + m.style.Pens.Bold.Close + "  " + paint.Fit(l.words, words)
		body[i%deep] += " " + text + " "
	}
	x, y := 1, m.room.h-3-deep-1
	if m.keying.menu.pointed {
		x, y = widget.Clamp(m.keying.menu.x, 0, max(0, m.room.w-w)), widget.Clamp(m.keying.menu.y+1, 1, max(1, m.room.h-deep-3))
	}
	m.keying.menu.frame, m.keying.menu.deep, m.keying.menu.across = rect{x, y, w, deep + 2}, deep, across
	paint.Over(lines, m.style.Box(title, body, w, ""), x, y)
}

// menuMouse handles the mouse while the list is open: a click on a line does it, one beside the list closes it.
func (m *model) menuMouse(msg tea.Msg) bool {
	if !m.keying.menu.open || m.keying.keys == "" {
		return false
	}
	e, ok := msg.(tea.MouseClickMsg)
	if !ok {
		return true
	}
	all, f := m.menuLines(), m.keying.menu.frame
	i := -1
	if col := (e.X - f.x - 1) / max(1, m.keying.menu.across); e.X > f.x && e.X < f.x+f.w-1 && e.Y > f.y && e.Y < f.y+f.h-1 {
		i = col*m.keying.menu.deep + e.Y - f.y - 1
	}
	if i < 0 && e.Button == tea.MouseRight { // another place to use
		m.endWaiting()
		return false
	}
	var does func()
	if i >= 0 && i < len(all) {
		does = all[i].does
	}
	if does == nil && f.has(e.X, e.Y) {
		return true
	}
	cell := m.keying.cell
	m.endWaiting()
	if does != nil {
		m.keying.cell = cell
		does()
	}
	return true
}

// endWaiting forgets what was pressed.
func (m *model) endWaiting() {
	m.keying.keys, m.keying.count, m.keying.takes, m.keying.cell, m.keying.menu = "", 0, act.None, "", menu{}
}
