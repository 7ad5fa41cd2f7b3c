package chooser

import "remora/ui/act"

// Wheel moves the cursor by a line.
func (c *Chooser) Wheel(n int) {
	if n < 0 {
		c.moveTo(c.cur - 1)
	} else {
		c.moveTo(c.cur + 1)
	}
}

// Click goes to a line; on its box it chooses the interface, and a second one on the same line starts. On a setting it
// opens that.
func (c *Chooser) Click(x, y int) {
	for _, at := range c.cells {
		if y != at.y || x < at.x || x >= at.x+at.w {
			continue
		}
		switch {
		case at.field == fieldQuiet:
			c.Do(act.SourceQuiet)
		case at.field == fieldMonitor:
			c.Do(act.SourceMonitor)
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
