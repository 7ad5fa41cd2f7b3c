package sctp

import (
	"bufio"
	"fmt"
	"strings"

	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that SCTP declares.
var statistics = []dissect.Statistic{{Name: "sctp,stat", Args: "[,FILTER]", Help: "SCTP chunks by direction",
	New: newChunkTable}}

// chunkTable is sctp,stat: the chunks that went from one end to another.
type chunkTable struct {
	session *dissect.Session
	addrs   tap.Addresses
	wants   *dissect.Wants
	packets int
	rows    map[direction]*[len(columns)]int
	order   []direction
}

// A direction is from one end to another.
type direction struct{ from, to dissect.Endpoint }

// columns are the chunks that have a column (RFC 9260 section 3.2).
var columns = [...]struct {
	kind uint64
	head string
}{{0, "  DATA  "}, {3, "  SACK  "}, {4, "  HBEAT "}, {5, "HBEATACK"}, {1, "  INIT  "}, {2, " INITACK"},
	{10, " COOKIE "}, {11, "COOKIACK"}, {6, " ABORT  "}, {9, "  ERROR "}}

func newChunkTable(r *dissect.StatisticRequest) (dissect.Counter, error) {
	reg := r.Session.Registry()
	a := &chunkTable{session: r.Session, addrs: tap.AddressesOf(reg), rows: map[direction]*[len(columns)]int{}}
	a.wants = reg.Wants(append([]*dissect.Field{fSrcPort, fDstPort, fType}, a.addrs.Fields...)...)
	return a, nil
}

// Add counts the chunks of a packet.
func (a *chunkTable) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !a.session.MayHave(a.session.LayerStackOf(n), fSrcPort) {
		return
	}
	t := l.Redissect(n, a.wants)
	var direct direction
	var row *[len(columns)]int
	for i := range t.Nodes {
		f := t.Field(i)
		if t.IsQuoted(i) {
			continue
		}
		switch {
		case a.addrs.IsSender(f):
			direct.from.Addr = t.Address(i)
		case a.addrs.IsReceiver(f):
			direct.to.Addr = t.Address(i)
		case f == fSrcPort:
			direct.from.Port = uint16(t.Nodes[i].Val)
		case f == fDstPort:
			direct.to.Port = uint16(t.Nodes[i].Val)
			a.packets++
			row = a.row(direct)
		case f == fType:
			for k, c := range columns {
				if row != nil && c.kind == t.Nodes[i].Val {
					row[k]++
				}
			}
		}
	}
}

func (a *chunkTable) row(direct direction) *[len(columns)]int {
	row := a.rows[direct]
	if row == nil && len(a.rows) < tap.MaxRows {
		row = &[len(columns)]int{}
		a.rows[direct] = row
		a.order = append(a.order, direct)
	}
	return row
}

// Print writes the table.
func (a *chunkTable) Print(w *bufio.Writer) {
	rule := strings.Repeat("-", 135) + "\n"
	w.WriteString("-------------------------------------------- SCTP Statistics " +
		"--------------------------------------------------------------------------\n")
	fmt.Fprintf(w, "|  Total packets RX/TX %d\n%s|   Source IP   |PortA|    Dest. IP   |PortB|", a.packets, rule)
	for _, c := range columns {
		w.WriteString(c.head + "|")
	}
	w.WriteString("\n" + rule)
	for i := len(a.order) - 1; i >= 0; i-- { // tshark lists the latest first
		direct := a.order[i]
		fmt.Fprintf(w, "|%15s|%5d|%15s|%5d|", direct.from.Addr, direct.from.Port, direct.to.Addr, direct.to.Port)
		for _, n := range a.rows[direct] {
			fmt.Fprintf(w, "%8d|", n)
		}
		w.WriteString("\n")
	}
	w.WriteString(rule)
}
