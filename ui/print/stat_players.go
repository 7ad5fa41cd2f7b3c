package print

import (
	"bufio"
	"cmp"
	"fmt"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/dissect/tap"
)

// players is what each player of each game sent, by packet type.
type players struct {
	*stats.Players
	filter string
}

func newPlayers(r *request) (counter, []string, error) {
	text := r.rest(0)
	return &players{stats.NewPlayers(r.s), text}, []string{text}, nil
}

func (c *players) add(_ *dissect.Dissector, n dissect.FrameNum, _ int) { c.Frame(n) }

func (c *players) print(w *bufio.Writer) {
	fmt.Fprintf(w, "%sPacket Types of Players\nFilter:%s\n", tap.WideRule, filterName(c.filter))
	game := uint32(0)
	for _, p := range c.All() {
		if p.Game.ID != game {
			game = p.Game.ID
			fmt.Fprintf(w, "%d  %s  %s\n", game, p.Game.Protocol.Title(), dissect.Escape(p.Game.Subtitle()))
		}
		who := "others"
		if p.Player.Endpoint != (dissect.Endpoint{}) {
			who = fmt.Sprintf("%s  %s", dissect.Escape(cmp.Or(p.Player.Name, p.Player.Role)),
				endName(p.Player.Endpoint, p.Player.Endpoint.Port != 0))
		}
		fmt.Fprintf(w, "   %-37s %10d packets %12d bytes %s\n", who, p.Packets, p.Bytes, rateText(p.Packets, p.First, p.Last))
		for _, t := range p.Types {
			name := "(no type)"
			if t.Field != nil {
				if name = dissect.Escape(t.Name); name == "" {
					name = t.Field.NumberText(t.Value)
				}
			}
			fmt.Fprintf(w, "     %-35s %10d packets %12d bytes %s\n", name, t.Count.Packets, t.Count.Bytes,
				rateText(t.Count.Packets, p.First, p.Last))
		}
	}
	w.WriteString(tap.WideRule)
}

// rateText is how many packets a second there were in the time of the player; nothing where that is no time.
func rateText(n uint64, first, last int64) string {
	if last <= first {
		return fmt.Sprintf("%11s", "-")
	}
	return fmt.Sprintf("%11.2f/s", float64(n)*1e9/float64(last-first))
}
