package ui

import (
	tea "charm.land/bubbletea/v2"

	"remora/ui/act"
)

// mouse: a click goes to a line, one on its box chooses the interface, a second one on the same line starts; the wheel
// scrolls. A click on a setting opens it.
func (c *chooser) mouse(msg tea.Msg) {
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		if e.Button == tea.MouseWheelUp {
			c.moveTo(c.cur - 1)
		} else {
			c.moveTo(c.cur + 1)
		}
	case tea.MouseClickMsg:
		if e.Button == tea.MouseLeft {
			c.click(e.X, e.Y)
		}
	}
}

func (c *chooser) click(x, y int) {
	for _, at := range c.cells {
		if y != at.y || x < at.x || x >= at.x+at.w {
			continue
		}
		switch {
		case at.field == fieldQuiet:
			c.do(act.SourceQuiet)
		case c.text == nil || c.field != at.field:
			c.edit(at.field)
		}
		return
	}
	i, ok := c.lineOf[y]
	if !ok || i >= c.rows() {
		return
	}
	c.text, c.problem = nil, ""
	again := c.cur == i
	c.moveTo(i)
	switch on := c.at(i); {
	case on.In != nil && x < 6:
		c.choose(on)
	case again:
		c.start()
	}
}
