package ui

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"remora/capture"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/widget"
)

// render draws the whole screen as lines joined by newlines.
func (m *model) render() string {
	if m.room.w < minWidth || m.room.h < minHeight {
		return "remora needs a terminal of at least 60 x 16; this one has " + strconv.Itoa(m.room.w) + " x " +
			strconv.Itoa(m.room.h)
	}
	var lines []string
	if m.chooser.IsOpen() {
		lines = m.chooser.Draw(m.room.w, m.room.h)
	} else {
		lines = m.drawPackets()
	}
	m.drawOver(lines)
	picture := strings.Join(lines, "\n")
	if m.style.ASCII { // what was cut short ends in a sign of its own
		picture = asciiSigns.Replace(picture)
	}
	return picture
}

// drawPackets draws the packets, or the view in their place.
func (m *model) drawPackets() []string {
	p := m.room.layout()
	lines := make([]string, 0, m.room.h)
	lines = append(lines, m.drawHeader(p.header.w), m.drawFilter(p.filter.w))
	if v := m.views.View(); v != nil {
		lines = append(lines, v.Draw(m.room.w, m.room.h-4)...)
	} else {
		lines = append(lines, boxContext{viewContext{m}}.Panes()...)
	}
	foot := m.drawFoot(p)
	lines = append(lines[:max(0, min(len(lines), m.room.h-len(foot)))], foot...)
	if problem := m.line.Problem(m.room.w); problem != "" && len(lines) > 3 {
		lines[2] = problem
	}
	return lines
}

var asciiSigns = strings.NewReplacer("…", "~", "Δ", "d", "↑", "^", "↓", "v", "←", "<", "→", ">", "·", "*", "–", "-",
	"≈", "~")

// drawBody draws the panes and the rules between them.
func (m *model) drawBody(p places) []string {
	var list, right []string
	if p.list.h > 0 {
		list = m.list.Draw(p.list.w, p.list.h)
	}
	if p.facets.h > 0 {
		facets := m.facets.Draw(p.facets.w, p.facets.h)
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
		right = append(right, m.tree.Draw(p.tree.w, p.tree.h)...)
		right = append(right, m.drawMid(p.mid.w))
		right = append(right, m.hex.Draw(p.hex.w, p.hex.h)...)
	case p.divider.h > 0:
		right = append(right, m.beside(m.tree.Draw(p.tree.w, p.tree.h), m.hex.Draw(p.hex.w, p.hex.h))...)
	case p.tree.h > 0:
		right = append(right, m.tree.Draw(p.tree.w, p.tree.h)...)
	case p.hex.h > 0:
		right = append(right, m.hex.Draw(p.hex.w, p.hex.h)...)
	}
	if p.divider.h > 0 && p.mid.h > 0 {
		return m.beside(list, right)
	}
	return append(list, right...)
}

// beside joins two panes of the same height with a rule between them.
func (m *model) beside(left, right []string) []string {
	bar := m.style.Pens.Dim.Open + m.style.Glyph("│", "|") + m.style.Pens.Dim.Close
	for i := range left {
		left[i] += bar + right[i]
	}
	return left
}

// drawHeader says where the packets come from and whether the capture runs.
func (m *model) drawHeader(w int) string {
	var l paint.Line
	st := m.packets.Store.Status()
	right, rw := m.views.Draw()
	name := dissect.Escape(st.Name)
	if rw+paint.Width(name)+18 <= w { // the capture's name comes first
		l.Put(m.style.Pens.Bold, " remora ")
	}
	l.Put(paint.Pen{}, " ")
	switch {
	case st.Live:
		l.Put(m.style.Pens.Good, m.style.Glyph("● LIVE ", "* LIVE "))
	case !st.Done && st.Waiting:
		l.Put(m.style.Pens.Dim, "waiting ")
	case st.Pace > 0:
		l.Put(m.style.Pens.Good, m.style.Glyph("▸ PLAY ", "> PLAY "))
		if st.Pace != 1 {
			l.Put(m.style.Pens.Good, m.style.Glyph("×", "x")+strconv.FormatFloat(st.Pace, 'g', 3, 64)+" ")
		}
	case !st.Done:
		l.Put(m.style.Pens.Dim, m.style.Glyph("◌ ", "o "))
	default:
		l.Put(m.style.Pens.Dim, m.style.Glyph("○ ", "o "))
	}
	if room := w - rw - l.Width - 1; paint.Width(name) > room && strings.ContainsAny(name, `/\`) {
		name = pathTail(name, max(8, room))
	}
	l.Put(paint.Pen{}, name)
	if st.CaptureFilter != "" {
		l.Put(m.style.Pens.Dim, "  "+dissect.Escape(st.CaptureFilter))
	}
	if room := w - rw; l.Width > room-1 {
		return paint.Pad(ansi.Truncate(l.Text(), max(0, room-1), "…"), room) + right
	}
	l.Put(paint.Pen{}, strings.Repeat(" ", w-l.Width-rw))
	return l.Text() + right
}

// pathTail cuts a path to n cells: paths differ at their end. It is cut between two folders where that leaves
// something.
func pathTail(name string, n int) string {
	if paint.Width(name) <= n {
		return name
	}
	name = paint.FitTail(name, n)
	if cut := strings.IndexAny(name, `/\`); cut > 0 && cut < len(name)-1 {
		return "…" + name[cut:]
	}
	return name
}

// drawFilter draws the filter line: what is typed, or the filter that is on, and what it does.
func (m *model) drawFilter(w int) string {
	if m.line.IsOpen() {
		return m.line.Draw(w)
	}
	var l paint.Line
	l.Put(m.style.Pens.Dim, " / ")
	text, p := m.shownCount()
	if m.packets.Filtered == nil {
		l.Put(m.style.Pens.Dim, "no filter")
	} else {
		l.Put(paint.Pen{},
			ansi.Truncate(dissect.Escape(m.packets.Filtered.Filter.String()),
				max(10, w-l.Width-max(24, min(paint.Width(text), w/3))-4), "…"))
		if w-l.Width > 46 {
			if origin := m.facets.Origin(); origin != "" {
				l.Put(m.style.Pens.Dim, "   "+origin)
			}
		}
	}
	if m.packets.Filtered != nil && m.packets.Filtered.Failed.Load() != nil && paint.Width(text) > w-l.Width-3 {
		text = "stopped"
	}
	l.Put(paint.Pen{}, strings.Repeat(" ", max(0, w-l.Width-paint.Width(text)-1)))
	l.Put(p, text)
	return paint.Clip(l.End(w), w)
}

func (m *model) shownCount() (string, paint.Pen) {
	all := m.packets.Session.Passed()
	if m.packets.Filtered == nil {
		return humanize.Packets(all), m.style.Pens.Dim
	}
	if err := m.packets.Filtered.Failed.Load(); err != nil {
		return (*err).Error(), m.style.Pens.Bad
	}
	n, of := m.packets.Filtered.Matches.Len(), m.packets.Store.Len()
	if first := m.packets.Store.First(); first > 0 { // what has left is not counted
		n, all = n-m.packets.Filtered.Row(dissect.FrameNum(first+1)), max(0, all-first)
	}
	lag := of - int(m.packets.Filtered.Decided.Load())
	// live, a few are always on their way
	if st := m.packets.Store.Status(); lag > 0 && (st.Done || lag > max(1000, of/50)) {
		text := humanize.Group(n) + " so far" + m.style.Glyph(" · ", ", ") + strconv.Itoa((of-lag)*100/max(1, of)) + " %"
		if m.room.w >= 100 {
			text += m.style.Glyph(" · ", ", ") + m.style.Key(act.ClearFilter) + " ends it"
		}
		return text, m.style.Pens.Dim
	}
	text := m.style.Glyph("✓ ", "") + humanize.Group(n) + " of " + humanize.Group(all)
	if m.room.w >= 100 && all > 0 {
		text += m.style.Glyph(" · ", "  ") + strconv.FormatFloat(float64(n)*100/float64(all), 'f', 1, 64) + " %"
	}
	return text, m.style.Pens.Good
}

// drawRule titles the panes below it: the packet, and the field with its bytes unless a rule of its own names that.
func (m *model) drawRule(w int, withField bool) string {
	var l paint.Line
	dash := m.style.Glyph("─", "-")
	l.Put(m.style.Pens.Dim, dash+dash+" ")
	if m.selected.Tree != nil {
		title := humanize.Group(int(m.selected.Frame)) + " " + m.selected.Tree.ProtocolText()
		if m.selected.Ignored() {
			title = humanize.Group(int(m.selected.Frame)) + " <Ignored>"
		} else if k := m.selected.Tree.Kind(); k != "" {
			title += m.style.Glyph(" › ", " > ") + dissect.Escape(k)
		}
		p := paint.Pen{}
		if m.room.focus != paneList {
			p = m.style.Pens.Bold
		}
		l.Put(p, ansi.Truncate(title, max(0, w-6), "…")+" ")
		if r := m.list.Rule(m.selected.Frame); r != nil && w-l.Width > 30 { // colour is never alone
			l.Put(m.style.Pens.Dim, dissect.Escape(ansi.Truncate(r.Title(), 24, "…"))+" ")
		}
	}
	if m.packets.Hidden(m.selected.Frame) {
		l.Put(m.style.Pens.Warn, "hidden by the filter ")
	}
	right := ""
	if withField {
		right = m.fieldTitle()
	}
	if info := m.list.CutInfo(m.selected.Frame); w-l.Width-paint.Width(right) > 24 && info != "" {
		l.Put(m.style.Pens.Dim, dash+" ")
		l.Put(paint.Pen{}, ansi.Truncate(info, w-l.Width-paint.Width(right)-6, "…")+" ")
	}
	return m.style.EndRule(&l, right, w)
}

// drawMid titles the bytes: the selected field.
func (m *model) drawMid(w int) string {
	var l paint.Line
	dash := m.style.Glyph("─", "-")
	l.Put(m.style.Pens.Dim, dash+dash)
	return m.style.EndRule(&l, m.fieldTitle(), w)
}

// fieldTitle names the selected field and its bytes.
func (m *model) fieldTitle() string {
	i := m.selected.Node
	if i < 0 {
		return ""
	}
	n := m.selected.Tree.Nodes[i]
	text := " " + m.selected.Tree.Field(i).Name()
	switch first, last := strconv.Itoa(int(n.Off)), strconv.Itoa(int(n.Off+n.Len-1)); {
	case n.Len == 1:
		text += "  byte " + first
	case n.Len > 1:
		text += "  bytes " + first + m.style.Glyph("–", "-") + last + ", " + strconv.Itoa(int(n.Len)) + " B"
	}
	return text + " "
}

// maxNotice is how many lines what there is to say may take.
const maxNotice = 6

// noticeLines is how many lines it may take on a screen of this height.
func (m *model) noticeLines() int { return max(2, min(maxNotice, m.room.h/4)) }

// drawFoot draws the last two lines: counts and keys, or what there is to say, which takes the room of both if it is
// long, and of lines above them if it is longer.
func (m *model) drawFoot(p places) []string {
	work := cmp.Or(waitsFor(), m.saver.Progress(), m.list.Sorting().Progress(), m.search.Progress())
	if work != "" {
		work += "; " + m.style.Key(act.ClearFilter) + " ends it"
	}
	notice := dissect.Escape(cmp.Or(work, m.notice))
	if notice == "" {
		return []string{m.drawStatus(p.status.w), m.drawKeys(p.keys.w)}
	}
	w := p.status.w
	parts := []string{notice}
	if paint.Width(notice) > w-4 {
		parts = widget.BreakText(notice, w-4)
	}
	out := []string{m.noticeLine(m.style.Glyph("▪ ", "- ")+parts[0], w)}
	if len(parts) == 1 || m.keying.Waits() {
		return append(out, m.drawKeys(p.keys.w))
	}
	if n := m.noticeLines(); len(parts) > n { // what is left out leaves a sign
		parts = append(parts[:n-1], paint.Fit(strings.Join(parts[n-1:], " "), w-4))
	}
	for _, part := range parts[1:] {
		out = append(out, m.noticeLine("  "+part, w))
	}
	return out
}

func (m *model) noticeLine(text string, w int) string {
	var l paint.Line
	l.Put(m.style.Pens.Warn, " "+text)
	return paint.Clip(l.End(w), w)
}

// remarks is how many notes of a severity there are, with its name where there is room: a live capture has more to say.
func remarks(n int, name string, w int, st capture.Status) string {
	if w < 100 && (st.Live || !st.Done) {
		return humanize.Group(n)
	}
	return humanize.Of(n, name)
}

// drawStatus draws the counts.
func (m *model) drawStatus(w int) string {
	st := m.packets.Store.Status()
	var l paint.Line
	if v := m.views.View(); v != nil {
		return paint.Fit(" "+v.Status(), w)
	}
	stored := m.packets.Store.Len()
	l.Put(paint.Pen{}, " "+humanize.Packets(stored))
	if m.packets.Filtered != nil {
		l.Put(m.style.Pens.Dim, "   "+paint.FitRight(humanize.Group(m.packets.Rows()), len(humanize.Group(stored)))+" shown")
	}
	if passed := m.packets.Session.Passed(); passed < stored {
		l.Put(m.style.Pens.Dim, "   dissected "+strconv.Itoa(passed*100/max(1, stored))+" %")
	}
	if !st.Done && !st.Live && st.Pace == 0 && st.BytesTotal > 0 { // what is played was read long before it shows
		l.Put(m.style.Pens.Dim, "   read "+strconv.Itoa(int(st.BytesRead*100/st.BytesTotal))+" %")
	}
	if len(st.PerInterface) > 0 {
		m.putDropped(&l, st)
	}
	if text := keptText(st); text != "" {
		l.Put(m.style.Pens.Dim, "   "+text)
	}
	if text := m.packets.Session.Forgotten().Text(humanize.Of); text != "" {
		l.Put(m.style.Pens.Dim, "   "+text+" forgotten")
	}
	if n := m.packets.Session.ExpertCount(dissect.Error); n > 0 {
		l.Put(m.style.Pens.Bad, "   "+m.style.Glyph("✗ ", "x ")+remarks(int(n), "error", w, st))
	}
	if n := m.packets.Session.ExpertCount(dissect.Warn); n > 0 {
		l.Put(m.style.Pens.Warn, "   ! "+remarks(int(n), "warning", w, st))
	}
	if text := m.search.HitsText(); text != "" {
		l.Put(m.style.Pens.Accent, "   "+text)
	}
	if st.Unsaved {
		l.Put(m.style.Pens.Warn, "   unsaved")
	} else if m.packets.Store.CommentsChanged() {
		l.Put(m.style.Pens.Warn, "   comments unsaved")
	}
	if n := len(m.packets.Ignored); n > 0 {
		l.Put(m.style.Pens.Dim, "   "+humanize.Group(n)+" ignored")
	}
	if k := len(st.Notices); k > 0 {
		l.Put(m.style.Pens.Warn, "   "+dissect.Escape(st.Notices[k-1]))
	}
	right := ""
	if m.packets.Frozen > 0 {
		right += "frozen "
	}
	if text := m.list.SortText(); text != "" {
		right += text + " "
	}
	if m.list.Follow {
		right += m.style.Glyph("follow ↓ ", "follow ")
	}
	if m.cfg.Profile != "" {
		right += " " + dissect.Escape(m.cfg.Profile) + " "
	}
	if l.Width+paint.Width(right) < w {
		l.Put(paint.Pen{}, strings.Repeat(" ", w-l.Width-paint.Width(right)))
		l.Put(m.style.Pens.Accent, right)
	}
	return paint.Clip(l.End(w), w)
}
