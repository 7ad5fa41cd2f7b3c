package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/filter"
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

	editing string // "", "filter" or "file"
	filter  input
	file    input
	verdict string
	bad     bool
	message []string
	opening string // what is being opened
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
	path string
	size int64
	when time.Time
}

// opened is a source that was opened from the chooser.
type opened struct {
	store *capture.Store
	opt   capture.Options
	file  string // its path, if it is one
	err   error
}

func newChooser(m *model) *chooser {
	c := &chooser{m: m, chosen: map[string]bool{}, traffic: traffic{rates: map[string][]float64{}}, ears: map[string]*ear{}}
	c.ctx, c.stop = context.WithCancel(m.ctx)
	c.filter.set(m.cfg.Capture.Filter)
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
		s := lookForSources(recent.Lines())
		if s.orphans = orphans; !known {
			s.orphans, _ = capture.Recover() // nothing to recover where there is no folder for it
		}
		return s
	})
}

func lookForSources(recent []string) sources {
	var s sources
	s.interfaces, s.err = capture.ListInterfaces()
	s.mayNot = capture.CanCapture()
	for _, path := range slices.Backward(recent) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && len(s.recent) < 9 {
			s.recent = append(s.recent, recentFile{path, info.Size(), info.ModTime()})
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
	game   *heardGame
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
		return "game " + i.game.iface + i.game.title + i.game.where.String()
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

// check compiles the capture filter as it is typed.
func (c *chooser) check() {
	c.verdict, c.bad = "captures everything", false
	text := strings.TrimSpace(c.filter.value())
	if text == "" {
		return
	}
	bpf, err := capture.CompileFilter(1, 262144, text)
	if err != nil {
		c.verdict, c.bad = err.Error(), true
		if _, err := filter.CompileWith(c.m.reg, text, c.m.cfg.Filters); err == nil {
			c.verdict = "this is a display filter; it goes into the line above the packets, with /"
		}
		return
	}
	c.verdict = fmt.Sprintf("compiles, %d steps", bpf.Steps)
}

func (c *chooser) paste(s string) {
	switch c.editing {
	case "filter":
		c.filter.insert(s)
		c.check()
	case "file":
		c.file.insert(s)
	}
}

func (c *chooser) key(name, text string) {
	if c.editing != "" {
		c.editKey(name, text)
		return
	}
	switch name {
	case "j", "down", "tab":
		c.moveTo(c.cur + 1)
	case "k", "up", "shift+tab":
		c.moveTo(c.cur - 1)
	case "home":
		c.moveTo(0)
	case "end", "G":
		c.moveTo(c.rows() - 1)
	case "space":
		if in := c.at(c.cur).in; in != nil {
			c.chosen[in.Name] = !c.chosen[in.Name]
		}
	case "p":
		c.m.cfg.Capture.NoPromisc = !c.m.cfg.Capture.NoPromisc
	case "/", "f":
		c.editing = "filter"
	case "o":
		c.editing = "file"
	case "d", "delete":
		c.discard()
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		if i := int(name[0] - '1'); i < len(c.found.recent) {
			c.openFile(c.found.recent[i].path)
		}
	case "enter":
		c.start()
	case "q", "esc", "ctrl+c":
		c.m.quit = true
	case "ctrl+z":
		c.m.do(actSuspend, 0)
	}
}

func (c *chooser) editKey(name, text string) {
	in := &c.filter
	if c.editing == "file" {
		in = &c.file
	}
	switch name {
	case "esc", "ctrl+c":
		c.editing = ""
	case "enter":
		if c.editing == "file" {
			c.openFile(strings.TrimSpace(in.value()))
		}
		c.editing = ""
	case "tab":
		if c.editing == "file" {
			in.set(completePath(in.value()))
		}
	default:
		if !in.key(name) && text != "" {
			in.insert(text)
		}
		c.check()
	}
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
	filter := strings.TrimSpace(c.filter.value())
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
		c.capture([]string{x.game.iface}, filter+x.game.filter)
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

func (c *chooser) openStore(what string, open func() opened) {
	c.opening, c.message = what, nil
	c.m.pending = append(c.m.pending, func() any { return open() })
}

// discard removes what a killed run left, or forgets a recent file; the file itself stays.
func (c *chooser) discard() {
	switch x := c.at(c.cur); {
	case x.orphan != nil:
		orphan := *x.orphan
		c.m.ask("Remove it?", group(orphan.Packets)+" packets captured from "+dissect.Escape(orphan.Source)+" were never saved. Removed, they are gone for good.",
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
	m.cfg.Capture = o.opt
	m.rememberFile(o.file)
	m.attach(o.store, s)
	if m.cfg.Filter != "" {
		m.applyFilter(m.cfg.Filter)
	}
}
