package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/suggest"
	"remora/ui/act"
	"remora/ui/fieldstats"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/widget"
)

// An offer is a line below the filter: what may stand at the cursor, with what this capture has of it.
type offer struct {
	filter.Completion
	packets float64 // how many packets have it; negative: not known
	meant   bool    // in place of something misspelt
}

// offers are the completions at the cursor. With an empty line they are favourites and filters used before.
func (m *model) offers(text string, at int) []offer {
	if strings.TrimSpace(text) == "" {
		return m.remembered(len(text))
	}
	var out []offer
	field := comparedField(m.reg, text, at)
	if field == nil && startsWord(text, at) {
		return nil // all there is, in the place of a name that may be right
	}
	have := map[string]bool{}
	for _, c := range filter.Complete(m.reg, text, at) {
		o := offer{Completion: c, packets: -1}
		m.countOffer(&o, field)
		have[c.Text] = true
		out = append(out, o)
	}
	if field != nil {
		out = m.occurring(out, have, field, text, at)
	}
	// What is in this capture comes first; names of nothing here last.
	slices.SortStableFunc(out, func(a, b offer) int {
		switch {
		case field != nil && a.packets != b.packets:
			return int(sign64(b.packets - a.packets))
		case (a.packets == 0) != (b.packets == 0):
			return map[bool]int{true: 1, false: -1}[a.packets == 0]
		}
		return 0
	})
	if len(out) == 1 && out[0].Text == text[out[0].From:out[0].To] {
		return nil
	}
	return out
}

// startsWord tells whether the cursor stands before the first letter of a word.
func startsWord(text string, at int) bool {
	name := func(i int) bool {
		c := text[i]
		return c == '_' || c == '.' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return at < len(text) && name(at) && (at == 0 || !name(at-1))
}

// meant are what a misspelt name or value at the cursor may stand for, the closest first.
func (m *model) meant(e *filter.Error, at int) []offer {
	best, ok := strings.CutPrefix(e.Hint, "did you mean ")
	if !ok || at != e.End || len(e.More) > 0 {
		return nil
	}
	best = strings.TrimSuffix(best, "?")
	list := []string{best}
	kinds := map[string]filter.Completion{}
	field := comparedField(m.reg, e.Text[:e.Pos], e.Pos)
	if field != nil { // among the names of its values
		list = nil
		for _, c := range filter.Complete(m.reg, e.Text[:e.Pos], e.Pos) {
			if kinds[c.Text] = c; c.Type == "value" {
				list = append(list, c.Text)
			}
		}
		list = suggest.List(strings.Trim(e.Text[e.Pos:e.End], `"`), list)
	} else if f := m.reg.Field(best); f != nil {
		kinds[best] = filter.Completion{Type: f.Type().String(), Doc: f.Doc()}
	}
	var out []offer
	for _, name := range list {
		c := kinds[name]
		c.Text, c.From, c.To = name, e.Pos, e.End
		o := offer{Completion: c, packets: -1, meant: true}
		m.countOffer(&o, field)
		out = append(out, o)
	}
	return out
}

func sign64(v float64) float64 {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}

// countOffer says how many packets have a field, a protocol or a value.
func (m *model) countOffer(o *offer, field *dissect.Field) {
	if m.fieldStats == nil {
		return
	}
	if field != nil {
		if k := m.fieldStats.Field(field); k != nil {
			o.packets = k.Values[strings.TrimSpace(o.Text)]
		} else {
			o.packets = 0
		}
		return
	}
	f := m.reg.Field(strings.TrimSpace(o.Text))
	if f == nil {
		return
	}
	o.packets = 0
	if k := m.fieldStats.Field(f); k != nil {
		o.packets = k.Packets
	}
}

// occurring adds values that the field has in this capture and that no name stands for.
func (m *model) occurring(out []offer, have map[string]bool, field *dissect.Field, text string, at int) []offer {
	k := m.fieldStats.Field(field)
	if k == nil {
		return out
	}
	from := at
	for from > 0 && !strings.ContainsRune(" {,(=<>!", rune(text[from-1])) {
		from--
	}
	for _, v := range k.Order {
		if !have[v] && strings.HasPrefix(v, text[from:at]) {
			out = append(out, offer{Completion: filter.Completion{Text: v, Type: "value here", From: from, To: at}, packets: k.Values[v]})
		}
	}
	return out
}

// comparedField is the field whose value is due at the cursor, or nil.
func comparedField(reg *dissect.Registry, text string, at int) *dissect.Field {
	before := strings.TrimRight(text[:at], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:\"-")
	words := strings.Fields(strings.NewReplacer("==", " == ", "!=", " != ", "<", " < ", ">", " > ", "{", " { ", ",", " , ", "(", " ( ").Replace(before))
	inSet := false
	for i := len(words) - 1; i >= 0; i-- {
		switch words[i] {
		case "}", "&&", "||", "and", "or", "(":
			return nil
		case "{":
			inSet = true
		case "==", "!=", "<", ">", "<=", ">=", "eq", "ne", "===", "!==", "~=":
			if i > 0 && i == len(words)-1 {
				return reg.Field(words[i-1])
			}
			return nil
		case "in":
			if inSet && i > 0 {
				return reg.Field(words[i-1])
			}
			return nil
		}
	}
	return nil
}

// remembered are favourites, and filters used before, newest first.
func (m *model) remembered(to int) []offer {
	var out []offer
	for _, line := range m.favouriteLines() {
		name, text, _ := strings.Cut(line, "\t")
		out = append(out, offer{Completion: filter.Completion{Text: text, Type: "favourite", Doc: name, To: to}, packets: -1})
	}
	lines := m.lists.filters.Lines()
	for i := len(lines) - 1; i >= 0 && len(out) < 40; i-- {
		out = append(out, offer{Completion: filter.Completion{Text: lines[i], Type: "used before", To: to}, packets: -1})
	}
	return out
}

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

// favouriteLines are the favourites kept from the screen and, behind them, those of the settings, each "name TAB filter". A name
// counts once, as kept last.
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
		most = max(most, c.packets)
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
		case c.packets == 0:
			count = "not here"
		case c.packets > 0:
			count = m.style.Glyph("≈ ", "~") + humanize.Group(int(c.packets+0.5))
		}
		kind, doc := c.Type, dissect.Escape(c.Doc)
		if c.Type == "value here" {
			kind = ""
		}
		if c.Type == "value" || c.Type == "value here" {
			kind, doc = valueNumber(c.Text, c.Doc), m.style.Bar(max(0, c.packets)/most, max(0, w-30-names))
		}
		var l paint.Line
		p := paint.Pen{}
		switch {
		case i == m.typing.chosen:
			l.Base = m.style.Pens.Selected
		case c.packets == 0:
			p = m.style.Pens.Dim
		}
		l.Put(p, " "+paint.Fit(dissect.Escape(c.Text), names)+" "+paint.Fit(kind, 12)+paint.FitRight(count, 11)+"  ")
		if c.Type == "value" || c.Type == "value here" {
			l.PutBars(&m.style.Pens, doc)
		} else {
			if values := m.valuesMet(c); w >= 90 {
				l.Put(p, paint.Fit(dissect.Escape(values), (w-l.Width)/3)+"  ")
			}
			l.Put(p, paint.Fit(doc, max(0, w-2-l.Width)))
		}
		body = append(body, paint.Clip(l.End(w-2), w-2))
	}
	m.placed(3, 3, w, len(body), 0, from, h)
	title := strconv.Itoa(m.typing.chosen+1) + " of " + strconv.Itoa(len(m.typing.offers))
	if m.typing.offers[m.typing.chosen].meant {
		title = "did you mean"
	}
	dot := m.style.Glyph(" · ", ", ")
	foot := m.style.Glyph("↑↓ choose", "up, down choose") + dot + m.style.Key(act.LineTake) + " take" + dot + m.style.Key(act.LineExplain) + " explain"
	paint.Over(lines, m.style.Box(title, body, w, foot), 3, 3)
}

// valuesMet are some of the values that a field has in this capture.
func (m *model) valuesMet(o offer) string {
	f := m.reg.Field(strings.TrimSpace(o.Text))
	if f == nil {
		return ""
	}
	k := m.fieldStats.Field(f)
	if k == nil {
		return ""
	}
	if lo, hi, ok := k.Span(); ok {
		if !strings.HasPrefix(hi, "0x") {
			lo, hi = widget.GroupNumbers(lo), widget.GroupNumbers(hi)
		}
		return lo + m.style.Glyph(" … ", " to ") + hi
	}
	values := k.Order
	return strings.Join(values[:min(6, len(values))], ", ")
}

// valueNumber is the number behind the name of a value, as in GAME_INPUT (0x0e); the bar says more than the name again.
func valueNumber(name, doc string) string {
	number, ok := strings.CutSuffix(strings.TrimPrefix(doc, name+" ("), ")")
	if !ok {
		return "value"
	}
	return dissect.Escape(number)
}

// countFieldsSoon has the capture looked at when the filter line opens, and not again while little has changed.
func (m *model) countFieldsSoon() {
	passed := m.packets.Session.Passed()
	if m.fieldStats != nil && passed < m.fieldStatsAt*5/4+1000 {
		return
	}
	m.fieldStatsAt = passed
	ctx, s := m.ctx, m.packets.Session
	m.pending = append(m.pending, func() any { return fieldstats.OfCapture(ctx, s) })
}
