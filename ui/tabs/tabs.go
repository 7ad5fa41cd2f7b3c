// Package tabs shows one of several screens, each with a capture of its own, and above them a line that names them.
package tabs

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"remora/dissect"
	"remora/ui/paint"
	"remora/ui/widget"
)

// A Screen shows one capture.
type Screen interface {
	Init() tea.Cmd
	Update(msg tea.Msg) tea.Cmd
	View() tea.View
	// Label is what its tab is called.
	Label() Label
	// Style is how it draws.
	Style() *widget.Style
	// Notify says something in the line above its keys.
	Notify(text string)
	// Ended tells whether it was left, and by what failure.
	Ended() (left bool, failure error)
	// Leave goes on with then, after asking when packets would be lost.
	Leave(then func())
	// Close closes its capture.
	Close()
}

// A Label is what a tab is called.
type Label struct {
	Name    string
	Live    bool
	Unsaved bool
}

// Tabs are the screens that are open, of which there is always one.
type Tabs struct {
	screens []Screen
	shown   atomic.Pointer[Screen] // asked for by other goroutines, too
	w, h    int
	quit    bool
	pending []tea.Cmd
	ends    []int // where the tabs end on their line, as it was drawn
}

// Open shows one more screen, behind the one that is shown.
func (t *Tabs) Open(s Screen) {
	at := len(t.screens)
	if at > 0 {
		at = t.at() + 1
	}
	t.screens = slices.Insert(t.screens, at, s)
	t.shown.Store(&s)
	if t.w > 0 {
		t.later(s, s.Init())
		t.resize()
	}
}

// Shown is the screen that is shown.
func (t *Tabs) Shown() Screen { return *t.shown.Load() }

// All are the screens that are open.
func (t *Tabs) All() []Screen { return t.screens }

// at is the number of the screen that is shown, from 0 on.
func (t *Tabs) at() int { return slices.Index(t.screens, t.Shown()) }

// Step shows the screen some tabs further on; behind the last one comes the first.
func (t *Tabs) Step(by int) {
	n := len(t.screens)
	if n == 1 {
		t.Shown().Notify("there is one tab; :tabnew opens another one")
		return
	}
	t.show(((t.at()+by)%n + n) % n)
}

// Go shows the screen of a number, from 1 on.
func (t *Tabs) Go(number int) {
	if number < 1 || number > len(t.screens) {
		t.Shown().Notify("there is no tab " + strconv.Itoa(number) + "; there are " + strconv.Itoa(len(t.screens)))
		return
	}
	t.show(number - 1)
}

func (t *Tabs) show(i int) {
	s := t.screens[i]
	t.shown.Store(&s)
}

// QuitAll leaves all screens, after asking for each whose packets would be lost.
func (t *Tabs) QuitAll() {
	for i, s := range t.screens {
		if s.Label().Unsaved {
			t.show(i)
			s.Leave(func() {
				if len(t.screens) > 1 {
					t.close(s, nil)
					t.QuitAll()
				} else {
					t.quit = true
				}
			})
			return
		}
	}
	t.quit = true
}

// QuitNow leaves all screens.
func (t *Tabs) QuitNow() { t.quit = true }

// close closes a screen; the last one stays until the program ends.
func (t *Tabs) close(s Screen, failure error) {
	if len(t.screens) == 1 {
		t.quit = true
		return
	}
	at, gone := t.at(), slices.Index(t.screens, s)
	t.screens = slices.Delete(t.screens, gone, gone+1)
	if gone < at || at == len(t.screens) {
		at--
	}
	next := t.screens[at]
	t.shown.Store(&next)
	if failure != nil {
		next.Notify(dissect.Escape(s.Label().Name + ": " + failure.Error()))
	}
	s.Close()
	t.resize()
}

// A forScreen is a message of what a screen began.
type forScreen struct {
	to  Screen
	msg tea.Msg
}

// later does what a screen leaves to be done. What comes of it goes to that screen, wherever one is by then; messages
// to the library go to the library.
func (t *Tabs) later(s Screen, cmd tea.Cmd) {
	if cmd != nil {
		t.pending = append(t.pending, of(s, cmd))
	}
}

func of(s Screen, cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				if c != nil {
					batch[i] = of(s, c)
				}
			}
			return batch
		}
		if msg == nil || reflect.TypeOf(msg).PkgPath() == reflect.TypeFor[tea.QuitMsg]().PkgPath() {
			return msg
		}
		return forScreen{s, msg}
	}
}

// Init begins with the first screen.
func (t *Tabs) Init() tea.Cmd { return of(t.Shown(), t.Shown().Init()) }

// Update hands a message on: keys and the mouse to the screen that is shown, what a screen began to that one, all else
// to all.
func (t *Tabs) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case forScreen:
		t.hand(msg.to, msg.msg)
	case tea.WindowSizeMsg:
		t.w, t.h = msg.Width, msg.Height
		t.resize()
	case tea.KeyPressMsg, tea.PasteMsg:
		t.hand(t.Shown(), msg)
	case tea.MouseMsg:
		t.mouse(msg)
	default:
		for _, s := range slices.Clone(t.screens) {
			t.hand(s, msg)
		}
	}
	if t.quit {
		return tea.Quit
	}
	cmds := t.pending
	t.pending = nil
	return tea.Batch(cmds...)
}

func (t *Tabs) hand(s Screen, msg tea.Msg) {
	if !slices.Contains(t.screens, s) { // it was closed
		return
	}
	cmd := s.Update(msg)
	if left, failure := s.Ended(); left {
		if slices.Contains(t.screens, s) {
			t.close(s, failure)
		}
		return
	}
	t.later(s, cmd)
}

// line is the height of the line with the tabs: one screen alone has none.
func (t *Tabs) line() int { return min(1, len(t.screens)-1) }

func (t *Tabs) resize() {
	for _, s := range t.screens {
		t.hand(s, tea.WindowSizeMsg{Width: t.w, Height: t.h - t.line()})
	}
}

// mouse hands on what the mouse does below the line of the tabs. A click there shows a screen.
func (t *Tabs) mouse(msg tea.MouseMsg) {
	at := msg.Mouse()
	at.Y -= t.line()
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if at.Y >= 0 {
			t.hand(t.Shown(), tea.MouseClickMsg(at))
		} else if i, _ := slices.BinarySearch(t.ends, msg.X+1); i < len(t.ends) && t.ends[i] > 0 {
			t.show(i)
		}
	case tea.MouseReleaseMsg:
		t.hand(t.Shown(), tea.MouseReleaseMsg(at))
	case tea.MouseMotionMsg:
		t.hand(t.Shown(), tea.MouseMotionMsg(at))
	case tea.MouseWheelMsg:
		if at.Y >= 0 {
			t.hand(t.Shown(), tea.MouseWheelMsg(at))
		}
	}
}

// View is the screen that is shown, below the line of the tabs.
func (t *Tabs) View() tea.View {
	v := t.Shown().View()
	if t.line() > 0 && t.w > 0 {
		v.Content = t.draw() + "\n" + v.Content
	}
	return v
}

// draw draws the line of the tabs. Where they do not fit, all have the same width; where that leaves no room for names,
// those around the one that is shown are there.
func (t *Tabs) draw() string {
	const least = 12
	s, shown := t.Shown().Style(), t.at()
	n := len(t.screens)
	room := max(least, t.w/n)
	from := 0
	if fit := max(1, t.w/room); fit < n {
		from = min(max(0, shown-fit/2), n-fit)
	}
	var l paint.Line
	t.ends = make([]int, n)
	for i, x := range t.screens {
		if i >= from && l.Width < t.w {
			text, pen := t.label(x, i), s.Pens.Dim
			if i == shown {
				pen = s.Pens.Selected
			}
			if paint.Width(text) > room {
				text = paint.Fit(text, room-1) + " "
			}
			l.Put(pen, text)
		}
		t.ends[i] = min(l.Width, t.w)
	}
	return paint.Pad(paint.Clip(l.End(t.w), t.w), t.w)
}

func (t *Tabs) label(x Screen, i int) string {
	is, s := x.Label(), x.Style()
	text := " " + strconv.Itoa(i+1) + " "
	if is.Live {
		text += s.Glyph("● ", "* ")
	}
	text += strings.TrimSpace(dissect.Escape(is.Name))
	if is.Unsaved {
		text += " +"
	}
	return text + " "
}
