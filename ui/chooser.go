package ui

import (
	"fmt"
	"strings"
	"time"

	"remora/capture"
	"remora/dissect"
)

// chooser is the first screen when nothing was named: interfaces with what passes on them, and other sources.
type chooser struct {
	m        *model
	all      []capture.InterfaceInfo
	err      error
	chosen   map[string]bool
	cur      int
	counts   map[string]capture.Counters
	rates    map[string][]float64 // bytes a second, newest last
	next     time.Time
	filter   input
	editing  string // "", "filter" or "file"
	file     input
	verdict  string
	bad      bool
	message  []string
	orphans  []capture.Orphan
	starting bool
}

// opened is a source that was opened from the chooser.
type opened struct {
	store *capture.Store
	opt   capture.Options
	err   error
}

func newChooser(m *model) *chooser {
	c := &chooser{m: m, chosen: map[string]bool{}, rates: map[string][]float64{}}
	c.all, c.err = capture.ListInterfaces()
	c.orphans, _ = capture.Recover()
	if err := capture.CanCapture(); err != nil {
		c.message = strings.Split(err.Error(), "\n")
	}
	c.filter.set(m.cfg.Capture.Filter)
	c.check()
	return c
}

// refresh reads the interfaces' counters twice a second.
func (c *chooser) refresh() {
	now := time.Now()
	if now.Before(c.next) {
		return
	}
	c.next = now.Add(500 * time.Millisecond)
	counts, err := capture.ReadCounters()
	if err != nil {
		return
	}
	for name, v := range counts {
		if was, ok := c.counts[name]; ok {
			rate := float64(v.RxBytes+v.TxBytes-was.RxBytes-was.TxBytes) * 2
			c.rates[name] = append(c.rates[name], rate)
			if k := len(c.rates[name]); k > 120 {
				c.rates[name] = c.rates[name][k-120:]
			}
		}
	}
	c.counts = counts
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
	case "j", "down":
		c.cur = max(0, min(c.cur+1, len(c.all)-1))
	case "k", "up":
		c.cur = max(0, c.cur-1)
	case "space":
		if c.cur < len(c.all) {
			n := c.all[c.cur].Name
			c.chosen[n] = !c.chosen[n]
		}
	case "/", "f":
		c.editing = "filter"
	case "o":
		c.editing = "file"
	case "r":
		c.recover()
	case "enter":
		c.start()
	case "q", "esc", "ctrl+c":
		c.m.quit = true
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
			c.open(strings.TrimSpace(in.value()))
		}
		c.editing = ""
	default:
		if !in.key(name) && text != "" {
			in.insert(text)
		}
		c.check()
	}
}

// start captures on the chosen interfaces, or on the one under the cursor.
func (c *chooser) start() {
	if c.starting || c.bad || len(c.all) == 0 {
		return
	}
	opt := c.m.cfg.Capture
	opt.Interfaces = nil
	for _, in := range c.all {
		if c.chosen[in.Name] {
			opt.Interfaces = append(opt.Interfaces, in.Name)
		}
	}
	if len(opt.Interfaces) == 0 {
		opt.Interfaces = []string{c.all[c.cur].Name}
	}
	opt.Filter = strings.TrimSpace(c.filter.value())
	c.starting = true
	c.m.pending = append(c.m.pending, func() any {
		store, err := c.m.cfg.Live(opt)
		return opened{store, opt, err}
	})
}

func (c *chooser) open(path string) {
	if path == "" {
		return
	}
	c.m.pending = append(c.m.pending, func() any {
		store, err := c.m.cfg.Open(path)
		return opened{store, capture.Options{}, err}
	})
}

// recover opens what a killed remora left.
func (c *chooser) recover() {
	if len(c.orphans) == 0 {
		return
	}
	o := c.orphans[0]
	c.m.pending = append(c.m.pending, func() any {
		store, err := o.Open(c.m.ctx, capture.Options{})
		return opened{store, capture.Options{}, err}
	})
}

func (m *model) onOpened(o opened) {
	c := m.chooser
	if c == nil {
		if o.store != nil {
			o.store.Close()
		}
		return
	}
	c.starting = false
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
	m.attach(o.store, s)
	if m.cfg.Filter != "" {
		m.applyFilter(m.cfg.Filter)
	}
}
