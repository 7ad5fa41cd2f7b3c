package print

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/dissect/tap"
	"remora/internal/sorting"
)

// types is the table of packet types.
type types struct {
	*stats.Tally
	filter string
}

func newTypes(r *request) (counter, []string, error) {
	text := r.rest(0)
	return &types{stats.NewTally(r.s), text}, []string{text}, nil
}

func (t *types) add(_ *dissect.Dissector, n dissect.FrameNum, _ int) { t.Range(n, n) }

func (t *types) print(w *bufio.Writer) {
	all, first, last := t.All()
	fmt.Fprintf(w, "%sPacket Types\nFilter:%s\n", tap.WideRule, filterName(t.filter))
	fmt.Fprintf(w, "%-32s %10s %12s %6s %11s %11s %11s  %s\n", "Type", "Packets", "Bytes", "%", "Packets/s", "Gap ms",
		"Jitter ms", "Lengths")
	span := max(1, last-first)
	for _, p := range t.Types() {
		t.line(w, p.Protocol.Title(), &p.Group, all, span)
		if len(p.Types) == 1 && p.Types[0].Field == nil {
			continue
		}
		for _, ty := range p.Types {
			t.line(w, "  "+typeTitle(&ty), &ty.Group, all, span)
		}
	}
	w.WriteString(tap.WideRule)
}

// typeTitle is what a packet type is called: its name, its number, or that it has none.
func typeTitle(t *stats.Type) string {
	switch {
	case t.Field == nil:
		return "(no type)"
	case t.Name == "":
		return t.Field.NumberText(t.Value)
	}
	return dissect.Escape(t.Name)
}

func (t *types) line(w *bufio.Writer, name string, g *stats.Group, all stats.Count, span int64) {
	fmt.Fprintf(w, "%-32s %10d %12d %6.2f %11.2f %11s %11s  %s\n", name, g.Packets, g.Bytes,
		100*float64(g.Packets)/float64(max(1, all.Packets)),
		float64(g.Packets)*1e9/float64(span), millis(g.Gap), millis(g.Jitter), lengths(g))
}

// millis writes seconds as milliseconds; 0 stands for unknown.
func millis(s float64) string {
	if s <= 0 {
		return "-"
	}
	return strconv.FormatFloat(s*1000, 'f', 3, 64)
}

// lengthsListed is how many lengths a line names.
const lengthsListed = 4

// lengths are the commonest lengths of packets with how many have each.
func lengths(g *stats.Group) string {
	sizes := slices.Clone(g.Sizes)
	sorting.Stable(sizes, func(a, b stats.Size) int { return cmp.Compare(b.Packets, a.Packets) })
	var parts []string
	rest := g.Packets
	for _, z := range sizes[:min(len(sizes), lengthsListed)] {
		parts = append(parts, fmt.Sprintf("%d:%d", z.Length, z.Packets))
		rest -= z.Packets
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("others:%d", rest))
	}
	return strings.Join(parts, " ")
}

// games lists the games of the capture.
type games struct{ s *dissect.Session }

func newGames(r *request) (counter, []string, error) {
	if len(r.args) > 0 {
		return nil, nil, r.wrong("it takes nothing more")
	}
	return &games{r.s}, nil, nil
}

func (g *games) add(*dissect.Dissector, dissect.FrameNum, int) {}

func (g *games) print(w *bufio.Writer) {
	fmt.Fprintf(w, "%sGames\n", tap.WideRule)
	store := g.s.Store()
	start := int64(0)
	if store.Len() > 0 {
		start = store.Time(0)
	}
	since := func(n dissect.FrameNum) string { return seconds(store.Time(int(n)-1)-start, 3) }
	for _, game := range g.s.Games() {
		state := "goes on"
		if game.Over {
			state = "over"
		}
		fmt.Fprintf(w, "%d  %s  %s  from %s (packet %d) to %s (packet %d), %s\n", game.ID, game.Protocol.Title(),
			dissect.Escape(game.Subtitle()),
			since(game.First), game.First, since(game.Last), game.Last, state)
		for _, p := range game.Players {
			fmt.Fprintf(w, "   player  %-10s %-22s %s  since packet %d\n", dissect.Escape(p.Role),
				endName(p.Endpoint, p.Endpoint.Port != 0), dissect.Escape(p.Name), p.Since)
		}
		for i, p := range game.Phases {
			end := game.Last
			if i+1 < len(game.Phases) {
				end = game.Phases[i+1].Since
			}
			took := max(0, store.Time(int(end)-1)-store.Time(int(p.Since)-1))
			fmt.Fprintf(w, "   phase   %-33s since %s (packet %d), for %s s\n", dissect.Escape(p.Name), since(p.Since), p.Since,
				seconds(took, 3))
		}
		for _, id := range game.Convs {
			c := g.s.Conversation(id)
			fmt.Fprintf(w, "   talk    %s <-> %s  %s.stream == %d\n", endName(c.A, true), endName(c.B, true),
				strings.TrimSuffix(string(c.Transport), ".port"), c.Stream)
		}
	}
	w.WriteString(tap.WideRule)
}
