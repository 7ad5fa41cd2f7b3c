package statistics

import (
	"cmp"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/act"
	"remora/ui/drilldown"
	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/paint"
	"remora/ui/view"
	"remora/ui/widget"
)

// A playerRow is a line of the part that tells what the players of each game sent: a game, or a player of it, or one of
// the packet types of the player, which are seen when the player is unfolded.
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
func (v *View) layPlayers() {
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
func (v *View) foldPlayer(a act.Action) {
	t := &v.tables[partPlayers]
	if t.Cur >= len(v.playerRows) || v.playerRows[t.Cur].who == nil {
		return
	}
	if v.unfolded == nil {
		v.unfolded = map[playerKey]bool{}
	}
	r := v.playerRows[t.Cur]
	open := a == act.Right
	for !open && v.playerRows[t.Cur].kind != nil {
		t.Cur--
	}
	v.unfolded[r.key()] = open
	v.layPlayers()
}

// count is what a line counts.
func (r playerRow) count() stats.Count {
	switch {
	case r.kind != nil:
		return r.kind.Count
	case r.who != nil:
		return r.who.Count
	}
	return r.all
}

// filter is the one for what a line counts.
func (r playerRow) filter(d drilldown.Writer) string {
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

// playerColumns are the widths of a name and of a bar, for which there is none on a narrow screen, and whether gaps and
// lengths have room.
func playerColumns(w int) (name, bar int, gaps bool) {
	used := wCount + 7 + wBytes + wTime
	if gaps = w >= 100; gaps {
		used += wGap + wJitter + wLengths
	}
	name = widget.Clamp(w-used-12, 20, 44)
	if bar = min(mostBar, w-name-used-2); bar < 6 {
		name, bar = widget.Clamp(w-used, 20, 44), 0
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

func (v *View) playerHead(w int) string {
	name, bar, gaps := playerColumns(w)
	text := paint.Fit("  Sent by", name) + paint.FitRight("packets", wCount) + paint.FitRight("%", 7)
	if bar > 0 {
		text += paint.Fit("", bar+2)
	}
	text += paint.FitRight("bytes", wBytes) + paint.FitRight("pkt/s", wTime)
	if gaps {
		text += paint.FitRight("gap ms", wGap) + paint.FitRight("jitter", wJitter) + paint.FitRight("lengths", wLengths)
	}
	return v.c.Style().Pens.Dim.Open + paint.Fit(text, w) + v.c.Style().Pens.Dim.Close
}

func (v *View) player(r playerRow, selected bool, w int) string {
	var l paint.Line
	if selected {
		l.Base = v.c.Style().Pens.Selected
	}
	wName, bar, gaps := playerColumns(w)
	count, group := r.all, (*stats.Group)(nil)
	switch {
	case r.who == nil:
		l.Put(v.c.Style().Pens.Hues[r.game.Protocol.Hue()], " "+r.game.Protocol.Title())
		l.Put(v.c.Style().Pens.Bold, "  "+paint.Fit(dissect.Escape(r.game.Subtitle()), max(0, wName-l.Width-2)))
	case r.kind != nil:
		count, group = r.kind.Count, &r.kind.Group
		l.Put(paint.Pen{}, paint.Fit("       "+kindTitle(r.kind), wName))
	default:
		count, group = r.who.Count, &r.who.Group
		l.Put(v.c.Style().Pens.Dim, "   "+v.c.Style().Fold(v.unfolded[r.key()]))
		l.Put(paint.Pen{}, paint.Fit(playerTitle(v.c.Scope(), r.who, wName-l.Width), wName-l.Width))
	}
	l.Put(paint.Pen{}, paint.Fit("", wName-l.Width)+paint.FitRight(humanize.Group(int(count.Packets)), wCount))
	l.Put(v.c.Style().Pens.Dim, paint.FitRight(humanize.Percent(count.Packets, r.all.Packets), 7))
	if bar > 0 {
		l.Put(paint.Pen{}, "  ")
		l.PutBars(&v.c.Style().Pens, v.c.Style().Bar(float64(count.Packets)/float64(max(1, r.all.Packets)), bar))
	}
	l.Put(paint.Pen{}, paint.FitRight(humanize.Bytes(int64(count.Bytes)), wBytes))
	rate := ""
	if r.who != nil && r.who.Last > r.who.First {
		rate = widget.PerSecond(count.Packets, r.who.Last-r.who.First)
	}
	l.Put(v.c.Style().Pens.Dim, paint.FitRight(rate, wTime))
	if gaps && group != nil {
		l.Put(paint.Pen{}, paint.FitRight(v.c.Style().Plain(widget.SecondsAsMs(group.Gap)), wGap))
		l.Put(v.c.Style().Pens.Dim, paint.FitRight(v.c.Style().Plain(widget.SecondsAsMs(group.Jitter)), wJitter))
		l.Put(paint.Pen{}, paint.FitRight(v.c.Style().Plain(widget.SizeRange(group)), wLengths))
	}
	return paint.Clip(l.End(w), w)
}

// playerTitle is who it is: role, name and, where there is room, the address.
func playerTitle(s view.Scope, p *stats.PlayerTypes, w int) string {
	if p.Player.Endpoint == (dissect.Endpoint{}) {
		return "others"
	}
	label := dissect.Escape((dissect.End{Name: p.Player.Name, Role: p.Player.Role}).Label())
	where := s.Address(p.Player.Endpoint, dissect.FrameNum(s.Session.Passed()))
	return strings.TrimRight(widget.FitEnd(strings.TrimSpace(label+" "+where), cmp.Or(label, where), w), " ")
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
func (v *View) playersSheet() export.Sheet {
	players := v.players
	return export.New("players",
		[]string{"game", "protocol", "title", "role", "name", "address", "port", "type", "packets", "bytes", "gap_ms",
			"jitter_ms"}, func() (out [][]any) {
			for i := range players {
				p := &players[i]
				address := ""
				if p.Player.Endpoint != (dissect.Endpoint{}) {
					address = p.Player.Endpoint.Addr.String()
				}
				for k := range p.Types {
					t := &p.Types[k]
					out = append(out,
						[]any{p.Game.ID, p.Game.Protocol.Name(), dissect.Escape(p.Game.Title), p.Player.Role,
							dissect.Escape(p.Player.Name), address, p.Player.Endpoint.Port, kindTitle(t), t.Packets, t.Bytes, t.Gap * 1000,
							t.Jitter * 1000})
				}
			}
			return out
		})
}
