package ui

import (
	"errors"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/filter"
)

// An edit is what the input line is for.
type edit int

const (
	editNone edit = iota
	editFilter
	editCommand
	editSave
)

// input is a line of text with a cursor and readline's keys.
type input struct {
	text    []rune
	cur     int
	history []string
	at      int // place in the history
}

func (in *input) set(s string)  { in.text, in.cur, in.at = []rune(s), len([]rune(s)), len(in.history) }
func (in *input) value() string { return string(in.text) }

// offset is the cursor as a byte offset.
func (in *input) offset() int { return len(string(in.text[:in.cur])) }

func (in *input) insert(s string) {
	r := []rune(strings.Map(func(c rune) rune {
		if c < 0x20 || c == 0x7f {
			return ' '
		}
		return c
	}, s))
	in.text = append(in.text[:in.cur:in.cur], append(r, in.text[in.cur:]...)...)
	in.cur += len(r)
}

// key edits the line; it reports whether the key was one for editing.
func (in *input) key(name string) bool {
	word := func(from, step int) int {
		for from+min(step, 0) >= 0 && from+min(step, 0) < len(in.text) && in.text[from+min(step, 0)] == ' ' {
			from += step
		}
		for from+min(step, 0) >= 0 && from+min(step, 0) < len(in.text) && in.text[from+min(step, 0)] != ' ' {
			from += step
		}
		return from
	}
	switch name {
	case "left", "ctrl+b":
		in.cur = max(0, in.cur-1)
	case "right", "ctrl+f":
		in.cur = min(len(in.text), in.cur+1)
	case "home", "ctrl+a":
		in.cur = 0
	case "end", "ctrl+e":
		in.cur = len(in.text)
	case "alt+b", "ctrl+left":
		in.cur = word(in.cur, -1)
	case "alt+f", "ctrl+right":
		in.cur = word(in.cur, 1)
	case "backspace", "ctrl+h":
		if in.cur > 0 {
			in.text = append(in.text[:in.cur-1], in.text[in.cur:]...)
			in.cur--
		}
	case "delete":
		if in.cur < len(in.text) {
			in.text = append(in.text[:in.cur], in.text[in.cur+1:]...)
		}
	case "ctrl+u":
		in.text, in.cur = append([]rune(nil), in.text[in.cur:]...), 0
	case "ctrl+k":
		in.text = in.text[:in.cur]
	case "ctrl+w":
		from := word(in.cur, -1)
		in.text = append(in.text[:from], in.text[in.cur:]...)
		in.cur = from
	default:
		return false
	}
	return true
}

// recall goes through the history.
func (in *input) recall(step int) {
	at := in.at + step
	if at < 0 || at > len(in.history) {
		return
	}
	text := ""
	if at < len(in.history) {
		text = in.history[at]
	}
	in.set(text)
	in.at = at
}

func (in *input) remember(s string) {
	if s != "" && (len(in.history) == 0 || in.history[len(in.history)-1] != s) {
		in.history = append(in.history, s)
	}
}

// draw draws the text with its cursor within w cells; the culprit of an error is underlined.
func (in *input) draw(l *line, w int, culprit [2]int) {
	from := max(0, in.cur-max(10, w)+1)
	at := len(string(in.text[:from]))
	for i := from; i <= len(in.text) && i-from < max(10, w); i++ {
		s := " "
		if i < len(in.text) {
			s = dissect.Escape(string(in.text[i]))
		}
		p := pen{}
		if at >= culprit[0] && at < culprit[1] {
			p = sgr("4")
		}
		if i == in.cur {
			p = sgr("7")
		}
		if i < len(in.text) {
			at += len(string(in.text[i]))
		}
		l.put(p, s)
	}
}

// startEdit opens the input line.
func (m *model) startEdit(e edit, text string) {
	m.editing, m.notice = e, ""
	m.input = m.inputs[e]
	if m.input == nil {
		m.input = &input{}
		m.inputs[e] = m.input
	}
	m.input.set(text)
	m.checkInput()
}

func (m *model) endEdit() {
	m.editing, m.completions, m.culprit, m.verdict = editNone, nil, [2]int{}, nil
}

// checkInput compiles the filter as it is typed and looks for completions.
func (m *model) checkInput() {
	m.culprit, m.verdict = [2]int{}, nil
	if m.editing != editFilter {
		return
	}
	text := m.input.value()
	_, err := filter.Compile(m.reg, text)
	var e *filter.Error
	if errors.As(err, &e) {
		m.verdict, m.culprit = e, [2]int{e.Pos, max(e.End, e.Pos+1)}
	}
	m.completions, m.completing = nil, 0
	if cs := filter.Complete(m.reg, text, m.input.offset()); text != "" && len(cs) > 0 {
		if len(cs) != 1 || cs[0].Text != text[cs[0].From:cs[0].To] {
			m.completions = cs
		}
	}
}

// filterVerdict says what becomes of the text.
func (m *model) filterVerdict() (string, pen) {
	switch {
	case m.editing != editFilter:
		return "Enter does it, Esc does not", m.pens.dim
	case m.input.value() == "":
		return "Enter shows all packets", m.pens.dim
	case m.verdict != nil:
		return m.glyph("✗ ", "x ") + "not yet", m.pens.bad
	}
	return m.glyph("✓ ", "") + "Enter applies", m.pens.good
}

// editKey handles a key while the input line is open.
func (m *model) editKey(name, text string) {
	switch name {
	case "esc", "ctrl+c", "ctrl+g":
		m.endEdit()
		return
	case "enter":
		m.commitEdit()
		return
	case "tab":
		if len(m.completions) > 0 {
			c := m.completions[m.completing]
			s := m.input.value()
			m.input.set(s[:c.From] + c.Text + s[c.To:])
			m.input.cur = len([]rune(s[:c.From] + c.Text))
			m.checkInput()
			m.completions = nil
		}
		return
	case "down", "ctrl+n":
		if len(m.completions) > 0 {
			m.completing = min(m.completing+1, len(m.completions)-1)
		} else {
			m.input.recall(1)
		}
		return
	case "up", "ctrl+p":
		if len(m.completions) > 0 && m.completing > 0 {
			m.completing--
		} else {
			m.input.recall(-1)
			m.checkInput()
			m.completions = nil
		}
		return
	}
	if !m.input.key(name) && text != "" {
		m.input.insert(text)
	}
	m.checkInput()
}

func (m *model) commitEdit() {
	text := strings.TrimSpace(m.input.value())
	switch e := m.editing; e {
	case editFilter:
		if m.verdict != nil {
			return // the line says what is wrong
		}
		m.input.remember(text)
		m.endEdit()
		m.applyFilter(text)
	case editCommand:
		m.input.remember(text)
		m.endEdit()
		m.command(text)
	case editSave:
		m.input.remember(text)
		m.endEdit()
		m.save(text)
	}
}

// applyFilter shows the packets that match; the selected packet stays selected.
func (m *model) applyFilter(text string) {
	if m.shown != nil {
		m.shown.cancel()
		m.shown = nil
	}
	if text != "" {
		f, err := filter.Compile(m.reg, text)
		if err != nil {
			m.notice = err.Error()
			return
		}
		m.shown = startFilter(m.s, f)
		if ws := f.Warnings(); len(ws) > 0 {
			m.notice = ws[0].Error()
		}
	}
	m.anchor = m.cur
	m.place()
	if m.shown == nil {
		m.anchor = 0
	}
}

// place puts the list so that the selected packet, or the next one shown, is in the middle.
func (m *model) place() {
	rows := m.rows()
	if rows == 0 {
		m.top = 0
		return
	}
	row := min(m.row(m.anchor), rows-1)
	h := max(1, m.layout().list.h-1)
	m.top = max(0, min(row-h/2, rows-h))
	if m.frame(row) == m.anchor || m.settled() {
		m.select_(m.frame(row))
	}
}

// fieldFilter is the filter for the selected field, or for the packet's type or protocol.
func (m *model) fieldFilter() string {
	if m.tree == nil {
		return ""
	}
	i := m.selectedNode()
	if i < 0 || m.focus == paneList {
		p := m.tree.Protocol()
		if k := p.KindField(); k != nil {
			if n := m.tree.Find(k); n >= 0 {
				if name := k.ValueName(m.tree.Nodes[n].Val); name != "" {
					return k.Name() + ` == "` + name + `"`
				}
				return k.Name() + " == " + m.tree.Show(n)
			}
		}
		return p.Name()
	}
	f := m.tree.Field(i)
	switch f.Type() {
	case dissect.TypeNone, dissect.TypeProtocol:
		return f.Name()
	case dissect.TypeString:
		return f.Name() + " == " + quoteText(m.tree.Text(i))
	case dissect.TypeTime:
		return f.Name() + ` == "` + m.tree.Show(i) + `"`
	case dissect.TypeBytes, dissect.TypeGUID:
		b := m.tree.Bytes(i)
		if len(b) == 0 || len(b) > 64 {
			return f.Name()
		}
		var parts []string
		for _, c := range b {
			parts = append(parts, hexPair(c))
		}
		if len(parts) == 1 {
			return f.Name() + " == 0x" + parts[0]
		}
		return f.Name() + " == " + strings.Join(parts, ":")
	}
	return f.Name() + " == " + m.tree.Show(i)
}

// quoteText writes a string as the filter language reads it.
func quoteText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c == 0x7f:
			b.WriteString(`\x` + hexPair(c))
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

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
