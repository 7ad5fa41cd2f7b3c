package owndissect

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"remora/dissect"
)

// maxShown is how much text of a window is kept: the end of it.
const maxShown = 1 << 20

// A Screen is what scripts show beside the packets: menus, windows of text, questions. Scripts change it while they
// run, on any goroutine; whoever draws it asks for what there is now.
type Screen struct {
	mu      sync.Mutex
	scripts []*Script
	filter  string
	wishes  []Wish
}

// A Wish is something that a script wants of the screen.
type Wish struct {
	Kind WishKind
	Text string
}

// A WishKind is what a script may want.
type WishKind int

// What scripts want.
const (
	WantsFilter WishKind = iota // another display filter
	WantsCopy                   // a text in the clipboard
	WantsNotice                 // something said
)

// A Script is what one file shows.
type Script struct {
	x       *Screen
	reg     *dissect.Registry
	hooks   Hooks
	name    string
	menus   []Menu
	windows []*Window
	log     []byte // what it printed, and its errors
	drawn   []byte // what it printed when it was last asked to say what it found
	drawing bool

	question *Question
	progress Progress
	running  bool // something of a menu or a button
}

// Hooks are what the screen may ask of a script. They wait while it runs, and are called beside the screen.
type Hooks struct {
	// Follow shows the packets that have passed to the script's listeners, and has them say what they found.
	Follow func(ctx context.Context, s *dissect.Session)
	// Seen is how many packets of a session the listeners have seen; it does not wait. Listeners tells whether there are
	// any.
	Seen      func(s *dissect.Session) int
	Listeners func() bool
	// Eval runs a line of the script's language, and prints its values.
	Eval func(line string)
}

// A Menu is an entry that a script added to a menu.
type Menu struct {
	Name     string
	OfPacket bool // it is about the selected packet
	Run      func(s *dissect.Session, n dissect.FrameNum)
}

// A Question has lines to be filled in.
type Question struct {
	Title  string
	Labels [][2]string // each with what stands in the line to begin with
	Answer func(answers []string)
}

// Progress is how far something is.
type Progress struct {
	Title, Task string
	Part        float64 // of 1
	Shown       bool
	stopped     bool
}

// A Button stands below a window.
type Button struct {
	Label string
	Press func()
}

// A Window shows a text of a script.
type Window struct {
	s        *Script
	title    string
	text     []byte
	editable bool
	closed   bool
	buttons  []Button
	atClose  func()
}

// Add adds a script of a registry. Those of registries that were replaced long ago leave.
func (x *Screen) Add(reg *dissect.Registry, name string, hooks Hooks) *Script {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := &Script{x: x, reg: reg, name: name, hooks: hooks}
	x.scripts = append(x.scripts, s)
	const kept = 6
	var regs []*dissect.Registry
	for _, old := range slices.Backward(x.scripts) {
		if !slices.Contains(regs, old.reg) {
			regs = append(regs, old.reg)
		}
	}
	if len(regs) > kept {
		x.scripts = slices.DeleteFunc(x.scripts, func(s *Script) bool { return slices.Contains(regs[kept:], s.reg) })
	}
	return s
}

// Scripts are those of a registry.
func (x *Screen) Scripts(reg *dissect.Registry) []*Script {
	x.mu.Lock()
	defer x.mu.Unlock()
	var out []*Script
	for _, s := range x.scripts {
		if s.reg == reg {
			out = append(out, s)
		}
	}
	return out
}

// Wish is a script's.
func (x *Screen) Wish(kind WishKind, text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	const most = 100 // nobody may be there who takes them
	if len(x.wishes) < most {
		x.wishes = append(x.wishes, Wish{kind, text})
	}
	if kind == WantsFilter {
		x.filter = text
	}
}

// Wishes are what scripts wanted since they were last asked for.
func (x *Screen) Wishes() []Wish {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := x.wishes
	x.wishes = nil
	return out
}

// Waiting tells whether scripts of a registry want or ask something.
func (x *Screen) Waiting(reg *dissect.Registry) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.wishes) > 0 ||
		slices.ContainsFunc(x.scripts, func(s *Script) bool { return s.reg == reg && s.question != nil && !s.running })
}

// Filtered tells scripts the display filter that is on, and Filter is that.
func (x *Screen) Filtered(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.filter = text
}

// Filter is the display filter, as scripts know it.
func (x *Screen) Filter() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.filter
}

// change changes something under the screen's lock.
func (s *Script) change(do func()) {
	s.x.mu.Lock()
	defer s.x.mu.Unlock()
	do()
}

// AddMenu adds an entry to the menus.
func (s *Script) AddMenu(m Menu) { s.change(func() { s.menus = append(s.menus, m) }) }

// Print prints a text.
func (s *Script) Print(text string) {
	s.change(func() {
		if s.drawing {
			s.drawn = tail(append(s.drawn, text...))
		} else {
			s.log = tail(append(s.log, text...))
		}
	})
}

// Drawing begins or ends what the script says of its findings, which is said anew each time.
func (s *Script) Drawing(on bool) {
	s.change(func() {
		if s.drawing = on; on {
			s.drawn = nil
		}
	})
}

// Ask puts a question; one that nobody has seen yet is forgotten.
func (s *Script) Ask(q *Question) { s.change(func() { s.question = q }) }

// Progressed says how far something is, and tells whether somebody wants it to stop.
func (s *Script) Progressed(p Progress) (stopped bool) {
	s.change(func() {
		p.stopped = s.progress.stopped && s.running
		s.progress, stopped = p, p.stopped
	})
	return stopped
}

// AddWindow opens a window.
func (s *Script) AddWindow(title string) *Window {
	w := &Window{s: s, title: title}
	s.change(func() { s.windows = append(s.windows, w) })
	return w
}

// tail is the end of a text that is too long, from a line's beginning on.
func tail(text []byte) []byte {
	if len(text) <= maxShown {
		return text
	}
	text = slices.Clone(text[len(text)-maxShown/2:])
	return text[bytes.IndexByte(text, '\n')+1:]
}

// A ScriptState is a script as it is now.
type ScriptState struct {
	Name      string
	Menus     []Menu
	Windows   []*Window
	Printed   string
	Progress  Progress
	Running   bool
	Listening bool
}

// State is the script as it is now.
func (s *Script) State() ScriptState {
	listening := s.hooks.Listeners()
	s.x.mu.Lock()
	defer s.x.mu.Unlock()
	return ScriptState{Name: s.name, Menus: slices.Clone(s.menus), Windows: slices.Clone(s.windows),
		Printed: string(s.log) + string(s.drawn), Progress: s.progress, Running: s.running, Listening: listening}
}

// Behind is how many packets that have passed the listeners have not seen.
func (s *Script) Behind(session *dissect.Session) int {
	if !s.hooks.Listeners() {
		return 0
	}
	return session.Passed() - s.hooks.Seen(session)
}

// Follow shows the listeners the packets that have passed.
func (s *Script) Follow(ctx context.Context, session *dissect.Session) { s.hooks.Follow(ctx, session) }

// Eval runs a line of the script's language.
func (s *Script) Eval(line string) { s.Run(func() { s.hooks.Eval(line) }) }

// Run does what a menu or a button stands for. One thing of a script runs at a time.
func (s *Script) Run(do func()) {
	free := false
	s.change(func() {
		if free = !s.running; free {
			s.running, s.progress = true, Progress{}
		}
	})
	if !free {
		s.x.Wish(WantsNotice, s.name+" is still at work")
		return
	}
	defer s.change(func() { s.running, s.progress = false, Progress{} })
	do()
}

// Stop has the script know that what it does is to stop.
func (s *Script) Stop() { s.change(func() { s.progress.stopped = true }) }

// Question takes the question that the script asks, or nil.
func (s *Script) Question() *Question {
	var q *Question
	s.change(func() { q, s.question = s.question, nil })
	return q
}

// A WindowState is a window as it is now.
type WindowState struct {
	Title, Text      string
	Buttons          []Button
	Editable, Closed bool
}

// State is the window as it is now.
func (w *Window) State() WindowState {
	w.s.x.mu.Lock()
	defer w.s.x.mu.Unlock()
	return WindowState{w.title, string(w.text), slices.Clone(w.buttons), w.editable, w.closed}
}

// Script is the one that opened the window.
func (w *Window) Script() *Script { return w.s }

// Set puts another text into the window.
func (w *Window) Set(text string) { w.s.change(func() { w.text = tail([]byte(text)) }) }

// Append adds to the end of the text, and Prepend to its beginning.
func (w *Window) Append(text string) { w.s.change(func() { w.text = tail(append(w.text, text...)) }) }

// Prepend adds to the beginning of the text.
func (w *Window) Prepend(text string) {
	w.s.change(func() { w.text = tail(append([]byte(text), w.text...)) })
}

// SetEditable says whether a person may change the text.
func (w *Window) SetEditable(on bool) { w.s.change(func() { w.editable = on }) }

// AddButton adds a button.
func (w *Window) AddButton(b Button) { w.s.change(func() { w.buttons = append(w.buttons, b) }) }

// AtClose has something done when a person closes the window.
func (w *Window) AtClose(do func()) { w.s.change(func() { w.atClose = do }) }

// Close closes the window, and returns what is to be done then, or nil.
func (w *Window) Close() (then func()) {
	w.s.change(func() {
		if !w.closed {
			then = w.atClose
		}
		w.closed = true
		w.s.windows = slices.DeleteFunc(w.s.windows, func(o *Window) bool { return o == w })
	})
	return then
}
