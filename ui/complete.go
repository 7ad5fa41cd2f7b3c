package ui

import (
	"context"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/fieldstats"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/widget"
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

// roomForChoices is the part of the screen below the filter that completions may cover: the list, never the detail.
func (m *model) roomForChoices() rect {
	const x, y, least = 3, 3, 5
	p := m.room.layout()
	r := rect{x, y, m.room.w - 2*x, p.status.y - y}
	if list := max(p.list.y+p.list.h, p.facets.y+p.facets.h); m.views.View() == nil && list > y {
		r.h = max(least, list-y)
		if p.list.h > 0 && p.list.x+p.list.w < m.room.w {
			r.w = p.list.x + p.list.w - 2*x
		}
	}
	return r
}

func (m *model) overCompletions(lines []string) {
	room := m.roomForChoices()
	w, h := min(room.w, 140), min(8, room.h-2, len(m.typing.offers))
	from := widget.Clamp(m.typing.chosen-h/2, 0, len(m.typing.offers)-h)
	most := 1.0
	for _, c := range m.typing.offers {
		most = max(most, c.Packets)
	}
	names := 16
	for _, c := range m.typing.offers[from : from+h] {
		names = min(32, max(names, paint.Width(c.Text)))
	}
	var body []string
	for i := from; i < from+h; i++ {
		c := m.typing.offers[i]
		count := ""
		switch {
		case c.Packets == 0:
			count = "not here"
		case c.Packets > 0:
			count = m.style.Glyph("≈ ", "~") + humanize.Group(int(c.Packets+0.5))
		}
		kind, doc := c.Type, dissect.Escape(c.Doc)
		if c.Type == "value here" {
			kind = ""
		}
		if c.Type == "value" || c.Type == "value here" {
			kind, doc = valueNumber(c.Text, c.Doc), m.style.Bar(max(0, c.Packets)/most, max(0, w-30-names))
		}
		var l paint.Line
		p := paint.Pen{}
		switch {
		case i == m.typing.chosen:
			l.Base = m.style.Pens.Selected
		case c.Packets == 0:
			p = m.style.Pens.Dim
		}
		l.Put(p, " "+paint.Fit(dissect.Escape(c.Text), names)+" "+paint.Fit(kind, 12)+paint.FitRight(count, 11)+"  ")
		if c.Type == "value" || c.Type == "value here" {
			l.PutBars(&m.style.Pens, doc)
		} else {
			if values := m.complete.Values(c, m.style.Glyph(" … ", " to ")); w >= 90 {
				l.Put(p, paint.Fit(dissect.Escape(values), (w-l.Width)/3)+"  ")
			}
			l.Put(p, paint.Fit(doc, max(0, w-2-l.Width)))
		}
		body = append(body, paint.Clip(l.End(w-2), w-2))
	}
	m.placed(3, 3, w, len(body), 0, from, h)
	title := strconv.Itoa(m.typing.chosen+1) + " of " + strconv.Itoa(len(m.typing.offers))
	if m.typing.offers[m.typing.chosen].Meant {
		title = "did you mean"
	}
	dot := m.style.Glyph(" · ", ", ")
	foot := m.style.Glyph("↑↓ choose", "up, down choose") + dot + m.style.Key(act.LineTake) + " take" + dot +
		m.style.Key(act.LineExplain) + " explain"
	paint.Over(lines, m.style.Box(title, body, w, foot), 3, 3)
}

// valueNumber is the number behind the name of a value, as in GAME_INPUT (0x0e); the bar says more than the name again.
func valueNumber(name, doc string) string {
	number, ok := strings.CutSuffix(strings.TrimPrefix(doc, name+" ("), ")")
	if !ok {
		return "value"
	}
	return dissect.Escape(number)
}

// countFieldsSoon has the capture looked at when the filter line opens.
func (m *model) countFieldsSoon() {
	s := m.packets.Session
	if !m.complete.Due(s.Passed()) {
		return
	}
	viewContext{m}.Later("counting fields", func(ctx context.Context) func() {
		stats := fieldstats.OfCapture(ctx, s)
		return func() {
			m.complete.Stats = stats
			m.checkInput()
		}
	})
}
