package ui

import (
	tea "charm.land/bubbletea/v2"
)

// mouse: a click goes to a line, one on its box chooses the interface, a second one on the same line starts; the wheel
// scrolls. A click on the line of the capture filter opens it.
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
	if y == c.inputAt {
		if c.text == nil {
			c.edit(fieldFilter)
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
	case on.in != nil && x < 6:
		c.choose(on)
	case again:
		c.start()
	}
}

// interfaceHead titles the columns of the interfaces.
func (c *chooser) interfaceHead() string {
	if c.m.w >= 100 {
		return "last 60 s      bit/s        p/s  state           "
	}
	return "last 60 s      bit/s  state           "
}
