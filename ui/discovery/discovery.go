// Package discovery tells which games pass in a short capture, for whoever looks for the interface to capture on.
package discovery

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/internal/sorting"
)

// A Game is a game that passes on an interface just now.
type Game struct {
	Iface  string // the interface, for the caller to fill in
	Title  string // of the protocol
	Hue    dissect.Hue
	Where  dissect.Endpoint // the end that most of it has in common
	What   string           // players and phase
	Types  string           // the most frequent packet types
	Filter string           // a capture filter for it
	Rates  []float64        // packets a second, a look each, newest last
	At     time.Time
}

// Games tells the games in a session that took a time to capture, and the most frequent other protocols.
func Games(s *dissect.Session, took time.Duration) (games []Game, others []string) {
	counts, kinds := countGames(s)
	playing := map[*dissect.Protocol]bool{}
	for _, g := range s.Games() {
		n := counts[g.ID]
		playing[g.Protocol] = true
		if g.Over || n == 0 || len(g.Convs) == 0 {
			continue
		}
		where, filter := placeOf(s, g)
		games = append(games,
			Game{Title: g.Protocol.Title(), Hue: g.Protocol.Hue(), Where: where, Filter: filter, What: whatOf(g),
				Types: mostFrequent(kinds[g.ID]), Rates: []float64{float64(n) / max(took.Seconds(), 0.1)}, At: time.Now()})
	}
	t := stats.NewTally(s)
	t.Range(1, dissect.FrameNum(s.Passed()))
	for _, p := range t.Types() {
		if !playing[p.Protocol] && len(others) < mostOthers {
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
		conv, _ := s.DirectionOf(frame)
		for _, id := range of[conv] {
			counts[id]++
			if kinds[id] == nil {
				kinds[id] = map[string]int{}
			}
			kinds[id][s.KindText(s.LayerStackOf(frame))]++
		}
	}
	return counts, kinds
}

func mostFrequent(counts map[string]int) string {
	names := sorting.Sorted(maps.Keys(counts), func(a, b string) int {
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

// mostOthers is how many other protocols are told of one.
const mostOthers = 4
