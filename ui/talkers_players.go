package ui

import (
	"cmp"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/amount"
	"remora/ui/doors"
	"remora/ui/paint"
)

// A playerRow is a line of the part that tells what the players of each game sent: a game, or a player of it, or one of the
// packet types of the player, which are seen when the player is unfolded.
type playerRow struct {
	game *dissect.Game
	all  stats.Count // of the game
	who  *stats.PlayerTypes
	kind *stats.PlayerType
}

// A playerKey is a player, whoever counted it; of ends that are no players there is one in each game.
type playerKey struct {
	game uint32
	end  dissect.Endpoint
}

func (r playerRow) key() playerKey { return playerKey{r.game.ID, r.who.Player.Endpoint} }

// layPlayers makes the lines of what was counted.
func (v *talkersView) layPlayers() {
	v.playerRows = v.playerRows[:0]
	at := -1 // the line of the game
	for i := range v.players {
		p := &v.players[i]
		if at < 0 || v.playerRows[at].game.ID != p.Game.ID {
			at = len(v.playerRows)
			v.playerRows = append(v.playerRows, playerRow{game: p.Game})
		}
		v.playerRows[at].all.Packets += p.Packets
		v.playerRows[at].all.Bytes += p.Bytes
		row := playerRow{game: p.Game, who: p}
		v.playerRows = append(v.playerRows, row)
		for k := range p.Types {
			if v.unfolded[row.key()] {
				v.playerRows = append(v.playerRows, playerRow{game: p.Game, who: p, kind: &p.Types[k]})
			}
		}
	}
	all := stats.Count{}
	for i := range v.playerRows {
		if r := &v.playerRows[i]; r.who == nil {
			all = r.all
		} else {
			r.all = all
		}
	}
}

// foldPlayer shows the packet types of the player under the cursor, or hides them.
func (v *talkersView) foldPlayer(a act.Action) {
	t := &v.tables[partPlayers]
	if t.cur >= len(v.playerRows) || v.playerRows[t.cur].who == nil {
		return
	}
	if v.unfolded == nil {
		v.unfolded = map[playerKey]bool{}
	}
	r := v.playerRows[t.cur]
	open := a == act.Right || a == act.Select && r.kind == nil && !v.unfolded[r.key()]
	for !open && v.playerRows[t.cur].kind != nil {
		t.cur--
	}
	v.unfolded[r.key()] = open
	v.layPlayers()
}

// filter is the one for what a line counts.
func (r playerRow) filter(d doors.Writer) string {
	switch {
	case r.who == nil:
		return d.Game(r.game)
	case r.kind == nil:
		return d.Player(r.who, false, "")
	case r.kind.Field == nil:
		return d.Player(r.who, true, "")
	}
	return d.Player(r.who, true, r.kind.Field.KindWord(r.kind.Value))
}

// playerColumns are the widths of a name and of a bar, for which there is none on a narrow screen, and whether gaps and lengths
// have room.
func playerColumns(w int) (name, bar int, gaps bool) {
	used := wCount + 7 + wBytes + wTime
	if gaps = w >= 100; gaps {
		used += wGap + wJitter + wLengths
	}
	name = clamp(w-used-12, 20, 44)
	if bar = min(mostBar, w-name-used-2); bar < 6 {
		name, bar = clamp(w-used, 20, 44), 0
	}
	return name, bar, gaps
}

// Widths of the columns of gaps and lengths.
const (
	wGap     = 10
	wJitter  = 8
	wLengths = 10
	mostBar  = 40
)

func (v *talkersView) playerHead(m *model, w int) string {
	name, bar, gaps := playerColumns(w)
	text := paint.Fit("  Sent by", name) + paint.FitRight("packets", wCount) + paint.FitRight("%", 7)
	if bar > 0 {
		text += paint.Fit("", bar+2)
	}
	text += paint.FitRight("bytes", wBytes) + paint.FitRight("pkt/s", wTime)
	if gaps {
		text += paint.FitRight("gap ms", wGap) + paint.FitRight("jitter", wJitter) + paint.FitRight("lengths", wLengths)
	}
	return m.pens.Dim.Open + paint.Fit(text, w) + m.pens.Dim.Close
}

func (v *talkersView) player(m *model, r playerRow, selected bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = m.pens.Selected
	}
	wName, bar, gaps := playerColumns(w)
	count, group := r.all, (*stats.Group)(nil)
	switch {
	case r.who == nil:
		l.Put(m.pens.Hues[r.game.Protocol.Hue()], " "+r.game.Protocol.Title())
		l.Put(m.pens.Bold, "  "+paint.Fit(dissect.Escape(r.game.Subtitle()), max(0, wName-l.Width-2)))
	case r.kind != nil:
		count, group = r.kind.Count, &r.kind.Group
		l.Put(paint.Pen{}, paint.Fit("       "+kindTitle(r.kind), wName))
	default:
		count, group = r.who.Count, &r.who.Group
		l.Put(m.pens.Dim, "   "+m.foldSign(v.unfolded[r.key()]))
		l.Put(paint.Pen{}, paint.Fit(m.playerTitle(r.who, wName-l.Width), wName-l.Width))
	}
	l.Put(paint.Pen{}, paint.Fit("", wName-l.Width)+paint.FitRight(amount.Group(int(count.Packets)), wCount))
	l.Put(m.pens.Dim, paint.FitRight(amount.Percent(count.Packets, r.all.Packets), 7))
	if bar > 0 {
		l.Put(paint.Pen{}, "  ")
		l.PutBars(&m.pens, m.bar(float64(count.Packets)/float64(max(1, r.all.Packets)), bar))
	}
	l.Put(paint.Pen{}, paint.FitRight(amount.Bytes(int64(count.Bytes)), wBytes))
	rate := ""
	if r.who != nil && r.who.Last > r.who.First {
		rate = perSecond(count.Packets, r.who.Last-r.who.First)
	}
	l.Put(m.pens.Dim, paint.FitRight(rate, wTime))
	if gaps && group != nil {
		l.Put(paint.Pen{}, paint.FitRight(m.plain(secondsAsMs(group.Gap)), wGap))
		l.Put(m.pens.Dim, paint.FitRight(m.plain(secondsAsMs(group.Jitter)), wJitter))
		l.Put(paint.Pen{}, paint.FitRight(m.plain(sizeRange(group)), wLengths))
	}
	return paint.Clip(l.End(w), w)
}

// foldSign stands in front of what can be unfolded.
func (m *model) foldSign(open bool) string {
	if open {
		return m.glyph("▾ ", "- ")
	}
	return m.glyph("▸ ", "+ ")
}

// playerTitle is who it is: role, name and, where there is room, the address.
func (m *model) playerTitle(p *stats.PlayerTypes, w int) string {
	if p.Player.Endpoint == (dissect.Endpoint{}) {
		return "others"
	}
	label := dissect.Escape((dissect.End{Name: p.Player.Name, Role: p.Player.Role}).Label())
	where := m.address(p.Player.Endpoint, dissect.FrameNum(m.s.Passed()))
	return strings.TrimRight(fitEnd(strings.TrimSpace(label+" "+where), cmp.Or(label, where), w), " ")
}

func kindTitle(k *stats.PlayerType) string {
	switch {
	case k.Field == nil:
		return "no type"
	case k.Name == "":
		return k.Field.NumberText(k.Value)
	}
	return dissect.Escape(k.Name)
}

// playersSheet is what e exports of the players.
func (v *talkersView) playersSheet() sheet {
	players := v.players
	return sheet{"players", []string{"game", "protocol", "title", "role", "name", "address", "port", "type", "packets", "bytes", "gap_ms", "jitter_ms"}, func() (out [][]any) {
		for i := range players {
			p := &players[i]
			address := ""
			if p.Player.Endpoint != (dissect.Endpoint{}) {
				address = p.Player.Endpoint.Addr.String()
			}
			for k := range p.Types {
				t := &p.Types[k]
				out = append(out, []any{p.Game.ID, p.Game.Protocol.Name(), dissect.Escape(p.Game.Title), p.Player.Role, dissect.Escape(p.Player.Name), address, p.Player.Endpoint.Port, kindTitle(t), t.Packets, t.Bytes, t.Gap * 1000, t.Jitter * 1000})
			}
		}
		return out
	}}
}
