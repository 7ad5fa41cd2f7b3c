package print

import (
	"bufio"
	"fmt"
	"strconv"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/dissect/tap"
)

// table is conv or endpoints.
type table struct {
	*stats.Table
	filter string
	pairs  bool // conversations rather than endpoints
}

func newConversations(r *request) (counter, []string, error) { return newTable(r, true) }
func newEnds(r *request) (counter, []string, error)          { return newTable(r, false) }

func newTable(r *request, pairs bool) (counter, []string, error) {
	var names []string
	for _, l := range r.s.Registry().EndLayers() {
		names = append(names, l.Protocol.Name())
	}
	layer, err := r.oneOf(0, names...)
	if err != nil {
		return nil, nil, err
	}
	text := r.rest(1)
	return &table{stats.NewTable(r.s, layer), text, pairs}, []string{text}, nil
}

func (tb *table) add(l *dissect.Dissector, n dissect.FrameNum, _ int) {
	tb.Frames(l, []dissect.FrameNum{n}, n)
}

func (tb *table) print(w *bufio.Writer) {
	what := "Endpoints"
	if tb.pairs {
		what = "Conversations"
	}
	fmt.Fprintf(w, "%s%s %s\nFilter:%s\n", tap.WideRule, tb.Layer().Title, what, filterName(tb.filter))
	if tb.pairs {
		tb.printPairs(w)
	} else {
		tb.printEnds(w)
	}
	w.WriteString(tap.WideRule)
}

func (tb *table) printPairs(w *bufio.Writer) {
	width := 20
	if tb.ports() {
		width = 26
	}
	fmt.Fprintf(w, "%*s|       <-      | |       ->      | |     Total     |    Relative    |   Duration   |\n", 2*width+7,
		"")
	fmt.Fprintf(w, "%*s| Frames  Bytes | | Frames  Bytes | | Frames  Bytes |      Start     |              |\n", 2*width+7,
		"")
	start := int64(0)
	if tb.Session().Store().Len() > 0 {
		start = tb.Session().Store().Time(0)
	}
	for _, t := range tb.Conversations() {
		there, back, both := t.Directions[0], t.Directions[1], t.Both()
		fmt.Fprintf(w, "%-*s <-> %-*s  %6d %-9s  %6d %-9s  %6d %-9s  %14s   %12.4f\n", width, tb.name(t.A, tb.ports()),
			width, tb.name(t.B, tb.ports()),
			back.Packets, sizeText(back.Bytes), there.Packets, sizeText(there.Bytes), both.Packets, sizeText(both.Bytes),
			strconv.FormatFloat(secondsOf(t.First-start), 'f', 9, 64), secondsOf(t.Last-start)-secondsOf(t.First-start))
	}
	if n, all := tb.Evicted(); n > 0 {
		fmt.Fprintf(w, "%-*s %*s  %6s %-9s  %6s %-9s  %6d %-9s\n", 2*width+4, fmt.Sprintf("(%d others)", n), 0, "", "", "",
			"", "", all.Packets, sizeText(all.Bytes))
	}
}

// secondsOf are nanoseconds as tshark makes seconds of them, with its errors of rounding.
func secondsOf(ns int64) float64 { return float64(ns/1e9) + float64(ns%1e9)/1e9 }

func (tb *table) printEnds(w *bufio.Writer) {
	port := ""
	if tb.ports() {
		port = "  Port  ||"
	}
	fmt.Fprintf(w, "%23s|%s  Packets  | |  Bytes  | | Tx Packets | | Tx Bytes | | Rx Packets | | Rx Bytes |\n", "", port)
	for _, e := range tb.Endpoints() {
		port = ""
		if tb.ports() {
			port = fmt.Sprintf("%10d", e.End.Port)
		}
		both := e.Both()
		fmt.Fprintf(w, "%-20s %s     %6d     %9d     %6d       %9d      %6d       %9d   \n", tb.name(e.End, false), port,
			both.Packets, both.Bytes, e.Sent.Packets, e.Sent.Bytes, e.Received.Packets, e.Received.Bytes)
	}
	if n, all := tb.EvictedEndpoints(); n > 0 {
		fmt.Fprintf(w, "%-20s %*s     %6d     %9d\n", fmt.Sprintf("(%d others)", n), len(port), "", all.Packets, all.Bytes)
	}
}

// ports tells whether ports are listed: as in tshark not those of DCCP, although each has a line of its own.
func (tb *table) ports() bool { return tb.Layer().Ports && tb.Layer().Title != "DCCP" }

// name is an end as tshark writes it: the port behind a colon, without brackets around the address, and hardware
// addresses by their makers where those are shown.
func (tb *table) name(e dissect.Endpoint, port bool) string {
	if n := tb.Session().Registry().Naming(); n != nil && n.Ether != nil && e.Addr.Kind() == dissect.AddrEther {
		return dissect.Escape(n.Ether(e.Addr))
	}
	return endName(e, port)
}

func endName(e dissect.Endpoint, port bool) string {
	if !port {
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
