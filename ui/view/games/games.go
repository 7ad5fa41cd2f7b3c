// Package games tells of each game of a capture whether what its sides were told of every frame agrees.
package games

import (
	"slices"
	"strconv"
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

// A View tells of each game whether what its sides were told of every frame agrees, and where it does not: who told
// whom what, in which packet. It stays where it was when it is opened again, so that one packet can be looked at after
// the other.
type View struct {
	c      view.Context
	table  widget.Table
	of     *dissect.Session
	seen   [3]uint64 // tellings, packets and those counted when the games were taken
	counts view.Matches
	games  []stats.SyncReport
	run    []*stats.Match // how each of them runs; nil: nothing is counted of it yet
	rows   []row
	differ int // games that disagree
}

// A row is a line: a game, the verdict, one subject of it, one disagreement, one side's word in it.
type row struct {
	kind       rowKind
	game       int
	at, report int  // subject or disagreement; telling
	odd        bool // it says something else than most
}

type rowKind int

const (
	gameRow rowKind = iota
	verdictRow
	stallRow
	moreStallsRow
	subjectRow
	tickRow
	reportRow
	moreRow
	gapRow
)

// New is the games of the capture that is open, with the cursor at the one that the selected packet is of.
func New(c view.Context) *View {
	v := &View{c: c}
	v.refresh()
	v.standAt()
	return v
}

// standAt puts the cursor on the game of the selected packet. When sides differ in another game alone, it stays at the
// top.
func (v *View) standAt() {
	here := view.GameOf(v.of, v.c.List().Current())
	for i, r := range v.rows {
		if a := &v.games[r.game]; r.kind == gameRow && a.Game.ID == here && (v.differ == 0 || len(a.Disagreements) > 0) {
			v.table.Cur = i
			return
		}
	}
}

// Open begins to count how the games run.
func (v *View) Open() {
	v.refresh()
	v.counts.Begin(v.c)
}

// now is what the games are made of.
func (v *View) now() [3]uint64 {
	s := v.c.Scope().Session
	now := [3]uint64{s.SyncVersion(), uint64(s.Passed())}
	if v.of == s && v.counts.Matches != nil {
		now[2] = uint64(v.counts.UpTo())
	}
	return now
}

func (v *View) refresh() {
	if s := v.c.Scope().Session; v.of != s {
		counts := v.counts
		*v = View{c: v.c, of: s}
		if counts.Matches != nil {
			counts.Begin(v.c)
			v.counts = counts
		}
	} else if v.seen == v.now() && v.games != nil {
		return
	}
	v.seen, v.games, v.rows, v.differ = v.now(), stats.SyncReports(v.of), v.rows[:0], 0
	v.run = make([]*stats.Match, len(v.games))
	if v.counts.Matches != nil {
		matches := v.counts.All()
		for i := range matches {
			for g := range v.games {
				if v.games[g].Game.ID == matches[i].Game.ID {
					v.run[g] = &matches[i]
				}
			}
		}
	}
	for g := range v.games {
		v.lay(g)
	}
}

// mostStalls is how many stalls of a game are listed, the newest first; the page of the game has all.
const mostStalls = 3

// lay makes the lines of a game.
func (v *View) lay(g int) {
	a := &v.games[g]
	if g > 0 {
		v.rows = append(v.rows, row{kind: gapRow, game: g})
	}
	v.rows = append(v.rows, row{kind: gameRow, game: g}, row{kind: verdictRow, game: g})
	if m := v.run[g]; m != nil {
		n := len(m.Stalls)
		for i := range min(n, mostStalls) {
			v.rows = append(v.rows, row{kind: stallRow, game: g, at: n - 1 - i})
		}
		if n > mostStalls {
			v.rows = append(v.rows, row{kind: moreStallsRow, game: g})
		}
	}
	for i := range a.Subjects {
		v.rows = append(v.rows, row{kind: subjectRow, game: g, at: i})
	}
	for i := range a.Disagreements {
		d := &a.Disagreements[i]
		v.rows = append(v.rows, row{kind: tickRow, game: g, at: i})
		for s, odd := range stats.Outliers(d) {
			v.rows = append(v.rows, row{kind: reportRow, game: g, at: i, report: s, odd: odd})
		}
	}
	if a.More > 0 {
		v.rows = append(v.rows, row{kind: moreRow, game: g})
	}
	if len(a.Disagreements) > 0 {
		v.differ++
	}
}

// at is the line under the cursor.
func (v *View) at() row {
	if v.table.Cur < len(v.rows) {
		return v.rows[v.table.Cur]
	}
	return row{kind: gapRow}
}

// tick is a line's disagreement: its own, or the first of its game; nil where there is none.
func (v *View) tick(r row) *dissect.Disagreement {
	if len(v.games) == 0 {
		return nil
	}
	if r.kind == tickRow || r.kind == reportRow {
		return &v.games[r.game].Disagreements[r.at]
	}
	return v.games[r.game].FirstDisagreement()
}

// frame is the packet that Enter goes to: where the line's side says so, where the disagreement shows first, or where a
// game begins in which all agree.
func (v *View) frame(r row) dissect.FrameNum {
	d := v.tick(r)
	switch {
	case len(v.games) == 0:
		return 0
	case r.kind == stallRow:
		return v.run[r.game].Stalls[r.at].Frame
	case d == nil:
		return v.games[r.game].Game.First
	case r.kind == reportRow:
		return d.Reports[r.report].Frame
	}
	return d.Reports[1].Frame
}

// maxFrames bounds the packets of one filter.
const maxFrames = 200

// filter lets the packets of a line through: of a disagreement, or of all of a game.
func (v *View) filter(r row) string {
	if len(v.games) == 0 {
		return ""
	}
	list := v.games[r.game].Disagreements
	if r.kind == tickRow || r.kind == reportRow {
		list = list[r.at : r.at+1]
	}
	var frames []string
	known := map[dissect.FrameNum]bool{}
	for _, d := range list {
		for _, s := range d.Reports {
			if r.kind == subjectRow &&
				(d.About != v.games[r.game].Subjects[r.at].About || d.Of != v.games[r.game].Subjects[r.at].Of) {
				continue
			}
			if !known[s.Frame] && len(frames) < maxFrames {
				known[s.Frame] = true
				frames = append(frames, strconv.Itoa(int(s.Frame)))
			}
		}
	}
	if len(frames) == 0 {
		return ""
	}
	return "frame.number in {" + strings.Join(frames, ", ") + "}"
}

// FindLine goes to the next line that holds a text, or to the one before.
func (v *View) FindLine(text string, step int) bool { return v.table.Find(text, step) }

// Update handles the keys that move in the games, filter by what differs and go to a packet.
func (v *View) Update(a act.Action, n int) bool {
	v.refresh()
	r := v.at()
	switch {
	case v.table.Update(a, n, len(v.rows), view.Height(v.c)-2):
		v.skipGap(a)
	case a == act.NextPane:
		v.nextGame(1)
	case a == act.PrevPane:
		v.nextGame(-1)
	case a == act.Partner:
		v.partner(r)
	case a == act.Open:
		if f := v.frame(r); f > 0 {
			v.c.List().Show()
			v.c.GoTo(f)
		}
	case a == act.FollowStream:
		v.follow(r)
	case a == act.Only:
		if text := v.filter(r); text != "" {
			v.c.List().Show()
			v.c.Filter(text)
		} else {
			v.c.Notify("No differences here")
		}
	default:
		return false
	}
	return true
}

// follow reads the messages of the line's game, from the packet that Enter goes to on.
func (v *View) follow(r row) {
	if len(v.games) == 0 {
		return
	}
	if t := follow.NewGame(v.c.Scope().Session, v.games[r.game].Game.ID); t != nil {
		v.c.Follow(t, v.frame(r))
	}
}

// skipGap keeps the cursor off empty lines.
func (v *View) skipGap(a act.Action) {
	if v.at().kind != gapRow || len(v.rows) == 0 {
		return
	}
	if a == act.Up || a == act.PageUp || a == act.HalfUp {
		v.table.Cur = max(0, v.table.Cur-1)
	} else {
		v.table.Cur = min(v.table.Cur+1, len(v.rows)-1)
	}
}

func (v *View) nextGame(step int) {
	for i := v.table.Cur + step; i >= 0 && i < len(v.rows); i += step {
		if v.rows[i].kind == gameRow {
			v.table.Cur = i
			return
		}
	}
}

// partner goes to the next side that told of the tick, behind the last to the first.
func (v *View) partner(r row) {
	d := v.tick(r)
	if d == nil {
		return
	}
	want := 0
	if r.kind == reportRow {
		want = (r.report + 1) % len(d.Reports)
	}
	for i, o := range v.rows {
		if o.kind == reportRow && o.game == r.game && o.report == want && v.tick(o) == d {
			v.table.Cur = i
		}
	}
}

// Click selects a line.
func (v *View) Click(_, y int) {
	if i := v.table.Top + y - 1; y > 0 && i < len(v.rows) && v.rows[i].kind != gapRow {
		v.table.Cur = i
	}
}

// Wheel moves by n lines.
func (v *View) Wheel(n int) {
	v.table.Cur = widget.Clamp(v.table.Cur+n, 0, max(0, len(v.rows)-1))
}

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	enter := "that packet"
	if r := v.at(); len(v.games) > 0 && v.tick(r) == nil && r.kind != stallRow {
		enter = "its first packet"
	}
	return [][2]string{{"Enter", enter}, {"gf", "its messages"}, {"Tab", "next game"}, {"%", "the other side"},
		{"=", "only what differs"}, {"e", "export"}, {"q", "back"}}
}

// Busy reports whether the games have to be counted again.
func (v *View) Busy() bool {
	return v.of != v.c.Scope().Session || v.seen != v.now() || v.counts.Matches != nil && v.seen[2] < v.seen[1]
}

// Status says how many games there are and how many packets differ.
func (v *View) Status() string {
	switch {
	case len(v.games) == 0:
		return "no games"
	case v.differ == 0 &&
		!slices.ContainsFunc(v.games, func(a stats.SyncReport) bool { _, compared, _ := a.Counts(); return compared > 0 }):
		return gamesText(len(v.games)) + ", nothing to compare"
	case v.differ == 0:
		return gamesText(len(v.games)) + ", no desync found"
	}
	return gamesText(len(v.games)) + ", desync in " + humanize.Group(v.differ)
}

func gamesText(n int) string {
	if n == 1 {
		return "1 game"
	}
	return humanize.Group(n) + " games"
}

// Sheet has a row for each subject of a game, with counts, and one for each telling of a disagreement.
func (v *View) Sheet() export.Sheet {
	v.refresh()
	games, s := v.games, v.c.Scope().Session
	return export.New("desync",
		[]string{"game", "protocol", "title", "about", "told", "compared", "differ", "tick", "phase", "value", "from", "to",
			"packet", "time_s"}, func() (out [][]any) {
			epoch := s.Store().Time(0)
			for i := range games {
				a := &games[i]
				id, proto, title := a.Game.ID, a.Game.Protocol.Name(), dissect.Escape(a.Game.Title)
				for _, c := range a.Subjects {
					out = append(out,
						[]any{id, proto, title, stats.SubjectTitle(c.About, c.Of), c.Reported, c.Compared, c.Differ, "", "", "", "", "",
							"", ""})
				}
				for k := range a.Disagreements {
					d := &a.Disagreements[k]
					for _, said := range d.Reports {
						from, to := stats.SenderReceiver(s, said.Frame)
						out = append(out,
							[]any{id, proto, title, stats.SubjectTitle(d.About, d.Of), "", "", "", d.Tick,
								dissect.Escape(a.Phase(d.Reports[1].Frame)), dissect.Escape(said.Text(d.About)),
								dissect.Escape(from), dissect.Escape(to), said.Frame, float64(s.Store().Time(int(said.Frame)-1)-epoch) / 1e9})
					}
				}
			}
			return out
		})
}

// Close ends the counting.
func (v *View) Close() { v.counts.Close() }

func sinceText(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'f', 3, 64) + " s" }
