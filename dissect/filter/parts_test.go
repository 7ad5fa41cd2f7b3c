package filter

import (
	"testing"
	"time"
)

func TestTimes(t *testing.T) {
	east := time.FixedZone("", 2*3600)
	for _, c := range []struct{ text, want string }{
		{"2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z"},
		{"2024-02-29 12:00:00Z", "2024-02-29T12:00:00Z"},
		{"2024-02-29T12:00:00.5+02:00", "2024-02-29T10:00:00.5Z"},
		{"2024-02-29T12:00:00", "2024-02-29T10:00:00Z"},
		{"2024-02-29 12:00:00.123456789 UTC", "2024-02-29T12:00:00.123456789Z"},
		{"2024-02-29 12:00:00.1234567890", "2024-02-29T10:00:00.123456789Z"},
		{"2024-02-29 12:00", "2024-02-29T10:00:00Z"},
		{"2024-02-29 12", "2024-02-29T10:00:00Z"},
		{"2024-02-29", "2024-02-28T22:00:00Z"},
		{"2024-02-29 UTC", "2024-02-29T00:00:00Z"},
		{"2024-02-29 12:00 UTC", "2024-02-29T12:00:00Z"},
		{"Feb 29, 2024 12:00:00.5 UTC", "2024-02-29T12:00:00.5Z"},
		{"Feb  9, 2024 12:00:00", "2024-02-09T10:00:00Z"},
		{"Feb 9, 2024 12:00:00 GMT", "2024-02-09T12:00:00Z"},
		{"2024-02-29 12:00:00 EST", "2024-02-29T17:00:00Z"},
		{"2024-02-29 12:00:00 A", "2024-02-29T11:00:00Z"},
		{"2024-02-29 12:00:00 -0330", "2024-02-29T15:30:00Z"},
		{"0", "1970-01-01T00:00:00Z"},
		{"1709208000.25", "2024-02-29T12:00:00.25Z"},
		{"2024-02-30", ""}, {"2024-02-29 12:00.5", ""}, {"2024-02-29 12:00:00.", ""}, {"2024-02-29 12:00:00.1234567891", ""},
		{"2024-02-29 12:00:00 NOWHERE", ""},
		{"2024-02-29 12:00:00 UTC and", ""}, {"Febr 29, 2024 12:00:00", ""}, {"yesterday", ""}, {"", ""}, {"-5", ""},
		{"9999-01-01", ""},
	} {
		got := ""
		if at, ok := parseTime(c.text, east); ok {
			got = at.UTC().Format(time.RFC3339Nano)
		}
		if got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
	for text, want := range map[string]int64{"0": 0, "1": 1e9, "0.025": 25e6, "-1.5": -15e8, "1.123456789": 1123456789,
		"1.1000000000": 11e8} {
		if got, ok := parseSpanText(text); !ok || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", ".5", "1.", "1e-3", "1.1234567891", "1s", "--1", "99999999999"} {
		if got, ok := parseSpanText(text); ok {
			t.Errorf("%q is %d seconds, want a mistake", text, got)
		}
	}
}

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		text string
		want span
	}{
		{"3", span{3, 1}}, {"-1", span{-1, 1}}, {"0x10", span{16, 1}}, {"010", span{8, 1}}, {"1:2", span{1, 2}},
		{"-4:2", span{-4, 2}}, {"2-4", span{2, 3}}, {"-4--2", span{-4, 3}},
		{":4", span{0, 4}}, {"4:", span{4, -1}}, {":", span{0, -1}}, {"-4:", span{-4, -1}}, {" 1 : 2 ", span{1, 2}},
	} {
		if got, err := parseSpan(c.text); err != nil || got != c.want {
			t.Errorf("%q is %v (%v), want %v", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"a", "1:0", "1:-1", "4-2", "2-2", "-4-2", "1_0", "99999999999"} {
		if got, err := parseSpan(text); err == nil {
			t.Errorf("%q is %v, want a mistake", text, got)
		}
	}
}

func TestLooksLikeCapture(t *testing.T) {
	for text, want := range map[string]bool{
		"host 192.0.2.1": true, "udp port 10800": true, "tcp and port 80": true, "src net 10.0.0.0/8": true,
		"not port 22": true, "(udp port 53)": true, "ether host 00:00:00:00:00:01": true,
		"tcp": false, "tcp.port == 80": false, "udp && ip": false, "host": false, "": false, "ip.host == host": false,
		"port == 80": false,
	} {
		if got := LooksLikeCapture(text); got != want {
			t.Errorf("%q looks like a capture filter: %v, want %v", text, got, want)
		}
	}
}

func TestMacroFiles(t *testing.T) {
	for line, want := range map[string]string{
		`net ip.addr == $1`: "ip.addr == $1", `"net" ip.addr == $1`: "ip.addr == $1",
		`"net","ip.addr == \"$1\""`: `ip.addr == "$1"`, `net, ip`: "ip",
	} {
		name, text, ok := macroLine(line)
		if !ok || name != "net" || text != want {
			t.Errorf("%q is %q %q %v, want %q", line, name, text, ok, want)
		}
	}
	for _, line := range []string{"net", `"net`, `"" ip`, "n.t ip"} {
		if name, text, ok := macroLine(line); ok {
			t.Errorf("%q is %q %q, want a mistake", line, name, text)
		}
	}
}
