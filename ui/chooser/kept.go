package chooser

import "strings"

// Who chose interfaces and a filter without the right to capture starts remora again with it: what was chosen is kept
// until something is captured.

const (
	keptInterface = "interface "
	keptFilter    = "filter "
)

// remember keeps the choice, when capturing it was not allowed.
func (c *Chooser) remember() {
	if c.found.NotPermitted == nil {
		return
	}
	c.forgetChoice()
	for name, on := range c.chosen {
		if on {
			c.src.Chosen.Add(keptInterface + name)
		}
	}
	if x := c.at(c.cur); x.In != nil && len(c.src.Chosen.Lines()) == 0 && c.cur > 0 {
		c.src.Chosen.Add(keptInterface + x.In.Name)
	}
	if text := strings.TrimSpace(c.filter.Value()); text != "" {
		c.src.Chosen.Add(keptFilter + text)
	}
}

// recall takes up what an earlier run chose. What the command line says counts more.
func (c *Chooser) recall() {
	for _, line := range c.src.Chosen.Lines() {
		if name, ok := strings.CutPrefix(line, keptInterface); ok {
			c.chosen[name] = true
		}
		if text, ok := strings.CutPrefix(line, keptFilter); ok && c.src.Capture.Filter == "" {
			c.filter.Set(text)
		}
	}
}

func (c *Chooser) forgetChoice() {
	for _, line := range c.src.Chosen.Lines() {
		c.src.Chosen.Remove(line)
	}
}
