package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	chosen  map[string]bool
	cur     int
	traffic traffic

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
	c := &chooser{m: m, chosen: map[string]bool{}, traffic: traffic{rates: map[string][]float64{}}}
	c.filter.set(m.cfg.Capture.Filter)
	c.check()
	return c
}

// refresh has the sources listed every few seconds, and reads the interfaces' counters twice a second.
func (c *chooser) refresh() {
	now := time.Now()
	c.traffic.refresh(now)
	if c.looking || now.Before(c.again) {
		return
	}
	c.looking = true
	recent := c.m.lists.recent
	c.m.pending = append(c.m.pending, func() any { return lookForSources(recent.Lines()) })
}

func lookForSources(recent []string) sources {
	var s sources
	s.interfaces, s.err = capture.ListInterfaces()
	s.mayNot = capture.CanCapture()
	s.orphans, _ = capture.Recover() // nothing to recover where there is no folder for it
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
		c.cur = clamp(c.cur, 0, max(0, c.rows()-1))
	}
}

// rows is how many lines can be chosen: interfaces, then what was left, then recent files.
func (c *chooser) rows() int {
	return len(c.found.interfaces) + len(c.found.orphans) + len(c.found.recent)
}

// at is what a line stands for: exactly one of the three.
func (c *chooser) at(i int) (in *capture.InterfaceInfo, o *capture.Orphan, r *recentFile) {
	if i < len(c.found.interfaces) {
		return &c.found.interfaces[i], nil, nil
	}
	i -= len(c.found.interfaces)
	if i < len(c.found.orphans) {
		return nil, &c.found.orphans[i], nil
	}
	if i -= len(c.found.orphans); i < len(c.found.recent) {
		return nil, nil, &c.found.recent[i]
	}
	return nil, nil, nil
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
		c.cur = clamp(c.cur+1, 0, max(0, c.rows()-1))
	case "k", "up", "shift+tab":
		c.cur = max(0, c.cur-1)
	case "home":
		c.cur = 0
	case "end", "G":
		c.cur = max(0, c.rows()-1)
	case "space":
		if in, _, _ := c.at(c.cur); in != nil {
			c.chosen[in.Name] = !c.chosen[in.Name]
		}
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
	in, orphan, recent := c.at(c.cur)
	switch {
	case c.opening != "":
	case orphan != nil:
		o := *orphan
		c.openStore("what was left of "+o.Source, func() opened {
			store, err := o.Open(c.m.ctx, capture.Options{})
			return opened{store: store, err: err}
		})
	case recent != nil:
		c.openFile(recent.path)
	case in != nil && !c.bad:
		c.capture(in.Name)
	}
}

func (c *chooser) capture(under string) {
	opt := c.m.cfg.Capture
	opt.Interfaces = nil
	for _, in := range c.found.interfaces {
		if c.chosen[in.Name] {
			opt.Interfaces = append(opt.Interfaces, in.Name)
		}
	}
	if len(opt.Interfaces) == 0 {
		opt.Interfaces = []string{under}
	}
	opt.Filter = strings.TrimSpace(c.filter.value())
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
	switch _, o, r := c.at(c.cur); {
	case o != nil:
		orphan := *o
		c.m.ask("Remove it?", group(orphan.Packets)+" packets captured from "+dissect.Escape(orphan.Source)+" were never saved. Removed, they are gone for good.",
			answer{"y Y enter", "y  remove them", func() {
				if err := orphan.Discard(); err != nil {
					c.message = []string{err.Error()}
				}
				c.again = time.Time{}
			}})
	case r != nil:
		c.m.lists.recent.Remove(r.path)
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
	m.chooser = nil
	m.cfg.Capture = o.opt
	m.rememberFile(o.file)
	m.attach(o.store, s)
	if m.cfg.Filter != "" {
		m.applyFilter(m.cfg.Filter)
	}
}
