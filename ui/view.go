package ui

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/dissect"
)

// render draws the whole screen as lines joined by newlines.
func (m *model) render() string {
	if m.w < minWidth || m.h < minHeight {
		return "remora needs a terminal of at least 60 x 16; this one has " + itoa(m.w) + " x " + itoa(m.h)
	}
	if m.chooser != nil {
		return strings.Join(m.drawChooser(), "\n")
	}
	p := m.layout()
	lines := make([]string, 0, m.h)
	lines = append(lines, m.drawHeader(p.header.w), m.drawFilter(p.filter.w))
	if v := m.view(); v != nil {
		lines = append(lines, v.draw(m, m.body())...)
	} else {
		if p.ribbon.h > 0 {
			lines = append(lines, m.drawRibbon(p.ribbon))
		}
		lines = append(lines, m.drawBody(p)...)
	}
	foot := m.drawFoot(p)
	lines = append(lines[:max(0, min(len(lines), m.h-len(foot)))], foot...)
	if m.editing == editFilter && (m.verdict != nil || len(m.warnings) > 0) && len(lines) > 3 {
		lines[2] = m.drawProblem(m.w)
	}
	if m.help.open {
		m.overHelp(lines)
	} else if m.info != nil {
		m.overInfo(lines)
	} else if m.question != nil {
		m.overQuestion(lines)
	} else if len(m.completions) > 0 && m.editing == editCommand {
		m.overPalette(lines)
	} else if len(m.completions) > 0 {
		m.overCompletions(lines)
	}
	picture := strings.Join(lines, "\n")
	if m.cfg.ASCII { // what was cut short ends in a sign of its own
		picture = asciiSigns.Replace(picture)
	}
	return picture
}

var asciiSigns = strings.NewReplacer("…", "~", "Δ", "d", "↑", "^", "↓", "v", "←", "<", "→", ">", "·", "*", "–", "-", "≈", "~")

// drawBody draws the panes and the rules between them.
func (m *model) drawBody(p places) []string {
	var list, right []string
	if p.list.h > 0 {
		list = m.drawList(p.list)
	}
	if p.facets.h > 0 {
		facets := m.drawFacets(p.facets)
		if list == nil {
			list = facets
		} else {
			list = m.beside(facets, list)
		}
	}
	if p.rule.h > 0 {
		right = append(right, m.drawRule(p.rule.w, p.mid.h == 0))
	}
	switch {
	case p.mid.h > 0:
		right = append(right, m.drawTree(p.tree)...)
		right = append(right, m.drawMid(p.mid.w))
		right = append(right, m.drawHex(p.hex)...)
	case p.divider.h > 0:
		right = append(right, m.beside(m.drawTree(p.tree), m.drawHex(p.hex))...)
	case p.tree.h > 0:
		right = append(right, m.drawTree(p.tree)...)
	case p.hex.h > 0:
		right = append(right, m.drawHex(p.hex)...)
	}
	if p.divider.h > 0 && p.mid.h > 0 {
		return m.beside(list, right)
	}
	return append(list, right...)
}

// beside joins two panes of the same height with a rule between them.
func (m *model) beside(left, right []string) []string {
	bar := m.pens.dim.open + m.glyph("│", "|") + m.pens.dim.close
	for i := range left {
		left[i] += bar + right[i]
	}
	return left
}

func (m *model) glyph(unicode, ascii string) string {
	if m.cfg.ASCII {
		return ascii
	}
	return unicode
}

// drawHeader says where the packets come from and whether the capture runs.
func (m *model) drawHeader(w int) string {
	var l line
	st := m.store.Status()
	right, rw := m.drawViews()
	name := dissect.Escape(st.Name)
	if rw+width(name)+18 <= w { // the capture's name comes first
		l.put(m.pens.bold, " remora ")
	}
	l.put(pen{}, " ")
	switch {
	case st.Live:
		l.put(m.pens.good, m.glyph("● LIVE ", "* LIVE "))
	case !st.Done && st.Waiting:
		l.put(m.pens.dim, "waiting ")
	case st.Pace > 0:
		l.put(m.pens.good, m.glyph("▸ PLAY ", "> PLAY "))
		if st.Pace != 1 {
			l.put(m.pens.good, m.glyph("×", "x")+strconv.FormatFloat(st.Pace, 'g', 3, 64)+" ")
		}
	case !st.Done:
		l.put(m.pens.dim, m.glyph("◌ ", "o "))
	default:
		l.put(m.pens.dim, m.glyph("○ ", "o "))
	}
	if room := w - rw - l.width - 1; width(name) > room && strings.ContainsAny(name, `/\`) {
		name = fitTail(name, max(8, room)) // paths differ at their end
	}
	l.put(pen{}, name)
	if st.CaptureFilter != "" {
		l.put(m.pens.dim, "  "+dissect.Escape(st.CaptureFilter))
	}
	if room := w - rw; l.width > room-1 {
		return fitStyled(ansi.Truncate(l.b.String(), max(0, room-1), "…"), room) + right
	}
	l.put(pen{}, strings.Repeat(" ", w-l.width-rw))
	return l.b.String() + right
}

// drawFilter draws the filter line: what is typed, or the filter that is on, and what it does.
func (m *model) drawFilter(w int) string {
	var l line
	if m.editing != editNone {
		prompt := m.prompt()
		l.put(m.pens.bold, prompt)
		m.input.draw(&l, w-width(prompt)-42, m.culprit)
		right, p := m.filterVerdict()
		right = fitRight(right, min(40, w-l.width-1))
		l.put(pen{}, strings.Repeat(" ", max(0, w-l.width-width(right)-1)))
		l.put(p, right)
		return fitLine(l.end(w), w)
	}
	l.put(m.pens.dim, " / ")
	if m.shown == nil {
		l.put(m.pens.dim, "no filter")
	} else {
		l.put(pen{}, ansi.Truncate(dissect.Escape(m.shown.filter.String()), max(10, w-46), "…"))
		if m.facets.own && w-l.width > 46 {
			l.put(m.pens.dim, "   from the facets")
		}
	}
	text, p := m.shownCount()
	l.put(pen{}, strings.Repeat(" ", max(0, w-l.width-width(text)-1)))
	l.put(p, text)
	return fitLine(l.end(w), w)
}

func (m *model) shownCount() (string, pen) {
	all := m.s.Passed()
	if m.shown == nil {
		return packetsText(all), m.pens.dim
	}
	if m.shown.failed.Load() != nil {
		return (*m.shown.failed.Load()).Error(), m.pens.bad
	}
	n, of := m.shown.matches.Len(), m.store.Len()
	lag := of - int(m.shown.decided.Load())
	if st := m.store.Status(); lag > 0 && (st.Done || lag > max(1000, of/50)) { // live, a few are always on their way
		return group(n) + " so far, " + itoa((of-lag)*100/max(1, of)) + " %", m.pens.dim
	}
	text := m.glyph("✓ ", "") + group(n) + " of " + group(all)
	if m.w >= 100 && all > 0 {
		text += m.glyph(" · ", "  ") + strconv.FormatFloat(float64(n)*100/float64(all), 'f', 1, 64) + " %"
	}
	return text, m.pens.good
}

// drawRule titles the panes below it: the packet, and the field with its bytes unless a rule of its own names that.
func (m *model) drawRule(w int, withField bool) string {
	var l line
	dash := m.glyph("─", "-")
	l.put(m.pens.dim, dash+dash+" ")
	if m.tree != nil {
		title := group(int(m.cur)) + " " + m.tree.ProtocolText()
		if m.ignored[m.cur] {
			title = group(int(m.cur)) + " <Ignored>"
		} else if k := m.tree.Kind(); k != "" {
			title += m.glyph(" › ", " > ") + dissect.Escape(k)
		}
		p := pen{}
		if m.focus != paneList {
			p = m.pens.bold
		}
		l.put(p, ansi.Truncate(title, max(0, w-6), "…")+" ")
		if r := m.rowCache[m.cur].rule; r != nil && w-l.width > 30 { // colour is never alone
			l.put(m.pens.dim, dissect.Escape(ansi.Truncate(r.title(), 24, "…"))+" ")
		}
	}
	right := ""
	if withField {
		right = m.fieldTitle()
	}
	if info := m.hiddenInfo(); w-l.width-width(right) > 24 && info != "" {
		l.put(m.pens.dim, dash+" ")
		l.put(pen{}, ansi.Truncate(info, w-l.width-width(right)-6, "…")+" ")
	}
	return m.endRule(&l, right, w)
}

// hiddenInfo is what the selected packet's row has no room for: all of Info where it is cut.
func (m *model) hiddenInfo() string {
	r, ok := m.rowCache[m.cur]
	if !ok || m.tree == nil {
		return ""
	}
	for _, c := range m.placeColumns(m.layout().list.w) {
		if c.kind == colInfo && c.at < len(r.cells) && width(r.cells[c.at]) > c.w {
			return r.cells[c.at]
		}
	}
	return ""
}

// drawMid titles the bytes: the selected field.
func (m *model) drawMid(w int) string {
	var l line
	dash := m.glyph("─", "-")
	l.put(m.pens.dim, dash+dash)
	return m.endRule(&l, m.fieldTitle(), w)
}

// fieldTitle names the selected field and its bytes.
func (m *model) fieldTitle() string {
	i := m.selectedNode()
	if i < 0 {
		return ""
	}
	n := m.tree.Nodes[i]
	text := " " + m.tree.Field(i).Name()
	switch first, last := itoa(int(n.Off)), itoa(int(n.Off+n.Len-1)); {
	case n.Len == 1:
		text += "  byte " + first
	case n.Len > 1:
		text += "  bytes " + first + m.glyph("–", "-") + last + ", " + itoa(int(n.Len)) + " B"
	}
	return text + " "
}

// endRule fills a rule up and ends it with a text.
func (m *model) endRule(l *line, right string, w int) string {
	dash := m.glyph("─", "-")
	room := max(0, w-l.width-4)
	for _, sep := range []string{", ", "  "} { // whole parts go before any is cut
		if at := strings.LastIndex(right, sep); width(right) > room && at > 0 {
			right = right[:at] + " "
		}
	}
	right = ansi.Truncate(right, room, "…")
	l.put(m.pens.dim, strings.Repeat(dash, max(0, w-l.width-width(right)-2)))
	l.put(pen{}, right)
	l.put(m.pens.dim, dash+dash)
	return fitLine(l.end(w), w)
}

// maxNotice is how many lines what there is to say may take.
const maxNotice = 6

// drawFoot draws the last two lines: counts and keys, or what there is to say, which takes the room of both if it is long, and
// of lines above them if it is longer.
func (m *model) drawFoot(p places) []string {
	notice := dissect.Escape(cmp.Or(m.saving.progress(), m.sorting.progress(), m.seeking.progress(), m.notice))
	if notice == "" {
		return []string{m.drawStatus(p.status.w), m.drawKeys(p.keys.w)}
	}
	w := p.status.w
	parts := []string{notice}
	if width(notice) > w-4 {
		parts = breakText(notice, w-4)
	}
	out := []string{m.noticeLine(m.glyph("▪ ", "- ")+parts[0], w)}
	if len(parts) == 1 || m.pendingKey != "" || m.count > 0 {
		return append(out, m.drawKeys(p.keys.w))
	}
	if n := max(2, min(maxNotice, m.h/4)); len(parts) > n { // what is left out leaves a sign
		parts = append(parts[:n-1], fit(strings.Join(parts[n-1:], " "), w-4))
	}
	for _, part := range parts[1:] {
		out = append(out, m.noticeLine("  "+part, w))
	}
	return out
}

func (m *model) noticeLine(text string, w int) string {
	var l line
	l.put(m.pens.warn, " "+text)
	return fitLine(l.end(w), w)
}

// drawStatus draws the counts.
func (m *model) drawStatus(w int) string {
	st := m.store.Status()
	var l line
	if v := m.view(); v != nil {
		l.put(pen{}, " "+v.status(m))
		return fitLine(l.end(w), w)
	}
	stored := m.store.Len()
	l.put(pen{}, " "+packetsText(stored))
	if m.shown != nil {
		l.put(m.pens.dim, "   "+fitRight(group(m.rows()), len(group(stored)))+" shown")
	}
	if passed := m.s.Passed(); passed < stored {
		l.put(m.pens.dim, "   dissected "+itoa(passed*100/max(1, stored))+" %")
	}
	if !st.Done && !st.Live && st.BytesTotal > 0 {
		l.put(m.pens.dim, "   read "+itoa(int(st.BytesRead*100/st.BytesTotal))+" %")
	}
	if len(st.PerInterface) > 0 {
		m.putDropped(&l, st)
	}
	if text := keptText(st); text != "" {
		l.put(m.pens.dim, "   "+text)
	}
	if n := m.s.MarkCount(dissect.Error); n > 0 {
		l.put(m.pens.bad, "   "+m.glyph("✗ ", "x ")+group(int(n)))
	}
	if n := m.s.MarkCount(dissect.Warn); n > 0 {
		l.put(m.pens.warn, "   ! "+group(int(n)))
	}
	if text := m.hitsText(); text != "" {
		l.put(m.pens.accent, "   "+text)
	}
	if st.Unsaved {
		l.put(m.pens.warn, "   unsaved")
	} else if m.store.CommentsChanged() {
		l.put(m.pens.warn, "   comments unsaved")
	}
	if n := len(m.ignored); n > 0 {
		l.put(m.pens.dim, "   "+group(n)+" ignored")
	}
	if k := len(st.Notices); k > 0 {
		l.put(m.pens.warn, "   "+dissect.Escape(st.Notices[k-1]))
	}
	right := ""
	if m.frozen > 0 {
		right += "frozen "
	}
	if text := m.sortText(); text != "" {
		right += text + " "
	}
	if m.follow {
		right += m.glyph("follow ↓ ", "follow ")
	}
	if m.cfg.Profile != "" {
		right += " " + dissect.Escape(m.cfg.Profile) + " "
	}
	if l.width+width(right) < w {
		l.put(pen{}, strings.Repeat(" ", w-l.width-width(right)))
		l.put(m.pens.accent, right)
	}
	return fitLine(l.end(w), w)
}

// fitLine cuts a drawn line to n cells, minding its sequences.
func fitLine(s string, n int) string {
	if ansi.StringWidth(s) > n {
		return ansi.Truncate(s, n, "") + "\x1b[m"
	}
	return s
}

// cutLine keeps the first n cells of a drawn line.
func cutLine(s string, n int) string { return ansi.Truncate(s, n, "") + "\x1b[m" }

// over lays a box of lines on the screen, from column x and row y on.
func over(lines, box []string, x, y int) {
	for i, b := range box {
		if y+i >= len(lines) {
			return
		}
		old := lines[y+i]
		lines[y+i] = keepColumns(ansi.Truncate(old, x, "")) + "\x1b[m" + b + ansi.TruncateLeft(old, x+ansi.StringWidth(b), "")
	}
}
