// Package chooser is the first screen when nothing was named: interfaces with what passes on them, captures that a
// killed run left, files opened before. Everything that asks the system is done beside the screen.
package chooser

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"remora/capture"
	"remora/capture/extcap"
	"remora/capture/live"
	"remora/dissect"
	"remora/internal/broker"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/readline"
	"remora/ui/source"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what the chooser may ask of the screen.
type Context interface {
	// Style is how the screen draws, with the keys as they are.
	Style() *widget.Style
	// Tell says that an action is done, Do does one that is the same everywhere.
	Tell(a act.Action)
	Do(a act.Action)
	// Ask puts a question.
	Ask(title, text string, answers ...view.Answer)
	// Leaving does something that gives up the packets of the capture behind, after asking where they would be lost.
	Leaving(title string, then func())
	// Later does work beside the screen, and then what it returns; stop ends ctx.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
	// Sessions prepares dissections by the settings as they are now, also beside the screen.
	Sessions() func(store *capture.Store) (*dissect.Session, error)
	// Show shows a capture that was chosen, Close goes back to the one behind, Quit ends the program.
	Show(c Chosen)
	Close()
	Quit()
}

// Chosen is a capture to be shown.
type Chosen struct {
	Store   *capture.Store
	Session *dissect.Session
	Options capture.Options // of a live capture
	File    string          // its path, if it is a file
}

// Sources are the ways to captures, and what is known from earlier runs.
type Sources struct {
	Capture *capture.Options // settings of a capture that starts here; changed here
	Open    func(path string) (*capture.Store, error)
	Live    func(opt capture.Options) (*capture.Store, error)
	Recover func(o live.Recovered) (*capture.Store, error)
	// Listen takes a short look on an interface; done removes what it left. nil: nothing is listened to.
	Listen func(ctx context.Context, opt capture.Options) (store *capture.Store, done func(), err error)
	// Arguments are those that an interface of a capture program takes.
	Arguments func(name string) ([]extcap.Argument, error)
	// Links are the forms in which an interface gives packets, in monitor mode or not.
	Links func(name string, monitor bool) (live.Links, error)
	// IsDisplayFilter tells whether a text that is no capture filter is one for packets that are here.
	IsDisplayFilter func(text string) bool

	// Kept are capture filters that a person keeps: names and texts.
	Kept [][2]string

	Recent Lines                 // files opened before
	Games  func() map[string]int // how many games they hold
	Chosen Lines                 // what was chosen without the right to capture
}

// Lines are kept between runs.
type Lines interface {
	Lines() []string
	Add(line string) error
	Remove(line string) error
}

// A Chooser shows the sources until one of them is open.
type Chooser struct {
	screen Context
	src    Sources
	w, h   int // of the screen, in cells

	before  string // the first of two keys, until the second one
	found   source.Found
	looking bool // the system is being asked
	again   time.Time
	counted bool // what killed runs left was counted, which takes its time
	chosen  map[string]bool
	cur     int
	under   string // the name of what the cursor is on
	traffic source.Traffic
	read    time.Time                  // when its counters are read again
	probes  map[string]*interfaceProbe // by interface
	probing sync.WaitGroup
	ctx     context.Context // of the probes; it ends when the chooser does
	stop    context.CancelFunc

	back    bool            // a capture is open behind it
	field   int             // that is typed in while text is there
	text    *readline.Input // nil: nothing is typed
	problem string          // with what is typed
	remote  string          // the interface elsewhere that was typed last
	links   live.Links      // of the interface under the cursor, once they are asked for
	args    *arguments      // of the capture program that was chosen last
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

// New shows the sources; back tells whether a capture is open behind them.
func New(ctx context.Context, screen Context, src Sources, back bool) *Chooser {
	c := &Chooser{screen: screen, src: src, back: back, chosen: map[string]bool{}, probes: map[string]*interfaceProbe{}}
	c.ctx, c.stop = context.WithCancel(ctx)
	for _, k := range src.Kept {
		c.filter.History = append(c.filter.History, k[1])
	}
	c.filter.Set(src.Capture.Filter)
	c.recall()
	c.check()
	return c
}

// IsOpen tells whether the sources are shown.
func (c *Chooser) IsOpen() bool { return c != nil }

// Refresh has the sources listed every few seconds, and reads the interfaces' counters twice a second.
func (c *Chooser) Refresh() {
	now := time.Now()
	c.readCounters(now)
	c.listenSoon(now)
	if c.looking || now.Before(c.again) {
		return
	}
	c.looking = true
	known, orphans := c.counted, c.found.Recovered
	c.screen.Later("listing sources", func(context.Context) func() {
		found := source.Discover(c.src.Recent.Lines(), c.src.Games())
		if found.Recovered = orphans; !known {
			found.Recovered, _ = live.Recover() // nothing to recover where there is no folder for it
		}
		return func() { c.list(found) }
	})
}

// list takes the sources that there are now.
func (c *Chooser) list(found source.Found) {
	c.found, c.looking, c.counted, c.again = found, false, true, time.Now().Add(3*time.Second)
	c.keepCursor()
}

// readCounters reads what passed on the interfaces, where the system counts it.
func (c *Chooser) readCounters(now time.Time) {
	if now.Before(c.read) {
		return
	}
	c.read = now.Add(source.ReadEvery)
	if counts, err := live.ReadCounters(); err == nil {
		c.traffic.Take(counts)
	}
}

// items are all lines in order.
func (c *Chooser) items() []source.Item { return c.found.Items(c.gamesFound()) }

func (c *Chooser) rows() int { return len(c.items()) }

// at is what a line stands for.
func (c *Chooser) at(i int) source.Item {
	if all := c.items(); i < len(all) {
		return all[i]
	}
	return source.Item{}
}

// moveTo puts the cursor on a line.
func (c *Chooser) moveTo(i int) {
	c.cur = widget.Clamp(i, 0, max(0, c.rows()-1))
	c.under = c.at(c.cur).Name()
}

// keepCursor leaves the cursor on what it was on, although lines came and went.
func (c *Chooser) keepCursor() {
	if i := slices.IndexFunc(c.items(), func(x source.Item) bool { return x.Name() == c.under }); i >= 0 {
		c.cur = i
		return
	}
	c.moveTo(c.cur)
}

// Paste takes text that was pasted.
func (c *Chooser) Paste(s string) {
	if c.text != nil {
		c.text.Insert(s)
		c.checkField()
	}
}

// Key handles a key.
func (c *Chooser) Key(name, text string) {
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
func (c *Chooser) press(name string) {
	if before := c.before; before != "" {
		c.before = ""
		if does := c.screen.Style().Keys.Sources(before + " " + name); does != act.None {
			c.Do(does)
			return
		}
	}
	does := c.screen.Style().Keys.Sources(name)
	if does == act.None && c.screen.Style().Keys.Waits[name] {
		c.before = name
	}
	c.Do(does)
}

// Do does what a key stands for here.
func (c *Chooser) Do(does act.Action) {
	c.screen.Tell(does)
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
		c.src.Capture.NoPromisc = !c.src.Capture.NoPromisc
	case act.SourceMonitor:
		c.turnMonitor()
	case act.SourceRecent:
		c.toRecent()
	case act.SourceDiscard:
		c.discard()
	case act.Open:
		c.start()
	case act.Quit, act.Escape, act.Interrupt:
		if !broker.GiveUp() { // who opens says so
			c.leave()
		}
	case act.Suspend, act.Redraw, act.QuitNow, act.Help, act.NextTab, act.PrevTab:
		c.screen.Do(does)
	default:
		if i := fieldOf(does); i >= 0 {
			c.edit(i)
		}
	}
}

// choose has an interface captured together with others, or not.
func (c *Chooser) choose(x source.Item) {
	if x.In != nil {
		c.chosen[x.In.Name] = !c.chosen[x.In.Name]
	}
}

// toRecent goes to the first file opened before.
func (c *Chooser) toRecent() {
	if i := slices.IndexFunc(c.items(), func(x source.Item) bool { return x.Recent != nil }); i >= 0 {
		c.moveTo(i)
	}
}

// leave goes back to the capture that is open, or ends the program.
func (c *Chooser) leave() {
	if !c.back {
		c.remember()
		c.screen.Quit()
		return
	}
	c.stop()
	c.screen.Close()
}

// start opens what the cursor is on; chosen interfaces are captured together.
func (c *Chooser) start() {
	x := c.at(c.cur)
	filter := strings.TrimSpace(c.filter.Value())
	switch {
	case c.opening != "":
	case x.Recovered != nil:
		o := *x.Recovered
		c.openStore("what was left of "+o.Source, func() (Chosen, error) {
			store, err := c.src.Recover(o)
			return Chosen{Store: store}, err
		})
	case x.Recent != nil:
		c.openFile(x.Recent.Path)
	case x.In != nil && !c.bad && x.In.Kind == live.KindExtcap && c.src.Arguments != nil:
		c.askArguments(x.In.Name)
	case x.In != nil && !c.bad:
		c.capture(c.found.Several(c.chosen, x.In.Name), filter)
	case x.Game != nil && !c.bad:
		if filter != "" {
			filter = "(" + filter + ") and "
		}
		c.capture([]string{x.Game.Iface}, filter+x.Game.Filter)
	}
}

func (c *Chooser) capture(interfaces []string, filter string) {
	opt := *c.src.Capture
	opt.Interfaces, opt.Filter = interfaces, filter
	c.openStore(strings.Join(opt.Interfaces, ", "), func() (Chosen, error) {
		store, err := c.src.Live(opt)
		return Chosen{Store: store, Options: opt}, err
	})
}

func (c *Chooser) openFile(path string) {
	if path == "" || c.opening != "" {
		return
	}
	path = source.ExpandHome(path)
	c.openStore(path, func() (Chosen, error) {
		store, err := c.src.Open(path)
		return Chosen{Store: store, File: path}, err
	})
}

// openStore opens a source beside the screen. Packets of the one that is open are asked about first, if they would be
// lost.
func (c *Chooser) openStore(what string, open func() (Chosen, error)) {
	c.screen.Leaving("Leave what is open?", func() {
		c.opening, c.message = what, nil
		c.screen.Later("opening", func(context.Context) func() {
			chosen, err := open()
			return func() { c.opened(chosen, err) }
		})
	})
}

// discard removes what a killed run left, or forgets a recent file; the file itself stays.
func (c *Chooser) discard() {
	switch x := c.at(c.cur); {
	case x.Recovered != nil:
		orphan := *x.Recovered
		c.screen.Ask("Remove it?",
			humanize.Group(orphan.Packets)+" packets captured from "+dissect.Escape(orphan.Source)+
				" were never saved. Removed, they are gone for good.",
			view.Answer{Act: act.AnswerYes, Label: "remove them", Do: func() {
				if err := orphan.Discard(); err != nil {
					c.message = []string{err.Error()}
				}
				c.again, c.counted = time.Time{}, false
			}})
	case x.Recent != nil:
		c.src.Recent.Remove(x.Recent.Path)
		c.again = time.Time{}
	}
}

// opened shows a source that was opened, or says what is wrong with it.
func (c *Chooser) opened(chosen Chosen, err error) {
	if c.ctx.Err() != nil { // nobody waits for it any more
		if err == nil {
			chosen.Store.Close()
		}
		return
	}
	c.opening = ""
	if err == nil && len(chosen.Options.Interfaces) > 0 {
		c.forgetChoice()
	}
	if err != nil {
		c.message = strings.Split(err.Error(), "\n")
		return
	}
	if chosen.Session, err = c.screen.Sessions()(chosen.Store); err != nil {
		c.message = []string{err.Error()}
		chosen.Store.Close()
		return
	}
	c.stop()
	c.screen.Show(chosen)
}
