package aoe2

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"

	"remora/dissect"
	"remora/dissect/tap"
	"remora/internal/sorting"
)

// statistics are those that the game declares.
var statistics = []dissect.Statistic{{Name: "aoe2,players", Args: "[,FILTER]",
	Help: "actions of each player by kind, and what was built, trained and researched when", New: newOrders}}

// orders is aoe2,players: what each player of each game did.
type orders struct {
	session *dissect.Session
	wants   *dissect.Wants
	rows    map[playerKey]*orderRow
}

// A playerKey is a player of a game; the game is 0 where none is known.
type playerKey struct {
	game   uint32
	player uint64
}

// An orderRow is one player: how often each action was done, when, and the actions that make a build order.
type orderRow struct {
	civilisation uint64
	counts       map[uint64]int
	actions      int
	first, last  int64
	steps        []orderStep
}

type orderStep struct {
	at    uint64 // ns into the game
	frame dissect.FrameNum
}

const maxSteps = 4096

func newOrders(r *dissect.StatisticRequest) (dissect.Counter, error) {
	return &orders{r.Session, r.Session.Registry().Wants(fAction, fPlayer, fCivName, fInGame, fCopyOf, fRepeat),
		map[playerKey]*orderRow{}}, nil
}

// Add counts an action, once however many players were sent it.
func (c *orders) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !c.session.MayHave(c.session.LayerStackOf(n), fAction) {
		return
	}
	values := map[*dissect.Field]uint64{}
	t := l.Redissect(n, c.wants)
	for i := range t.Nodes {
		values[t.Field(i)] = t.Nodes[i].Val
	}
	if values[fCopyOf] != 0 || values[fRepeat] != 0 || values[fPlayer] == 0 {
		return
	}
	k := playerKey{c.gameOf(n), values[fPlayer]}
	row := c.rows[k]
	if row == nil {
		if len(c.rows) >= tap.MaxRows {
			return
		}
		row = &orderRow{counts: map[uint64]int{}, first: t.Time()}
		c.rows[k] = row
	}
	if v, ok := values[fCivName]; ok {
		row.civilisation = v
	}
	row.actions++
	row.last = t.Time()
	row.counts[values[fAction]]++
	switch values[fAction] {
	case actResearch, actBuild, actWall, actTrain, actTrainAI, actTribute, actResign:
		if len(row.steps) < maxSteps {
			row.steps = append(row.steps, orderStep{values[fInGame], n})
		}
	}
}

// gameOf is the game that a packet belongs to.
func (c *orders) gameOf(n dissect.FrameNum) uint32 {
	conv := c.session.ConversationOf(n)
	for _, g := range c.session.Games() {
		if g.Protocol == proto && n >= g.First && n <= g.Last && slices.Contains(g.Convs, conv) {
			return g.ID
		}
	}
	return 0
}

// Print writes a part for each player.
func (c *orders) Print(w *bufio.Writer) {
	fmt.Fprintf(w, "%sActions of players\n", tap.WideRule)
	keys := make([]playerKey, 0, len(c.rows))
	for k := range c.rows {
		keys = append(keys, k)
	}
	sorting.Func(keys, func(a, b playerKey) int {
		return cmp.Or(cmp.Compare(a.game, b.game), cmp.Compare(a.player, b.player))
	})
	for _, k := range keys {
		c.rows[k].print(w, c.session, k)
	}
	w.WriteString(tap.WideRule)
}

func (r *orderRow) print(w *bufio.Writer, s *dissect.Session, k playerKey) {
	fmt.Fprintf(w, "Game %d  %s", k.game, playerText(k.player))
	if name := civilisations[r.civilisation]; r.civilisation != 0 && name != "" {
		fmt.Fprintf(w, "  %s", name)
	}
	fmt.Fprintf(w, "  %s", plural(r.actions, "action"))
	if took := r.last - r.first; took > 0 {
		fmt.Fprintf(w, ", %.1f a minute", float64(r.actions)*60e9/float64(took))
	}
	w.WriteString("\n")
	kinds := tap.SortedKeys(r.counts)
	sorting.Stable(kinds, func(a, b uint64) int { return cmp.Compare(r.counts[b], r.counts[a]) })
	for _, kind := range kinds {
		fmt.Fprintf(w, "   %6d  %s\n", r.counts[kind], named(actionNames, kind, "action"))
	}
	for _, step := range r.steps {
		fmt.Fprintf(w, "   %10s s  packet %d  %s\n", tap.Seconds(int64(step.at), 3), step.frame,
			dissect.Escape(s.Tree(step.frame).InfoLine()))
	}
}
