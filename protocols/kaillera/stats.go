package kaillera

import (
	"bufio"
	"fmt"

	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that the protocol declares.
var statistics = []dissect.Statistic{{Name: "kaillera,sessions", Args: "[,FILTER]",
	Help: "sessions of clients: who, what they play, and messages, copies, losses and cache of both directions",
	New:  newSessions}}

// sessions is kaillera,sessions: what is known of each client's session.
type sessions struct {
	session *dissect.Session
	wants   *dissect.Wants
	rows    map[uint32]*sessionRow // by conversation
	order   []uint32
}

// A sessionRow is one session.
type sessionRow struct {
	client, emulator, game string
	connection, player     uint64
	width, delay           uint64
	ways                   [2]wayRow // client to server, and back
}

// A wayRow is one direction of a session.
type wayRow struct {
	any                            bool
	first, last                    uint64 // message numbers
	fresh, copies, lost, datagrams uint64
	hits                           uint64
}

func newSessions(r *dissect.StatisticRequest) (dissect.Counter, error) {
	return &sessions{session: r.Session, rows: map[uint32]*sessionRow{}, wants: r.Session.Registry().Wants(fFrom, fCount,
		fFresh, fGap, fNumber, fHits, fWidth, fPlayer, fEmulator, fConnect, fGameName, fDelay)}, nil
}

// Add counts a datagram of a session.
func (c *sessions) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !c.session.MayHave(c.session.LayerStackOf(n), fCount) {
		return
	}
	t := l.Redissect(n, c.wants)
	from, way, data := uint64(fromUnknown), wayRow{}, false
	for i := range t.Nodes {
		data = data || t.Field(i) == fHits
		if t.Field(i) == fFrom {
			from = t.Nodes[i].Val
		}
	}
	if from != fromClient && from != fromServer {
		return
	}
	row := c.row(c.session.ConversationOf(n))
	if row == nil {
		return
	}
	end, at := t.Src, 0
	if from == fromServer {
		end, at = t.Dst, 1
	}
	if e := c.session.End(end, n); e.Name != "" {
		row.client = end.String() + " " + e.Name
	} else if row.client == "" {
		row.client = end.String()
	}
	way.hits = row.ways[at].hits
	for i := range t.Nodes {
		v := t.Nodes[i].Val
		switch t.Field(i) {
		case fCount:
			way.datagrams++
			way.copies += v
		case fFresh:
			way.fresh += v
		case fGap:
			way.lost += v
		case fHits:
			way.hits = v
		case fNumber:
			if !way.any {
				way.any, way.last = true, v
			}
			way.first = v
		default:
			row.know(t, i, from == fromClient, data)
		}
	}
	row.ways[at].add(&way)
}

// row is the row of a conversation, nil where there are too many.
func (c *sessions) row(conv uint32) *sessionRow {
	r := c.rows[conv]
	if r == nil && len(c.rows) < tap.MaxRows {
		r = &sessionRow{}
		c.rows[conv], c.order = r, append(c.order, conv)
	}
	return r
}

// know takes what a field says of the client: emulator and connection type its own messages, the game those with data.
func (r *sessionRow) know(t *dissect.Tree, i int, own, data bool) {
	v := t.Nodes[i].Val
	switch f := t.Field(i); {
	case f == fWidth:
		r.width = v
	case f == fPlayer && data:
		r.player = v
	case f == fDelay && !own:
		r.delay = v
	case f == fGameName && data:
		r.game = t.Text(i)
	case f == fEmulator && own && t.Text(i) != "":
		r.emulator = t.Text(i)
	case f == fConnect && own && r.connection == 0:
		r.connection = v
	}
}

func (w *wayRow) add(o *wayRow) {
	if !w.any {
		w.first = o.first
	}
	if !w.any || int16(o.last-w.last) > 0 {
		w.last = o.last
	}
	w.any, w.hits = true, o.hits
	w.fresh, w.lost, w.datagrams = w.fresh+o.fresh, w.lost+o.lost, w.datagrams+o.datagrams
	w.copies += o.copies - min(o.fresh, o.copies)
}

// Print writes a part for each session.
func (c *sessions) Print(w *bufio.Writer) {
	fmt.Fprintf(w, "%sKaillera sessions\n", tap.WideRule)
	for _, conv := range c.order {
		r := c.rows[conv]
		fmt.Fprintf(w, "udp.stream == %d  %s", c.session.Conversation(conv).Stream, dissect.Escape(r.client))
		for _, text := range []string{r.emulator, r.game, connections[r.connection]} {
			if text != "" && text != connections[0] {
				fmt.Fprintf(w, ", %s", dissect.Escape(text))
			}
		}
		for _, v := range []struct {
			n    uint64
			text string
		}{{r.player, "player %d"}, {r.width, "%d bytes a frame"}, {r.delay, "frame delay %d"}} {
			if v.n > 0 {
				fmt.Fprintf(w, ", "+v.text, v.n)
			}
		}
		w.WriteString("\n")
		for at, name := range []string{"client", "server"} {
			if y := &r.ways[at]; y.any {
				fmt.Fprintf(w, "   from the %s  %6d datagrams  messages %5d to %5d  %6d new  %6d copies  %4d lost  "+
					"%3d %% from the cache\n", name, y.datagrams, y.first, y.last, y.fresh, y.copies, y.lost, y.hits)
			}
		}
	}
	w.WriteString(tap.WideRule)
}
