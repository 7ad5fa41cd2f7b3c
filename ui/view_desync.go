package ui

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
)

// desyncView tells of each game whether what its sides were told of every frame agrees, and where it does not: who told whom
// what, in which packet. It stays where it was when it is opened again, so that one packet can be looked at after the other.
type desyncView struct {
	table  table
	of     *dissect.Session
	seen   [2]uint64 // tellings and packets when the games were taken
	games  []stats.Accord
	rows   []desyncRow
	differ int // games that disagree
}

// A desyncRow is a line: a game, the answer, one subject of it, one disagreement, one side's word in it.
type desyncRow struct {
	kind     desyncKind
	game     int
	at, said int  // subject or disagreement; telling
	odd      bool // it says something else than most
}

type desyncKind int

const (
	desyncGame desyncKind = iota
	desyncAnswer
	desyncSubject
	desyncTick
	desyncSaid
	desyncMore
	desyncGap
)

// openDesync opens the view as it was left, and for the first time at the game that the selected packet is of.
func (m *model) openDesync() {
	if m.desync == nil {
		m.desync = &desyncView{}
	}
	v, fresh := m.desync, m.desync.of != m.s
	m.openOver(v)
	if fresh {
		v.refresh(m)
		v.standAt(m)
	}
}

// standAt puts the cursor on the game of the selected packet. When sides differ in another game alone, it stays at the top.
func (v *desyncView) standAt(m *model) {
	here := m.gameHere()
	for i, r := range v.rows {
		if a := &v.games[r.game]; r.kind == desyncGame && a.Game.ID == here && (v.differ == 0 || len(a.Disagreements) > 0) {
			v.table.cur = i
			return
		}
	}
}

func (v *desyncView) refresh(m *model) {
	seen := [2]uint64{m.s.Tellings(), uint64(m.s.Passed())}
	if v.of == m.s && v.seen == seen {
		return
	}
	if v.of != m.s {
		*v = desyncView{of: m.s}
	}
	v.seen, v.games, v.rows, v.differ = seen, stats.Accords(m.s), v.rows[:0], 0
	for g := range v.games {
		v.lay(g)
	}
}

// lay makes the lines of a game.
func (v *desyncView) lay(g int) {
	a := &v.games[g]
	if g > 0 {
		v.rows = append(v.rows, desyncRow{kind: desyncGap, game: g})
	}
	v.rows = append(v.rows, desyncRow{kind: desyncGame, game: g}, desyncRow{kind: desyncAnswer, game: g})
	for i := range a.Subjects {
		v.rows = append(v.rows, desyncRow{kind: desyncSubject, game: g, at: i})
	}
	for i := range a.Disagreements {
		d := &a.Disagreements[i]
		v.rows = append(v.rows, desyncRow{kind: desyncTick, game: g, at: i})
		for s, odd := range stats.Odd(d) {
			v.rows = append(v.rows, desyncRow{kind: desyncSaid, game: g, at: i, said: s, odd: odd})
		}
	}
	if a.More > 0 {
		v.rows = append(v.rows, desyncRow{kind: desyncMore, game: g})
	}
	if len(a.Disagreements) > 0 {
		v.differ++
	}
}

// row is the line under the cursor.
func (v *desyncView) row() desyncRow {
	if v.table.cur < len(v.rows) {
		return v.rows[v.table.cur]
	}
	return desyncRow{kind: desyncGap}
}

// tick is a line's disagreement: its own, or the first of its game; nil where there is none.
func (v *desyncView) tick(r desyncRow) *dissect.Disagreement {
	if len(v.games) == 0 {
		return nil
	}
	if r.kind == desyncTick || r.kind == desyncSaid {
		return &v.games[r.game].Disagreements[r.at]
	}
	return v.games[r.game].First()
}

// frame is the packet that Enter goes to: where the line's side says so, where the disagreement shows first, or where a game
// begins in which all agree.
func (v *desyncView) frame(r desyncRow) dissect.FrameNum {
	d := v.tick(r)
	switch {
	case len(v.games) == 0:
		return 0
	case d == nil:
		return v.games[r.game].Game.First
	case r.kind == desyncSaid:
		return d.Said[r.said].Frame
	}
	return d.Said[1].Frame
}

// maxFrames bounds the packets of one filter.
const maxFrames = 200

// filter lets the packets of a line through: of a disagreement, or of all of a game.
func (v *desyncView) filter(r desyncRow) string {
	if len(v.games) == 0 {
		return ""
	}
	list := v.games[r.game].Disagreements
	if r.kind == desyncTick || r.kind == desyncSaid {
		list = list[r.at : r.at+1]
	}
	var frames []string
	known := map[dissect.FrameNum]bool{}
	for _, d := range list {
		for _, s := range d.Said {
			if r.kind == desyncSubject && (d.About != v.games[r.game].Subjects[r.at].About || d.Of != v.games[r.game].Subjects[r.at].Of) {
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

func (v *desyncView) act(m *model, a act.Action, n int) bool {
	v.refresh(m)
	r := v.row()
	switch {
	case v.table.act(a, n, len(v.rows), m.body().h-2):
		v.skipGap(a)
	case a == act.NextPane:
		v.nextGame(1)
	case a == act.PrevPane:
		v.nextGame(-1)
	case a == act.Partner:
		v.partner(r)
	case a == act.Open:
		if f := v.frame(r); f > 0 {
			m.leaveOver(nil)
			m.openTab(tabPackets)
			m.jumpTo(f)
		}
	case a == act.FollowStream:
		v.follow(m, r)
	case a == act.UseField || a == act.Only:
		if text := v.filter(r); text != "" {
			m.leaveOver(nil)
			m.openTab(tabPackets)
			m.applyFilter(text)
		} else {
			m.notice = "nothing differs here"
		}
	default:
		return false
	}
	return true
}

// follow reads the messages of the line's game, from the packet that Enter goes to on.
func (v *desyncView) follow(m *model, r desyncRow) {
	if len(v.games) == 0 {
		return
	}
	if t := follow.NewGame(m.s, v.games[r.game].Game.ID); t != nil {
		m.openFollow(t, v.frame(r))
	}
}

// skipGap keeps the cursor off empty lines.
func (v *desyncView) skipGap(a act.Action) {
	if v.row().kind != desyncGap {
		return
	}
	if a == act.Up || a == act.PageUp || a == act.HalfUp {
		v.table.cur = max(0, v.table.cur-1)
	} else {
		v.table.cur = min(v.table.cur+1, len(v.rows)-1)
	}
}

func (v *desyncView) nextGame(step int) {
	for i := v.table.cur + step; i >= 0 && i < len(v.rows); i += step {
		if v.rows[i].kind == desyncGame {
			v.table.cur = i
			return
		}
	}
}

// partner goes to the next side that told of the tick, behind the last to the first.
func (v *desyncView) partner(r desyncRow) {
	d := v.tick(r)
	if d == nil {
		return
	}
	want := 0
	if r.kind == desyncSaid {
		want = (r.said + 1) % len(d.Said)
	}
	for i, o := range v.rows {
		if o.kind == desyncSaid && o.game == r.game && o.said == want && v.tick(o) == d {
			v.table.cur = i
		}
	}
}

func (v *desyncView) click(_ *model, r rect, _, y int) {
	if i := v.table.top + y - r.y - 1; y > r.y && i < len(v.rows) && v.rows[i].kind != desyncGap {
		v.table.cur = i
	}
}

func (v *desyncView) wheel(_ *model, n int) {
	v.table.cur = clamp(v.table.cur+n, 0, max(0, len(v.rows)-1))
}

func (v *desyncView) hints() [][2]string {
	enter := "that packet"
	if len(v.games) > 0 && v.tick(v.row()) == nil {
		enter = "its first packet"
	}
	return [][2]string{{"Enter", enter}, {"gf", "its messages"}, {"Tab", "next game"}, {"%", "the other side"}, {"=", "only what differs"}, {"e", "export"}, {"q", "back"}}
}

func (v *desyncView) busy(m *model) bool {
	return v.of != m.s || v.seen != [2]uint64{m.s.Tellings(), uint64(m.s.Passed())}
}

func (v *desyncView) status(*model) string {
	switch {
	case len(v.games) == 0:
		return "no games"
	case v.differ == 0 && !slices.ContainsFunc(v.games, func(a stats.Accord) bool { _, compared, _ := a.Counts(); return compared > 0 }):
		return gamesText(len(v.games)) + ", nothing to compare"
	case v.differ == 0:
		return gamesText(len(v.games)) + ", no desync found"
	}
	return gamesText(len(v.games)) + ", desync in " + amount.Group(v.differ)
}

func gamesText(n int) string {
	if n == 1 {
		return "1 game"
	}
	return amount.Group(n) + " games"
}

// sheet has a row for each subject of a game, with counts, and one for each telling of a disagreement.
func (v *desyncView) sheet(m *model) sheet {
	v.refresh(m)
	games, s := v.games, m.s
	return sheet{"desync", []string{"game", "protocol", "title", "about", "told", "compared", "differ", "tick", "phase", "value", "from", "to", "packet", "time_s"}, func() (out [][]any) {
		epoch := s.Store().Time(0)
		for i := range games {
			a := &games[i]
			id, proto, title := a.Game.ID, a.Game.Protocol.Name(), dissect.Escape(a.Game.Title)
			for _, c := range a.Subjects {
				out = append(out, []any{id, proto, title, stats.SubjectTitle(c.About, c.Of), c.Told, c.Compared, c.Differ, "", "", "", "", "", "", ""})
			}
			for k := range a.Disagreements {
				d := &a.Disagreements[k]
				for _, said := range d.Said {
					from, to := stats.Teller(s, said.Frame)
					out = append(out, []any{id, proto, title, stats.SubjectTitle(d.About, d.Of), "", "", "", d.Tick, dissect.Escape(a.Phase(d.Said[1].Frame)), dissect.Escape(said.Text(d.About)),
						dissect.Escape(from), dissect.Escape(to), said.Frame, float64(s.Store().Time(int(said.Frame)-1)-epoch) / 1e9})
				}
			}
		}
		return out
	}}
}

func sinceText(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'f', 3, 64) + " s" }
