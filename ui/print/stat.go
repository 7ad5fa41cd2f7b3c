package print

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"remora/dissect"
	"remora/dissect/filter"
)

// A Statistic is one -z: it counts packets as they pass and prints a table at the end.
type Statistic struct {
	filters []*filter.Filter // what is counted; a nil one counts everything
	counter counter
}

// A counter is one kind of statistic.
type counter interface {
	// add counts a packet that a filter, given by its number, let through.
	add(l *dissect.Looker, n dissect.FrameNum, filter int)
	print(w *bufio.Writer)
}

// Statistics are the words that -z takes, with what they print.
var Statistics = [][2]string{
	{"io,phs[,FILTER]", "the protocols inside one another, with packets and bytes"},
	{"io,stat,SECONDS[,FILTER]...", "packets and bytes in each interval, for each filter"},
	{"conv,TYPE[,FILTER]", "conversations; TYPE is eth, ip, ipv6, tcp or udp"},
	{"endpoints,TYPE[,FILTER]", "the same for each end alone"},
	{"expert[,FILTER]", "expert notes by severity"},
}

func statisticsHelp() string {
	var b strings.Builder
	for _, s := range Statistics {
		fmt.Fprintf(&b, "\n  %-28s %s", s[0], s[1])
	}
	return b.String()
}

// NewStatistic reads the words of a -z. Errors in the filter inside it are of type *filter.Error.
func NewStatistic(s *dissect.Session, words string) (*Statistic, error) {
	parts := strings.Split(words, ",")
	kind := parts[0]
	if len(parts) > 1 && kind != "expert" {
		kind += "," + parts[1]
	}
	st := &Statistic{}
	var rest []string
	switch {
	case kind == "io,phs":
		rest = joinRest(parts, 2)
		st.counter = &hierarchy{s: s, by: map[uint32]*tally{}, filter: strings.Join(rest, "")}
	case kind == "io,stat":
		every, err := interval(parts)
		if err != nil {
			return nil, err
		}
		rest = parts[3:]
		st.counter = &intervals{s: s, every: every, filters: rest}
	case kind == "expert":
		rest = joinRest(parts, 1)
		st.counter = &experts{s: s}
	case parts[0] == "conv" || parts[0] == "endpoints":
		rest = joinRest(parts, 2)
		t := newTable(s, parts[0] == "conv", strings.TrimPrefix(kind, parts[0]+","), strings.Join(rest, ""))
		if t == nil {
			return nil, fmt.Errorf("-z %s: the types are eth, ip, ipv6, tcp and udp", dissect.Escape(words))
		}
		st.counter = t
	default:
		return nil, fmt.Errorf("-z %s: there is no such statistic; there are%s", dissect.Escape(words), statisticsHelp())
	}
	return st, st.compile(s.Registry(), rest)
}

// joinRest is the filter behind the words of a statistic. It may hold commas itself.
func joinRest(parts []string, from int) []string {
	if len(parts) <= from {
		return nil
	}
	return []string{strings.Join(parts[from:], ",")}
}

func interval(parts []string) (time.Duration, error) {
	if len(parts) < 3 {
		return 0, fmt.Errorf("-z io,stat takes an interval in seconds, as in io,stat,1; 0 is the whole capture")
	}
	v, err := strconv.ParseFloat(parts[2], 64)
	if err != nil || v < 0 || v > 1e9 || v != v || v > 0 && v < 1e-6 {
		return 0, fmt.Errorf("-z io,stat,%s: the interval is a number of seconds, from 0.000001 on; 0 is the whole capture", dissect.Escape(parts[2]))
	}
	return time.Duration(v * float64(time.Second)), nil
}

func (st *Statistic) compile(reg *dissect.Registry, filters []string) error {
	for _, text := range filters {
		var f *filter.Filter
		var err error
		if text != "" {
			if f, err = filter.Compile(reg, text); err != nil {
				return err
			}
		}
		st.filters = append(st.filters, f)
	}
	if len(st.filters) == 0 {
		st.filters = []*filter.Filter{nil}
	}
	return nil
}

// Packet counts a packet that has passed. The looker's tree is used for it.
func (st *Statistic) Packet(l *dissect.Looker, n dissect.FrameNum) {
	for i, f := range st.filters {
		if f == nil || f.Match(l, n) {
			st.counter.add(l, n, i)
		}
	}
}

// Print prints the table.
func (st *Statistic) Print(w io.Writer) error {
	b := bufio.NewWriter(w)
	st.counter.print(b)
	return b.Flush()
}

// A tally counts packets and their bytes on the wire.
type tally struct{ frames, bytes uint64 }

func (t *tally) count(bytes uint32) {
	t.frames++
	t.bytes += uint64(bytes)
}

// hierarchy is io,phs. It counts shapes; what lies in what is worked out when the table is printed.
type hierarchy struct {
	s      *dissect.Session
	by     map[uint32]*tally
	order  []uint32
	filter string
}

func (h *hierarchy) add(_ *dissect.Looker, n dissect.FrameNum, _ int) {
	id := h.s.ShapeOf(n).ID
	t := h.by[id]
	if t == nil {
		t = &tally{}
		h.by[id], h.order = t, append(h.order, id)
	}
	t.count(h.s.Store().Meta(int(n) - 1).Len)
}

// layer is one line of the hierarchy.
type layer struct {
	tally
	proto *dissect.Protocol
	below []*layer
}

func (l *layer) inside(p *dissect.Protocol) *layer {
	for _, b := range l.below {
		if b.proto == p {
			return b
		}
	}
	b := &layer{proto: p}
	l.below = append(l.below, b)
	return b
}

func (h *hierarchy) print(w *bufio.Writer) {
	const rule = "===================================================================\n"
	fmt.Fprintf(w, "\n%sProtocol Hierarchy Statistics\nFilter: %s\n\n", rule, dissect.Escape(h.filter))
	root := &layer{}
	for _, id := range h.order {
		at, t := root, h.by[id]
		for i, p := range h.s.ShapeProtocols(h.s.Shape(id)) {
			if i == 0 || p == at.proto { // the frame itself; several messages of one protocol
				continue
			}
			at = at.inside(p)
			at.frames += t.frames
			at.bytes += t.bytes
		}
	}
	root.print(w, 0)
	w.WriteString(rule)
}

func (l *layer) print(w *bufio.Writer, depth int) {
	for _, b := range l.below {
		fmt.Fprintf(w, "%*s%-*s frames:%d bytes:%d\n", 2*depth, "", 40-2*depth, b.proto.Name(), b.frames, b.bytes)
		b.print(w, depth+1)
	}
}

// experts is expert: how often each note was made.
type experts struct {
	s    *dissect.Session
	pass []dissect.FrameNum // the frames counted, ascending
}

func (e *experts) add(_ *dissect.Looker, n dissect.FrameNum, _ int) { e.pass = append(e.pass, n) }

func (e *experts) print(w *bufio.Writer) {
	type line struct {
		field *dissect.Field
		times int
	}
	lines := map[dissect.Severity][]line{}
	for i := range e.s.Marks() {
		m := e.s.Mark(i)
		if _, in := slices.BinarySearch(e.pass, m.Frame); !in {
			continue
		}
		f := e.s.Registry().FieldByID(m.Field)
		at := slices.IndexFunc(lines[m.Severity], func(l line) bool { return l.field == f })
		if at < 0 {
			at = len(lines[m.Severity])
			lines[m.Severity] = append(lines[m.Severity], line{field: f})
		}
		lines[m.Severity][at].times++
	}
	for _, sev := range []dissect.Severity{dissect.Error, dissect.Warn, dissect.Hint, dissect.Chat, dissect.Comment} {
		total := 0
		for _, l := range lines[sev] {
			total += l.times
		}
		if total == 0 {
			continue
		}
		title := map[dissect.Severity]string{dissect.Error: "Errors", dissect.Warn: "Warns", dissect.Hint: "Notes", dissect.Chat: "Chats", dissect.Comment: "Comments"}[sev]
		fmt.Fprintf(w, "\n%s (%d)\n=============\n   Frequency           Protocol  Summary\n", title, total)
		for _, l := range lines[sev] {
			fmt.Fprintf(w, "%12d %18s  %s\n", l.times, l.field.Protocol().Title(), l.field.Label())
		}
	}
}
