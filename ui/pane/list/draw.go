package list

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/columns"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/rules"
	"remora/ui/view"
)

// row is the text of one packet in the list.
type row struct {
	cells    []string                 // by column
	ends     [2][columns.Forms]string // source and destination in their forms
	ports    [2]uint16
	plain    string // Info
	line     string // Info with the packet type in it, which stands from kindAt to kindEnd
	kindAt   int
	kindEnd  int
	kind     string
	protocol *dissect.Protocol
	comment  bool
	ignored  bool
	hue      dissect.Hue
	severity dissect.Severity
	repeat   bool // nothing in it is new
	conv     uint32
	rule     *rules.Ready // the coloring rule that matches
}

// rowOf is the row of a packet; rows are kept while they are on the screen.
func (p *Pane) rowOf(n dissect.FrameNum) row {
	if r, ok := p.rows[n]; ok {
		return r
	}
	if len(p.rows) > 1024 {
		clear(p.rows)
	}
	if p.packets.Ignored[n] {
		return ignoredRow(p.Columns, n)
	}
	r := p.rowOfTree(p.packets.Dissector.Redissect(n, p.wanted()))
	r.rule = p.c.Rule(n)
	p.rows[n] = r
	return r
}

// rowOfTree is the row of a packet with this tree, without its rule.
func (p *Pane) rowOfTree(t *dissect.Tree) row {
	n, scope := t.Frame, p.c.Scope()
	r := row{ends: [2][columns.Forms]string{endForms(scope, t, t.Src), endForms(scope, t, t.Dst)},
		ports: [2]uint16{t.Src.Port, t.Dst.Port}, plain: t.Info(), line: t.InfoLine(), kind: dissect.Escape(t.Kind()),
		protocol: t.Protocol(), comment: p.packets.Store.HasComment(int(n) - 1), hue: t.Protocol().Hue(),
		severity: t.Severity, conv: p.packets.Session.ConversationOf(n), repeat: allRepeats(t)}
	r.kindAt, r.kindEnd = typeIn(r.line, r.kind)
	for _, c := range p.Columns {
		text := ""
		switch c.Kind {
		case columns.Source:
			text = r.ends[0][columns.Whole]
		case columns.Destination:
			text = r.ends[1][columns.Whole]
		case columns.DeltaConversation, columns.DeltaType:
			text = p.gapCell(c.Kind, n)
		default:
			text = p.cell(c, t)
		}
		r.cells = append(r.cells, text)
	}
	return r
}

// wanted are the fields that the columns need; of the rest of a packet no tree is made.
func (p *Pane) wanted() *dissect.Wants {
	var fields []*dissect.Field
	for _, c := range p.Columns {
		if c.Field != nil {
			fields = append(fields, c.Field)
		}
	}
	if reg := p.packets.Session.Registry(); p.wants == nil || reg != p.wantsOf || !slices.Equal(fields, p.wantsFor) {
		p.wants, p.wantsOf, p.wantsFor = reg.RowWants(fields...), reg, fields
	}
	return p.wants
}

// allRepeats tells whether a packet holds messages and all of them came before.
func allRepeats(t *dissect.Tree) bool {
	for _, msg := range t.Messages {
		if msg.RepeatOf == 0 {
			return false
		}
	}
	return len(t.Messages) > 0
}

// Draw draws the column titles and the rows.
func (p *Pane) Draw(w, h int) []string {
	p.measure(h - 1)
	cols, full := p.scrolled(w)
	out := append(make([]string, 0, h), p.scroll(p.drawHead(cols, full), w))
	rows := p.packets.Rows()
	for i := range h - 1 {
		at := p.top + i
		if at >= rows {
			if rows == 0 && i == 0 {
				empty := p.explainEmpty(w)
				out = append(out, empty[:min(len(empty), h-1)]...)
			}
			if len(out) > i+1 {
				continue
			}
			out = append(out, strings.Repeat(" ", w))
			continue
		}
		out = append(out, p.scroll(p.drawRow(at, cols, full), w))
	}
	p.pill(out, w, h)
	return out
}

func (p *Pane) drawRow(at int, cols []columns.Placed, w int) string {
	n := p.packets.Frame(at)
	if n == 0 { // its packet left while the list was drawn
		return strings.Repeat(" ", w)
	}
	r := p.rowOf(n)
	var l paint.Line
	selected := n == p.packet.Frame
	if selected && p.c.Focused() {
		l.Base = p.c.Style().Pens.Selected
	} else if pen, ok := p.colour(r.conv); ok {
		l.Base = pen
	} else if r.rule != nil {
		l.Base = r.rule.Pen
	}
	p.drawMargin(&l, n, r, selected)
	p.drawCells(&l, r, cols, n)
	if selected && !p.c.Focused() {
		return p.c.Style().Pens.Bold.Open + paint.Clip(l.End(w), w) + p.c.Style().Pens.Bold.Close
	}
	return paint.Clip(l.End(w), w)
}

// drawCells draws the columns of a packet's row.
func (p *Pane) drawCells(l *paint.Line, r row, cols []columns.Placed, n dissect.FrameNum) {
	style := p.c.Style()
	for _, c := range cols {
		pen, text := paint.Pen{}, r.cells[c.At]
		if c.Kind == columns.Info {
			p.drawInfo(l, r, cols, c.W)
			continue
		}
		switch c.Kind {
		case columns.No, columns.DeltaConversation, columns.DeltaType:
			pen = style.Pens.Dim
		case columns.Time: // these two depend on the packets around
			pen, text = style.Pens.Dim, p.TimeWithin(n, c.W)
		case columns.Delta:
			pen, text = style.Pens.Dim, p.deltaText(n)
		case columns.Protocol, columns.Type:
			pen = style.Pens.Hues[r.hue]
		}
		if r.repeat || r.ignored {
			pen = style.Pens.Dim
		}
		switch {
		case c.Kind == columns.Source || c.Kind == columns.Destination:
			text = fitEnd(r.ends[c.Kind-columns.Source], c.Form, c.W)
		case c.Right:
			text = paint.FitRight(text, c.W)
		case c.Kind == columns.Type:
			text = paint.FitWords(text, c.W)
		default:
			text = paint.Fit(text, c.W)
		}
		l.Put(pen, text)
		if c.Gap > 1 {
			l.Put(style.Pens.Dim, strings.Repeat(" ", c.Gap-2)+style.Glyph("→ ", "> "))
		} else {
			l.Put(paint.Pen{}, strings.Repeat(" ", c.Gap))
		}
	}
}

// drawInfo draws Info, and the packet type in it in the colour of its protocol where no column of its own has that.
func (p *Pane) drawInfo(l *paint.Line, r row, cols []columns.Placed, w int) {
	text, from, to := r.info(cols, w)
	pen, plain := p.c.Style().Pens.Hues[r.hue], paint.Pen{}
	if r.repeat || r.ignored {
		pen, plain = p.c.Style().Pens.Dim, p.c.Style().Pens.Dim
	}
	l.Put(plain, text[:from])
	l.Put(pen, text[from:to])
	l.Put(plain, text[to:])
}

// info is what a row says in Info, in w cells: with the packet type, which stands from one place to another, unless a
// column of its own has that.
func (r *row) info(cols []columns.Placed, w int) (text string, from, to int) {
	if text = r.wholeInfo(cols); text != r.line {
		return paint.Fit(text, w), 0, 0
	}
	from, to = r.kindAt, r.kindEnd
	if to == 0 || paint.Width(text) <= w || paint.Width(text[:to]) < w {
		return paint.Fit(text, w), from, to
	}
	name, before := text[from:to], text[:from] // it goes first then, and is cut between its words
	if paint.Width(name) < w-1 && before != "" {
		return paint.Fit(name+" "+before, w), 0, len(name)
	}
	name = paint.FitWords(name, w)
	return name, 0, len(name)
}

// wholeInfo is what info says where it has room for all.
func (r *row) wholeInfo(cols []columns.Placed) string {
	if slices.ContainsFunc(cols, func(c columns.Placed) bool { return c.Kind == columns.Type }) {
		return r.plain
	}
	return r.line
}

// typeIn is where a packet type stands in Info, as it is or in small letters; 0, 0 where it does not.
func typeIn(info, kind string) (from, to int) {
	kind, _, _ = strings.Cut(kind, " +")
	if kind == "" {
		return 0, 0
	}
	at := strings.Index(info, kind)
	if at < 0 && len(strings.ToLower(info)) == len(info) {
		at = strings.Index(strings.ToLower(info), strings.ToLower(kind))
	}
	if at < 0 {
		return 0, 0
	}
	return at, at + len(kind)
}

// endForms are the forms of an end of a packet: whole, without its port, and without its address.
func endForms(s view.Scope, t *dissect.Tree, e dissect.Endpoint) (forms [columns.Forms]string) {
	text, short := s.EndText(t, e)
	forms = [columns.Forms]string{text, cmp.Or(short, text), cmp.Or(short, text)}
	if short == "" && e.Port != 0 {
		port := e.Port
		e.Port = 0
		forms[columns.HostOnly], forms[columns.PortOnly] = s.Address(e, t.Frame), ":"+strconv.Itoa(int(port))
	}
	return forms
}

// fitEnd fits an end into a column, in the longest of its forms from one on that has room. An address that is cut keeps
// its begin, which is the network, and its end, which is the host.
func fitEnd(forms [columns.Forms]string, from columns.Form, w int) string {
	if paint.Width(forms[from]) > w {
		from = max(from, columns.HostOnly)
	}
	return paint.FitEnds(forms[from], w)
}

// pill says how many packets came below while the list stands still.
func (p *Pane) pill(out []string, w, h int) {
	if p.Follow || p.top+h-1 >= p.packets.Rows() || !p.packets.Store.Status().Live {
		p.known = p.packets.Rows()
	}
	fresh := p.packets.Rows() - p.known
	if p.packets.Order != nil && p.packets.Store.Status().Live {
		if fresh = p.packets.Unsorted(); p.keep.on {
			fresh = 0 // they come in soon
		}
	}
	if fresh <= 0 || len(out) < 2 || p.packets.Frozen > 0 {
		return
	}
	text := " " + p.c.Style().Glyph("▼ ", "v ") + humanize.Group(fresh) + " new "
	if p.packets.Order != nil {
		text = " " + p.c.Style().Glyph("▼ ", "v ") + humanize.Group(fresh) + " new below, unsorted; " +
			p.c.Style().Key(act.Follow) + " sorts them in "
	}
	out[len(out)-1] = paint.Cut(out[len(out)-1], w-paint.Width(text)) + p.c.Style().
		Pens.Selected.Open + text + p.c.Style().Pens.Selected.Close
}

// ignoredRow is what the list says of an ignored packet.
func ignoredRow(list []columns.Column, n dissect.FrameNum) row {
	r := row{ignored: true, line: "<Ignored>", plain: "<Ignored>"}
	for _, c := range list {
		text := ""
		switch c.Kind {
		case columns.No:
			text = humanize.Group(int(n))
		case columns.Info:
			text = r.line
		}
		r.cells = append(r.cells, text)
	}
	return r
}
