package filter_test

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
)

func compile(t testing.TB, reg *dissect.Registry, text string, opt filter.Options) *filter.Filter {
	t.Helper()
	f, err := filter.CompileWith(reg, text, opt)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return f
}

func TestReferences(t *testing.T) {
	s := sample(t)
	for _, c := range []struct {
		expr     string
		selected dissect.FrameNum
		want     int
	}{
		{"ip.src == ${ip.src}", 0, 0}, {"ip.src == ${ip.src}", 1, 4}, {"ip.src == ${ip.dst}", 1, 3},
		{"ip.src == $ip.dst", 1, 3}, {"ip.src != ${ip.src}", 1, 3}, {"ip.src == ${ip.src}", 5, 0},
		{"ip.addr == ${ip.addr}", 8, 7}, {"ip.addr === ${ip.addr}", 1, 0}, {"frame.number > ${frame.number} + 2", 3, 3},
		{"frame.time_relative >= ${frame.time_relative} - 0.001", 8, 2},
		{"udp.port in {${udp.port}}", 1, 2}, {"udp.port in {${udp.srcport}..${udp.dstport}}", 1, 2},
		{"ip.src == ${ip.src#1}", 1, 4}, {"ip.src == ${ip.src#2}", 1, 0},
		{"@ip.src == ${@ip.dst}", 1, 3}, {"eth.src[0:6] == ${eth.dst}", 1, 3}, {"max(frame.len, ${frame.len}) == 42", 8, 4},
	} {
		f := compile(t, s.Registry(), c.expr, filter.Options{})
		if !f.References() {
			t.Errorf("%s has no references", c.expr)
		}
		if c.selected > 0 {
			f = f.With(s.Tree(c.selected))
		} else {
			f = f.With(nil)
		}
		if got := countMatches(t, s, f); got != c.want {
			t.Errorf("%s with frame %d: %d match, want %d", c.expr, c.selected, got, c.want)
		}
	}
	if f := compile(t, s.Registry(), "udp", filter.Options{}); f.References() || f.With(s.Tree(1)) != f {
		t.Error("a filter without references changes with the selection")
	}
}

func TestMacros(t *testing.T) {
	s := sample(t)
	m, err := filter.ReadMacros(strings.NewReader("# remarks\n\n\"port\" udp.port == $1\nbetween udp.port in " +
		"{$1..$2}\n\"both\",\"$port($1) && ip.src == $2\"\nplain tcp || arp\nloop $loop($1)\nbad udp.prot == $1\n"))
	if err != nil {
		t.Fatal(err)
	}
	opt := filter.Options{Macros: m}
	for expr, want := range map[string]int{
		"$port(5000)": 2, "${port:5000}": 2, "${port;5000}": 2, "$between(5000, 6000)": 2, "${between:7000;8000}": 1,
		"$both(5000,10.0.0.1)": 1, "${plain}": 3, "$plain()": 3,
		"!$port(5000) && udp": 1, "$port(5000) || $port(7777)": 3, "frame contains \"$port(1)\"": 0, "ip.src == ${ip.src}": 0,
	} {
		f := compile(t, s.Registry(), expr, opt)
		if got := countMatches(t, s, f); got != want {
			t.Errorf("%s: %d match, want %d", expr, got, want)
		}
		if f.String() != expr {
			t.Errorf("%s calls itself %s", expr, f.String())
		}
	}
	for _, c := range []struct{ expr, culprit, says string }{
		{"tcp || $port()", "$port()", "takes 1 arguments, not 0"}, {"$port(1,2)", "$port(1,2)", "not 2"},
		{"$between(1,)", "$between(1,)", "nothing for its argument 2"},
		{"${between:1}", "${between:1}", "takes 2 arguments"}, {"$loop(1)", "$loop(1)", "too many"},
		{"tcp && $bad(1)", "$bad(1)", "udp.port"}, {"$port(1) && udp.prot", "udp.prot", "udp.port"},
		{"$port(foo)", "$port(foo)", "not a number"}, {"$nosuch(1)", "nosuch", ""},
	} {
		_, err := filter.CompileWith(s.Registry(), c.expr, opt)
		var e *filter.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, want an error", c.expr, err)
			continue
		}
		if got := c.expr[e.Pos:e.End]; !strings.Contains(got, c.culprit) && c.culprit != "nosuch" ||
			!strings.Contains(e.Error(), c.says) {
			t.Errorf("%s: %q at %q, want %q at %q", c.expr, e.Error(), got, c.says, c.culprit)
		}
	}
	if _, err := filter.ReadMacros(strings.NewReader("ok tcp\nnothing\n")); err == nil ||
		!strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line without a text: %v", err)
	}
}

func TestHostNames(t *testing.T) {
	s := sample(t)
	opt := filter.Options{Resolve: func(name string) []netip.Addr {
		if name == "here.example" {
			return []netip.Addr{netip.MustParseAddr("::1"), netip.MustParseAddr("10.0.0.9")}
		}
		return nil
	}}
	for expr, want := range map[string]int{"ip.addr == here.example": 1, "ip.dst != here.example": 6,
		"ip.dst in {here.example}": 1, "ipv6.src == here.example": 0} {
		if got := countMatches(t, s, compile(t, s.Registry(), expr, opt)); got != want {
			t.Errorf("%s: %d match, want %d", expr, got, want)
		}
	}
	if _, err := filter.CompileWith(s.Registry(), "ip.addr == there.example", opt); err == nil {
		t.Error("a host without an address is one")
	}
	if _, err := filter.Compile(s.Registry(), "ip.addr == localhost"); err != nil {
		t.Errorf("localhost: %v", err)
	}
}

func TestWarnings(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	for _, c := range []struct{ expr, culprit, says string }{
		{"ip.ttl ~= 3", "ip.ttl ~= 3", "!=="}, {"udp.port > -1", "-1", "never negative"},
		{"dns.qry.name == example", "example", "quotes"},
		{"ip.ttl != 3", "", ""}, {"ip.proto == UDP", "", ""}, {"ip.ttl === 3 || udp", "", ""},
	} {
		f := compile(t, reg, c.expr, filter.Options{})
		ws := f.Warnings()
		if c.says == "" {
			if len(ws) > 0 {
				t.Errorf("%s: %v, want no warning", c.expr, ws[0].Error())
			}
			continue
		}
		if len(ws) != 1 || c.expr[ws[0].Pos:ws[0].End] != c.culprit || !strings.Contains(ws[0].Error(), c.says) {
			t.Errorf("%s: %+v, want %q at %q", c.expr, ws, c.says, c.culprit)
		}
	}
}

// oldProto and its fields stand for a protocol that had another name once, with one name of two types.
var (
	dhcp   = dissect.NewProtocol("dhcp", "DHCP", "A protocol of the test.").Formerly("bootp")
	fOp    = dhcp.Uint8("op", "Op", "Operation.").Named(dissect.Values{1: "Request", 2: "Reply", 3: "Reply"})
	fAddr4 = dhcp.IPv4("addr", "Address", "An IPv4 address.")
	fAddr6 = dhcp.IPv6("addr", "Address", "An IPv6 address.")
	fFloat = dhcp.Float32("ratio", "Ratio", "A number with a fraction.")
	fGUID  = dhcp.GUID("guid", "GUID", "An identifier.")
	fInt   = dhcp.Int8("delta", "Delta", "A signed number.")
	fMixN  = dhcp.Uint8("mix", "Mix", "A number.")
	fMixT  = dhcp.String("mix", "Mix", "A text.")
)

func dhcpPlugin() dissect.Plugin {
	return dissect.Plugin{Protocol: dhcp, UDP: []uint16{5000}, Dissect: func(d *dissect.D) {
		d.Uint(fOp)
		d.Float(fFloat)
		d.Int(fInt)
		d.IPv4(fAddr4)
		d.IPv6(fAddr6)
		d.Bytes(fGUID, 16)
		d.Uint(fMixN)
		d.Rest(fMixT)
	}}
}

func TestOtherTypes(t *testing.T) {
	body := "\x02" + "\x3f\xc0\x00\x00" + "\xfb" + "\x0a\x00\x00\x07" + strings.Repeat("\x00", 15) + "\x07" +
		"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10" + "\x07late"
	others := slices.DeleteFunc(protocols.All(), func(p dissect.Plugin) bool { return p.Protocol.Name() == "dhcp" })
	s := dissecttest.Session(t, append(others, dhcpPlugin()), 1,
		dissecttest.Packets(udp(1, 2, 40000, 5000, body), udp(1, 2, 40000, 6000, "")))
	for expr, want := range map[string]int{
		"bootp": 1, "bootp.op == 2": 1, "bootp.op == Reply": 1, "dhcp.op != Reply": 0, "dhcp.op == \"request\"": 0,
		"dhcp.op in {Reply}": 1, "dhcp.op === reply": 1,
		"dhcp.addr == 10.0.0.7": 1, "dhcp.addr == 10.0.0.0/8": 1, "dhcp.addr == ::7": 1, "dhcp.addr == ::8": 0,
		"dhcp.addr != 10.0.0.8": 1, "dhcp.addr in {::1..::9}": 1, "dhcp.addr in {10.0.0.8}": 0,
		"count(dhcp.addr) == 2": 1, "string(dhcp.addr) == \"10.0.0.7\"": 1, "string(dhcp.addr) == \"::7\"": 1,
		"dhcp.addr == ip.src": 0, "any dhcp.addr == 10.0.0.7": 1,
		"dhcp.ratio == 1.5": 1, "dhcp.ratio > 1.4e0": 1, "dhcp.ratio * 2 == 3": 1, "-dhcp.ratio < 0": 1,
		"dhcp.ratio in {1..2}": 1, "abs(dhcp.ratio - 3) == 1.5": 1, "dhcp.ratio + 1 >= 2.5": 1, "1.5 == dhcp.ratio": 1,
		"dhcp.delta == -5": 1, "dhcp.delta < 0": 1, "-dhcp.delta == 5": 1, "abs(dhcp.delta) == 5": 1,
		"dhcp.delta + 10 == 5": 1, "dhcp.delta in {-8..-2}": 1, "dhcp.delta == -128": 0, "dhcp.delta * -1 == 5": 1,
		"dhcp.delta % 3 == -2": 1, "dhcp.delta / 2 == -2": 1,
		"dhcp.guid == 01020304-0506-0708-090a-0b0c0d0e0f10":             1,
		"string(dhcp.guid) == \"01020304-0506-0708-090a-0b0c0d0e0f10\"": 1, "@dhcp.delta == fb": 1, "@dhcp.ratio[0] == 3f": 1,
		"len(dhcp.addr) == 16": 1, "len(dhcp.delta) == 1": 1,
		"matches_nothing": -1, "dhcp.delta == 128": -1, "dhcp.delta == -129": -1, "dhcp.ratio == abc": -1,
		"dhcp.ratio % 2 == 1": -1, "dhcp.addr == 5": -1, "dhcp.guid == 01:02": -1, "dhcp.guid[0]": -1, "dhcp.op > Reply": -1,
		"dhcp.op matches \"^rep\"": 1, "vals(dhcp.op) contains \"ply\"": 1, "dhcp.op in {Request..Reply}": 1,
		"dhcp.mix contains \"at\"": 1, "dhcp.mix contains \"7\"": 0, "dhcp.mix matches \"^LA\"": 1, "dhcp.mix == 7": 1,
		"dhcp.mix == \"late\"": 1, "dhcp.addr contains \"7\"": -1, "dhcp.addr matches \"7\"": -1,
	} {
		f, err := filter.Compile(s.Registry(), expr)
		if err != nil {
			if want >= 0 {
				t.Errorf("%s: %v", expr, err)
			}
			continue
		}
		if got := countMatches(t, s, f); got != want {
			t.Errorf("%s: %d match, want %d", expr, got, want)
		}
	}
	f := compile(t, s.Registry(), "bootp.op == 1", filter.Options{})
	if ws := f.Warnings(); len(ws) != 1 || !strings.Contains(ws[0].Error(), "dhcp.op") {
		t.Errorf("an old name: %+v", ws)
	}
}

// TestNoMemoryPerPacket holds filters of all kinds to use their scratch memory again.
func TestNoMemoryPerPacket(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops pooled memory on purpose")
	}
	s := sample(t)
	l := s.Dissector()
	for _, expr := range []string{
		"udp.port == 5000", "ip.addr == 10.0.0.0/8 && tcp.flags.syn == 1", "data.data contains \"World\"",
		"frame[0:2,4-5] == ff:ff:ff:ff", "ip.src == ip.dst", "len(data.data) > 8", "count(ip.addr) == 2",
		"string(ip.src) contains \"9\"", "max(udp.srcport, udp.dstport) > 6000", "udp.srcport + 1000 == udp.dstport",
		"ip.src & 255.0.0.0 == 10.0.0.0", "eth.src#[-1] == 00:00:00:00:00:01",
		"data matches \"wor.d\"", "ip.proto matches \"udp\"", "udp.port in {1, 5..9, 5000}", "ip.src in {ip.dst, 10.0.0.1}",
		"frame.time_delta * 2 > 0.001", "@udp.port == 13:88", "ip_rfc1918(ip.src)", "tcp.type == SYN",
		"any ip.addr != 10.0.0.1",
	} {
		f := compile(t, s.Registry(), expr, filter.Options{})
		for n := 1; n <= s.Passed(); n++ {
			f.Match(l, dissect.FrameNum(n))
		}
		n := 0
		if got := testing.AllocsPerRun(400, func() { n = n%s.Passed() + 1; f.Match(l, dissect.FrameNum(n)) }); got > 0 {
			t.Errorf("%s: %v allocations a packet", expr, got)
		}
	}
}

// TestTheIndexAnswers holds filters on packet types and protocols to ask no frame's bytes.
func TestTheIndexAnswers(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), captures+"touhou/vanilla.pcapng")
	l := s.Dissector()
	for _, expr := range []string{"touhou", "!touhou && udp", "touhou.type == GAME_INPUT",
		"touhou.type in {HELLO, OLLEH} || arp", "tcp.port == 80", "dns.qry.name contains \"a\" && touhou"} {
		f, err := filter.Compile(s.Registry(), expr)
		if err != nil {
			t.Fatal(err)
		}
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			if filter.Open(f, s, n) {
				t.Fatalf("%s: the index leaves frame %d open", expr, n)
			}
			if got, want := f.Match(l, n), filter.MatchTree(f, l.Tree(n)); got != want {
				t.Fatalf("%s, frame %d: the index says %v, the tree %v", expr, n, got, want)
			}
		}
	}
}

// TestOnlyWhatIsNeededIsRead holds filters to want no more fields than can decide them.
func TestOnlyWhatIsNeededIsRead(t *testing.T) {
	reg := dissecttest.Registry(t, protocols.All())
	for expr, want := range map[string]string{
		"tcp": "", "udp.srcport == 5": "udp.srcport", "tcp && ip.ttl > 5": "ip.ttl", "ip.ttl > 5 && ip.ttl < 9": "ip.ttl",
		"ip.ttl == ${ip.ttl}": "", "ip.ttl > 5 && udp.port == ${udp.port}": "",
		"ip.src#[-1] == 10.0.0.1": "ip.src ip", "frame": "", "ip.ttl == 2 + 3": "ip.ttl", "udp.port > -1": "",
	} {
		var got []string
		for _, f := range compile(t, reg, expr, filter.Options{}).Fields() {
			got = append(got, f.Name())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s wants %v, want %q", expr, got, want)
		}
	}
}
