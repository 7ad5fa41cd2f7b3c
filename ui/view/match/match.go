// Package match is a page for a game while it runs: who plays and watches, how long inputs take, when the game stood
// still and for whom, and whether the sides agree.
package match

import (
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View is the page of one game: the one that began last, or the one that somebody turned to.
type View struct {
	c      view.Context
	table  widget.Table // of the events
	chosen uint32       // the game somebody turned to; 0: the newest
	recent bool         // the last minute alone

	of      *dissect.Session
	counts  view.Matches
	upTo    dissect.FrameNum
	version uint64
	matches []stats.Match
	now     int // of matches
	sync    stats.SyncReport
	events  []event
}

// An event is a stall, or with a disagreement a frame on which the sides differ.
type event struct {
	stall  *stats.Stall
	differ *dissect.Disagreement
}

// recently is how long the last minute is.
const recently = int64(60e9)

// New is the page of the capture that is open.
func New(c view.Context) *View { return &View{c: c} }

// Open begins to count; a view that is opened again goes on with what it has.
func (v *View) Open() { v.begin() }

func (v *View) begin() {
	if now := v.c.Scope(); v.of != now.Session {
		v.Close()
		*v = View{c: v.c, of: now.Session, recent: v.recent}
		if !now.Arriving() {
			v.chosen = view.GameOf(v.of, v.c.List().Current())
		}
	}
	v.counts.Begin(v.c)
}

// Close ends the counting.
func (v *View) Close() { v.counts.Close() }

func (v *View) refresh() {
	v.begin()
	upTo, version := v.counts.UpTo(), v.of.SyncVersion()
	if v.matches != nil && v.upTo == upTo && v.version == version {
		return
	}
	v.upTo, v.version, v.matches = upTo, version, v.counts.All()
	v.lay()
}

// lay finds the game that is shown and its events: what differs in front, then the newest stalls.
func (v *View) lay() {
	v.now, v.events, v.sync = -1, v.events[:0], stats.SyncReport{}
	for i := range v.matches {
		g := &v.matches[i].Game
		if v.now < 0 || v.chosen == g.ID || v.chosen == 0 && (!g.Over || v.matches[v.now].Game.Over) {
			v.now = i
		}
		if v.chosen == g.ID {
			break
		}
	}
	if v.now < 0 {
		return
	}
	for _, r := range stats.SyncReports(v.of) {
		if r.Game.ID == v.matches[v.now].Game.ID {
			v.sync = r
		}
	}
	for i := range v.sync.Disagreements {
		v.events = append(v.events, event{differ: &v.sync.Disagreements[i]})
	}
	stalls := v.matches[v.now].Stalls
	for i := len(stalls) - 1; i >= 0; i-- {
		v.events = append(v.events, event{stall: &stalls[i]})
	}
	v.table.Cur = widget.Clamp(v.table.Cur, 0, max(0, len(v.events)-1))
}

// match is the game that is shown, or nil.
func (v *View) match() *stats.Match {
	if v.now < 0 || v.now >= len(v.matches) {
		return nil
	}
	return &v.matches[v.now]
}

// span is the time that the curves and the time line show.
func (v *View) span(m *stats.Match) (from, to int64) {
	store := v.of.Store()
	from, to = store.Time(max(int(m.Game.First)-1, store.First())), m.Last
	if v.recent {
		from = max(from, to-recently)
	}
	return from, max(to, from+1e6)
}

// frame is the packet of an event: where it is first seen that sides differ, or what ended a stall.
func (e event) frame() dissect.FrameNum {
	if e.differ != nil {
		return e.differ.Reports[1].Frame
	}
	return e.stall.Frame
}

// Update handles the keys that turn to another game, move in the events and go to their packets.
func (v *View) Update(a act.Action, n int) bool {
	v.refresh()
	switch {
	case v.table.Update(a, n, len(v.events), 5):
	case a == act.NextPane:
		v.turn(1)
	case a == act.PrevPane:
		v.turn(-1)
	case a == act.Time:
		v.recent = !v.recent
	case v.match() == nil:
		return false
	case a == act.Open:
		if v.table.Cur < len(v.events) {
			v.c.List().Show()
			v.c.GoTo(v.events[v.table.Cur].frame())
		}
	case a == act.FollowStream:
		if t := follow.NewGame(v.of, v.match().Game.ID); t != nil {
			v.c.Follow(t, v.match().Game.First)
		}
	case a == act.Only:
		g := v.match().Game
		v.c.List().Show()
		v.c.Filter(v.c.Scope().Drilldown().Game(&g))
	default:
		return false
	}
	return true
}

// turn goes to another game, behind the last to the first.
func (v *View) turn(by int) {
	if n := len(v.matches); n > 0 {
		v.chosen = v.matches[(v.now+by+n)%n].Game.ID
		v.table = widget.Table{}
		v.lay()
	}
}

// Click selects an event.
func (v *View) Click(_, y int) {
	_, h := v.c.Size()
	if m := v.match(); m != nil {
		if i := y - v.above(m, h); i >= 0 {
			v.table.Click(i, len(v.events))
		}
	}
}

// Wheel moves by n events.
func (v *View) Wheel(n int) { v.table.Cur = widget.Clamp(v.table.Cur+n, 0, max(0, len(v.events)-1)) }

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	return [][2]string{{"Tab", "next game"}, {"t", "last minute"}, {"Enter", "that packet"}, {"gd", "what differs"},
		{"gf", "its messages"}, {"=", "its packets"}, {"e", "export"}, {"q", "back"}}
}

// Status says how many games there are, and how far they are counted.
func (v *View) Status() string {
	text := humanize.Of(len(v.matches), "game")
	if m := v.match(); m != nil && len(v.matches) > 1 {
		text = "game " + humanize.Group(v.now+1) + " of " + humanize.Group(len(v.matches))
	}
	if v.of != nil && int(v.upTo) < v.of.Passed() {
		text += ", counted up to packet " + humanize.Group(int(v.upTo))
	}
	return text
}

// Busy reports whether packets are still counted.
func (v *View) Busy() bool {
	return v.of != v.c.Scope().Session || v.counts.Matches == nil || int(v.counts.UpTo()) < v.of.Passed() ||
		v.upTo != v.counts.UpTo() || v.version != v.of.SyncVersion()
}

// Sheet has a row for each player of each game, and one for each stall.
func (v *View) Sheet() export.Sheet {
	v.refresh()
	matches, epoch := v.matches, v.of.Store().Time(0)
	return export.New("match", []string{"game", "protocol", "title", "player", "packets", "frame", "latency",
		"latency_unit", "round_trip_ms", "lost", "recovered", "repeats", "stall_s", "stall_ms", "packet"},
		func() (out [][]any) {
			for i := range matches {
				m := &matches[i]
				id, proto, title := m.Game.ID, m.Game.Protocol.Name(), dissect.Escape(m.Game.Title)
				for k := range m.Players {
					p := &m.Players[k]
					latency, unit := p.Latency.Mean(), p.Latency.Unit
					if unit == "" {
						latency, unit = latency/1e6, "ms"
					}
					out = append(out, []any{id, proto, title, name(p), p.Packets, p.Tick, latency, unit,
						p.RoundTrip.Mean() / 1e6, p.Lost, p.Saved, p.Repeats, "", "", ""})
				}
				for _, s := range m.Stalls {
					out = append(out, []any{id, proto, title, dissect.Escape(strings.Join(s.For, ", ")), "", "", "", "", "", "", "",
						"", float64(s.From-epoch) / 1e9, float64(s.To-s.From) / 1e6, s.Frame})
				}
			}
			return out
		})
}

// name is how a player is called: role and name, or the address.
func name(p *stats.MatchPlayer) string {
	if label := p.Label(); label != "" {
		return dissect.Escape(label)
	}
	return p.Endpoint.String()
}
