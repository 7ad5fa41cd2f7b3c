package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// counted is what a -z prints of a capture.
func counted(t *testing.T, file string, words ...string) string {
	t.Helper()
	args := []string{"-n", "-q", "-r", file}
	for _, w := range words {
		args = append(args, "-z", w)
	}
	got := remora(t, nil, args...)
	if got.code != 0 {
		t.Fatalf("-z %v: exit %d\n%s", words, got.code, got.err)
	}
	return got.out
}

// TestStatisticsOfEachForm looks for a line that is known of the fixtures in what every -z prints.
func TestStatisticsOfEachForm(t *testing.T) {
	t.Parallel()
	game := filepath.Join("fixtures", "captures", "touhou", "vanilla.pcapng")
	age := filepath.Join("fixtures", "captures", "aoe2", "game.pcapng")
	netplay := filepath.Join("fixtures", "captures", "kaillera", "lossy.pcapng")
	for _, c := range []struct{ file, words, want string }{
		{lan("lan.pcapng"), "io,phs", "\neth                                      frames:678 bytes:143046\n"},
		{lan("lan.pcapng"), "io,phs,arp", "\n  arp                                    frames:15 bytes:630\n"},
		{lan("lan.pcapng"), "io,stat,0,SUM(frame.len)", "143046 |"},
		{lan("lan.pcapng"), "conv,udp", "UDP Conversations"},
		{lan("lan.pcapng"), "endpoints,eth",
			"00:00:5e:00:53:0a            548        131562        291           38838         257           92724"},
		{lan("lan.pcapng"), "types", "  QUERY  "},
		{lan("lan.pcapng"), "types,arp", "Filter:arp\n"},
		{lan("lan.pcapng"), "expert", "Warns ("},
		{lan("lan.pcapng"), "expert,warn,tcp", "  Sequence                TCP  "},
		{lan("lan.pcapng"), "plen,tree", " 1280-2559         42            1433.05"},
		{lan("lan.pcapng"), "http,tree", "   404 Not Found          1 "},
		{lan("lan.pcapng"), "dns,tree", "  AAAA (IPv6 Address)                        16 "},
		{lan("lan.pcapng"), "ip_hosts,tree", " 192.0.2.10       470 "},
		{lan("lan.pcapng"), "dests,tree", "   58812                33 "},
		{lan("lan.pcapng"), "ipv6_ptype,tree", "IPv6 Statistics/IP Protocol Types"},
		{lan("lan.pcapng"), "http_req,tree", "  /data.txt                 3 "},
		{lan("lan.pcapng"), "http_srv,tree", "  KO                              1 "},
		{lan("lan.pcapng"), "http_seq,tree", "HTTP/Request Sequences"},
		{lan("http2.pcapng"), "http2,tree", "  WINDOW_UPDATE  9 "},
		{lan("ldap.pcap"), "ldap,srt", "\n    3  Search                     10   0.000115   0.000538 "},
		{filepath.Join("protocols", "rtp", "testdata", "rtsp.pcap"), "rtsp,tree", "   200 OK "},
		{lan("lan.pcapng"), "icmp,srt", "0.018     17.524    6.361     8.578     4.412          5         28"},
		{lan("lan.pcapng"), "follow,tcp,messages,0", " GET /style.css"},
		{lan("http2.pcapng"), "follow,http2,ascii,0,1", "http2.streamid eq 1\n"},
		{lan("quic.pcapng"), "follow,quic,hex,0,0", "quic.stream.stream_id eq 0\n"},
		{lan("lan.pcapng"), "properties", "Duration:            40.677606256 seconds\n"},
		{lan("lan.pcapng"), "properties",
			"SHA256:              168acb922c952792879549691b45cd67acc352b0599501e93ad3c7a5702d47d1\n"},
		{lan("lan.pcapng"), "properties", "Packets:             621, "},
		{lan("dns.pcap"), "properties", "File type:           nanosecond pcap\n"},
		{lan("radius.pcap"), "radius,rtd",
			"Accounting |       3    |     0.20 msec |    17.09 msec |     5.84 msec |          14  |          12  |"},
		{lan("nfs.pcap"), "rpc,programs", "\nNFS(100003)      3     22   0.000027   0.000623   0.000095\n"},
		{lan("smtp.pcapng"), "credentials", "Packet     Protocol         Username         Info            \n"},
		{lan("dns.pcap"), "hosts,ipv6", "\n\n2001:db8:1::10\talice.example.com\n"},
		{lan("pipes.pcap"), "dcerpc,srt,12345778-1234-abcd-ef00-0123456789ac,1.0",
			"Filter: samr.opnum\n"},
		{lan("nfs.pcap"), "responses", "\n  GETATTR                                 6          6          0       0.027"},
		{lan("lan.pcapng"), "responses,icmp", "Filter:icmp\n"},
		{lan("dns.pcap"), "ports,tcp", "\nTCP             53              3 "},
		{game, "players", "     GAME_INPUT "},
		{game, "games", "Games\n1  Touhou  "},
		{game, "games", "   phase   connecting                        since 0.134 (packet 12), for 0.016 s\n"},
		{age, "aoe2,players", "\nGame 1  P1  Celts  789 actions, 1749.5 a minute\n"},
		{age, "aoe2,players", "\n        2  RESEARCH\n"},
		{age, "aoe2,players", "     1.231 s  packet 505  RESEARCH P1 researches Feudal Age "},
		{netplay, "kaillera,sessions",
			"udp.stream == 3  127.0.40.3:36367 bob, Simulator 1.0, Chess, Excellent, player 1, " +
				"2 bytes a frame, frame delay 4\n" +
				"   from the client     194 datagrams  messages     0 to   201     202 new     379 copies     0 lost    0 % "},
		{game, "follow,game,messages,1", "GAME_INPUT"},
		{game, "follow,game,hex,1", "00000000  "},
		{game, "follow,game,ascii,9", "Node 0: :0\n"},
		{game, "types", "  GAME_INPUT  "},
	} {
		if got := counted(t, c.file, c.words); !strings.Contains(got, c.want) {
			t.Errorf("-z %s: no %q in\n%s", c.words, c.want, got)
		}
	}
	both := counted(t, lan("lan.pcapng"), "io,phs", "expert,error")
	if !strings.Contains(both, "Protocol Hierarchy") {
		t.Errorf("%s", both)
	}
}

// TestNotesFromASeverityOn leaves out what is milder.
func TestNotesFromASeverityOn(t *testing.T) {
	all, warn := counted(t, lan("lan.pcapng"), "expert"), counted(t, lan("lan.pcapng"), "expert,warn")
	if !strings.Contains(all, "\nChats (") || strings.Contains(warn, "Chats (") || !strings.Contains(warn, "\nWarns (") {
		t.Errorf("all:\n%s\nfrom warnings on:\n%s", all, warn)
	}
}

// TestStatisticsKnowMacros counts with a macro of the person's own, as -Y does.
func TestStatisticsKnowMacros(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	if err := os.MkdirAll(filepath.Join(dir, "remora"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "remora", "macros"), []byte("mine tcp.port == $1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := counted(t, lan("lan.pcapng"), "conv,tcp,tcp.port == 80")
	got := counted(t, lan("lan.pcapng"), "conv,tcp,$mine(80)")
	if _, rest, _ := strings.Cut(got, "Start"); !strings.HasSuffix(want, rest) || !strings.Contains(got, "192.0.2.2:80") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestStatisticMistakesAreSaid(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"foo":                      "follow,WHAT,FORM,N",
		"dns,tre":                  "did you mean dns,tree?",
		"smb":                      "did you mean smb,srt?",
		"smb,sids":                 "remora does not count that",
		"mgcp,rtd":                 "remora does not count that",
		"dcerpc,srt,1":             "the UUID of an interface and its version",
		"dcerpc,srt,1,2.0":         "the operations of interface 1 version 2.0 are not known",
		"rpc,srt,100003":           "the numbers of a program and its version",
		"rpc,srt,1,1":              "the procedures of program 1 version 1 are not known",
		"flow,udp":                 "there are any, icmp, icmpv6 and tcp",
		"hosts,ipx":                "there are ip, ipv4 and ipv6",
		"zzzzzz":                   "io,stat,SECONDS[,FILTER]...",
		"conv,pigeon":              "there is no pigeon; there are eth, ip, ipv6, tcp, udp, ",
		"io,stat,1,SUM(ip.src)":    "ip.src has no numbers",
		"io,stat,1,SUM(frame.lne)": "did you mean frame.len?",
		"io,stat,1,LOAD(ip.ttl)":   "LOAD is of a time",
		"follow,tcp,ascii":         "the number of a conversation",
		"follow,tcp,utf8,1":        "there are ascii, hex, raw, messages, ebcdic and yaml",
		"follow,tcp,ascii,0,5-2":   "not a range",
		"games,1":                  "nothing more",
		"types,frame.lne":          "frame.lne",
	} {
		got := remora(t, nil, "-q", "-r", lan("lan.pcapng"), "-z", words)
		if got.code != 2 || !strings.Contains(got.err, want) || got.out != "" {
			t.Errorf("-z %s: exit %d, %s\nwant %q", words, got.code, got.err, want)
		}
	}
}

// TestFieldsBehindInfo has values of a field behind the Info column of the packets that a filter matches.
func TestFieldsBehindInfo(t *testing.T) {
	t.Parallel()
	r := remora(t, nil, "-r", lan("lan.pcapng"), "-n", "-Y", "dns", "-z",
		"proto,colinfo,dns.flags.response==1,dns.id")
	for line := range strings.Lines(r.out) {
		if strings.Contains(line, "response") != strings.Contains(line, "  dns.id == ") {
			t.Errorf("%q", line)
		}
	}
	if r.code != 0 || !strings.Contains(r.out, "dns.id") {
		t.Errorf("code %d, %s", r.code, r.err)
	}
	for _, words := range []string{"proto,colinfo,dns", "proto,colinfo,dns,nothing", "proto,colinfo,dns==,dns.id"} {
		if r := remora(t, nil, "-r", lan("lan.pcapng"), "-z", words); r.code != 2 || r.err == "" {
			t.Errorf("%s: code %d, %s", words, r.code, r.err)
		}
	}
}
