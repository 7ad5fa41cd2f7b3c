package list

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/columns"
	"remora/ui/order"
	"remora/ui/print"
	"remora/ui/widget"
)

// Add shows a field as a column of its own, in front of Info; a field that has one loses it.
func (p *Pane) Add(f *dissect.Field) {
	for i, c := range p.Columns {
		if c.Field == f {
			p.Remove(i)
			p.c.Notify("Column removed: " + f.Name())
			return
		}
	}
	at := slices.IndexFunc(p.Columns, func(c columns.Column) bool { return c.Kind == columns.Info })
	p.Columns = slices.Insert(slices.Clone(p.Columns), at, columns.Distinct(columns.Of(f), p.Columns))
	p.Redraw()
	p.c.Notify(f.Name() + " is a column now; C takes it away again")
}

// Remove takes a column away; a list that was sorted by it is as captured again.
func (p *Pane) Remove(i int) {
	if p.by.Is(p.Columns[i]) {
		p.Unsort()
	}
	p.Columns = slices.Delete(slices.Clone(p.Columns), i, i+1)
	p.Redraw()
}

// Move puts a column in another one's place.
func (p *Pane) Move(from, to int) {
	to = widget.Clamp(to, 0, len(p.Columns)-1)
	c := p.Columns[from]
	p.Columns = slices.Insert(slices.Delete(slices.Clone(p.Columns), from, from+1), to, c)
	p.Redraw()
}

// Widen gives a column a width; 0 gives it back to the program.
func (p *Pane) Widen(at, w int) {
	if w != 0 {
		w = widget.Clamp(w, columns.Least, columns.Most)
	}
	p.Columns = slices.Clone(p.Columns)
	p.Columns[at].Set = w
}

// Nudge makes a column wider than it is now by some cells, or narrower.
func (p *Pane) Nudge(at, by int) {
	w := p.Columns[at].Set
	if w == 0 {
		w = p.Width(at)
	}
	if w == 0 || p.Columns[at].Kind == columns.Info {
		p.c.Notify(p.Columns[at].Title + " takes what the others leave")
		return
	}
	p.Widen(at, max(columns.Least, w+by))
}

// Retitle gives a column a title of its own; its first one, or none, takes that away.
func (p *Pane) Retitle(at int, title string) {
	if at >= len(p.Columns) {
		return
	}
	title = columns.OwnTitle(title)
	if i := columns.Titled(title, p.Columns); i >= 0 && i != at {
		p.c.Notify("another column is called " + dissect.Escape(title))
		return
	}
	p.Columns = slices.Clone(p.Columns)
	c := &p.Columns[at]
	if c.Own = title; c.Own == c.Title {
		c.Own = ""
	}
}

// Listed are the columns, with those that are not shown.
func (p *Pane) Listed() []columns.Column { return p.Columns }

// SetColumns shows other columns.
func (p *Pane) SetColumns(list []columns.Column) {
	p.Columns = list
	p.Redraw()
}

// Use has fields be those of another registry. Columns of fields that it does not have are gone.
func (p *Pane) Use(reg *dissect.Registry) {
	p.memory.Use(reg)
	var list []columns.Column
	for _, c := range p.Columns {
		if c.Field != nil {
			if c.Field = reg.Field(c.Field.Name()); c.Field == nil {
				continue
			}
		}
		list = append(list, c)
	}
	p.kept = list
	p.SetColumns(list)
}

// Ask takes the columns that the settings of a profile ask for, where they did not before, as they were changed in
// earlier runs.
func (p *Pane) Ask(profile string, names []string) {
	if list := p.memory.Ask(profile, names); list != nil {
		p.Columns, p.kept = list, list
	}
}

// Keep keeps the columns for the next run, once they are others.
func (p *Pane) Keep() {
	if !slices.Equal(p.Columns, p.kept) {
		p.kept = p.Columns
		p.c.Write(p.memory.Keep(p.Columns))
	}
}

// Usual goes back to the columns that the settings ask for.
func (p *Pane) Usual() {
	p.Columns = p.memory.Usual()
	p.kept = p.Columns
	p.c.Write(p.memory.Forget())
	p.Redraw()
}

// Named is the number of the column that a title or a field's name stands for, or -1.
func (p *Pane) Named(name string) int {
	return slices.IndexFunc(p.Columns, func(c columns.Column) bool {
		return strings.EqualFold(c.Title, name) || strings.EqualFold(c.Head(), name) ||
			c.Field != nil && c.Field.Name() == name || strings.EqualFold(strings.TrimSuffix(c.Title, "."), name)
	})
}

// ColumnCommand adds the column that is named, or takes it away.
func (p *Pane) ColumnCommand(name string) {
	if i := slices.IndexFunc(columns.All(p.Columns),
		func(c columns.Column) bool { return strings.EqualFold(c.Title, name) && c.Field == nil }); i >= 0 {
		p.Toggle(i)
		return
	}
	f := p.packets.Session.Registry().Field(name)
	if f == nil {
		p.c.Notify("column " + name + ": there is neither a column nor a field of that name")
		return
	}
	p.Add(f)
}

// SortCommand sorts by the column or the field that is named; a minus in front turns it round, nothing is as captured.
func (p *Pane) SortCommand(name string) {
	rest, down := strings.CutPrefix(name, "-")
	if rest == "" {
		p.Unsort()
		return
	}
	if i := p.Named(rest); i >= 0 {
		p.SortAs(order.By{Kind: p.Columns[i].Kind, Field: p.Columns[i].Field, Down: down})
		return
	}
	for _, c := range columns.All(p.Columns) {
		if strings.EqualFold(c.Title, rest) {
			p.SortAs(order.By{Kind: c.Kind, Field: c.Field, Down: down})
			return
		}
	}
	if f := p.packets.Session.Registry().Field(rest); f != nil {
		p.SortAs(order.By{Kind: columns.Value, Field: f, Down: down})
		return
	}
	p.c.Notify("sort " + rest + ": there is neither a column nor a field of that name")
}

// Toggle shows one of all columns, or hides it.
func (p *Pane) Toggle(i int) {
	all := columns.All(p.Columns)
	if i >= len(all) {
		return
	}
	all[i].Off = !all[i].Off && all[i].From <= p.width()
	all[i].From = 0          // it was asked for
	if i >= len(p.Columns) { // a standard one comes back
		p.Columns = append(slices.Clone(p.Columns), all[i])
	} else {
		p.Columns = all[:len(p.Columns)]
	}
	p.Redraw()
	p.c.Notify(all[i].Title + map[bool]string{true: " is not shown any more", false: " is shown"}[all[i].Off])
}

// columnOfSource shows where packets are from when a capture has several sources: the interface of a live one, the file
// of several that are read as one. It goes again with the capture.
func (p *Pane) columnOfSource() {
	store := p.packets.Store
	defer func() { p.kept = p.Columns }() // nobody asked for it: it is not kept for the next run
	p.Columns = slices.DeleteFunc(slices.Clone(p.Columns), func(c columns.Column) bool { return c.Auto })
	name, title := "", ""
	switch {
	case len(store.Status().PerInterface) > 1:
		name, title = "frame.interface_name", "Interface"
	case store.Files() > 1:
		name, title = "frame.file", "File"
	}
	f := p.packets.Session.Registry().Field(name)
	if f == nil || slices.ContainsFunc(p.Columns, func(c columns.Column) bool { return c.Field == f }) {
		return
	}
	c := columns.Column{Kind: columns.Value, Title: title, Field: f, Auto: true}
	at := slices.IndexFunc(p.Columns, func(c columns.Column) bool { return c.Kind == columns.Source })
	p.Columns = slices.Insert(p.Columns, max(0, at), c)
}

// ClockCommand has times written in a format that is named.
func (p *Pane) ClockCommand(format string) {
	if _, err := print.ParseClock(format); err != nil {
		p.c.Notify(err.Error())
		return
	}
	p.Clock = format
	p.Redraw()
}

// GoToCommand goes to a packet by its number.
func (p *Pane) GoToCommand(number string) {
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil {
		p.c.Notify(":goto takes the number of a packet")
		return
	}
	p.Jump(dissect.FrameNum(n))
}
