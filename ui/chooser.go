package ui

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"remora/capture"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/heard"
	"remora/ui/readline"
)

// chooser is the first screen when nothing was named: interfaces with what passes on them, captures that a killed run left,
// files opened before. Everything that asks the system is done in the background.
type chooser struct {
	m       *model
	found   sources
	looking bool // the system is being asked
	again   time.Time
	counted bool // what killed runs left was counted, which takes its time
	chosen  map[string]bool
	cur     int
	under   string // the name of what the cursor is on
	traffic traffic
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

	lines   []int       // where each line that can be chosen was drawn, in the body
	lineOf  map[int]int // and which one is where on the screen
	inputAt int         // where the capture filter was drawn
}

// sources are what can be opened.
type sources struct {
	interfaces []capture.InterfaceInfo
	orphans    []capture.Orphan
	recent     []recentFile
	err        error // why there are no interfaces
	mayNot     error // why this program may not capture
}

// A recentFile is a capture opened before.
type recentFile struct {
	path  string
	size  int64
	when  time.Time
	games int // game sessions that were found in it
}

// opened is a source that was opened from the chooser.
type opened struct {
	store *capture.Store
	opt   capture.Options
	file  string // its path, if it is one
	err   error
}

func newChooser(m *model) *chooser {
	c := &chooser{m: m, chosen: map[string]bool{}, traffic: traffic{rates: map[string][]float64{}, packets: map[string]float64{}}, ears: map[string]*ear{}}
	c.ctx, c.stop = context.WithCancel(m.ctx)
	c.filter.Set(m.cfg.Capture.Filter)
	c.check()
	return c
}

// refresh has the sources listed every few seconds, and reads the interfaces' counters twice a second.
func (c *chooser) refresh() {
	now := time.Now()
	c.traffic.refresh(now)
	c.listenSoon(now)
	if c.looking || now.Before(c.again) {
		return
	}
	c.looking = true
	recent, known, orphans := c.m.lists.recent, c.counted, c.found.orphans
	c.m.pending = append(c.m.pending, func() any {
		s := lookForSources(recent.Lines(), c.m.lists.sessionCounts())
		if s.orphans = orphans; !known {
			s.orphans, _ = capture.Recover() // nothing to recover where there is no folder for it
		}
		return s
	})
}

func lookForSources(recent []string, sessions map[string]int) sources {
	var s sources
	s.interfaces, s.err = capture.ListInterfaces()
	s.mayNot = capture.CanCapture()
	for _, path := range slices.Backward(recent) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && len(s.recent) < 9 {
			s.recent = append(s.recent, recentFile{path, info.Size(), info.ModTime(), sessions[path]})
		}
	}
	return s
}

func (m *model) onSources(s sources) {
	if c := m.chooser; c != nil {
		c.found, c.looking, c.again = s, false, time.Now().Add(3*time.Second)
		c.counted = true
		c.keepCursor()
	}
}

// An item is a line that can be chosen: exactly one of these.
type item struct {
	in     *capture.InterfaceInfo
	game   *heard.Game
	orphan *capture.Orphan
	recent *recentFile
	nth    int // of its kind
}

// name tells items apart, whatever comes and goes around them.
func (i item) name() string {
	switch {
	case i.in != nil:
		return "interface " + i.in.Name
	case i.game != nil:
		return "game " + i.game.Iface + i.game.Title + i.game.Where.String()
	case i.orphan != nil:
		return "orphan " + i.orphan.Path
	case i.recent != nil:
		return "file " + i.recent.path
	}
	return ""
}

// items are all lines in order: interfaces, games heard, what was left, recent files.
func (c *chooser) items() []item {
	var out []item
	for i := range c.found.interfaces {
		out = append(out, item{in: &c.found.interfaces[i], nth: i})
	}
	for i, g := range c.heardGames() {
		out = append(out, item{game: &g, nth: i})
	}
	for i := range c.found.orphans {
		out = append(out, item{orphan: &c.found.orphans[i], nth: i})
	}
	for i := range c.found.recent {
		out = append(out, item{recent: &c.found.recent[i], nth: i})
	}
	return out
}

func (c *chooser) rows() int { return len(c.items()) }

// at is what a line stands for.
func (c *chooser) at(i int) item {
	if all := c.items(); i < len(all) {
		return all[i]
	}
	return item{}
}

// moveTo puts the cursor on a line.
func (c *chooser) moveTo(i int) {
	c.cur = clamp(i, 0, max(0, c.rows()-1))
	c.under = c.at(c.cur).name()
}

// keepCursor leaves the cursor on what it was on, although lines came and went.
func (c *chooser) keepCursor() {
	if i := slices.IndexFunc(c.items(), func(x item) bool { return x.name() == c.under }); i >= 0 {
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
		if i := int(name[0] - '1'); i < len(c.found.recent) {
			c.openFile(c.found.recent[i].path)
		}
		return
	}
	c.do(c.m.keymap.Sources(name))
}

func (c *chooser) do(does act.Action) {
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
	case act.Suspend, act.Redraw, act.QuitNow:
		c.m.do(does, 0)
	default:
		if i := fieldOf(does); i >= 0 {
			c.edit(i)
		}
	}
}

// choose has an interface captured together with others, or not.
func (c *chooser) choose(x item) {
	if x.in != nil {
		c.chosen[x.in.Name] = !c.chosen[x.in.Name]
	}
}

// toRecent goes to the first file opened before.
func (c *chooser) toRecent() {
	if i := slices.IndexFunc(c.items(), func(x item) bool { return x.recent != nil }); i >= 0 {
		c.moveTo(i)
	}
}

// leave goes back to the capture that is open, or ends the program.
func (c *chooser) leave() {
	if !c.back {
		c.m.quit = true
		return
	}
	c.stop()
	c.m.chooser = nil
}

// completePath goes as far as the files that begin this way agree.
func completePath(text string) string {
	found, err := filepath.Glob(escapeGlob(expandHome(text)) + "*")
	if err != nil || len(found) == 0 {
		return text
	}
	common := found[0]
	for _, f := range found[1:] {
		for !strings.HasPrefix(f, common) {
			common = common[:len(common)-1]
		}
	}
	if info, err := os.Stat(common); len(found) == 1 && err == nil && info.IsDir() {
		common += string(filepath.Separator)
	}
	return common
}

func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}

// expandHome replaces the sign for the home folder.
func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if dir, err := os.UserHomeDir(); err == nil {
			return filepath.Join(dir, rest)
		}
	}
	return path
}

// start opens what the cursor is on; chosen interfaces are captured together.
func (c *chooser) start() {
	x := c.at(c.cur)
	filter := strings.TrimSpace(c.filter.Value())
	switch {
	case c.opening != "":
	case x.orphan != nil:
		o := *x.orphan
		c.openStore("what was left of "+o.Source, func() opened {
			store, err := o.Open(c.m.ctx, capture.Options{})
			return opened{store: store, err: err}
		})
	case x.recent != nil:
		c.openFile(x.recent.path)
	case x.in != nil && !c.bad:
		c.capture(c.several(x.in.Name), filter)
	case x.game != nil && !c.bad:
		if filter != "" {
			filter = "(" + filter + ") and "
		}
		c.capture([]string{x.game.Iface}, filter+x.game.Filter)
	}
}

// several are the interfaces chosen, or the one under the cursor.
func (c *chooser) several(under string) []string {
	var out []string
	for _, in := range c.found.interfaces {
		if c.chosen[in.Name] {
			out = append(out, in.Name)
		}
	}
	if len(out) == 0 {
		out = []string{under}
	}
	return out
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
	path = expandHome(path)
	c.openStore(path, func() opened {
		store, err := c.m.cfg.Open(path)
		return opened{store: store, file: path, err: err}
	})
}

// openStore opens a source beside the screen. Packets of the one that is open are asked about first, if they would be lost.
func (c *chooser) openStore(what string, open func() opened) {
	c.m.leaving("Leave what is open?", func() {
		c.opening, c.message = what, nil
		c.m.pending = append(c.m.pending, func() any { return open() })
	})
}

// discard removes what a killed run left, or forgets a recent file; the file itself stays.
func (c *chooser) discard() {
	switch x := c.at(c.cur); {
	case x.orphan != nil:
		orphan := *x.orphan
		c.m.ask("Remove it?", amount.Group(orphan.Packets)+" packets captured from "+dissect.Escape(orphan.Source)+" were never saved. Removed, they are gone for good.",
			answer{"y Y enter", "y  remove them", func() {
				if err := orphan.Discard(); err != nil {
					c.message = []string{err.Error()}
				}
				c.again, c.counted = time.Time{}, false
			}})
	case x.recent != nil:
		c.m.lists.recent.Remove(x.recent.path)
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
