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
// it hears. A look is short and bounded, has a session of its own, and is forgotten once it has been told.

const (
	looksAtOnce  = 4               // interfaces listened on at a time
	lookAgain    = 3 * time.Second // between two looks on an interface
	lookSnapshot = 4096            // bytes kept of a packet
)

// lookRules bound one look on an interface.
var lookRules = capture.Options{SnapLen: lookSnapshot, NoPromisc: true, BufferMiB: 2,
	Stop: capture.StopRules{Packets: 4000, Duration: 2 * time.Second}}

// told is the end of a look.
type told struct {
	iface  string
	games  []discovery.Game
	others []string // protocols that passed beside them
	err    error
}

// An ear is what is known of an interface by listening.
type ear struct {
	busy   bool
	next   time.Time
	games  []discovery.Game
	others []string
}

// listenSoon has looks taken on interfaces where something passes, as far as it is allowed.
func (c *Chooser) listenSoon(now time.Time) {
	if c.src.Listen == nil || c.found.NotPermitted != nil || c.bad || c.opening != "" {
		return
	}
	busy := 0
	for _, e := range c.ears {
		if e.busy {
			busy++
		}
	}
	for _, in := range c.found.Interfaces {
		e := c.ears[in.Name]
		if e == nil {
			e = &ear{}
			c.ears[in.Name] = e
		}
		if busy >= looksAtOnce || e.busy || now.Before(e.next) || in.Unusable != "" || !in.Up || !c.traffic.Moves(in.Name) {
			continue
		}
		busy++
		e.busy = true
		look := look{c.src.Listen, c.screen.Sessions(), in.Name, strings.TrimSpace(c.filter.Value())}
		c.screen.Later("listening", func(context.Context) func() {
			c.looks.Add(1)
			defer c.looks.Done()
			heard := look.take(c.ctx)
			return func() { c.hear(heard) }
		})
	}
}

// Stop ends all looks and waits for them, a moment at most.
func (c *Chooser) Stop() {
	c.stop()
	done := make(chan struct{})
	go func() { c.looks.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Second):
	}
}

// hear takes what a look told. A game that was not heard again stays for a while, at no packets.
func (c *Chooser) hear(h told) {
	e, now := c.ears[h.iface], time.Now()
	e.busy, e.next = false, now.Add(lookAgain)
	if h.err != nil {
		e.next = now.Add(10 * lookAgain)
		return
	}
	e.games, e.others = discovery.Merge(e.games, h.games, now), h.others
	c.keepCursor()
}

// A look is one short capture on an interface.
type look struct {
	listen  func(ctx context.Context, opt capture.Options) (*capture.Store, func(), error)
	session func(store *capture.Store) (*dissect.Session, error)

	iface  string
	filter string
}

func (l look) take(ctx context.Context) told {
	out := told{iface: l.iface}
	opt := lookRules
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

// heardGames are all games heard, interface by interface.
func (c *Chooser) heardGames() []discovery.Game {
	var out []discovery.Game
	for _, in := range c.found.Interfaces {
		if e := c.ears[in.Name]; e != nil {
			out = append(out, e.games...)
		}
	}
	return out
}

// heardElse is a line on what passes beside games, or on why nothing is heard.
func (c *Chooser) heardElse() string {
	var parts []string
	listening := false
	for _, in := range c.found.Interfaces {
		if e := c.ears[in.Name]; e != nil {
			listening = listening || e.busy
			if len(e.others) > 0 {
				parts = append(parts, in.Name+": "+strings.Join(e.others, ", "))
			}
		}
	}
	switch {
	case len(parts) > 0 && len(c.heardGames()) > 0:
		return "also " + strings.Join(parts, "; ")
	case len(parts) > 0:
		return "no games so far; " + strings.Join(parts, "; ")
	case listening:
		return "listening"
	}
	return ""
}
