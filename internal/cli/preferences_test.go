package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPreferencesChangeWhatIsRead(t *testing.T) {
	t.Parallel()
	fields := []string{"-r", "fixtures/captures/lan/lan.pcapng", "-c", "400", "-T", "fields", "-e", "tcp.checksum.status"}
	if r := remora(t, nil, fields...); strings.Contains(r.out, "1") || !strings.Contains(r.out, "2") {
		t.Errorf("checksums are verified unasked:\n%.200s%s", r.out, r.err)
	}
	if r := remora(t, nil, append(fields, "-o", "tcp.check_checksum: true")...); !strings.Contains(r.out, "1") {
		t.Errorf("checksums are not verified:\n%.200s%s", r.out, r.err)
	}
}

func TestPortsOfProtocols(t *testing.T) {
	t.Parallel()
	ask := []string{"-r", "fixtures/captures/lan/dns.pcap", "-T", "fields", "-e", "dns.qry.name"}
	if r := remora(t, nil, ask...); strings.TrimSpace(r.out) == "" {
		t.Fatalf("nothing is found: %s", r.err)
	}
	if r := remora(t, nil,
		append(ask, "-o", "dns.udp.port:5,7-9", "-o", "dns.tcp.port:5")...); strings.TrimSpace(r.out) != "" {
		t.Errorf("the usual port is still taken:\n%s%s", r.out, r.err)
	}
}

// TestWrongPreferences looks at what is said, and at the exit code.
func TestWrongPreferences(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"tcp.check_checksm:TRUE", "did you mean tcp.check_checksum?"},
		{"tcp.check_checksum:yes", "is TRUE or FALSE"},
		{"tcp.check_checksum", "it takes NAME:VALUE"},
		{"uat:tcp.check_checksum:TRUE", "there is no table of preferences"},
		{"dns.udp.port:x", "takes ports"}, {"http.tcp.port:80,99999", "takes ports"},
		{"tls.keylog_file:/nowhere/keys", "/nowhere/keys"},
	} {
		r := remora(t, nil, "-r", "fixtures/captures/lan/dns.pcap", "-o", c[0])
		if r.code != 2 || !strings.Contains(r.err, c[1]) {
			t.Errorf("-o %s: code %d, %s", c[0], r.code, r.err)
		}
	}
	if r := remora(t, nil, "-G", "nothing"); r.code != 2 || !strings.Contains(r.err, "there are column-formats") {
		t.Errorf("-G nothing: code %d, %s", r.code, r.err)
	}
}

// TestTsharksSeat starts the program by the name tshark.
func TestTsharksSeat(t *testing.T) {
	t.Parallel()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "tshark")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		out  string
	}{
		{"-A", 1, ""}, {"-e", 1, ""}, {"-r fixtures/captures/lan/dns.pcap -Y nothing", 2, ""},
		{"-2 -R nothing -r fixtures/captures/lan/dns.pcap", 2, ""},
		{"-z io,phs,nothing -r fixtures/captures/lan/dns.pcap", 1, ""},
		{"-r fixtures/captures/lan/dns.pcap -H /nowhere", 1, ""}, {"-r fixtures/captures/lan/dns.pcap -e dns.id", 1, ""},
		{"-r fixtures/captures/lan/dns.pcap -c1 -s 9 -p -I -y EN10MB", 0, "DNS"},
		{"-r fixtures/captures/lan/dns.pcap -c1 --disable-protocol nothing --color --log-level debug", 0, "DNS"},
		{"-r /nowhere/x.pcap", 2, ""}, {"-r main.go", 2, ""}, {"-G ftypes", 0, "FT_NONE"}, {"-G", 0, "ip.ttl"},
		{"-r fixtures/captures/lan/dns.pcap -c1", 0, "DNS"},
		{"-r fixtures/captures/lan/dns.pcap -c0", 1, ""}, {"-r fixtures/captures/lan/dns.pcap -M0", 1, ""},
		{"-r fixtures/captures/lan/dns.pcap -f udp", 1, ""}, {"-r fixtures/captures/lan/dns.pcap -L", 1, ""},
		{"-r fixtures/captures/lan/dns.pcap -c 99999999999", 1, ""},
		{"-r fixtures/captures/lan/dns.pcap -X nonsense:1 -d udp.port=53,dhcp", 0, " BOOTP "},
		{"-r fixtures/captures/lan/raw.pcap -T json -j icmp", 0, `"raw": "Raw packet data"`},
		{"-r fixtures/captures/lan/raw.pcap -V", 0, "Data (48 bytes)\n\n0000  "},
		{"-r fixtures/captures/lan/raw.pcap -V", 0, "()*+,-./01234567\n    Data: "},
		{"-r fixtures/captures/lan/http.pcap -V", 0, "\n    Acknowledgment Number: 0\n"},
		{"-r fixtures/captures/lan/http.pcap -V", 0, "\n    Acknowledgment Number: 1    (relative ack number)\n"},
		{"-r fixtures/captures/lan/dns.pcap -a duration:1", 1, ""}, {"-i nonsense -c1", 1, ""}, {"-i 99", 1, ""},
		{"-r fixtures/captures/lan/dns.pcap -i nonsense -E header=y -j ip -C Default", 0, "DNS"},
		{"-r fixtures/captures/lan/dns.pcap -O nonsense", 0, "Frame 1"}, {"-z help", 0, ""}, {"--export-objects help", 0, ""},
		{"-r fixtures/captures/lan/dns.pcap -q -V", 0, "Frame 1"}, {"-r fixtures/captures/lan/dns.pcap -x -T pdml", 1, ""},
		{"-r fixtures/captures/lan/dns.pcap -o gui.column.format:No.,%m", 0, "    2\n    3\n"},
		{"-r fixtures/captures/lan/dns.pcap -q -z expert -z io,phs", 0, "\n======"},
		{"-r fixtures/captures/lan/dns.pcap -T ek -P -c1", 0, `"protocol":"DNS","length":"`},
		{"-r fixtures/captures/lan/dns.pcap -w - -F nsecpcap", 0, "\x4d\x3c\xb2\xa1"},
		{"--log-level nonsense -r main.go", 1, ""}, {"-r main.go -h", 0, "remora help"},
	} {
		cmd := exec.Command(link, strings.Fields(c.args)...)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		out, _ := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.out) {
			t.Errorf("tshark %s: code %d, want %d: %.200s", c.args, code, c.code, out)
		}
	}
}

// TestNamesAreKept takes the names that Wireshark's folder and its profiles have.
func TestNamesAreKept(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".config", "wireshark", "profiles", "Work at home")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	addr := strings.Fields(remora(t, nil, "-r", "fixtures/captures/lan/dns.pcap", "-c1", "-T", "fields", "-e", "ip.src").
		out)
	if len(addr) != 1 {
		t.Fatal(addr)
	}
	if err := os.WriteFile(filepath.Join(dir, "hosts"), []byte(addr[0]+" the-one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-r", "fixtures/captures/lan/dns.pcap", "-P", "-C", "Work at home", "-o",
		"nameres.network_name:TRUE")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "the-one") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestReassemblyOff leaves fragments and segments as they are, in all ways of reading a packet.
func TestReassemblyOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ capture, preference, joined, kept string }{
		{"fragments.pcap", "ip.defragment", "ip.fragments", "ip.flags.mf == 1 && icmp"},
		{"fragments.pcap", "ipv6.defragment", "ipv6.fragments", "ipv6.fraghdr.offset == 0 && icmpv6"},
		{"http.pcap", "tcp.desegment_tcp_streams", "tcp.segments", "http.response"},
		{"http.pcap", "http.desegment_body", "http.response && tcp.segments", "http.response"},
		{"tls13.pcapng", "tls.desegment_ssl_records", "tls && tcp.segments", "tls.handshake"},
	} {
		found := func(value, filter string) string {
			return remora(t, nil, "-r", "fixtures/captures/lan/"+c.capture, "-o", c.preference+":"+value, "-Y", filter,
				"-T", "fields", "-e", "frame.number").out
		}
		if found("TRUE", c.joined) == "" || found("FALSE", c.joined) != "" {
			t.Errorf("%s of %s: on %q, off %q", c.preference, c.capture, found("TRUE", c.joined), found("FALSE", c.joined))
		}
		if found("FALSE", c.kept) == "" {
			t.Errorf("%s of %s: nothing is %s", c.preference, c.capture, c.kept)
		}
	}
}

// TestTreesOfSegmentsApart: the trees of segments that are not put together are the same in one pass and dissected
// again.
func TestTreesOfSegmentsApart(t *testing.T) {
	t.Parallel()
	args := []string{"-r", "fixtures/captures/lan/tls13.pcapng", "-o", "tcp.desegment_tcp_streams:FALSE", "-V"}
	once, again := remora(t, nil, args...).out, remora(t, nil, append(args, "-Y", "frame")...).out
	if once == "" || once != again {
		t.Error(firstDifference(again, once))
	}
}

// seat runs the program by the name tshark.
func seat(t *testing.T, args ...string) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "tshark")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link, args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir(), "TZ=UTC")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return string(out)
}

// TestWiresharksProfile takes preferences, decode-as rules and heuristics as Wireshark keeps them in a profile.
func TestWiresharksProfile(t *testing.T) {
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	config := t.TempDir()
	dir := filepath.Join(config, "wireshark", "profiles", "lab")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"preferences": "# Wireshark\nudp.check_checksum: TRUE\ngui.toolbar: 3\ngui.column.format:\n\t\"No.\", " +
			"\"%m\",\n\t\"P\", \"%p\"\n" +
			"ntp.udp.port: 53\n",
		"decode_as_entries": "decode_as_entry: udp.port,53,DNS,TFTP\ndecode_as_entry: nothing,1,(none),X\n",
		"heuristic_protos":  "nothing_udp,0\ntouhou_udp,0\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(args ...string) string {
		cmd := exec.Command(path, append([]string{"-n", "-c", "1", "-r", "fixtures/captures/lan/dns.pcap"}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME="+config)
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%v: %v", args, err)
		}
		return string(out)
	}
	if got := ask("-C", "lab", "-P"); got != "    1 NTP\n" && got != "    1 TFTP\n" {
		t.Errorf("%q", got)
	}
	for _, c := range [][2]string{{"", "2\n"}, {"lab", "1\n"}} {
		if got := ask("-C", c[0], "-T", "fields", "-e", "udp.checksum.status"); got != c[1] {
			t.Errorf("profile %q: the checksum's status is %q, want %q", c[0], got, c[1])
		}
	}
}

// TestTsharksForms looks for what json and ek have in tshark's seat alone, and for what -j and -J leave.
func TestTsharksForms(t *testing.T) {
	t.Parallel()
	read := []string{"-r", "fixtures/captures/lan/dhcp.pcap", "-c1", "-T"}
	for _, c := range []struct {
		args      string
		has, lack []string
	}{
		{"json", []string{`"dhcp.option.end": "255"`, `"Timestamps": {`, `"dhcp.option.type": "0"`},
			[]string{`"dir"`, `"[Timestamps]"`, "dhcp.response_in"}},
		{"jsonraw", []string{`"dhcp.type_raw": [`, `"ip.version_raw": [` + "\n            \"45\""},
			[]string{`"dhcp.type": "`}},
		{"fields -e text", []string{"Timestamps"}, []string{"[Timestamps]"}},
		{"ek", []string{`"text":"Timestamps"`, `"eth_eth_addr":"`}, []string{`"eth_eth_addr":[`}},
		{"ek -x", []string{`"eth_raw":"`, `"ip_ip_version_raw":"45"`}, []string{`"udp_udp_stream_raw"`}},
		{"ek -j dhcp", []string{`"ip":{"filtered":"ip"}`, `"dhcp_dhcp_type":{"filtered":"dhcp.type"}`},
			[]string{"ip_ip_ttl"}},
		{"ek -J dhcp", []string{`"ip":{"filtered":"ip"}`, `"dhcp_dhcp_type":"1"`}, []string{"ip_ip_ttl"}},
		{"json -J ip", []string{"\"dhcp\": {\n          \"filtered\": \"dhcp\"\n        }", `"ip.ttl": "`},
			[]string{"dhcp.type"}},
	} {
		out := seat(t, append(append([]string{}, read...), strings.Fields(c.args)...)...)
		for _, want := range c.has {
			if !strings.Contains(out, want) {
				t.Errorf("-T %s lacks %s:\n%.3000s", c.args, want, out)
			}
		}
		for _, bad := range c.lack {
			if strings.Contains(out, bad) {
				t.Errorf("-T %s has %s", c.args, bad)
			}
		}
	}
}

func TestGroupsThatAreFields(t *testing.T) {
	t.Parallel()
	out := seat(t, "-r", lanCapture, "-Y", "tcp.analysis.initial_rtt && http.chat", "-T", "json")
	for _, want := range []string{`"tcp.analysis": {`, `"_ws.expert.severity": "2097152"`,
		`"_ws.expert.group": "33554432"`,
		`"Timestamps": {`} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing:\n%.3000s", want, out)
		}
	}
}

func TestInterfacesByNumber(t *testing.T) {
	t.Parallel()
	if r := remora(t, nil, "-i", "0", "-c1", "-q"); r.code != 3 ||
		!strings.Contains(r.err, "no interface with that adapter index") {
		t.Errorf("-i 0: code %d, %s", r.code, r.err)
	}
	if r := remora(t, nil, "-r", lanCapture, "-q", "-z", "expert,nothing"); r.code != 2 ||
		!strings.Contains(r.err, `Filter "nothing" is invalid`) {
		t.Errorf("-z expert,nothing: code %d, %s", r.code, r.err)
	}
}

func TestColumnsOfSummaryLines(t *testing.T) {
	t.Parallel()
	ask := func(format string) ran {
		return remora(t, nil, "-r", "fixtures/captures/lan/dhcp.pcap", "-c1", "-P", "-o", "gui.column.format:"+format)
	}
	for _, c := range [][2]string{
		{`"No.","%m","Type","%Cus:dhcp.option.dhcp:0:R","Raw","%Cus:dhcp.option.dhcp:0:U"`, "    1 Discover 1\n"},
		{`"Requested","%Cus:dhcp.option.request_list_item:0:U"`, ","},
		{`"T","%Yut","D","%Tt","P","%uS","P","%uD","A","%us"`, ".000000000 68 67      0.0.0.0\n"},
		{`"H","%hs","N","%nd","U","%uhd"`, "ff:ff:ff:ff:ff:ff"},
		{`"S","%S","U","%uS","F","%f","B","%B","a","%a","q","%q"`, "68 68 4 364  \n"},
		{`"S","%s","D","%d","P","%p"`, " → 255.255.255.255 DHCP\n"},
	} {
		if r := ask(c[0]); r.code != 0 || !strings.Contains(r.out, c[1]) {
			t.Errorf("%s: %d, %q %s, want %q", c[0], r.code, r.out, r.err, c[1])
		}
	}
	for _, bad := range []string{`"No."`, `"No.","%Z"`, `No.`, `"X","%Cus:no.such.field:0:R"`} {
		if r := ask(bad); r.code != 2 || !strings.Contains(r.err, "gui.column.format") {
			t.Errorf("%s: %d, %s", bad, r.code, r.err)
		}
	}
}

// TestSinceThePacketShownBefore: the time counts from the packet printed before, on one core and on two.
func TestSinceThePacketShownBefore(t *testing.T) {
	t.Parallel()
	args := []string{"-r", lanCapture, "-Y", "tcp", "-T", "fields", "-e", "frame.time_epoch", "-e",
		"frame.time_delta_displayed"}
	last := time.Time{}
	out := remora(t, nil, args...).out
	for line := range strings.Lines(out) {
		var at, since float64
		if _, err := fmt.Sscan(line, &at, &since); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		now := time.Unix(0, int64(at*1e9))
		want := now.Sub(last).Seconds()
		if last.IsZero() {
			want = 0
		}
		if gap := want - since; gap > 1e-6 || gap < -1e-6 {
			t.Fatalf("%q is %v behind the packet before", line, now.Sub(last))
		}
		last = now
	}
	if one := remoraWith(t, []string{"GOMAXPROCS=1", "HOME=" + t.TempDir()}, nil, args...).out; out == "" || one != out {
		t.Error(firstDifference(one, out))
	}
}
