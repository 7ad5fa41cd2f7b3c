package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/internal/testall"
)

// tshark runs the real one with a home of its own, or skips the test where it is not installed or is another release
// line than the one that remora takes its forms from.
func tshark(t *testing.T, args ...string) string {
	t.Helper()
	testall.Only(t)
	path, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed")
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir(), "TZ=UTC", "LC_ALL=C.UTF-8")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("tshark %v: %v\n%s", args, err, errs.String())
	}
	return out.String()
}

func needTshark(t *testing.T) {
	t.Helper()
	if text := tshark(t, "--version"); !strings.HasPrefix(text, "TShark (Wireshark) 4.0.") {
		t.Skipf("the forms are those of tshark 4.0, here is %q", strings.SplitN(text, "\n", 2)[0])
	}
}

func lan(name string) string { return filepath.Join("fixtures", "captures", "lan", name) }

func lanCaptures(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(lan("*.pcap*"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range all {
		if !strings.HasSuffix(f, ".tree") {
			out = append(out, f)
		}
	}
	if len(out) < 5 {
		t.Fatalf("only %d captures", len(out))
	}
	return out
}

// same tells the first line that differs.
func same(t *testing.T, what, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		x, y := "(nothing)", "(nothing)"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			t.Errorf("%s, line %d:\ntshark %s\nremora %s", what, i+1, x, y)
			return
		}
	}
}

// ends is what stands in front of the protocol in a summary line: what dissectors have to say comes behind it.
func ends(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		_, rest, _ := strings.Cut(line, "→ ")
		address := strings.IndexByte(rest, ' ')
		free := len(rest[max(0, address):]) - len(strings.TrimLeft(rest[max(0, address):], " "))
		b.WriteString(line[:len(line)-len(rest)+max(0, address)+free] + "\n")
	}
	return b.String()
}

func TestOracleSummaryLines(t *testing.T) {
	needTshark(t)
	for _, file := range lanCaptures(t) {
		want, got := tshark(t, "-n", "-r", file), remora(t, nil, "-n", "-r", file)
		same(t, file, ends(want), ends(got.out))
	}
	for _, letters := range []string{"m", "mt", "nd", "n"} {
		for _, file := range []string{lan("dns.pcap"), lan("ieee8023.pcap"), lan("lan.pcapng")} {
			if letters == "nd" && file == lan("lan.pcapng") {
				continue // remora names hosts by what DHCP grants, too
			}
			same(t, file+" -N "+letters, ends(tshark(t, "-N", letters, "-r", file)),
				ends(remora(t, nil, "-N", letters, "-r", file).out))
		}
	}
	same(t, "without -n", ends(tshark(t, "-r", lan("ieee8023.pcap"))),
		ends(remora(t, nil, "-r", lan("ieee8023.pcap")).out))
	file := lan("fragments.pcap")
	same(t, "whole lines", tshark(t, "-n", "-r", file), remora(t, nil, "-n", "-r", file).out)
	same(t, "-T tabs", tshark(t, "-n", "-T", "tabs", "-r", file), remora(t, nil, "-n", "-T", "tabs", "-r", file).out)
	for _, form := range []string{"a", "ad", "adoy", "d", "dd", "e", "r", "u", "ud", "udoy"} {
		args := []string{"-n", "-t", form, "-r", lan("dns.pcap"), "-Y", "udp.srcport == 53"}
		same(t, "-t "+form, ends(tshark(t, args...)), ends(remora(t, nil, args...).out))
	}
}

// settled are fields whose values are tshark's in every fixture.
var settled = []string{"frame.number", "frame.time", "frame.time_epoch", "frame.time_delta",
	"frame.time_delta_displayed", "frame.time_relative",
	"frame.len", "frame.cap_len", "eth.src", "eth.dst", "eth.addr", "eth.type", "vlan.id", "vlan.priority", "arp.opcode",
	"arp.src.hw_mac",
	"arp.src.proto_ipv4", "ip.hdr_len", "ip.dsfield", "ip.dsfield.dscp", "ip.len", "ip.id", "ip.flags", "ip.flags.df",
	"ip.frag_offset", "ip.ttl",
	"ip.proto", "ip.checksum", "ip.src", "ip.dst", "ip.addr", "ipv6.src", "ipv6.dst", "ipv6.plen", "ipv6.nxt", "ipv6.hlim",
	"icmp.type", "icmp.code",
	"icmp.seq", "icmpv6.type", "udp", "udp.srcport", "udp.dstport", "udp.port", "udp.length", "udp.checksum",
	"udp.payload", "tcp.srcport",
	"tcp.dstport", "tcp.port", "tcp.seq_raw", "tcp.ack_raw", "tcp.hdr_len", "tcp.flags", "tcp.flags.syn", "tcp.flags.ack",
	"tcp.flags.str",
	"tcp.window_size_value", "tcp.checksum", "tcp.urgent_pointer"}

func asFields(names ...string) []string {
	var out []string
	for _, n := range names {
		out = append(out, "-e", n)
	}
	return out
}

func TestOracleFields(t *testing.T) {
	needTshark(t)
	for _, file := range lanCaptures(t) {
		args := append([]string{"-n", "-r", file, "-T", "fields"}, asFields(settled...)...)
		got := remora(t, nil, args...)
		want := strings.Split(tshark(t, args...), "\n")
		for i, line := range strings.Split(got.out, "\n") {
			if i >= len(want) || line == want[i] {
				continue
			}
			a, b := strings.Split(want[i], "\t"), strings.Split(line, "\t")
			for k := range a {
				if k >= len(b) || a[k] != b[k] {
					t.Errorf("%s, frame %d, %s: tshark %q, remora %q", file, i+1, settled[k], a[k], b[min(k, len(b)-1)])
					break
				}
			}
		}
		if n := strings.Count(got.out, "\n"); n != len(want)-1 {
			t.Errorf("%s: %d lines, want %d", file, n, len(want)-1)
		}
	}
}

func TestOracleLayout(t *testing.T) {
	needTshark(t)
	names := asFields("frame.number", "ip.addr", "udp.port", "dns.qry.name", "eth.type", "tcp.flags.syn", "_ws.col.Source")
	for _, layout := range [][]string{
		{}, {"header=y"}, {"header=y", "bom=y"}, {"separator=,"}, {"separator=/s", "quote=d"}, {"quote=s", "aggregator=;"},
		{"aggregator=/s", "header=n"},
		{"occurrence=f"}, {"occurrence=l", "quote=d", "separator=/t"}, {"occurrence=a", "quote=n"},
		{"separator=|", "header=y", "occurrence=f"},
	} {
		args := append([]string{"-n", "-r", lan("dns.pcap"), "-c", "40", "-T", "fields"}, names...)
		for _, l := range layout {
			args = append(args, "-E", l)
		}
		same(t, fmt.Sprint("-E ", layout), tshark(t, args...), remora(t, nil, args...).out)
	}
}

func TestOracleJSONFields(t *testing.T) {
	needTshark(t)
	for _, form := range []string{"json", "ek"} {
		args := append([]string{"-n", "-r", lan("dns.pcap"), "-c", "20", "-T", form},
			asFields("frame.time", "ip.addr", "udp.payload", "udp", "eth.type", "tcp.port", "_ws.col.Source")...)
		same(t, form, tshark(t, args...), remora(t, nil, args...).out)
		none := []string{"-n", "-r", lan("dns.pcap"), "-T", form, "-Y", "frame.number == 0"}
		same(t, form+" of nothing", tshark(t, none...), remora(t, nil, none...).out)
	}
}

// leaves lists JSON documents as "path = value" lines with repeated keys, for the keys asked for. The lines of a
// document are sorted: where an alias like udp.port stands among its neighbours differs.
func leaves(t *testing.T, text string, keys map[string]bool) string {
	t.Helper()
	var out, lines []string
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value func(path, key string)
	value = func(path, key string) {
		tok, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		switch tok {
		case json.Delim('{'):
			for d.More() {
				k, err := d.Token()
				if err != nil {
					t.Fatal(err)
				}
				value(path+"/"+k.(string), k.(string))
			}
		case json.Delim('['):
			for d.More() {
				value(path, key)
				if path == "" {
					slices.Sort(lines)
					out, lines = append(out, lines...), nil
				}
			}
		default:
			if keys[strings.TrimSuffix(key, "_raw")] {
				lines = append(lines, fmt.Sprintf("%s = %v", path, tok))
			}
			return
		}
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
	}
	value("", "")
	return strings.Join(out, "\n")
}

func TestOracleJSONTree(t *testing.T) {
	needTshark(t)
	keys := map[string]bool{}
	for _, k := range settled {
		// eth.addr stands elsewhere in tshark's tree, and its time since the packet shown before is that of one pass.
		// ip.hdr_len is no part of a byte in tshark's eyes, which shows with -x.
		keys[k] = k != "eth.addr" && k != "frame.time_delta_displayed" && k != "udp" && k != "ip.hdr_len"
	}
	for _, more := range [][]string{{}, {"--no-duplicate-keys"}, {"-x"}} {
		if slices.Contains(more, "-x") { // tshark reads the single flags from one byte each, remora from both
			maps.DeleteFunc(keys, func(k string, _ bool) bool { return strings.HasPrefix(k, "tcp.flags.") })
		}
		for _, file := range []string{"dns.pcap", "tcp-loss.pcap", "vlan.pcap", "fragments.pcap"} {
			args := append([]string{"-n", "-r", lan(file), "-c", "25", "-T", "json"}, more...)
			same(t, fmt.Sprint(file, more), leaves(t, tshark(t, args...), keys), leaves(t, remora(t, nil, args...).out, keys))
		}
	}
}

func TestOracleBytes(t *testing.T) {
	needTshark(t)
	args := []string{"-n", "-r", lan("vlan.pcap"), "-x"}
	same(t, "-x", tshark(t, args...), remora(t, nil, args...).out)
	args = append(args, "-P", "-c", "3")
	want, got := tshark(t, args...), remora(t, nil, args...).out
	if strings.Count(want, "\n") != strings.Count(got, "\n") {
		t.Errorf("-P -x:\n%s\nwant\n%s", got, want)
	}
}

// TestOracleStatisticsInAnyOrder compares what tshark lists in the order of a hash table, line by line, and without the
// blanks at their ends.
func TestOracleStatisticsInAnyOrder(t *testing.T) {
	needTshark(t)
	lines := func(s string) string {
		all := strings.Split(s, "\n")
		for i := range all {
			all[i] = strings.TrimRight(all[i], " ")
		}
		slices.Sort(all)
		return strings.Join(all, "\n")
	}
	for _, c := range [][2]string{{"http.pcap", "http,stat"}, {"voice.pcap", "sip,stat"}, {"lan.pcapng", "http,stat,http"},
		{"dhcp.pcap", "flow,any,standard"},
		{"ntp.pcap", "flow,any,network"}} {
		args := []string{"-n", "-r", lan(c[0]), "-q", "-z", c[1]}
		same(t, c[0]+" -z "+c[1], lines(tshark(t, args...)), lines(remora(t, nil, args...).out))
	}
	for _, file := range []string{"dns.pcap", "resolver.pcap"} {
		of := func(s string) string { return lines(s[strings.Index(s, "\n"):]) } // the first line names the program
		args := []string{"-r", lan(file), "-q", "-z", "hosts"}
		same(t, file+" -z hosts", of(tshark(t, args...)), of(remora(t, nil, args...).out))
	}
}

func TestOracleStatistics(t *testing.T) {
	needTshark(t)
	for _, c := range []struct {
		file string
		all  []string
	}{
		{"lan.pcapng",
			[]string{"conv,eth", "conv,ip", "conv,tcp", "conv,udp", "endpoints,eth", "endpoints,ip", "endpoints,tcp",
				"endpoints,udp",
				"io,stat,0", "io,stat,1", "io,stat,5,tcp,udp", "io,stat,0.5,arp", "conv,ip,tcp.port == 80",
				"conv,tcp,tcp.srcport == 80",
				"endpoints,tcp,tcp.srcport == 80", "io,phs,arp", "expert,error", "plen,tree", "plen,tree,udp", "http,tree",
				"ip_hosts,tree", "ip_srcdst,tree", "dests,tree", "ptype,tree", "ipv6_hosts,tree", "ipv6_srcdst,tree",
				"ipv6_dests,tree", "ipv6_ptype,tree",
				"ip_hosts,tree,udp", "dns,tree", "dns,tree,udp.port == 53", "http_req,tree", "http_srv,tree", "icmp,srt",
				"icmpv6,srt",
				"io,stat,5,COUNT(ip.ttl)ip.ttl,SUM(frame.len)frame.len,MIN(frame.len)frame.len,MAX(frame.len)frame.len," +
					"AVG(frame.len)frame.len",
				"io,stat,0,MIN(dns.time)dns.time,AVG(dns.time)dns.time,MAX(frame.time_delta)frame.time_delta," +
					"SUM(frame.time_relative)frame.time_relative",
				"io,stat,10,FRAMES()tcp,BYTES()udp,LOAD(dns.time)dns.time", "io,stat,5,FRAMES,BYTES",
				"io,stat,10,COUNT(ip.src)ip.src,AVG(ip.ttl)ip.ttl && udp",
				"io,stat,5,COUNT(tcp)tcp", "io,stat,0,COUNT(tcp)tcp", "io,stat,0.25,COUNT(tcp)tcp", "io,stat,5,tcp.port==80 && tcp",
				"io,stat,5,tcp.port == 80 and tcp" + strings.Repeat(" and tcp", 20)}},
		{"lan.pcapng",
			[]string{"follow,tcp,ascii,0", "follow,tcp,hex,0", "follow,tcp,raw,0", "follow,tcp,ascii,0,2-3",
				"follow,tcp,ascii,3",
				"follow,tcp,ascii,999", "follow,tcp,ascii,192.0.2.10:53030,192.0.2.2:80", "follow,udp,ascii,0", "follow,udp,hex,1",
				"follow,http,ascii,0", "follow,http,hex,3", "follow,http,ascii,5",
				"follow,tcp,yaml,0"}},
		{"http2.pcapng", []string{"follow,http2,raw,0,1", "follow,http2,hex,0,1", "follow,http2,yaml,0,3"}},
		{"quic.pcapng", []string{"follow,quic,hex,0,0", "follow,quic,raw,0,3"}},
		{"vxlan.pcap",
			[]string{"conv,eth", "conv,ip", "conv,udp", "conv,tcp", "endpoints,eth", "io,stat,1", "io,stat,0.01",
				"follow,tcp,ascii,0", "dests,tree", "ptype,tree", "http_req,tree"}},
		{"fragments.pcap", []string{"plen,tree", "ip_hosts,tree", "ipv6_hosts,tree"}},
		{"tcp-loss.pcap", []string{"dns,tree", "icmp,srt", "http_srv,tree"}},
		{"nfs.pcap", []string{"rpc,srt,100003,3", "rpc,srt,100003,4", "rpc,srt,100000,2", "rpc,srt,100003,3,tcp"}},
		{"smb.pcap", []string{"smb2,srt", "smb,srt", "smb2,srt,smb2.cmd == 5"}},
		{"snmp.pcap", []string{"snmp,srt"}},
		{"pipes.pcap", []string{"dcerpc,srt,12345778-1234-abcd-ef00-0123456789ac,1.0",
			"dcerpc,srt,4b324fc8-1670-01d3-1278-5a47bf6ee188,3.0"}},
		{"ldap.pcap",
			[]string{"ldap,srt", "ldap,srt,ldap.protocolOp == 5", "ldap,srt,ldap.protocolOp == 4", "http2,tree", "rtsp,tree"}},
		// In the later conversations of this capture remora reads more frames of HTTP/2 than tshark.
		{"http2.pcapng", []string{"http2,tree,frame.number < 115"}},
		{"dhcp.pcap", []string{"dhcp,stat", "dhcp,stat,dhcp.option.dhcp == 1"}},
		{"voice.pcap", []string{"rtp,streams", "rtsp,stat"}},
		{"../../../protocols/rtp/testdata/rtsp.pcap", []string{"rtsp,tree", "rtsp,tree,rtsp.status"}},
		{"sip.pcap", []string{"rtp,streams"}},
		{"sctp.pcap", []string{"conv,sctp", "endpoints,sctp", "sctp,stat", "flow,tcp,network"}},
		{"pop.pcap", []string{"credentials"}},
		{"ftp.pcap", []string{"credentials"}},
		{"imap.pcapng", []string{"credentials"}},
		{"http.pcap", []string{"credentials", "flow,tcp,standard", "flow,tcp,network,tcp.port == 80"}},
		{"lan.pcapng", []string{"flow,tcp,standard", "flow,icmpv6,network"}},
		{"vlan.pcap", []string{"conv,ipv6", "endpoints,ipv6"}},
		{"../../demo.pcapng.zst", []string{"conv,udp", "io,stat,0,,arp", "io,stat,1,udp,tcp", "plen,tree"}},
	} {
		for _, z := range c.all {
			args := []string{"-n", "-r", lan(c.file), "-q", "-z", z}
			same(t, c.file+" -z "+z, tshark(t, args...), remora(t, nil, args...).out)
		}
	}
}
