// Package view says what a view of the screen is, and what it may ask of the screen. Each view is a package below this
// one with a state of its own; none knows the screen or another view.
package view

import (
	"context"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/ui/act"
	"remora/ui/export"
	"remora/ui/term"
	"remora/ui/ticks"
	"remora/ui/widget"
)

// A View takes the place of list, tree and bytes. Closing it leaves everything else as it was. All methods but those
// that work begun by Context.Go calls are called from one goroutine.
type View interface {
	// Update does what a key stands for here, and tells whether it stands for anything; n is the count before the key, or
	// 0.
	Update(a act.Action, n int) bool
	// Draw draws exactly h lines of w cells.
	Draw(w, h int) []string
	// Click is a press of the left button at a cell of what was drawn; Wheel is a turn of the wheel by n lines.
	Click(x, y int)
	Wheel(n int)
	// Keys are the keys that matter here, each with what it does; Status is the line above them.
	Keys() [][2]string
	Status() string
	// Busy tells whether something goes on beside the screen that the view waits for.
	Busy() bool
	// Close ends the view's work beside the screen. A view may be opened again.
	Close()
}

// An Exporter is a view whose numbers can be saved. What Sheet returns is asked beside the screen, and reads nothing
// that the screen changes.
type Exporter interface{ Sheet() export.Sheet }

// Context is what a view may ask of the screen.
type Context interface {
	// Scope is the capture as it is shown now.
	Scope() Scope
	// Style is how the screen draws.
	Style() *widget.Style
	// List is the packet list with the selected packet.
	List() List
	// Size is the room for a view, in cells.
	Size() (w, h int)
	// Notify says something in the line above the keys; "" takes it away.
	Notify(text string)
	// Filter applies a display filter; "" shows all packets. One that is wrong changes nothing but says so.
	Filter(text string)
	// GoTo selects a packet and remembers for the way back where the cursor was.
	GoTo(n dissect.FrameNum)
	// Open lays a view over the others until it is closed.
	Open(v View)
	// Close closes the view that is open: what lies over the tabs, or else the tab.
	Close()
	// Go does work beside the screen until it returns or stop is called; what names it where it fails.
	Go(what string, work func(ctx context.Context)) (stop func())
	// Later does work beside the screen, and then, if work returns a function, that in the screen's own goroutine; stop
	// ends ctx.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
	// Prompt asks for a line of text.
	Prompt(p Prompt)
	// Ask puts a question over the screen; the answer that goes back is added.
	Ask(title, text string, answers ...Answer)
	// Copy hands a text to the clipboard; what says what it is.
	Copy(text, what string)
	// Follow reads a conversation or a game, from a packet on.
	Follow(t *follow.Stream, from dissect.FrameNum)
}

// List is the packet list as other views see it.
type List interface {
	// Rows is how many packets are listed, Captured the one in a row in the order of the capture.
	Rows() int
	Captured(row int) dissect.FrameNum
	// Current is the selected packet, 0 for none.
	Current() dissect.FrameNum
	// Select selects a packet, Reveal does so and brings its row into view; both end the following of the newest packet.
	Select(n dissect.FrameNum)
	Reveal(n dissect.FrameNum)
	// Step goes on by some rows.
	Step(by int)
	// Hide shows all but the packets of a protocol, a packet type or a direction of it.
	Hide(x ticks.Line)
	// Leave remembers the selected packet for the way back.
	Leave()
	// Evicted tells, and says, that a packet is gone by the retention limit.
	Evicted(n dissect.FrameNum) bool
	// Show closes all views, so that the packets are seen.
	Show()
	// Draw draws the columns' titles and the packets around the selected one; Click selects the packet in a line of that.
	Draw(w, h int) []string
	Click(line int)
	// Heading is the columns' titles above packets that Row draws, as wide as these need and those drawn since of means
	// another list.
	Heading(of string, frames []dissect.FrameNum, w int) string
	// Row draws a packet as the list does; info stands in the place of its Info unless it is "".
	Row(n dissect.FrameNum, selected bool, info string, w int) string
}

// An Answer is what a key of the layer for answers chooses.
type Answer struct {
	Act     act.Action
	Label   string
	Do      func()
	Default bool // the cursor begins on it
}

// Narrow keeps of what is shown what passes a filter, too.
func Narrow(c Context, text string) {
	if now := c.Scope().FilterText(); now != text {
		c.Filter(term.Join(now, "&&", text))
	}
}

// Width is the room for a view, in cells.
func Width(c Context) int { w, _ := c.Size(); return w }

// Height is the room for a view, in lines.
func Height(c Context) int { _, h := c.Size(); return h }
