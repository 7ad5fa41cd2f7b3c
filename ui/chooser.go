package ui

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"remora/capture"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/readline"
	"remora/ui/source"
	"remora/ui/view"
	"remora/ui/widget"
)

// chooser is the first screen when nothing was named: interfaces with what passes on them, captures that a killed run
// left, files opened before. Everything that asks the system is done in the background.
type chooser struct {
	before  string // the first of two keys, until the second one
	m       *model
	found   source.Found
	looking bool // the system is being asked
	again   time.Time
	counted bool // what killed runs left was counted, which takes its time
	chosen  map[string]bool
	cur     int
	under   string // the name of what the cursor is on
	traffic source.Traffic
	read    time.Time       // when its counters are read again
	ears    map[string]*ear // by interface
	looks   sync.WaitGroup
	ctx     context.Context // of the looks
	stop    context.CancelFunc

	back    bool            // a capture is open behind it
	field   int             // that is typed in while text is there
	text    *readline.Input // nil: nothing is typed
	problem string          // with what is typed
	remote  string          // the interface elsewhere that was typed last
	filter  readline.Input
	file    readline.Input
	verdict string
	bad     bool
	message []string
	opening string // what is being opened

	lines  []int       // where each line that can be chosen was drawn, in the body
	lineOf map[int]int // and which one is where on the screen
	cells  []cell      // where the settings of the capture were drawn
}

// opened is a source that was opened from the chooser.
type opened struct {
	store *capture.Store
	opt   capture.Options
	file  string // its path, if it is one
	err   error
}

func newChooser(m *model) *chooser {
	c := &chooser{m: m, chosen: map[string]bool{}, ears: map[string]*ear{}}
	c.ctx, c.stop = context.WithCancel(m.ctx)
	c.filter.Set(m.cfg.Capture.Filter)
	c.recall()
	c.check()
	return c
}

// refresh has the sources listed every few seconds, and reads the interfaces' counters twice a second.
func (c *chooser) refresh() {
	now := time.Now()
	c.readCounters(now)
	c.listenSoon(now)
	if c.looking || now.Before(c.again) {
		return
	}
	c.looking = true
	recent, known, orphans := c.m.lists.recent, c.counted, c.found.Recovered
	c.m.pending = append(c.m.pending, func() any {
		s := source.Discover(recent.Lines(), c.m.lists.sessionCounts())
		if s.Recovered = orphans; !known {
			s.Recovered, _ = capture.Recover() // nothing to recover where there is no folder for it
		}
		return s
	})
}

// readCounters reads what passed on the interfaces, where the system counts it.
func (c *chooser) readCounters(now time.Time) {
	if now.Before(c.read) {
		return
	}
	c.read = now.Add(source.ReadEvery)
	if counts, err := capture.ReadCounters(); err == nil {
		c.traffic.Take(counts)
	}
}

func (m *model) onSources(s source.Found) {
	if c := m.chooser; c != nil {
		c.found, c.looking, c.again = s, false, time.Now().Add(3*time.Second)
		c.counted = true
		c.keepCursor()
	}
}

// items are all lines in order.
func (c *chooser) items() []source.Item { return c.found.Items(c.heardGames()) }

func (c *chooser) rows() int { return len(c.items()) }

// at is what a line stands for.
func (c *chooser) at(i int) source.Item {
	if all := c.items(); i < len(all) {
		return all[i]
	}
	return source.Item{}
}

// moveTo puts the cursor on a line.
func (c *chooser) moveTo(i int) {
	c.cur = widget.Clamp(i, 0, max(0, c.rows()-1))
	c.under = c.at(c.cur).Name()
}

// keepCursor leaves the cursor on what it was on, although lines came and went.
func (c *chooser) keepCursor() {
	if i := slices.IndexFunc(c.items(), func(x source.Item) bool { return x.Name() == c.under }); i >= 0 {
		c.cur = i
		return
	}
	c.moveTo(c.cur)
}

func (c *chooser) paste(s string) {
	if c.text != nil {
		c.text.Insert(s)
		c.checkField()
	}
}

func (c *chooser) key(name, text string) {
	if c.text != nil {
		c.editKey(name, text)
		return
	}
	if len(name) == 1 && name[0] >= '1' && name[0] <= '9' {
		if i := int(name[0] - '1'); i < len(c.found.Recent) {
			c.openFile(c.found.Recent[i].Path)
		}
		return
	}
	c.press(name)
}

// press does what a key stands for. One that does nothing alone may be the first of two.
func (c *chooser) press(name string) {
	if before := c.before; before != "" {
		c.before = ""
		if does := c.m.keymap.Sources(before + " " + name); does != act.None {
			c.do(does)
			return
		}
	}
	does := c.m.keymap.Sources(name)
	if does == act.None && c.m.keymap.Waits[name] {
		c.before = name
	}
	c.do(does)
}

func (c *chooser) do(does act.Action) {
	c.m.tell(does)
	switch does {
	case act.Down:
		c.moveTo(c.cur + 1)
	case act.Up:
		c.moveTo(c.cur - 1)
	case act.PageDown, act.HalfDown:
		c.moveTo(c.cur + 5)
	case act.PageUp, act.HalfUp:
		c.moveTo(c.cur - 5)
	case act.First:
		c.moveTo(0)
	case act.Last:
		c.moveTo(c.rows() - 1)
	case act.Select:
		c.choose(c.at(c.cur))
	case act.SourceQuiet:
		c.m.cfg.Capture.NoPromisc = !c.m.cfg.Capture.NoPromisc
	case act.SourceRecent:
		c.toRecent()
	case act.SourceDiscard:
		c.discard()
	case act.Open:
		c.start()
	case act.Quit, act.ClearFilter, act.Interrupt:
		c.leave()
	case act.Suspend, act.Redraw, act.QuitNow, act.Help:
		c.m.do(does, 0)
	default:
		if i := fieldOf(does); i >= 0 {
			c.edit(i)
		}
	}
}

// choose has an interface captured together with others, or not.
func (c *chooser) choose(x source.Item) {
	if x.In != nil {
		c.chosen[x.In.Name] = !c.chosen[x.In.Name]
	}
}

// toRecent goes to the first file opened before.
func (c *chooser) toRecent() {
	if i := slices.IndexFunc(c.items(), func(x source.Item) bool { return x.Recent != nil }); i >= 0 {
		c.moveTo(i)
	}
}

// leave goes back to the capture that is open, or ends the program.
func (c *chooser) leave() {
	if !c.back {
		c.remember()
		c.m.ending.quit = true
		return
	}
	c.stop()
	c.m.chooser = nil
}

// start opens what the cursor is on; chosen interfaces are captured together.
func (c *chooser) start() {
	x := c.at(c.cur)
	filter := strings.TrimSpace(c.filter.Value())
	switch {
	case c.opening != "":
	case x.Recovered != nil:
		o := *x.Recovered
		c.openStore("what was left of "+o.Source, func() opened {
			store, err := o.Open(c.m.ctx, capture.Options{})
			return opened{store: store, err: err}
		})
	case x.Recent != nil:
		c.openFile(x.Recent.Path)
	case x.In != nil && !c.bad:
		c.capture(c.found.Several(c.chosen, x.In.Name), filter)
	case x.Game != nil && !c.bad:
		if filter != "" {
			filter = "(" + filter + ") and "
		}
		c.capture([]string{x.Game.Iface}, filter+x.Game.Filter)
	}
}

func (c *chooser) capture(interfaces []string, filter string) {
	opt := c.m.cfg.Capture
	opt.Interfaces, opt.Filter = interfaces, filter
	c.openStore(strings.Join(opt.Interfaces, ", "), func() opened {
		store, err := c.m.cfg.Live(opt)
		return opened{store: store, opt: opt, err: err}
	})
}

func (c *chooser) openFile(path string) {
	if path == "" || c.opening != "" {
		return
	}
	path = source.ExpandHome(path)
	c.openStore(path, func() opened {
		store, err := c.m.cfg.Open(path)
		return opened{store: store, file: path, err: err}
	})
}

// openStore opens a source beside the screen. Packets of the one that is open are asked about first, if they would be
// lost.
func (c *chooser) openStore(what string, open func() opened) {
	c.m.leaving("Leave what is open?", func() {
		c.opening, c.message = what, nil
		c.m.pending = append(c.m.pending, func() any { return open() })
	})
}

// discard removes what a killed run left, or forgets a recent file; the file itself stays.
func (c *chooser) discard() {
	switch x := c.at(c.cur); {
	case x.Recovered != nil:
		orphan := *x.Recovered
		c.m.dialog.Ask("Remove it?",
			humanize.Group(orphan.Packets)+" packets captured from "+dissect.Escape(orphan.Source)+
				" were never saved. Removed, they are gone for good.",
			view.Answer{Act: act.AnswerYes, Label: "remove them", Do: func() {
				if err := orphan.Discard(); err != nil {
					c.message = []string{err.Error()}
				}
				c.again, c.counted = time.Time{}, false
			}})
	case x.Recent != nil:
		c.m.lists.recent.Remove(x.Recent.Path)
		c.again = time.Time{}
	}
}

func (m *model) onOpened(o opened) {
	c := m.chooser
	if c == nil {
		if o.store != nil {
			o.store.Close()
		}
		return
	}
	c.opening = ""
	if o.err == nil && len(o.opt.Interfaces) > 0 {
		c.forgetChoice()
	}
	if o.err != nil {
		c.message = strings.Split(o.err.Error(), "\n")
		return
	}
	s, err := dissect.NewSession(m.reg, o.store, m.cfg.DecodeAs...)
	if err != nil {
		c.message = []string{err.Error()}
		o.store.Close()
		return
	}
	c.stop()
	m.chooser = nil
	m.onSwitched(switched{store: o.store, session: s, opt: o.opt, file: o.file, kept: m.cfg.Filter})
}
