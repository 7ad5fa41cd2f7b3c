package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"remora/capture/live"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/settings"
	"remora/internal/suggest"
	"remora/ui"
	"remora/ui/act"
	list "remora/ui/columns"
	"remora/ui/keys"
	"remora/ui/print"
)

// A Help knows everything that "remora help TOPIC" tells, from the declarations.
type Help struct {
	Flags    *pflag.FlagSet
	Registry *dissect.Registry
}

// A topic is one thing that help tells of.
type topic struct {
	names []string // the first is shown
	what  string
	write func(h Help, p *sheet)
}

// topics are all of them but the names of protocols and fields, which are topics, too.
func topics() []topic {
	return []topic{
		{[]string{"flags", "options"}, "every flag of the command line", func(h Help, p *sheet) { h.Flags.VisitAll(p.flag) }},
		{[]string{"filters", "filter", "display-filters"}, "the language of display filters (-Y)",
			func(_ Help, p *sheet) { p.text(filter.Help()) }},
		{[]string{"capture-filters", "bpf"}, "the language of capture filters (-f)",
			func(_ Help, p *sheet) { p.entries(captureFilters) }},
		{[]string{"keys"}, "the keys of the screen", writeKeys},
		{[]string{"commands"}, "what can be typed behind a colon on the screen", commands},
		{[]string{"actions"}, "the names that [keys] of the settings give to keys", actions},
		{[]string{"settings", "config"}, "the file of settings, with all of them",
			func(_ Help, p *sheet) { p.text(settings.Text()) }},
		{[]string{"columns", "column"}, "the columns of the packet list, and those that -e prints", columns},
		{[]string{"statistics", "statistic"}, "what -z takes",
			func(h Help, p *sheet) { p.entries(print.Statistics(h.Registry)) }},
		{[]string{"times", "time"}, "the formats of time (-t)", func(_ Help, p *sheet) { p.entries(print.Clocks) }},
		{[]string{"time-stamps"}, "the clocks that stamp packets (--time-stamp-type)",
			func(_ Help, p *sheet) { p.entries(live.TimeStamps) }},
		{[]string{"decode-as", "tables"}, "the tables that -d takes numbers of", tables},
		{[]string{"protocols"}, "the protocols; the name of one tells its fields", protocols},
		{[]string{"exit", "exit-codes"}, "exit codes", func(_ Help, p *sheet) { p.entries(ExitCodes) }},
		{[]string{"signals"}, "what signals do", func(_ Help, p *sheet) { p.entries(Signals) }},
		{[]string{"files"}, "the files that remora reads and keeps", func(_ Help, p *sheet) { p.entries(Files) }},
		{[]string{"environment"}, "variables that count", func(h Help, p *sheet) { p.entries(h.environment()) }},
	}
}

// captureFilters are the forms of libpcap's language that are used most; pcap-filter(7) has all of it.
var captureFilters = [][2]string{
	{"host 10.0.0.7", "to or from an address; src host, dst host; also net 10.0.0.0/8"},
	{"port 53", "to or from a port of TCP or UDP; udp port 53, dst port 53, portrange 7000-7003"},
	{"ether host 02:00:00:00:00:01", "to or from a network card"},
	{"tcp, udp, icmp, arp, ip6, vlan", "a protocol"},
	{"not, and, or, ( )", "udp and not port 53"},
	{"less 100, greater 1000", "by length"},
	{"tcp[tcpflags] & tcp-syn != 0", "by bytes: proto[offset:size]"},
}

// Topics are the names of all topics with what each tells of.
func Topics() (out [][2]string) {
	for _, t := range topics() {
		out = append(out, [2]string{t.names[0], t.what})
	}
	return out
}

// Text is one topic, which may be the name of a protocol or a field; without a name, the list of them. An error names
// what comes near.
func (h Help) Text(name string) (string, error) {
	p := &sheet{}
	switch t := find(name); {
	case name == "" || name == "topics":
		p.line("remora help TOPIC explains:")
		p.entries(Topics())
		p.line("The name of a protocol or of a field is a topic, too: tcp, tcp.flags.")
	case t != nil:
		t.write(h, p)
	case h.Registry.Protocol(name) != nil:
		protocol(h.Registry.Protocol(name), p)
	case h.Registry.Field(name) != nil:
		for _, f := range h.Registry.FieldsNamed(name) {
			field(f, p)
		}
	default:
		return "", h.unknown(name)
	}
	return p.b.String(), nil
}

func find(name string) *topic {
	all := topics()
	i := slices.IndexFunc(all, func(t topic) bool { return slices.Contains(t.names, strings.ToLower(name)) })
	if i < 0 {
		return nil
	}
	return &all[i]
}

func (h Help) unknown(name string) error {
	var names []string
	for _, t := range topics() {
		names = append(names, t.names...)
	}
	near := suggest.One(strings.ToLower(name), names)
	if near == "" {
		near = filter.Suggest(h.Registry, strings.ToLower(name))
	}
	if near == "" {
		return fmt.Errorf("help has no topic called %q; remora help lists them", name)
	}
	return fmt.Errorf("help has no topic called %q; did you mean %s?", name, near)
}

func writeKeys(_ Help, p *sheet) {
	for _, g := range keys.Declared() {
		p.line(g.Title)
		for _, k := range g.Keys {
			p.entry(k.Keys, k.Help)
		}
	}
}

func commands(_ Help, p *sheet) {
	for _, c := range ui.Commands() {
		p.entry(c.Keys, c.Help)
	}
}

func columns(_ Help, p *sheet) {
	p.line("The list's, for columns = [...] of the settings, :column and the key s. Any field can be one, by its filter " +
		"name; \"udp.length as Size\" gives a title of one's own, as the key r does beside the list.")
	p.entries(list.Titles())
	p.line("What -e takes besides the names of fields:")
	for _, name := range print.SummaryColumns() {
		p.line("  " + name)
	}
}

func actions(_ Help, p *sheet) {
	for _, a := range act.All() {
		p.entry(a.Name(), a.Help())
	}
}

func tables(h Help, p *sheet) {
	p.line("-d TABLE==NUMBER,PROTOCOL; the number may be a range (7000-7003). The tables:")
	for _, t := range h.Registry.Tables() {
		text := ""
		if choices := h.Registry.Choices(t); choices != nil {
			text = "takes " + strings.Trim(fmt.Sprint(choices), "[]")
		}
		p.entry(string(t), text)
	}
}

func protocols(h Help, p *sheet) {
	for _, proto := range h.Registry.Protocols() {
		p.entry(proto.Name(), proto.Title()+": "+proto.Doc())
	}
}
