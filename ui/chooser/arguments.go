package chooser

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"remora/capture/extcap"
	"remora/dissect"
)

// arguments are those of an interface that a capture program has, one of which is typed.
type arguments struct {
	of   extcap.Interface
	list []extcap.Argument
	cur  int
}

// now is the argument that is typed.
func (a *arguments) now() extcap.Argument { return a.list[a.cur] }

// label is what the argument is called, and where it stands among the others.
func (a *arguments) label() string {
	now := a.now()
	text := dissect.Escape(now.Display)
	if now.Required {
		text += "*"
	}
	return fmt.Sprintf("%s (%d/%d)", text, a.cur+1, len(a.list))
}

// doc is what may be typed.
func (a *arguments) doc() string {
	now := a.now()
	text := now.Tooltip
	var values []string
	for _, v := range now.Values {
		values = append(values, v.Value)
	}
	if now.Type == "boolflag" {
		values = []string{"true", "false"}
	}
	if len(values) > 0 {
		text += ": " + strings.Join(values, ", ")
	}
	return dissect.Escape(text) + "; Tab next, Shift-Tab previous, Enter captures, Esc goes back"
}

// askArguments has the arguments of a capture program typed, one after the other, before it captures. One without any
// captures at once.
func (c *Chooser) askArguments(name string) {
	c.opening, c.message = name, nil
	c.screen.Later("asking "+name, func(context.Context) func() {
		list, err := c.src.Arguments(name)
		return func() {
			c.opening = ""
			switch {
			case err != nil:
				c.message = strings.Split(err.Error(), "\n")
			case len(list) == 0:
				c.capture([]string{name}, strings.TrimSpace(c.filter.Value()))
			default:
				c.args = &arguments{of: extcap.Interface{Name: name}, list: list}
				c.edit(fieldArgument)
			}
		}
	})
}

// argument is how the argument that is typed is set.
func (c *Chooser) argument() string {
	now := c.args.now()
	if v, set := c.src.Capture.Extcap[c.args.of.Key(now)]; set {
		return v
	}
	return now.Default
}

// takeArgument keeps what was typed. What a program does anyway it is not told.
func (c *Chooser) takeArgument(text string) {
	now := c.args.now()
	key := c.args.of.Key(now)
	values := maps.Clone(c.src.Capture.Extcap)
	if values == nil {
		values = map[string]string{}
	}
	if values[key] = text; text == now.Default {
		delete(values, key)
	}
	c.src.Capture.Extcap = values
}

// nextArgument goes to another argument, round and round.
func (c *Chooser) nextArgument(forward bool) {
	step := 1
	if !forward {
		step = len(c.args.list) - 1
	}
	c.args.cur = (c.args.cur + step) % len(c.args.list)
	c.edit(fieldArgument)
}

// captureWith captures with the arguments as they are, once those that must be there are.
func (c *Chooser) captureWith() {
	for i, a := range c.args.list {
		c.args.cur = i
		if a.Required && c.argument() == "" {
			c.edit(fieldArgument)
			c.problem = a.Display + " has to be given"
			return
		}
	}
	c.capture([]string{c.args.of.Name}, strings.TrimSpace(c.filter.Value()))
}
