package print

import (
	"bufio"
	"fmt"
	"strings"

	"remora/dissect"
)

// associations is sctp,stat: the chunks that went from one end to another.
type associations struct {
	s              *dissect.Session
	filter         string
	src, dst, kind *dissect.Field
	addrs          map[dissect.FieldID]int
	wants          *dissect.Wants
	packets        int
	rows           map[sctpWay]*[len(sctpChunks)]int
	order          []sctpWay
}

// An sctpWay is one direction between two ends.
type sctpWay struct{ from, to dissect.Endpoint }

// sctpChunks are the chunks that have a column (RFC 9260 section 3.2).
var sctpChunks = [...]struct {
	kind uint64
	head string
}{{0, "  DATA  "}, {3, "  SACK  "}, {4, "  HBEAT "}, {5, "HBEATACK"}, {1, "  INIT  "}, {2, " INITACK"}, {10, " COOKIE "}, {11, "COOKIACK"}, {6, " ABORT  "}, {9, "  ERROR "}}

func newAssociations(r *request) (counter, []string, error) {
	f, err := r.fieldsOf("sctp.srcport", "sctp.dstport", "sctp.chunk_type")
	if err != nil {
		return nil, nil, err
	}
	a := &associations{s: r.s, filter: r.rest(0), src: f[0], dst: f[1], kind: f[2], addrs: map[dissect.FieldID]int{}, rows: map[sctpWay]*[len(sctpChunks)]int{}}
	for role, names := range [2][]string{{"ip.src", "ipv6.src"}, {"ip.dst", "ipv6.dst"}} {
		for _, name := range names {
			if g := r.s.Registry().Field(name); g != nil {
				f = append(f, g)
				a.addrs[g.ID()] = role
			}
		}
	}
	a.wants = r.s.Registry().Wants(f...)
	return a, []string{a.filter}, nil
}

func (a *associations) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if !a.s.MayHave(a.s.ShapeOf(n), a.src) {
		return
	}
	t := l.Look(n, a.wants)
	var way sctpWay
	var row *[len(sctpChunks)]int
	for i := range t.Nodes {
		f := t.Field(i)
		if t.IsQuoted(i) {
			continue
		}
		if role, ok := a.addrs[f.ID()]; ok {
			*[]*dissect.Addr{&way.from.Addr, &way.to.Addr}[role] = t.Address(i)
		}
		switch f {
		case a.src:
			way.from.Port = uint16(t.Nodes[i].Val)
		case a.dst:
			way.to.Port = uint16(t.Nodes[i].Val)
			a.packets++
			row = a.row(way)
		case a.kind:
			for k, c := range sctpChunks {
				if row != nil && c.kind == t.Nodes[i].Val {
					row[k]++
				}
			}
		}
	}
}

func (a *associations) row(way sctpWay) *[len(sctpChunks)]int {
	row := a.rows[way]
	if row == nil && len(a.rows) < maxRows {
		row = &[len(sctpChunks)]int{}
		a.rows[way] = row
		a.order = append(a.order, way)
	}
	return row
}

func (a *associations) print(w *bufio.Writer) {
	rule := strings.Repeat("-", 135) + "\n"
	w.WriteString("-------------------------------------------- SCTP Statistics --------------------------------------------------------------------------\n")
	fmt.Fprintf(w, "|  Total packets RX/TX %d\n%s|   Source IP   |PortA|    Dest. IP   |PortB|", a.packets, rule)
	for _, c := range sctpChunks {
		w.WriteString(c.head + "|")
	}
	w.WriteString("\n" + rule)
	for i := len(a.order) - 1; i >= 0; i-- { // tshark lists the latest first
		way := a.order[i]
		fmt.Fprintf(w, "|%15s|%5d|%15s|%5d|", way.from.Addr, way.from.Port, way.to.Addr, way.to.Port)
		for _, n := range a.rows[way] {
			fmt.Fprintf(w, "%8d|", n)
		}
		w.WriteString("\n")
	}
	w.WriteString(rule)
}
