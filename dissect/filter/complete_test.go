package filter_test

import (
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
)

// TestCompletionAnywhere is a table of texts with | for the cursor: what is offered first, or anywhere in the list, and
// what the text becomes when it is taken.
func TestCompletionAnywhere(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	for _, c := range []struct{ text, offer, becomes string }{
		{"|", "!arp", "arp"}, {"tc|", "tcp", "tcp"}, {"tcp.fl|", "tcp.flags", "tcp.flags"},
		{"srcpo|", "!udp.srcport", "udp.srcport"}, {"tcp.type|", "tcp.type", "tcp.type"},
		{"qry.na|", "dns.qry.name", "dns.qry.name"},
		{"udp && ip.s| > 5", "ip.src", "udp && ip.src > 5"},
		{"udp && ip.s|rc == 10.0.0.1", "ip.src", "udp && ip.src == 10.0.0.1"}, {"(ip.tt|)", "ip.ttl", "(ip.ttl)"},
		{"!ip.tt|", "ip.ttl", "!ip.ttl"}, {"all ip.ad|", "ip.addr", "all ip.addr"},
		{"ip.ttl |", "==", "ip.ttl =="}, {"dns.qry.name |", "!contains", "dns.qry.name contains"},
		{"dns.qry.name ma|", "matches", "dns.qry.name matches"}, {"tcp |", "==", ""},
		{"ip.ttl == 5 |", "&&", "ip.ttl == 5 &&"}, {"ip.ttl == 5 o|", "or", "ip.ttl == 5 or"},
		{"tcp.analysis.retransmission |", "&&", "tcp.analysis.retransmission &&"}, {"ip.ttl contai|", "-", ""},
		{"udp.port in {1} |", "&&", "udp.port in {1} &&"}, {"(udp) |", "&&", "(udp) &&"},
		{"tcp.type == |", "ACK", "tcp.type == ACK"}, {"tcp.type == SY|", "SYN", "tcp.type == SYN"},
		{"tcp.type != sy| && udp", "SYN", "tcp.type != SYN && udp"},
		{"tcp.type in {SYN, FI|}", "FIN", "tcp.type in {SYN, FIN}"}, {"tcp.type not in {S|", "SYN", "tcp.type not in {SYN"},
		{"icmp.type == ech|", `"Echo (ping) reply"`, `icmp.type == "Echo (ping) reply"`},
		{`icmp.type == "Echo (p|`, `"Echo (ping) reply"`, `icmp.type == "Echo (ping) reply"`},
		{`icmp.type == "Ec|" || udp`, `"Echo (ping) reply"`, `icmp.type == "Echo (ping) reply" || udp`},
		{"icmp.type == ping|", `!"Echo (ping) request"`, ""}, {"icmp.type == 8|", `"Echo (ping) request"`, ""},
		{"ip.proto == ud|", "UDP", "ip.proto == UDP"}, {"tcp.flags.syn == |", "1", "tcp.flags.syn == 1"},
		{"tcp.flags.syn == T|", "True", "tcp.flags.syn == True"},
		{"ip.src == ip.d|", "ip.dst", "ip.src == ip.dst"}, {"udp.srcport == udp.dst|", "udp.dstport", ""},
		{"touhou.type == GAME_I|", "GAME_INPUT", "touhou.type == GAME_INPUT"},
		{"le|", "!len(", "len("}, {"coun|", "count(", "count("}, {"len(ip.sr|) > 1", "ip.src", "len(ip.src) > 1"},
		{"max(udp.srcport, udp.dst|", "udp.dstport", "max(udp.srcport, udp.dstport"},
		{"ip.src == ${ip.dst|}", "ip.dst", "ip.src == ${ip.dst}"}, {"@ip.sr|", "ip.src", "@ip.src"},
		{"{ip.tt|} > 5", "ip.ttl", "{ip.ttl} > 5"}, {"ip.ttl + frame.le|", "frame.len", "ip.ttl + frame.len"},
		{"no|", "!not", "not"}, {"_ws.col.inf|", "_ws.col.info", "_ws.col.info"}, {"frame contains \"te|\"", "-", ""},
		{"ip.src#2 |", "==", ""}, {"frame[0:2] |", "!contains", ""}, {"\"|", "-", ""}, {"ip.ttl == \"\\|", "-", ""},
	} {
		at := strings.IndexByte(c.text, '|')
		text := c.text[:at] + c.text[at+1:]
		if strings.Contains(c.text, "||") {
			at = strings.Index(c.text, "|\"")
			text = strings.Replace(c.text, "|\"", "\"", 1)
		}
		offers := filter.Complete(reg, text, at)
		want, anywhere := strings.CutPrefix(c.offer, "!")
		if c.offer == "-" {
			if len(offers) > 0 {
				t.Errorf("%s: %q is offered, want nothing", c.text, offers[0].Text)
			}
			continue
		}
		var got *filter.Completion
		for i := range offers {
			if offers[i].Text == want && (anywhere || i == 0) {
				got = &offers[i]
			}
		}
		if got == nil {
			t.Errorf("%s: %q is not offered; the first are %v", c.text, want, offers[:min(3, len(offers))])
			continue
		}
		if got.Doc == "" && got.Type != "packet type" || got.Type == "" {
			t.Errorf("%s: %+v says nothing of itself", c.text, *got)
		}
		if taken := text[:got.From] + got.Text + text[got.To:]; c.becomes != "" && taken != c.becomes {
			t.Errorf("%s: taking %q gives %q, want %q", c.text, want, taken, c.becomes)
		}
	}
}

// TestCompletionsCompile holds every offered value and field to be one: what is offered compiles when it is taken.
func TestCompletionsCompile(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	for _, name := range reg.FieldNames() {
		f := reg.Field(name)
		if len(f.Values()) == 0 {
			continue
		}
		for _, o := range filter.Complete(reg, name+" == ", len(name)+4) {
			if _, err := filter.Compile(reg, name+" == "+o.Text); err != nil {
				t.Errorf("%s == %s: %v", name, o.Text, err)
			}
		}
	}
}

func FuzzComplete(f *testing.F) {
	for _, s := range []string{"tcp.type == S", "ip.proto in {\"U", "max(ip.", "a && \"", "${ip.s} == 1", "f[0:"} {
		f.Add(s, len(s))
	}
	reg := dissecttest.Registry(f, protocols.All())
	f.Fuzz(func(t *testing.T, text string, cursor int) {
		if len(text) > 1000 {
			return
		}
		for _, o := range filter.Complete(reg, text, cursor) {
			if o.From < 0 || o.From > o.To || o.To > len(text) {
				t.Fatalf("%q at %d: %+v", text, cursor, o)
			}
		}
	})
}
