package print

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"remora/dissect"
	"remora/dissect/tap"
)

// flow is flow: packets as arrows between columns of ends, as Wireshark's flow graph has them.
type flow struct {
	s *dissect.Session
	// whatever ends a packet has, as tshark's word has it; else those with addresses of IP alone
	network  bool
	protocol *dissect.Field     // nil: any
	graph    *dissect.FlowGraph // the protocol's
	wants    *dissect.Wants     // nil: everything, for the Info column
	at       map[dissect.Addr]int
	nodes    []dissect.Addr
	items    []flowItem
	several  bool // conversations
	more     int  // packets that are not drawn
}

// A flowItem is one arrow.
type flowItem struct {
	dissect.FlowArrow
	time     string
	from, to int // columns
}

// Limits of a graph: its columns, as in Wireshark, and its arrows, which are kept.
const (
	flowNodes = 40
	flowItems = 1 << 20
	nodeWidth = 20
)

func newFlow(r *request) (counter, []string, error) {
	graphs := r.s.Registry().FlowGraphs()
	words := []string{"any"}
	for _, g := range graphs {
		words = append(words, g.Protocol.Name())
	}
	what, err := r.oneOf(0, words...)
	if err != nil {
		return nil, nil, err
	}
	ends, err := r.oneOf(1, "standard", "network")
	if err != nil {
		return nil, nil, err
	}
	f := &flow{s: r.s, network: ends == "network", at: map[dissect.Addr]int{}}
	for _, g := range graphs {
		if g.Protocol.Name() != what {
			continue
		}
		f.protocol, f.graph = g.Protocol.Self(), g.FlowGraph
		if g.Fields != nil {
			f.wants = r.s.Registry().Wants(g.Fields...)
		}
	}
	return f, []string{r.rest(2)}, nil
}

func (g *flow) add(l *dissect.Dissector, n dissect.FrameNum, _ int) {
	if g.protocol != nil && !g.s.MayHave(g.s.LayerStackOf(n), g.protocol) {
		return
	}
	if len(g.items) >= flowItems {
		g.more++
		return
	}
	var t *dissect.Tree
	if g.wants == nil {
		t = l.Tree(n)
	} else {
		t = l.Redissect(n, g.wants)
	}
	if g.graph == nil {
		g.put(t, tap.WholeArrow(t))
		return
	}
	g.graph.Arrows(t, func(a dissect.FlowArrow) { g.put(t, a) })
}

// put adds an arrow between a packet's ends, for which there must be columns.
func (g *flow) put(t *dissect.Tree, a dissect.FlowArrow) {
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
	it := flowItem{FlowArrow: a, from: from, to: to}
	store := g.s.Store()
	digits := shownDigits(store.Interface(store.Meta(int(t.Frame) - 1).Interface).TimeDigits())
	it.time = string(Clock{}.Append(nil, t.Time(), store.Time(0), 0, digits))
	g.several = g.several || len(g.items) > 0 && it.Stream != g.items[0].Stream
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
	stream := g.items[0].Stream
	for i := range g.items {
		it := &g.items[i]
		if it.Stream != stream {
			w.WriteString(strings.Repeat("-", len(lane)+len(empty)+1) + "\n")
			stream = it.Stream
		}
		if g.several {
			fmt.Fprintf(w, "%-5d", it.Stream)
		}
		g.arrow(w, it, lane, empty)
	}
	if g.more > 0 {
		fmt.Fprintf(w, "%d packets are not drawn: there is room for %d addresses and %d packets\n", g.more, flowNodes,
			flowItems)
	}
}

// arrow draws one packet: its label and comment, below them the arrow between the ports.
func (g *flow) arrow(w *bufio.Writer, it *flowItem, lane, empty string) {
	start, end := it.from*nodeWidth+nodeWidth/2, it.to*nodeWidth+nodeWidth/2
	fmt.Fprintf(w, "%-10s%s%s\n", "|"+it.time, overwrite(lane, it.Label, start, end), it.Comment)
	width, shaft := max(start-end, end-start), ""
	switch {
	case start < end:
		shaft = strings.Repeat("-", width-2) + ">"
	case start > end:
		shaft = "<" + strings.Repeat("-", width-2)
	}
	line := overwrite(lane, shaft, start, end)
	src, dst := fmt.Sprintf("(%d)", it.Ports[0]), fmt.Sprintf("(%d)", it.Ports[1])
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
