package ui

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/stats"
)

// While somebody chooses, remora listens a little on each interface on which something passes, and tells the games that it
// hears. A look is short and bounded, has a session of its own, and is forgotten once it has been told.

const (
	looksAtOnce  = 4                // interfaces listened on at a time
	lookAgain    = 3 * time.Second  // between two looks on an interface
	lookKept     = 10 * time.Second // how long a game stays that was not heard again
	heardRates   = 10               // looks whose rates are kept
	gamesTold    = 6                // games told of one interface
	othersTold   = 4                // other protocols told of one
	lookSnapshot = 4096             // bytes kept of a packet
)

// lookRules bound one look on an interface.
var lookRules = capture.Options{SnapLen: lookSnapshot, NoPromisc: true, BufferMiB: 2, Stop: capture.StopRules{Packets: 4000, Duration: 2 * time.Second}}

// A heardGame is a game that passes on an interface just now.
type heardGame struct {
	iface  string
	title  string // of the protocol
	hue    dissect.Hue
	where  dissect.Endpoint // the end that most of it has in common
	what   string           // players and phase
	types  string           // the most frequent packet types
	filter string           // a capture filter for it
	rates  []float64        // packets a second, a look each, newest last
	at     time.Time
}

// heard is the end of a look.
type heard struct {
	iface  string
	games  []heardGame
	others []string // protocols that passed beside them
	err    error
}

// An ear is what is known of an interface by listening.
type ear struct {
	busy   bool
	next   time.Time
	games  []heardGame
	others []string
}

// listenSoon has looks taken on interfaces where something passes, as far as it is allowed.
func (c *chooser) listenSoon(now time.Time) {
	if c.m.cfg.Listen == nil || c.found.mayNot != nil || c.bad || c.opening != "" {
		return
	}
	busy := 0
	for _, e := range c.ears {
		if e.busy {
			busy++
		}
	}
	for _, in := range c.found.interfaces {
		e := c.ears[in.Name]
		if e == nil {
			e = &ear{}
			c.ears[in.Name] = e
		}
		if busy >= looksAtOnce || e.busy || now.Before(e.next) || in.Unusable != "" || !in.Up || !c.traffic.moves(in.Name) {
			continue
		}
		busy++
		e.busy = true
		look := look{c.m, in.Name, strings.TrimSpace(c.filter.Value())}
		c.m.pending = append(c.m.pending, func() any {
			c.looks.Add(1)
			defer c.looks.Done()
			return look.take(c.ctx)
		})
	}
}

// moves tells whether something passed on an interface of late.
func (t *traffic) moves(name string) bool {
	rates := t.rates[name]
	for _, v := range rates[max(0, len(rates)-6):] {
		if v > 0 {
			return true
		}
	}
	return false
}

// deafen ends all looks and waits for them, a moment at most.
func (c *chooser) deafen() {
	c.stop()
	done := make(chan struct{})
	go func() { c.looks.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Second):
	}
}

// onHeard takes what a look told. A game that was not heard again stays for a while, at no packets.
func (m *model) onHeard(h heard) {
	c := m.chooser
	if c == nil || c.ears[h.iface] == nil {
		return
	}
	e, now := c.ears[h.iface], time.Now()
	e.busy, e.next = false, now.Add(lookAgain)
	if h.err != nil {
		e.next = now.Add(10 * lookAgain)
		return
	}
	before := e.games
	e.games, e.others = h.games, h.others
	for _, was := range before {
		i := slices.IndexFunc(e.games, func(g heardGame) bool { return g.title == was.title && g.where == was.where })
		switch {
		case i >= 0:
			rates := append(slices.Clone(was.rates), e.games[i].rates...)
			e.games[i].rates = rates[max(0, len(rates)-heardRates):]
		case now.Sub(was.at) < lookKept:
			was.rates = append(slices.Clone(was.rates), 0)
			e.games = append(e.games, was)
		}
	}
	slices.SortStableFunc(e.games, func(a, b heardGame) int {
		return cmp.Or(cmp.Compare(a.title, b.title), cmp.Compare(a.where.String(), b.where.String()))
	})
	e.games = e.games[:min(len(e.games), gamesTold)]
	c.keepCursor()
}

// A look is one short capture on an interface.
type look struct {
	m      *model
	iface  string
	filter string
}

func (l look) take(ctx context.Context) heard {
	out := heard{iface: l.iface}
	opt := lookRules
	opt.Interfaces, opt.Filter = []string{l.iface}, l.filter
	store, done, err := l.m.cfg.Listen(ctx, opt)
	if err != nil {
		out.err = err
		return out
	}
	defer done()
	began := time.Now()
	stop := context.AfterFunc(ctx, store.Stop)
	defer stop()
	store.Wait()
	s, err := dissect.NewSession(l.m.reg, store, l.m.cfg.DecodeAs...)
	if err == nil {
		err = s.Pass(ctx)
	}
	if err != nil {
		out.err = err
		return out
	}
	out.games, out.others = gamesIn(s, time.Since(began))
	for i := range out.games {
		out.games[i].iface = l.iface
	}
	return out
}

// gamesIn tells the games in a session that took a time to capture, and the most frequent other protocols.
func gamesIn(s *dissect.Session, took time.Duration) (games []heardGame, others []string) {
	counts, kinds := countGames(s)
	playing := map[*dissect.Protocol]bool{}
	for _, g := range s.Games() {
		n := counts[g.ID]
		playing[g.Protocol] = true
		if g.Over || n == 0 || len(g.Convs) == 0 {
			continue
		}
		where, filter := placeOf(s, g)
		games = append(games, heardGame{title: g.Protocol.Title(), hue: g.Protocol.Hue(), where: where, filter: filter, what: whatOf(g),
			types: mostFrequent(kinds[g.ID]), rates: []float64{float64(n) / max(took.Seconds(), 0.1)}, at: time.Now()})
	}
	t := stats.NewTally(s)
	t.Range(1, dissect.FrameNum(s.Passed()))
	for _, p := range t.Types() {
		if !playing[p.Protocol] && len(others) < othersTold {
			others = append(others, p.Protocol.Title())
		}
	}
	return games, others
}

// countGames counts the packets of each game, and their types.
func countGames(s *dissect.Session) (counts map[uint32]int, kinds map[uint32]map[string]int) {
	of := map[uint32][]uint32{} // games by conversation
	for _, g := range s.Games() {
		for _, conv := range g.Convs {
			of[conv] = append(of[conv], g.ID)
		}
	}
	counts, kinds = map[uint32]int{}, map[uint32]map[string]int{}
	for n := range s.Passed() {
		frame := dissect.FrameNum(n + 1)
		conv, _ := s.TalkOf(frame)
		for _, id := range of[conv] {
			counts[id]++
			if kinds[id] == nil {
				kinds[id] = map[string]int{}
			}
			kinds[id][s.KindText(s.ShapeOf(frame))]++
		}
	}
	return counts, kinds
}

func mostFrequent(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	return strings.Join(names[:min(3, len(names))], ", ")
}

// whatOf says who plays, and what just now.
func whatOf(g dissect.Game) string {
	text := fmt.Sprintf("%d players", len(g.Players))
	switch len(g.Players) {
	case 0:
		text = "a game"
	case 1:
		text = "1 player"
	}
	if k := len(g.Phases); k > 0 {
		text += ", " + g.Phases[k-1].Name
	}
	return text
}

// placeOf is the end that most conversations of a game have in common, and a capture filter for it. Where a game has
// several ports the filter keeps to the host.
func placeOf(s *dissect.Session, g dissect.Game) (dissect.Endpoint, string) {
	seen, hosts := map[dissect.Endpoint]int{}, map[dissect.Addr]int{}
	var best dissect.Endpoint
	for _, id := range g.Convs {
		c := s.Conversation(id)
		for _, e := range []dissect.Endpoint{c.B, c.A} {
			seen[e]++
			hosts[e.Addr]++
			known := func(e dissect.Endpoint) bool {
				return slices.Contains(s.Registry().Ports(g.Protocol.Name(), c.Transport), uint32(e.Port))
			}
			if best == (dissect.Endpoint{}) || seen[e] > seen[best] || seen[e] == seen[best] && known(e) && !known(best) {
				best = e
			}
		}
	}
	c := s.Conversation(g.Convs[0])
	transport, port := strings.CutSuffix(string(c.Transport), ".port")
	if !port || seen[best] < len(g.Convs) {
		best.Port = 0
		return best, "host " + best.Addr.String()
	}
	return best, fmt.Sprintf("host %s and %s port %d", best.Addr, transport, best.Port)
}

// heardGames are all games heard, interface by interface.
func (c *chooser) heardGames() []heardGame {
	var out []heardGame
	for _, in := range c.found.interfaces {
		if e := c.ears[in.Name]; e != nil {
			out = append(out, e.games...)
		}
	}
	return out
}

// heardElse is a line on what passes beside games, or on why nothing is heard.
func (c *chooser) heardElse() string {
	var parts []string
	listening := false
	for _, in := range c.found.interfaces {
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
