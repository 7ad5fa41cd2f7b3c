package print

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/filter"
)

// A Statistic is one -z: it counts packets as they pass and prints a table at the end. What counts is of package stats,
// where the screen's numbers come from, too.
type Statistic struct {
	filters []*filter.Filter // what is counted; a nil one counts everything
	counter counter
}

// NeedsRedissection tells whether the statistic asks for packets again that passed long ago.
func (st *Statistic) NeedsRedissection() bool {
	_, ok := st.counter.(*followed)
	return ok
}

// A counter is one kind of statistic.
type counter interface {
	// add counts a packet that a filter, given by its number, let through.
	add(l *dissect.Dissector, n dissect.FrameNum, filter int)
	print(w *bufio.Writer)
}

// A request is the words of a -z, taken apart.
type request struct {
	s     *dissect.Session
	words string
	args  []string // the words behind the statistic's own
	opt   filter.Options
	exact bool // as tshark prints it, to the byte
}

// rest is the filter behind some of the arguments. It may hold commas itself.
func (r *request) rest(from int) string {
	if len(r.args) <= from {
		return ""
	}
	return strings.Join(r.args[from:], ",")
}

func (r *request) wrong(format string, args ...any) error {
	return fmt.Errorf("-z %s: %s", dissect.Escape(r.words), fmt.Sprintf(format, args...))
}

// A form is one word of -z with what it prints. What make returns as filters is what its counter is given packets of.
type form struct {
	name, args, help string
	make             func(r *request) (counter, []string, error)
}

// common are those that are of no single protocol, in the order of the help.
var common = []form{
	{"io,phs", "[,FILTER]", "protocol hierarchy, with packets and bytes", newHierarchy},
	{"io,stat", ",SECONDS[,FILTER]...",
		"packets and bytes in each interval, for each filter; SUM(FIELD)FILTER and the like", newIntervals},
	{"conv", ",TYPE[,FILTER]", "conversations; TYPE is eth, ip, ipv6, tcp, udp, sctp or wlan", newConversations},
	{"endpoints", ",TYPE[,FILTER]", "the same for each endpoint", newEnds},
	{notedForm[:len(notedForm)-1], ",FILTER,FIELD",
		"nothing at the end: values of FIELD behind the Info column of packets",
		func(r *request) (counter, []string, error) { return nil, nil, r.wrong("it takes a filter and a field") }},
	{"types", "[,FILTER]", "packet types: counts, rates, gaps, jitter, lengths", newTypes},
	{"responses", "[,FILTER]", "requests and responses of every protocol, with response times", newResponses},
	{"ports", "[,FILTER]", "ports of services: conversations, packets, bytes", newPorts},
	{"unknown", "[,FILTER]", "traffic that no protocol takes, by port, and what it looks like", newUndissected},
	{"games", "", "games: players, phases, packets", newGames},
	{"players", "[,FILTER]", "games: the packet types that each player sends, with rates", newPlayers},
	{"desync", "", "games: the frames on which the two sides differ (desync)", newDesync},
	{"expert", "[,error|warn|note|chat][,FILTER]", "expert info from a severity on", newExperts},
	{"plen,tree", "[,FILTER]", "packet lengths", newLengths},
	{"flow", ",WHAT,standard|network[,FILTER]", "packets as arrows between their ends; WHAT is any, icmp, icmpv6 or tcp",
		newFlow},
	{"hosts", "[,ip][,ipv6]", "host names found in the capture", newHosts},
	{"credentials", "", "logins in clear text", newCredentials},
	{"follow", ",WHAT,FORM,N",
		"follow conversation N; WHAT is tcp, udp, dccp, tls, http, http2, quic or game, FORM ascii, ebcdic, hex, raw, yaml " +
			"or messages; behind N the number of a stream in it, of http2 and quic", newFollow},
	{"properties", "", "the file: format, times, rates, interfaces, hash sums", newProperties},
}

// formsOf are all forms: the common ones, and those that protocols declare. A name may be the beginning of another one:
// the longest counts.
func formsOf(reg *dissect.Registry) []form {
	all := slices.Clone(common)
	for _, st := range reg.Statistics() {
		all = append(all, form{st.Name, st.Args, st.Help, func(r *request) (counter, []string, error) {
			asked := &dissect.StatisticRequest{Session: r.s, Args: r.args}
			c, err := st.New(asked)
			if err != nil {
				return nil, nil, r.wrong("%v", err)
			}
			return declared{c}, []string{asked.Filter()}, nil
		}})
	}
	return all
}

// declared is the counter of a statistic that a protocol declares.
type declared struct{ dissect.Counter }

func (d declared) add(l *dissect.Dissector, n dissect.FrameNum, _ int) { d.Add(l, n) }
func (d declared) print(w *bufio.Writer)                               { d.Print(w) }

// Statistics are the words that -z takes, with what they print.
func Statistics(reg *dissect.Registry) [][2]string {
	var out [][2]string
	for _, f := range formsOf(reg) {
		if f.help != "" { // else another one's tells of it
			out = append(out, [2]string{f.name + f.args, f.help})
		}
	}
	return out
}

// StatisticsHelp lists them, a line each.
func StatisticsHelp(reg *dissect.Registry) string {
	var b strings.Builder
	for _, s := range Statistics(reg) {
		fmt.Fprintf(&b, "\n  %-34s %s", s[0], s[1])
	}
	return b.String()
}

// NewStatistic reads the words of a -z; the options are those of display filters. An exact one leaves out what tshark
// leaves out. Errors in the filter inside it are of type *filter.Error.
func NewStatistic(s *dissect.Session, words string, opt filter.Options, exact bool) (*Statistic, error) {
	var best *form
	forms := formsOf(s.Registry())
	for i, f := range forms {
		if (words == f.name || strings.HasPrefix(words, f.name+",")) && (best == nil || len(f.name) > len(best.name)) {
			best = &forms[i]
		}
	}
	if best == nil {
		return nil, noForm(s.Registry(), words)
	}
	r := &request{s: s, words: words, opt: opt, exact: exact}
	if rest, ok := strings.CutPrefix(words[len(best.name):], ","); ok {
		r.args = strings.Split(rest, ",")
	}
	c, filters, err := best.make(r)
	if err != nil {
		return nil, err
	}
	st := &Statistic{counter: c}
	for _, text := range filters {
		var f *filter.Filter
		if text != "" {
			if f, err = filter.CompileWith(s.Registry(), text, opt); err != nil {
				return nil, err
			}
		}
		st.filters = append(st.filters, f)
	}
	return st, nil
}

// Packet counts a packet that has passed. The Dissector's tree is used for it. The error is of a filter that stopped.
func (st *Statistic) Packet(l *dissect.Dissector, n dissect.FrameNum) error {
	for i, f := range st.filters {
		if f == nil || f.Match(l, n) {
			st.counter.add(l, n, i)
		} else if err := f.Stopped(); err != nil {
			return err
		}
	}
	return nil
}

// Print prints the table.
func (st *Statistic) Print(w io.Writer) error {
	b := bufio.NewWriter(w)
	st.counter.print(b)
	return b.Flush()
}

// filterName is a filter as the head of a table names it.
func filterName(text string) string {
	if text == "" {
		return "<No Filter>"
	}
	return dissect.Escape(text)
}

// notAmong says which words a place of -z takes.
func notAmong(word string, words []string) string {
	what := "there is no " + dissect.Escape(word)
	if word == "" {
		what = "a word is missing"
	}
	switch n := len(words); n {
	case 0:
		return what
	case 1:
		return what + "; there is " + words[0]
	default:
		return what + "; there are " + strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// oneOf is the argument at a place, which must be one of some words.
func (r *request) oneOf(at int, words ...string) (string, error) {
	word := ""
	if at < len(r.args) {
		word = r.args[at]
	}
	if !slices.Contains(words, word) {
		return "", r.wrong("%s", notAmong(word, words))
	}
	return word, nil
}
