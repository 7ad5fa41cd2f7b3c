package term

import (
	"path/filepath"
	"reflect"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
)

// TestQuote reads what was quoted back.
func TestQuote(t *testing.T) {
	for _, s := range []string{"", "a", `say "hi"`, `C:\new\x41`, "tab\tnewline\nnothing\x00", "\x7f\x1b[31m", "größer",
		"日本", "\xff\xfe", `"`, `\`, "a || b"} {
		e, err := filter.Parse("dns.qry.name == " + Quote(s))
		if err != nil {
			t.Errorf("%q quoted is %s: %v", s, Quote(s), err)
			continue
		}
		if got := e.Args[1]; got.Op != filter.OpString || got.Text != s {
			t.Errorf("%q quoted is read as %q", s, got.Text)
		}
	}
}

// meaning is a filter without the places of its parts.
func meaning(t *testing.T, text string) *filter.Expr {
	t.Helper()
	e, err := filter.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var bare func(e *filter.Expr)
	bare = func(e *filter.Expr) {
		e.Pos, e.End = 0, 0
		for _, a := range e.Args {
			bare(a)
		}
	}
	bare(e)
	return e
}

// TestJoinsKeepTheMeaning: two filters joined mean what they do with brackets around both.
func TestJoinsKeepTheMeaning(t *testing.T) {
	parts := []string{"tcp", "!udp", "ip.ttl == 3", "tcp || udp", "tcp or udp", "tcp\tor\nudp", "(tcp) or(udp)",
		"tcp xor udp", "tcp ^^ udp", "tcp and udp", "tcp && udp", "not(tcp)and(udp)", `dns.qry.name == "a or b"`}
	for _, a := range parts {
		for _, b := range parts {
			for _, op := range []string{"&&", "||"} {
				if got, want := Join(a, op, b), "("+a+") "+op+" ("+b+")"; !reflect.DeepEqual(meaning(t, got), meaning(t, want)) {
					t.Errorf("%q is not %q", got, want)
				}
			}
			if got, want := And(a, b),
				"("+a+") && ("+b+")"; len(flat(meaning(t, got), nil)) != len(flat(meaning(t, want), nil)) {
				t.Errorf("%q is not %q", got, want)
			}
		}
		for _, got := range []string{Join(a, "&&", ""), Join("", "||", a), And(a, ""), And("", a)} {
			if got != a {
				t.Errorf("%q joined with nothing is %q", a, got)
			}
		}
	}
}

// flat are the terms that "and" joins, however they are bracketed.
func flat(e *filter.Expr, to []*filter.Expr) []*filter.Expr {
	if e.Op != "&&" {
		return append(to, e)
	}
	for _, a := range e.Args {
		to = flat(a, to)
	}
	return to
}

func TestBrackets(t *testing.T) {
	for text, want := range map[string]string{"tcp": "tcp", "!tcp": "!tcp", "tcp.flags.syn == 1": "tcp.flags.syn == 1",
		"tcp && udp": "(tcp && udp)"} {
		if got := Bracketed(text); got != want {
			t.Errorf("%s becomes %s", text, got)
		}
	}
	if got := And("tcp && ip", "udp || dns"); got != "tcp && ip && (udp || dns)" {
		t.Errorf("%s", got)
	}
}

func TestPlain(t *testing.T) {
	for s, want := range map[string]bool{"QUERY": true, "GAME_INPUT2": true, "_": true, "": false, "2ND": false,
		"query": false, "A B": false, "Ä": false, "A\x00": false} {
		if Plain(s) != want {
			t.Errorf("Plain(%q) is %v", s, !want)
		}
	}
}

// TestValuesAreFound: the filter for a field's value, as it is written, finds the packet that has it.
func TestValuesAreFound(t *testing.T) {
	plugins := protocols.All()
	for _, name := range []string{"kaillera/evening.pcapng", "lan/dns.pcap", "lan/dhcp.pcap", "lan/http.pcap"} {
		s := dissecttest.Load(t, plugins, filepath.Join("..", "..", "fixtures", "captures", name))
		l, other := s.Dissector(), s.Dissector()
		done := map[string]bool{}
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := l.Tree(n)
			for i := range tree.Nodes {
				value := Value(tree, i)
				text := tree.Field(i).Name() + " == " + value
				if value == "" || done[text] {
					continue
				}
				done[text] = true
				f, err := filter.Compile(s.Registry(), text)
				if err != nil {
					t.Errorf("%s: %v", text, err)
				} else if !f.Match(other, n) {
					t.Errorf("%s: packet %d is not found by %s", name, n, text)
				}
			}
		}
		if len(done) < 50 {
			t.Errorf("%s: only %d values", name, len(done))
		}
	}
}
