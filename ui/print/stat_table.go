package print

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"

	"remora/dissect"
)

// A table is conv or endpoints: what went between two ends, or to and from one, at one layer. A packet in a tunnel
// counts for the ends outside and inside.
type table struct {
	s      *dissect.Session
	pairs  bool // conversations rather than endpoints
	title  string
	ports  bool
	filter string
	wants  *dissect.Wants
	role   map[dissect.FieldID]tableRole
	rows   []*tableRow
	by     map[tableKey]*tableRow
}

// tableRole is what a field says about an end.
type tableRole uint8

const (
	srcAddr tableRole = iota + 1
	dstAddr
	srcPort
	dstPort
)

type tableKey struct{ a, b dissect.Endpoint }

// A tableRow is one conversation, or one endpoint with sent and received packets.
type tableRow struct {
	tableKey
	sent, received tally // from a to b, and back
	first, last    int64
}

// tableFields are the fields that the tables look at: for ports the addresses below them, too.
var tableFields = map[string]struct {
	title  string
	fields [][2]string // source and destination
	ports  bool
}{
	"eth":  {"Ethernet", [][2]string{{"eth.src", "eth.dst"}}, false},
	"ip":   {"IPv4", [][2]string{{"ip.src", "ip.dst"}}, false},
	"ipv6": {"IPv6", [][2]string{{"ipv6.src", "ipv6.dst"}}, false},
	"tcp":  {"TCP", [][2]string{{"ip.src", "ip.dst"}, {"ipv6.src", "ipv6.dst"}, {"tcp.srcport", "tcp.dstport"}}, true},
	"udp":  {"UDP", [][2]string{{"ip.src", "ip.dst"}, {"ipv6.src", "ipv6.dst"}, {"udp.srcport", "udp.dstport"}}, true},
}

// newTable makes a table of the type, or nil if there is none.
func newTable(s *dissect.Session, pairs bool, kind, filter string) *table {
	k, ok := tableFields[kind]
	if !ok {
		return nil
	}
	t := &table{s: s, pairs: pairs, title: k.title, ports: k.ports, filter: filter,
		role: map[dissect.FieldID]tableRole{}, by: map[tableKey]*tableRow{}}
	var fields []*dissect.Field
	for i, names := range k.fields {
		roles := [2]tableRole{srcAddr, dstAddr}
		if k.ports && i == len(k.fields)-1 {
			roles = [2]tableRole{srcPort, dstPort}
		}
		for j, name := range names {
			for _, f := range s.Registry().FieldsNamed(name) {
				fields = append(fields, f)
				t.role[f.ID()] = roles[j]
			}
		}
	}
	t.wants = s.Registry().Wants(fields...)
	return t
}

func (tb *table) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	t := l.Look(n, tb.wants)
	var ends [2]dissect.Endpoint
	var seen [2]bool // which end's address or port, whichever is counted, was met
	for i := range t.Nodes {
		if t.IsQuoted(i) {
			break // what an ICMP error quotes did not pass here
		}
		switch r := tb.role[t.Nodes[i].Field]; r {
		case srcAddr, dstAddr:
			at := r - srcAddr
			ends[at] = dissect.Endpoint{Addr: t.Address(i)}
			seen[at] = !tb.ports
		case srcPort, dstPort:
			at := r - srcPort
			ends[at].Port = uint16(t.Nodes[i].Val)
			seen[at] = true
		default:
			continue
		}
		if seen[0] && seen[1] {
			tb.count(t, ends[0], ends[1])
			seen = [2]bool{}
		}
	}
}

func (tb *table) count(t *dissect.Tree, src, dst dissect.Endpoint) {
	size := uint32(t.Len())
	if !tb.pairs {
		tb.row(tableKey{a: src}, t.Time()).sent.count(size)
		tb.row(tableKey{a: dst}, t.Time()).received.count(size)
		return
	}
	if back := tb.by[tableKey{dst, src}]; back != nil && src != dst {
		back.received.count(size)
		back.last = max(back.last, t.Time())
		return
	}
	tb.row(tableKey{src, dst}, t.Time()).sent.count(size)
}

func (tb *table) row(k tableKey, now int64) *tableRow {
	r := tb.by[k]
	if r == nil {
		r = &tableRow{tableKey: k, first: now, last: now}
		tb.by[k], tb.rows = r, append(tb.rows, r)
	}
	r.last = max(r.last, now)
	return r
}

func (tb *table) print(w *bufio.Writer) {
	const rule = "================================================================================\n"
	what, name := "Endpoints", "<No Filter>"
	if tb.pairs {
		what = "Conversations"
	}
	if tb.filter != "" {
		name = dissect.Escape(tb.filter)
	}
	fmt.Fprintf(w, "%s%s %s\nFilter:%s\n", rule, tb.title, what, name)
	slices.SortStableFunc(tb.rows, func(a, b *tableRow) int {
		return int(b.sent.frames+b.received.frames) - int(a.sent.frames+a.received.frames)
	})
	if tb.pairs {
		tb.printPairs(w)
	} else {
		tb.printEnds(w)
	}
	w.WriteString(rule)
}

func (tb *table) printPairs(w *bufio.Writer) {
	width := 20
	if tb.ports {
		width = 26
	}
	fmt.Fprintf(w, "%*s|       <-      | |       ->      | |     Total     |    Relative    |   Duration   |\n", 2*width+7, "")
	fmt.Fprintf(w, "%*s| Frames  Bytes | | Frames  Bytes | | Frames  Bytes |      Start     |              |\n", 2*width+7, "")
	start := int64(0)
	if tb.s.Store().Len() > 0 {
		start = tb.s.Store().Meta(0).Time
	}
	for _, r := range tb.rows {
		fmt.Fprintf(w, "%-*s <-> %-*s  %6d %-9s  %6d %-9s  %6d %-9s  %14s   %12.4f\n", width, tb.name(r.a), width, tb.name(r.b),
			r.received.frames, sizeText(r.received.bytes), r.sent.frames, sizeText(r.sent.bytes),
			r.sent.frames+r.received.frames, sizeText(r.sent.bytes+r.received.bytes),
			dissect.SpanText(r.first-start), float64(r.last-r.first)/1e9)
	}
}

func (tb *table) printEnds(w *bufio.Writer) {
	port := ""
	if tb.ports {
		port = "  Port  ||"
	}
	fmt.Fprintf(w, "%23s|%s  Packets  | |  Bytes  | | Tx Packets | | Tx Bytes | | Rx Packets | | Rx Bytes |\n", "", port)
	for _, r := range tb.rows {
		port = ""
		if tb.ports {
			port = fmt.Sprintf("%10d", r.a.Port)
		}
		fmt.Fprintf(w, "%-20s %s     %6d     %9d     %6d       %9d      %6d       %9d   \n", r.a.Addr, port,
			r.sent.frames+r.received.frames, r.sent.bytes+r.received.bytes, r.sent.frames, r.sent.bytes, r.received.frames, r.received.bytes)
	}
}

// name is an end as tshark writes it: the port behind a colon, without brackets around the address.
func (tb *table) name(e dissect.Endpoint) string {
	if !tb.ports {
		return e.Addr.String()
	}
	return e.Addr.String() + ":" + strconv.Itoa(int(e.Port))
}

// sizeText is a number of bytes in the unit in which it has at least two digits.
func sizeText(n uint64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB", "PB"}
	i := 0
	for n >= 10_000 && i < len(units)-1 {
		n /= 1000
		i++
	}
	return strconv.FormatUint(n, 10) + " " + units[i]
}
