package chooser

import (
	"context"
	"strings"
	"time"

	"remora/capture"
	"remora/dissect"
	"remora/ui/discovery"
)

// While somebody chooses, remora listens a little on each interface on which something passes, and tells the games that
// it finds. A probe is short and bounded, has a session of its own, and is forgotten once it is done.

const (
	probesAtOnce  = 4               // interfaces listened on at a time
	probeAgain    = 3 * time.Second // between two probes of an interface
	probeSnapshot = 4096            // bytes kept of a packet
)

// probeRules bound one probe of an interface.
var probeRules = capture.Options{SnapLen: probeSnapshot, NoPromisc: true, BufferMiB: 2,
	Stop: capture.StopRules{Packets: 4000, Duration: 2 * time.Second}}

// probeDone is the end of a probe.
type probeDone struct {
	iface  string
	games  []discovery.Game
	others []string // protocols that passed beside them
	err    error
}

// An interfaceProbe is what is known of an interface by listening.
type interfaceProbe struct {
	busy   bool
	next   time.Time
	games  []discovery.Game
	others []string
}

// listenSoon has probes taken of interfaces where something passes, as far as it is allowed.
func (c *Chooser) listenSoon(now time.Time) {
	if c.src.Listen == nil || c.found.NotPermitted != nil || c.bad || c.opening != "" {
		return
	}
	busy := 0
	for _, e := range c.probes {
		if e.busy {
			busy++
		}
	}
	for _, in := range c.found.Interfaces {
		e := c.probes[in.Name]
		if e == nil {
			e = &interfaceProbe{}
			c.probes[in.Name] = e
		}
		if busy >= probesAtOnce || e.busy || now.Before(e.next) || in.Unusable != "" || !in.Up || !c.traffic.Moves(in.Name) {
			continue
		}
		busy++
		e.busy = true
		probe := probe{c.src.Listen, c.screen.Sessions(), in.Name, strings.TrimSpace(c.filter.Value())}
		c.screen.Later("listening", func(context.Context) func() {
			c.probing.Add(1)
			defer c.probing.Done()
			done := probe.take(c.ctx)
			return func() { c.probed(done) }
		})
	}
}

// Stop ends all probes and waits for them, a moment at most.
func (c *Chooser) Stop() {
	c.stop()
	done := make(chan struct{})
	go func() { c.probing.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Second):
	}
}

// probed takes what a probe found. A game that was not found again stays for a while, at no packets.
func (c *Chooser) probed(h probeDone) {
	e, now := c.probes[h.iface], time.Now()
	e.busy, e.next = false, now.Add(probeAgain)
	if h.err != nil {
		e.next = now.Add(10 * probeAgain)
		return
	}
	e.games, e.others = discovery.Merge(e.games, h.games, now), h.others
	c.keepCursor()
}

// A probe is one short capture on an interface.
type probe struct {
	listen  func(ctx context.Context, opt capture.Options) (*capture.Store, func(), error)
	session func(store *capture.Store) (*dissect.Session, error)

	iface  string
	filter string
}

func (l probe) take(ctx context.Context) probeDone {
	out := probeDone{iface: l.iface}
	opt := probeRules
	opt.Interfaces, opt.Filter = []string{l.iface}, l.filter
	store, done, err := l.listen(ctx, opt)
	if err != nil {
		out.err = err
		return out
	}
	defer done()
	began := time.Now()
	stop := context.AfterFunc(ctx, store.Stop)
	defer stop()
	store.Wait()
	s, err := l.session(store)
	if err == nil {
		err = s.Pass(ctx)
	}
	if err != nil {
		out.err = err
		return out
	}
	out.games, out.others = discovery.Games(s, time.Since(began))
	for i := range out.games {
		out.games[i].Iface = l.iface
	}
	return out
}

// gamesFound are all games heard, interface by interface.
func (c *Chooser) gamesFound() []discovery.Game {
	var out []discovery.Game
	for _, in := range c.found.Interfaces {
		if e := c.probes[in.Name]; e != nil {
			out = append(out, e.games...)
		}
	}
	return out
}

// othersFound is a line on what passes beside games, or on why nothing is heard.
func (c *Chooser) othersFound() string {
	var parts []string
	listening := false
	for _, in := range c.found.Interfaces {
		if e := c.probes[in.Name]; e != nil {
			listening = listening || e.busy
			if len(e.others) > 0 {
				parts = append(parts, in.Name+": "+strings.Join(e.others, ", "))
			}
		}
	}
	switch {
	case len(parts) > 0 && len(c.gamesFound()) > 0:
		return "also " + strings.Join(parts, "; ")
	case len(parts) > 0:
		return "no games so far; " + strings.Join(parts, "; ")
	case listening:
		return "listening"
	}
	return ""
}
