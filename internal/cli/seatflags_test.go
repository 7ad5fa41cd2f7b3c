package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestProtocolsSwitchedOff looks at what packets are that a protocol is not dissected in.
func TestProtocolsSwitchedOff(t *testing.T) {
	t.Parallel()
	ask := []string{"-r", "fixtures/captures/lan/dns.pcap", "-T", "fields", "-e", "frame.protocols"}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "udp:dns"},
		{[]string{"--disable-protocol", "dns"}, "udp:data"},
		{[]string{"--disable-protocol", "dns", "--enable-protocol", "dns"}, "udp:dns"},
		{[]string{"--only-protocols", "eth,ip"}, "eth:ethertype:ip:data"},
	} {
		r := remora(t, nil, append(c.flags, ask...)...)
		if line, _, _ := strings.Cut(r.out, "\n"); !strings.HasSuffix(line, c.want) {
			t.Errorf("%v: %q%s", c.flags, line, r.err)
		}
	}
	for _, flags := range [][]string{{"--disable-protocol", "dnss"}, {"--disable-heuristic", "dns_sctp"}} {
		if r := remora(t, nil, append(flags, ask...)...); r.code != 2 || !strings.Contains(r.err, "no such protocol") {
			t.Errorf("%v: code %d, %s", flags, r.code, r.err)
		}
	}
	game := []string{"-r", "fixtures/captures/touhou/vanilla.pcapng", "-T", "fields", "-e", "_ws.col.Protocol",
		"-o", "touhou.udp.port:1"}
	with := remora(t, nil, game...)
	without := remora(t, nil, append(game, "--disable-heuristic", "touhou_udp")...)
	if !strings.Contains(with.out, "Touhou") || with.out == without.out {
		t.Errorf("a protocol is still recognised by contents: %.200s", without.out)
	}
}

// TestReadFilter numbers the packets anew that a read filter lets through, also those that others link to.
func TestReadFilter(t *testing.T) {
	t.Parallel()
	file := "fixtures/captures/lan/dns.pcap"
	if r := remora(t, nil, "-r", file, "-R", "dns"); r.code != 2 || !strings.Contains(r.err, "-R without -2") {
		t.Errorf("-R without -2: code %d, %s", r.code, r.err)
	}
	all := remora(t, nil, "-r", file, "-Y", "dns.flags.response", "-T", "fields", "-e", "dns.id")
	r := remora(t, nil, "-r", file, "-2", "-R", "dns.flags.response", "-T", "fields", "-e", "frame.number", "-e", "dns.id")
	var ids []string
	for i, line := range strings.Split(strings.TrimSpace(r.out), "\n") {
		n, id, _ := strings.Cut(line, "\t")
		if n != strconv.Itoa(i+1) {
			t.Errorf("packet %d has the number %s", i+1, n)
		}
		ids = append(ids, id)
	}
	if strings.Join(ids, "\n") != strings.TrimSpace(all.out) {
		t.Errorf("other packets than with -Y:\n%s%s", r.out, r.err)
	}
	if r := remora(t, nil, "-r", file, "-2", "-R", "dns.flags.response", "-Y", "frame.number == 2", "-q",
		"-z", "io,stat,0"); !strings.Contains(r.out, "| "+strconv.Itoa(len(ids))+" ") &&
		!strings.Contains(r.out, " "+strconv.Itoa(len(ids))+" |") {
		t.Errorf("statistics count others, too:\n%s", r.out)
	}
}

// TestNamesInFiles writes names of hosts into a file, and reads them there.
func TestNamesInFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hosts, to := filepath.Join(dir, "hosts"), filepath.Join(dir, "named.pcapng")
	if err := os.WriteFile(hosts, []byte("192.0.2.10 ours.example\n2001:db8::77 six.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := remora(t, nil, "-r", "fixtures/captures/lan/lan.pcapng", "-c", "5", "-H", hosts, "-w", to); r.code != 0 {
		t.Fatal(r.err)
	}
	r := remora(t, nil, "-r", to, "-q", "-z", "hosts")
	if !strings.Contains(r.out, "192.0.2.10\tours.example\n") || !strings.Contains(r.out, "2001:db8::77\tsix.example\n") {
		t.Errorf("the file has other names:\n%s%s", r.out, r.err)
	}
	if r := remora(t, nil, "-r", to, "-W", "x"); r.code != 2 {
		t.Errorf("-W x: code %d", r.code)
	}
}

func TestHexDumps(t *testing.T) {
	t.Parallel()
	ask := []string{"-r", "fixtures/captures/lan/dns.pcap", "-c", "1", "-S", "----"}
	usual := remora(t, nil, append(ask, "-x")...)
	first, _, _ := strings.Cut(usual.out, "\n")
	if !strings.HasSuffix(usual.out, "\n----\n") || len(first) != 72 {
		t.Fatalf("a hex dump of the usual form is\n%s%s", usual.out, usual.err)
	}
	barred := remora(t, nil, append(ask, "--hexdump", "frames", "--hexdump", "delimit")...)
	if line, _, _ := strings.Cut(barred.out, "\n"); line != first[:56]+"|"+first[56:]+"|" {
		t.Errorf("with bars: %s%s", line, barred.err)
	}
	bare := remora(t, nil, append(ask, "--hexdump", "noascii")...)
	if line, _, _ := strings.Cut(bare.out, "\n"); line != first[:56] {
		t.Errorf("without characters: %q%s", line, bare.err)
	}
	if r := remora(t, nil, append(ask, "--hexdump", "x")...); r.code != 2 || !strings.Contains(r.err, "invalid value") {
		t.Errorf("a wrong word: code %d, %s", r.code, r.err)
	}
	if r := remora(t, nil, "--hexdump", "help"); !strings.Contains(r.out, "noascii") {
		t.Errorf("help: %s%s", r.out, r.err)
	}
}

func TestErrorsOnlyAndTimers(t *testing.T) {
	t.Parallel()
	r := remora(t, nil, "-r", "fixtures/captures/lan/dns.pcap", "-Q", "--print-timers", "-Y", "dns")
	if r.out != "" || !strings.Contains(r.err, `"time_unit": "microseconds"`) ||
		!strings.Contains(r.err, `"filter": "dns"`) {
		t.Errorf("%s%s", r.out, r.err)
	}
}

// TestDisabledProtocolsFile reads Wireshark's file of protocols that a person has disabled.
func TestDisabledProtocolsFile(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "wireshark")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "disabled_protos"), []byte("# mine\ndns\nnothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CONFIG_HOME", home)
	ask := []string{"-r", "fixtures/captures/lan/dns.pcap", "-c", "1", "-T", "fields", "-e", "frame.protocols"}
	if r := remora(t, nil, ask...); !strings.HasSuffix(r.out, ":data\n") {
		t.Errorf("it is still dissected: %s%s", r.out, r.err)
	}
	if r := remora(t, nil, append(ask, "--enable-protocol", "dns")...); !strings.HasSuffix(r.out, ":dns\n") {
		t.Errorf("it is not enabled again: %s%s", r.out, r.err)
	}
}

// TestFileAsPacket reads a capture file as one packet: the secrets and comments that another run has written.
func TestFileAsPacket(t *testing.T) {
	t.Parallel()
	file := "fixtures/captures/lan/lan.pcapng"
	ask := []string{"-X", "read_format:MIME Files Format", "-T", "fields", "-e", "frame.len", "-e", "pcapng.block.type",
		"-e", "pcapng.dsb.secrets_type"}
	if r := remora(t, nil, append(ask, "-r", file)...); !strings.Contains(r.out, "\t0x0a0d0d0a,0x00000001,") {
		t.Errorf("%.200s%s", r.out, r.err)
	}
	secrets := filepath.Join(t.TempDir(), "secrets.pcapng")
	block := []byte("\x0a\x0d\x0d\x0a\x1c\x00\x00\x00\x4d\x3c\x2b\x1a\x01\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff" +
		"\x1c\x00\x00\x00" +
		"\x0a\x00\x00\x00\x18\x00\x00\x00KSLT\x04\x00\x00\x00abcd\x18\x00\x00\x00")
	if err := os.WriteFile(secrets, block, 0o600); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copied.pcapng")
	if r := remora(t, nil, "-r", secrets, "-w", copied); r.code != 0 {
		t.Fatal(r.err)
	}
	if r := remora(t, nil, append(ask, "-r", copied)...); !strings.HasSuffix(r.out, "\t0x544c534b\n") {
		t.Errorf("the secrets are lost: %s%s", r.out, r.err)
	}
}

// TestListLinkTypes lists those of the loopback, where the system lets this user capture.
func TestListLinkTypes(t *testing.T) {
	t.Parallel()
	r := remora(t, nil, "-L", "-i", "lo")
	if r.code == exitMayNot && strings.Contains(r.err, "may not") {
		t.Skip(r.err)
	}
	const want = "Data link types of interface lo (use option -y to set):\n  "
	if r.code != 0 || !strings.HasPrefix(r.out, want) ||
		!strings.Contains(r.out, "(Ethernet)") && !strings.Contains(r.out, "oopback)") {
		t.Errorf("code %d: %s%s", r.code, r.out, r.err)
	}
	if r := remora(t, nil, "-L", "-i", "nosuch0"); r.code != exitMayNot || !strings.Contains(r.err, "nosuch0") {
		t.Errorf("code %d: %s", r.code, r.err)
	}
}

// TestWritingInTsharksSeat replaces a file, in pcapng whatever its name is, with a comment on the capture.
func TestWritingInTsharksSeat(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out.pcap")
	for _, comment := range []string{"one", "two"} {
		seat(t, "-r", "fixtures/captures/lan/dns.pcap", "-w", out, "--capture-comment", comment)
	}
	b, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(b), "two") || b[0] != 0x0a {
		t.Errorf("%v: %.100q", err, b)
	}
	r := remora(t, nil, "-r", "fixtures/captures/lan/dns.pcap", "-w", filepath.Join(t.TempDir(), "x.pcap"),
		"--capture-comment", "x")
	if r.code != 2 || !strings.Contains(r.err, "pcapng") {
		t.Errorf("a comment in pcap: code %d, %s", r.code, r.err)
	}
}

// TestGroupMayRead writes a file that the group may read although the umask forbids it, and one that it may not.
func TestGroupMayRead(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no mode here")
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]os.FileMode{"-g": 0o640, "-q": 0o600} {
		out := filepath.Join(t.TempDir(), "out.pcap")
		cmd := exec.Command("sh", "-c", `umask 077; exec "$@"`, "sh", path, "-r",
			"fixtures/captures/lan/dns.pcap", flag, "-w", out)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		if info, err := os.Stat(out); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", flag, info, err, want)
		}
	}
}

// TestSecondsInHours has times relative to the first packet in hours, minutes and seconds.
func TestSecondsInHours(t *testing.T) {
	t.Parallel()
	r := remora(t, nil, "-r", "fixtures/captures/lan/lan.pcapng", "-u", "hms", "-T", "fields", "-e", "_ws.col.Time", "-c",
		"3")
	if !strings.HasPrefix(r.out, "0.000000000s\n") {
		t.Errorf("%q %s", r.out, r.err)
	}
	if r := remora(t, nil, "-r", "fixtures/captures/lan/dns.pcap", "-u", "days"); r.code != 2 {
		t.Errorf("-u days: code %d", r.code)
	}
}

// TestRawSequenceNumbers has TCP's numbers as they are in the packets, in one pass and in two.
func TestRawSequenceNumbers(t *testing.T) {
	t.Parallel()
	for _, passes := range []string{"-l", "-2"} {
		read := []string{passes, "-n", "-r", lanCapture, "-Y", "tcp.flags.syn==0 and tcp.len>0"}
		raw := remora(t, nil, append(read, "-T", "fields", "-e", "tcp.seq_raw")...)
		r := remora(t, nil, append(read, "-o", "tcp.relative_sequence_numbers:FALSE", "-T", "fields", "-e", "tcp.seq")...)
		if r.out != raw.out || r.out == "" {
			t.Errorf("%s: %q, not %q %s", passes, r.out, raw.out, r.err)
		}
		first, _, _ := strings.Cut(raw.out, "\n")
		tree := remora(t, nil, append(read, "-o", "tcp.relative_sequence_numbers:FALSE", "-P", "-O", "tcp")...)
		if !strings.Contains(tree.out, "Seq: "+first+",") || !strings.Contains(tree.out, "Sequence Number: "+first+"\n") {
			t.Errorf("%s: %.600s", passes, tree.out)
		}
	}
}
