package print

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"remora/dissect"
)

// flow is flow: packets as arrows between columns of ends, as Wireshark's flow graph has them.
type flow struct {
	s        *dissect.Session
	what     string // any, icmp, icmpv6 or tcp
	network  bool   // whatever ends a packet has, as tshark's word has it; else those with addresses of IP alone
	protocol *dissect.Field
	tcp      tcpFlow
	wants    *dissect.Wants // nil: everything, for the Info column
	at       map[dissect.Addr]int
	nodes    []dissect.Addr
	items    []flowItem
	several  bool // conversations
	more     int  // packets that are not drawn
}

// A flowItem is one arrow.
type flowItem struct {
	time           string
	from, to       int // columns
	ports          [2]uint16
	label, comment string
	stream         int
}

// tcpFlow are the fields that an arrow of flow,tcp tells of.
type tcpFlow struct{ stream, seq, ack, flags, length, src, dst *dissect.Field }

// Limits of a graph: its columns, as in Wireshark, and its arrows, which are kept.
const (
	flowNodes = 40
	flowItems = 1 << 20
	nodeWidth = 20
)

func newFlow(r *request) (counter, []string, error) {
	what, err := r.oneOf(0, "any", "icmp", "icmpv6", "tcp")
	if err != nil {
		return nil, nil, err
	}
	ends := "standard"
	if len(r.args) > 1 {
		if ends, err = r.oneOf(1, "standard", "network"); err != nil {
			return nil, nil, err
		}
	}
	g := &flow{s: r.s, what: what, network: ends == "network", at: map[dissect.Addr]int{}}
	if what != "any" {
		if g.protocol = r.s.Registry().Field(what); g.protocol == nil {
			return nil, nil, r.wrong("there is no %s here", strings.ToUpper(what))
		}
	}
	if what == "tcp" {
		f, err := r.fieldsOf("tcp.stream", "tcp.seq", "tcp.ack", "tcp.flags", "tcp.len", "tcp.srcport", "tcp.dstport")
		if err != nil {
			return nil, nil, err
		}
		g.tcp = tcpFlow{f[0], f[1], f[2], f[3], f[4], f[5], f[6]}
		g.wants = r.s.Registry().Wants(f...)
	}
	return g, []string{r.rest(2)}, nil
}

func (g *flow) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if g.protocol != nil && !g.s.MayHave(g.s.ShapeOf(n), g.protocol) {
		return
	}
	if len(g.items) >= flowItems {
		g.more++
		return
	}
	if g.tcp.stream != nil {
		g.segments(l.Look(n, g.wants))
		return
	}
	t := l.Tree(n)
	it := flowItem{ports: [2]uint16{t.Src.Port, t.Dst.Port}, label: t.InfoLine(), comment: t.ProtocolText() + ": " + t.InfoLine()}
	if g.protocol != nil {
		kind, echo := echoKind(t, g.protocol.Protocol())
		if !echo {
			return
		}
		if it.ports == [2]uint16{} {
			it.ports[1] = kind
		}
	}
	g.put(t, it)
}

// echoKind is type and code of a ping or its answer, which stand in place of a port; others are not drawn, as in tshark.
func echoKind(t *dissect.Tree, p *dissect.Protocol) (kind uint16, echo bool) {
	for i := range t.Nodes {
		v := t.Nodes[i].Val
		switch f := t.Field(i); {
		case f.Protocol() != p || t.IsQuoted(i):
		case f.Name() == "icmp.type":
			kind, echo = uint16(v<<8), v == 8 || v == 0
		case f.Name() == "icmpv6.type":
			kind, echo = uint16(v<<8), v == 128 || v == 129
		case f.Name() == p.Name()+".code":
			return kind | uint16(v), echo
		}
	}
	return kind, echo
}

// segments puts an arrow for each TCP header.
func (g *flow) segments(t *dissect.Tree) {
	var it flowItem
	var seq, ack, flags, length uint64
	any := false
	done := func() {
		if !any {
			return
		}
		it.label, it.comment = flagNames(flags), fmt.Sprintf("Seq = %d", seq)
		if length > 0 {
			it.label += fmt.Sprintf(" - Len: %d", length)
		}
		if flags&0x10 != 0 {
			it.comment += fmt.Sprintf(" Ack = %d", ack)
		}
		g.put(t, it)
		it, any = flowItem{}, false
	}
	for i := range t.Nodes {
		if t.IsQuoted(i) {
			continue
		}
		v := t.Nodes[i].Val
		switch t.Field(i) {
		case g.tcp.src:
			done()
			it.ports[0], any = uint16(v), true
			seq, ack, flags, length = 0, 0, 0, 0
		case g.tcp.dst:
			it.ports[1] = uint16(v)
		case g.tcp.stream:
			it.stream = int(v)
		case g.tcp.seq:
			seq = v
		case g.tcp.ack:
			ack = v
		case g.tcp.flags:
			flags = v
		case g.tcp.length:
			length = v
		}
	}
	done()
}

// flagNames are TCP's flags in words, lowest first.
func flagNames(flags uint64) string {
	var out []string
	for i, name := range []string{"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR", "AE"} {
		if flags>>i&1 != 0 {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return "<None>"
	}
	return strings.Join(out, ", ")
}

// put adds an arrow between a packet's ends, for which there must be columns.
func (g *flow) put(t *dissect.Tree, it flowItem) {
	src, dst := t.Src.Addr, t.Dst.Addr
	if !g.network && (!isIP(src) || !isIP(dst)) || src.IsZero() || dst.IsZero() {
		return
	}
	from, ok := g.node(src)
	to, also := g.node(dst)
	if !ok || !also {
		g.more++
		return
	}
	it.from, it.to = from, to
	store := g.s.Store()
	digits := shownDigits(store.Interface(store.Meta(int(t.Frame) - 1).Interface).TimeDigits())
	it.time = string(Clock{}.Append(nil, t.Time(), store.Time(0), 0, digits))
	g.several = g.several || len(g.items) > 0 && it.stream != g.items[0].stream
	g.items = append(g.items, it)
}

func isIP(a dissect.Addr) bool { return a.Kind() == dissect.AddrIPv4 || a.Kind() == dissect.AddrIPv6 }

func (g *flow) node(a dissect.Addr) (int, bool) {
	i, ok := g.at[a]
	if !ok && len(g.nodes) < flowNodes {
		i, ok = len(g.nodes), true
		g.at[a], g.nodes = i, append(g.nodes, a)
	}
	return i, ok
}

func (g *flow) print(w *bufio.Writer) {
	if len(g.items) == 0 {
		return
	}
	head, empty := "|Time     ", "|         "
	if g.several {
		head, empty = "Conv.| Time    ", "     |         "
	}
	cell := fmt.Sprintf("%-*s", nodeWidth, "| ")
	upper, lower, lane := "", cell, ""
	for i, a := range g.nodes {
		name := "| " + a.String()
		if i%2 == 0 {
			upper += padRunes(name, 2*nodeWidth)
		} else {
			if len(name) < nodeWidth {
				name = padRunes(name, nodeWidth) + "| "
			}
			lower += padRunes(name, 2*nodeWidth)
		}
		lane += cell
	}
	lane += "|"
	fmt.Fprintf(w, "%s%s|\n%s%s\n", head, upper, empty, lower)
	stream := g.items[0].stream
	for i := range g.items {
		it := &g.items[i]
		if it.stream != stream {
			w.WriteString(strings.Repeat("-", len(lane)+len(empty)+1) + "\n")
			stream = it.stream
		}
		if g.several {
			fmt.Fprintf(w, "%-5d", it.stream)
		}
		g.arrow(w, it, lane, empty)
	}
	if g.more > 0 {
		fmt.Fprintf(w, "%d packets are not drawn: there is room for %d addresses and %d packets\n", g.more, flowNodes, flowItems)
	}
}

// arrow draws one packet: its label and comment, below them the arrow between the ports.
func (g *flow) arrow(w *bufio.Writer, it *flowItem, lane, empty string) {
	start, end := it.from*nodeWidth+nodeWidth/2, it.to*nodeWidth+nodeWidth/2
	fmt.Fprintf(w, "%-10s%s%s\n", "|"+it.time, overwrite(lane, it.label, start, end), it.comment)
	width, shaft := max(start-end, end-start), ""
	switch {
	case start < end:
		shaft = strings.Repeat("-", width-2) + ">"
	case start > end:
		shaft = "<" + strings.Repeat("-", width-2)
	}
	line := overwrite(lane, shaft, start, end)
	src, dst := fmt.Sprintf("(%d)", it.ports[0]), fmt.Sprintf("(%d)", it.ports[1])
	if start > end {
		line = overwrite(overwrite(line, src, start+1, start+9), dst, end-9, end+1)
	} else {
		line = overwrite(overwrite(line, src, start-9, start-1), dst, end+1, end+9)
	}
	fmt.Fprintf(w, "%s%s\n", empty, line)
}

func padRunes(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// overwrite puts a text in the place of what stands between two columns, cut to that room.
func overwrite(line, text string, from, to int) string {
	if from > to {
		from, to = to, from
	}
	room, runes := to-from, []rune(text)
	runes = runes[:min(len(runes), room)]
	from = max(0, min(from, len(line)))
	return line[:from] + string(runes) + line[min(len(line), from+len(runes)):]
}
