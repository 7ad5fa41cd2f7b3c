package statistics

import (
	"cmp"
	"context"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/internal/sorting"
	"remora/ui/compare"
)

// refresh begins to count what is shown now, and takes what has been counted.
func (v *View) refresh() {
	layer := v.layers()[v.layer].Name
	if now := v.c.Scope(); v.table == nil || !v.of.Same(now) || v.table.Layer().Name != layer {
		v.Close()
		v.of, v.table, v.upTo, v.asking = now, stats.NewTable(now.Session, layer), 0, false
		v.levelsUpTo, v.responses, v.sent = 0, stats.NewResponses(now.Session), stats.NewPlayers(now.Session)
		count := countAnswers(v.table, v.responses, v.sent)
		v.stop = v.c.Go("counting", func(ctx context.Context) { now.Each(ctx, count) })
	}
	upTo, levels := v.table.UpTo(), v.c.Scope().Tally().UpTo()
	if (upTo != v.upTo || levels != v.levelsUpTo) && !v.asking {
		v.ask(upTo, levels)
	}
}

// Close ends the counting; it begins anew when the view is opened again.
func (v *View) Close() {
	if v.stop != nil {
		v.stop()
	}
	v.table = nil
}

// ask has the lists made beside the screen: there may be a million conversations to put in order.
func (v *View) ask(upTo, levelsUpTo dissect.FrameNum) {
	v.asking = true
	t, responses, sent, tally, by, slowest := v.table, v.responses, v.sent, v.c.Scope().Tally(), v.sort, v.slowest
	was := lists{}
	if v.of.Arriving() && v.steady {
		was = lists{whole: v.whole, conversations: v.conversations, ends: v.ends, ports: v.ports}
	}
	v.steady = true
	v.c.Later("counting", func(context.Context) func() {
		levels := tally.HierarchyOfTypes()
		stats.MostFirst(levels)
		got := lists{of: t, upTo: upTo, levelsUpTo: levelsUpTo, sort: by, whole: levels, conversations: t.Conversations(),
			ends: t.Endpoints(), ports: t.Ports(), answers: responses.All(), players: sent.All()}
		got.others.n, got.others.all = t.Evicted()
		got.otherEnds.n, got.otherEnds.all = t.EvictedEndpoints()
		got.most = mostBytes(got.conversations, mostBelow)
		orderConversations(got.conversations, by)
		orderEnds(got.ends, by)
		if by == byBytes {
			sorting.Stable(got.ports, func(a, b stats.PortCount) int { return cmp.Compare(b.Both().Bytes, a.Both().Bytes) })
		}
		if slowest {
			sorting.Stable(got.answers, func(a, b stats.Response) int { return cmp.Compare(b.Max, a.Max) })
		}
		got.keepPlaces(was)
		return func() { v.take(got) }
	})
}

// lists are what is shown, made beside the screen.
type lists struct {
	of               *stats.Table
	upTo, levelsUpTo dissect.FrameNum
	sort             int
	whole            []*stats.Level
	conversations    []stats.Conversation
	most             []stats.Conversation // those below the hierarchy
	ends             []stats.EndpointCount
	others           others // conversations that are in no line of their own
	otherEnds        others // endpoints
	ports            []stats.PortCount
	answers          []stats.Response
	players          []stats.PlayerTypes
}

// take shows the lists that were made.
func (v *View) take(l lists) {
	if v.table != l.of {
		return // of a table that nobody looks at any more
	}
	v.asking = false
	defer v.backTo(v.keyAt(v.tables[v.part].Cur))
	v.upTo, v.levelsUpTo, v.whole, v.conversations, v.ends = l.upTo, l.levelsUpTo, l.whole, l.conversations, l.ends
	v.most, v.others, v.otherEnds = l.most, l.others, l.otherEnds
	v.ports, v.answers, v.players = l.ports, l.answers, l.players
	v.layPlayers()
	v.levels = v.visible(v.whole)
	v.measure()
	if v.sort != l.sort {
		v.upTo = 0 // another order was asked for meanwhile
	}
}

func orderConversations(convs []stats.Conversation, by int) {
	sorting.Stable(convs, func(a, b stats.Conversation) int {
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
			return cmp.Or(compare.Ends(a.A, b.A), compare.Ends(a.B, b.B))
		}
		return 0 // most packets first, as they come
	})
}

func orderEnds(ends []stats.EndpointCount, by int) {
	sorting.Stable(ends, func(a, b stats.EndpointCount) int {
		switch by {
		case 1, 4:
			return cmp.Compare(b.Both().Bytes, a.Both().Bytes)
		case 2:
			return cmp.Compare(a.First, b.First)
		case 3:
			return cmp.Compare(b.Last-b.First, a.Last-a.First)
		case 5:
			return compare.Ends(a.End, b.End)
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
func (v *View) visible(levels []*stats.Level) []*stats.Level {
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
func (v *View) fold(open bool) {
	at := v.tables[0].Cur
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
		v.tables[0].Cur = at
	}
}
