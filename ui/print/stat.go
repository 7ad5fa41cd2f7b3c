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

// A counter is one kind of statistic.
type counter interface {
	// add counts a packet that a filter, given by its number, let through.
	add(l *dissect.Looker, n dissect.FrameNum, filter int)
	print(w *bufio.Writer)
}

// A request is the words of a -z, taken apart.
type request struct {
	s     *dissect.Session
	words string
	args  []string // the words behind the statistic's own
	opt   filter.Options
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

// forms are in the order of the help. A name may be the beginning of another one: the longest counts.
var forms = []form{
	{"io,phs", "[,FILTER]", "the protocols inside one another, with packets and bytes", newHierarchy},
	{"io,stat", ",SECONDS[,FILTER]...", "packets and bytes in each interval, for each filter; SUM(FIELD)FILTER and the like", newIntervals},
	{"conv", ",TYPE[,FILTER]", "conversations; TYPE is eth, ip, ipv6, tcp, udp, sctp or wlan", newTalks},
	{"endpoints", ",TYPE[,FILTER]", "the same for each end alone", newEnds},
	{"types", "[,FILTER]", "packet types: counts, rates, gaps, jitter, lengths", newTypes},
	{"responses", "[,FILTER]", "questions and answers of every protocol: how many, how long they took", newResponses},
	{"ports", "[,FILTER]", "ports of services: conversations, packets, bytes", newPorts},
	{"unknown", "[,FILTER]", "traffic that no protocol takes, by port, and what it looks like", newUnknown},
	{"games", "", "games: players, phases, packets", newGames},
	{"players", "[,FILTER]", "games: the packet types that each player sends, with rates", newPlayers},
	{"desync", "", "games: what each side was told of every frame, and where it differs", newDesync},
	{"expert", "[,error|warn|note|chat][,FILTER]", "expert notes from a severity on", newExperts},
	{"plen,tree", "[,FILTER]", "packet lengths", newLengths},
	{"ip_hosts,tree", "[,FILTER]", "addresses of IPv4; ipv6_hosts,tree those of IPv6", newIPTree("hosts", "ip")},
	{"ip_srcdst,tree", "[,FILTER]", "sources and destinations; ipv6_srcdst,tree", newIPTree("srcdst", "ip")},
	{"dests,tree", "[,FILTER]", "destinations with their ports; ipv6_dests,tree", newIPTree("dests", "ip")},
	{"ptype,tree", "[,FILTER]", "TCP, UDP and others; ipv6_ptype,tree", newIPTree("ptype", "ip")},
	{"ipv6_hosts,tree", "[,FILTER]", "", newIPTree("hosts", "ipv6")},
	{"ipv6_srcdst,tree", "[,FILTER]", "", newIPTree("srcdst", "ipv6")},
	{"ipv6_dests,tree", "[,FILTER]", "", newIPTree("dests", "ipv6")},
	{"ipv6_ptype,tree", "[,FILTER]", "", newIPTree("ptype", "ipv6")},
	{"flow", ",WHAT[,standard|network][,FILTER]", "packets as arrows between their ends; WHAT is any, icmp, icmpv6 or tcp", newFlow},
	{"hosts", "[,ip][,ipv6]", "names of addresses that the capture tells", newHosts},
	{"credentials", "", "who logged in without secrecy, and where", newCredentials},
	{"icmp,srt", "[,FILTER]", "pings: answered, lost, how long they took; icmpv6,srt those of IPv6", newEchoes("icmp", "ICMP", 8, 0)},
	{"icmpv6,srt", "[,FILTER]", "", newEchoes("icmpv6", "ICMPv6", 128, 129)},
	{"dns,tree", "[,FILTER]", "DNS: codes, types, questions, answers, times", newDNS},
	{"rpc,srt", ",PROGRAM,VERSION[,FILTER]", "how long the calls of an RPC program took, by procedure; 100003,3 is NFS", newRPC},
	{"rpc,programs", "[,FILTER]", "the RPC programs called, and how long they took", newRPCPrograms},
	{"smb2,srt", "[,FILTER]", "how long SMB took, by command; smb,srt that of SMB 1", newSMB2},
	{"smb,srt", "[,FILTER]", "", newSMB},
	{"snmp,srt", "[,FILTER]", "how long SNMP took, by what was asked", newSNMP},
	{"ldap,srt", "[,FILTER]", "how long LDAP took, by what was asked", newLDAP},
	{"radius,rtd", "[,FILTER]", "how long RADIUS took, open and discarded packets", newRadius},
	{"dhcp,stat", "[,FILTER]", "DHCP messages by type", newLeases},
	{"sip,stat", "[,FILTER]", "SIP requests, responses, how long calls took to be set up", newCalls},
	{"rtp,streams", "[,FILTER]", "streams of RTP: lost, gaps, jitter", newRTPStreams},
	{"rtsp,stat", "[,FILTER]", "RTSP requests and responses; rtsp,tree the same over time", newWebCounts("RTSP", "rtsp.method", "rtsp.status", "rtsp.response")},
	{"rtsp,tree", "[,FILTER]", "", newRTSP},
	{"sctp,stat", "[,FILTER]", "SCTP chunks by direction", newAssociations},
	{"http,stat", "[,FILTER]", "HTTP requests by method, responses by code", newWebCounts("HTTP", "http.request.method", "http.response.code", "http.response.code.desc")},
	{"http,tree", "[,FILTER]", "HTTP requests and responses", newHTTP},
	{"http_req,tree", "[,FILTER]", "HTTP requests by host", newHTTPRequests},
	{"http_srv,tree", "[,FILTER]", "HTTP requests and responses by server", newHTTPServers},
	{"http2,tree", "[,FILTER]", "HTTP/2 frames by type", newHTTP2},
	{"follow", ",WHAT,FORM,N", "what conversation N said; WHAT is tcp, udp, tls, http or game, FORM ascii, hex, raw or messages", newFollow},
	{"properties", "", "the file: format, times, rates, interfaces, hash sums", newProperties},
}

// Statistics are the words that -z takes, with what they print.
func Statistics() [][2]string {
	var out [][2]string
	for _, f := range forms {
		if f.help != "" { // else another one's tells of it
			out = append(out, [2]string{f.name + f.args, f.help})
		}
	}
	return out
}

func statisticsHelp() string {
	var b strings.Builder
	for _, s := range Statistics() {
		fmt.Fprintf(&b, "\n  %-34s %s", s[0], s[1])
	}
	return b.String()
}

// NewStatistic reads the words of a -z; the options are those of display filters. Errors in the filter inside it are of type
// *filter.Error.
func NewStatistic(s *dissect.Session, words string, opt filter.Options) (*Statistic, error) {
	var best *form
	for i, f := range forms {
		if (words == f.name || strings.HasPrefix(words, f.name+",")) && (best == nil || len(f.name) > len(best.name)) {
			best = &forms[i]
		}
	}
	if best == nil {
		return nil, noForm(words)
	}
	r := &request{s: s, words: words, opt: opt}
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

// Packet counts a packet that has passed. The looker's tree is used for it. The error is of a filter that stopped.
func (st *Statistic) Packet(l *dissect.Looker, n dissect.FrameNum) error {
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

// Rules of tshark's tables.
const (
	wideRule   = "================================================================================\n"
	narrowRule = "===================================================================\n"
)

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
	return what + "; there are " + strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
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
