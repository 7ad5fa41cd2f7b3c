package ui

import (
	"cmp"
	"context"
	"slices"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/shown"
)

// refresh begins to count what is shown now, and takes what has been counted.
func (v *talkersView) refresh(m *model) {
	layer := stats.Layers[v.layer].Name
	if v.table == nil || v.of != m.shown || v.all != m.all || v.table.Session() != m.s || v.table.Layer().Name != layer {
		if v.cancel != nil {
			v.cancel()
		}
		var ctx context.Context
		ctx, v.cancel = context.WithCancel(m.ctx)
		v.of, v.all, v.table, v.upTo, v.asking = m.shown, m.all, stats.NewTable(m.s, layer), 0, false
		v.levelsUpTo, v.responses, v.sent = 0, stats.NewResponses(m.s), stats.NewPlayers(m.s)
		go m.countTalks(ctx, v.table, v.responses, v.sent, m.shown, m.ignored)
	}
	upTo, levels := v.table.UpTo(), m.tally().UpTo()
	if (upTo != v.upTo || levels != v.levelsUpTo) && !v.asking {
		v.ask(m, upTo, levels)
	}
}

// ask has the lists made beside the screen: there may be a million conversations to put in order.
func (v *talkersView) ask(m *model, upTo, levelsUpTo dissect.FrameNum) {
	v.asking = true
	t, responses, sent, tally, by := v.table, v.responses, v.sent, m.tally(), v.sort
	was := talkLists{}
	if coming(m) && v.steady {
		was = talkLists{whole: v.whole, talks: v.talks, ends: v.ends, ports: v.ports}
	}
	v.steady = true
	m.pending = append(m.pending, func() any {
		defer m.guard("counting")
		levels := tally.HierarchyOfTypes()
		stats.MostFirst(levels)
		got := talkLists{of: t, upTo: upTo, levelsUpTo: levelsUpTo, sort: by, whole: levels, talks: t.Talks(), ends: t.Ends(), ports: t.Ports(), answers: responses.All(), players: sent.All()}
		got.most = mostBytes(got.talks, mostBelow)
		orderTalks(got.talks, by)
		orderEnds(got.ends, by)
		got.keepPlaces(was)
		return got
	})
}

// talkLists are the lists of a view of talkers, made beside the screen.
type talkLists struct {
	of               *stats.Table
	upTo, levelsUpTo dissect.FrameNum
	sort             int
	whole            []*stats.Level
	talks            []stats.Talk
	most             []stats.Talk // those below the hierarchy
	ends             []stats.EndCount
	ports            []stats.PortCount
	answers          []stats.Response
	players          []stats.PlayerTypes
}

func (m *model) onTalkLists(l talkLists) {
	v, ok := m.views[tabTalkers].(*talkersView)
	if !ok || v.table != l.of {
		return // of a table that nobody looks at any more
	}
	v.asking = false
	defer v.backTo(v.keyAt(v.tables[v.part].cur))
	v.upTo, v.levelsUpTo, v.whole, v.talks, v.ends = l.upTo, l.levelsUpTo, l.whole, l.talks, l.ends
	v.most = l.most
	v.ports, v.answers, v.players = l.ports, l.answers, l.players
	v.layPlayers()
	v.levels = v.visible(v.whole)
	if v.sort != l.sort {
		v.upTo = 0 // another order was asked for meanwhile
	}
}

func orderTalks(talks []stats.Talk, by int) {
	slices.SortStableFunc(talks, func(a, b stats.Talk) int {
		switch by {
		case 1:
			return cmp.Compare(b.Both().Bytes, a.Both().Bytes)
		case 2:
			return cmp.Compare(a.First, b.First)
		case 3:
			return cmp.Compare(b.Last-b.First, a.Last-a.First)
		case 4:
			return cmp.Compare(b.Rate(0)+b.Rate(1), a.Rate(0)+a.Rate(1))
		case 5:
			return cmp.Or(compareEnds(a.A, b.A), compareEnds(a.B, b.B))
		}
		return 0 // most packets first, as they come
	})
}

func orderEnds(ends []stats.EndCount, by int) {
	slices.SortStableFunc(ends, func(a, b stats.EndCount) int {
		switch by {
		case 1, 4:
			return cmp.Compare(b.Both().Bytes, a.Both().Bytes)
		case 2:
			return cmp.Compare(a.First, b.First)
		case 3:
			return cmp.Compare(b.Last-b.First, a.Last-a.First)
		case 5:
			return compareEnds(a.End, b.End)
		}
		return 0
	})
}

// A levelKey is a protocol where it stands in the hierarchy, whoever counted it.
type levelKey struct {
	protocol *dissect.Protocol
	depth    int
}

// visible lists the levels with those below them, and the packet types of those that are unfolded.
func (v *talkersView) visible(levels []*stats.Level) []*stats.Level {
	out := []*stats.Level{}
	for _, l := range levels {
		out = append(out, l)
		if v.open[levelKey{l.Protocol, l.Depth}] {
			out = append(out, l.Types...)
		}
		out = append(out, v.visible(l.Below)...)
	}
	return out
}

// fold shows the packet types of the protocol under the cursor, or hides them.
func (v *talkersView) fold(open bool) {
	at := v.tables[0].cur
	if at >= len(v.levels) {
		return
	}
	l := v.levels[at]
	key := levelKey{l.Protocol, l.Depth}
	if l.Kind != nil {
		key.depth--
		for at > 0 && v.levels[at].Kind != nil {
			at--
		}
	}
	if v.open == nil {
		v.open = map[levelKey]bool{}
	}
	v.open[key] = open
	v.levels = v.visible(v.whole)
	if !open {
		v.tables[0].cur = at
	}
}

// countTalks counts the packets shown into a table, their response times, and what players sent.
func (m *model) countTalks(ctx context.Context, t *stats.Table, r *stats.Responses, p *stats.Players, sh *shown.Packets, ig shown.Ignored) {
	m.eachShown(ctx, t.Session(), sh, ig, countAnswers(t, r, p))
}
