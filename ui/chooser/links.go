package chooser

import (
	"context"
	"slices"
	"strings"

	"remora/capture/live"
)

// askLinks asks the interface under the cursor in which forms it gives packets. Where mode is meant, monitor mode is
// left again when there is none.
func (c *Chooser) askLinks(mode bool) {
	c.links = live.Links{}
	x := c.at(c.cur)
	if x.In == nil || c.src.Links == nil {
		return
	}
	name, monitor := x.In.Name, c.src.Capture.Monitor
	c.screen.Later("asking "+name, func(context.Context) func() {
		l, err := c.src.Links(name, monitor)
		return func() {
			switch {
			case err != nil && mode && !l.Monitor:
				c.src.Capture.Monitor = false
				c.message = strings.Split(err.Error(), "\n")
			case err != nil:
				c.message = strings.Split(err.Error(), "\n")
			default:
				c.links = l
			}
		}
	})
}

// turnMonitor captures in monitor mode, or does not.
func (c *Chooser) turnMonitor() {
	c.message = nil
	if c.src.Capture.Monitor = !c.src.Capture.Monitor; c.src.Capture.Monitor {
		c.askLinks(true)
	}
}

// linksDoc says which link-layer header types there are.
func (c *Chooser) linksDoc() string {
	var have []string
	for _, l := range c.links.Types {
		have = append(have, l[0]+" ("+l[1]+")")
	}
	if have == nil {
		return "a link-layer header type by libpcap's name, as EN10MB; nothing: the usual one of the interface"
	}
	return strings.Join(have, ", ") + "; ↓ the next, nothing: the usual one"
}

// nextLink types the next link-layer header type of the interface, or the one before.
func (c *Chooser) nextLink(forward bool) {
	n := len(c.links.Types)
	if c.field != fieldLink || n == 0 {
		return
	}
	i := slices.IndexFunc(c.links.Types, func(l [2]string) bool { return l[0] == c.text.Value() })
	switch {
	case forward:
		i = (i + 1) % n
	case i <= 0:
		i = n - 1
	default:
		i--
	}
	c.text.Set(c.links.Types[i][0])
}
