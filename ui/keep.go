package ui

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/ui/widget"
)

// What is changed about the columns on the screen is kept between runs beside the lists of files and filters: the file of
// settings is the person's own and never written. A line holds the profile, the columns that the settings asked for at that
// time, and those that were made of them. Who writes others into the settings later gets these.

// keepLayout remembers the columns, and the sizes of the panes, once they are other than before, but not while one is being
// dragged.
func (m *model) keepLayout() {
	m.keepSizes()
	if m.pointer.dragging != dragNothing || slices.Equal(m.columns, m.kept) {
		return
	}
	m.kept = m.columns
	head, text := m.columnsHead(), columnsText(slices.DeleteFunc(slices.Clone(m.columns), func(c column) bool { return c.auto }))
	list := m.lists.columns
	m.later(func() {
		forget(list, head)
		list.Add(head + text)
	})
}

// keepSizes remembers the arrangement and the sizes of the panes.
func (m *model) keepSizes() {
	s := m.sizes
	if m.pointer.dragging != dragNothing || s == m.keptSizes {
		return
	}
	m.keptSizes = s
	list, line := m.lists.sizes, fmt.Sprintf("%d %d %d %d %d", s.arrangement, s.share, s.side, s.bytes, s.split)
	m.later(func() { list.Add(line) })
}

// recallSizes takes up those of the last run. What no key could have made of them is left alone.
func (m *model) recallSizes() {
	for _, line := range m.lists.sizes.Lines() {
		var s sizes
		if n, err := fmt.Sscan(line, &s.arrangement, &s.share, &s.side, &s.bytes, &s.split); n == 5 && err == nil && s.possible() {
			m.sizes = s
		}
	}
	m.keptSizes = m.sizes
}

// recallColumns takes up the columns of the last run.
func (m *model) recallColumns() {
	for _, line := range m.lists.columns.Lines() {
		if text, ok := strings.CutPrefix(line, m.columnsHead()); ok {
			if columns := columnsOfText(m.reg, text); len(columns) > 0 {
				m.columns = columns
			}
		}
	}
	m.kept = m.columns
}

// usualColumns goes back to the columns of the settings.
func (m *model) usualColumns() {
	m.columns, _ = columnsNamed(m.reg, m.cfg.Columns)
	if m.columns == nil {
		m.columns = standardColumns()
	}
	m.kept = m.columns
	list, head := m.lists.columns, m.columnsHead()
	m.later(func() { forget(list, head) })
	clear(m.rowCache)
}

func forget(list interface {
	Lines() []string
	Remove(string) error
}, head string) {
	for _, line := range list.Lines() {
		if strings.HasPrefix(line, head) {
			list.Remove(line)
		}
	}
}

// columnsHead is the part of a line that says what it is for.
func (m *model) columnsHead() string {
	return m.cfg.Profile + "\t" + strings.Join(m.cfg.Columns, ",") + "\t"
}

// columnsText writes columns as titles and names of fields, with =WIDTH behind those that have one, ~TITLE behind
// those that somebody named, with %XX for signs, and a minus before those that are not shown.
func columnsText(columns []column) string {
	var out []string
	for _, c := range columns {
		name := c.title
		if c.field != nil {
			name = c.field.Name()
		}
		if c.off {
			name = "-" + name
		}
		if c.set > 0 {
			name += "=" + strconv.Itoa(c.set)
		}
		if c.own != "" {
			name += "~" + url.QueryEscape(c.own)
		}
		out = append(out, name)
	}
	return strings.Join(out, ",")
}

// columnsOfText reads that again. Names that there are no more are left out.
func columnsOfText(reg *dissect.Registry, text string) []column {
	var out []column
	for word := range strings.SplitSeq(text, ",") {
		word, own, _ := strings.Cut(word, "~")
		name, width, _ := strings.Cut(word, "=")
		name, off := strings.CutPrefix(name, "-")
		all := knownColumns()
		i := slices.IndexFunc(all, func(c column) bool { return c.title == name })
		var c column
		if i >= 0 {
			c = all[i]
		} else if f := reg.Field(name); f != nil {
			c = fieldColumn(f)
		} else {
			continue
		}
		if n, err := strconv.Atoi(width); err == nil && n > 0 {
			c.set = widget.Clamp(n, minColumn, maxColumn)
		}
		c.off = off
		if own, err := url.QueryUnescape(own); err == nil {
			c.own = ownTitle(own)
		}
		out = append(out, c)
	}
	return out
}
