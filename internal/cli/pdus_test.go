package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// exportOf is what remora exports of a capture, as lines of fields.
func exportOf(t *testing.T, path, name string, fields ...string) []string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.pcapng")
	if got := remora(t, nil, "-r", path, "-U", name, "-w", out); got.code != 0 || got.out != "" || got.err != "" {
		t.Fatalf("-U %s: %+v", name, got)
	}
	words := []string{"-r", out, "-T", "fields"}
	for _, f := range fields {
		words = append(words, "-e", f)
	}
	got := remora(t, nil, words...)
	if got.code != 0 {
		t.Fatalf("the export cannot be read: %+v", got)
	}
	return strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")
}

// TestExportsOfStreams: a message in several segments is exported when it is complete, behind the segment that it
// begins in, and what stands behind it by itself.
func TestExportsOfStreams(t *testing.T) {
	record := func(n int) string {
		return "\x17\x03\x03" + string([]byte{byte(n >> 8), byte(n)}) + strings.Repeat("x", n)
	}
	hello := "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00"
	path := filepath.Join(t.TempDir(), "stream.pcap")
	if err := os.WriteFile(path, dissecttest.Pcap(101, dissecttest.Stream(443, "C:"+hello,
		"C:"+record(10)+record(100)[:20], "C:"+record(100)[20:60], "C:"+record(100)[60:]+record(7))), 0o600); err != nil {
		t.Fatal(err)
	}
	got := exportOf(t, path, dissect.ExportLayer4, "exported_pdu.orig_fno", "exported_pdu.dis_table_name",
		"exported_pdu.dis_table_val", "exported_pdu.exported_pdu")
	var sizes []string
	for _, line := range got {
		c := strings.Split(line, "\t")
		if len(c) != 4 || c[1] != "tcp.port" || c[2] != "443" {
			t.Fatalf("%q", line)
		}
		sizes = append(sizes, strconv.Itoa(len(c[3])/2))
	}
	if all := strings.Join(sizes, " "); all != "35 105 12" { // the hello, which is malformed, is none

		t.Errorf("the exports have %s bytes:\n%s", all, strings.Join(got, "\n"))
	}
}

// TestLongExportsAreCut: no packet of the file is longer than what Wireshark reads, and its length is that of the
// whole.
func TestLongExportsAreCut(t *testing.T) {
	const size = 300_000
	texts := []string{"C:GET / HTTP/1.1\r\nHost: example.com\r\n\r\n",
		"S:HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n"}
	for range size / 30_000 {
		texts = append(texts, "S:"+strings.Repeat("x", 30_000))
	}
	path := filepath.Join(t.TempDir(), "long.pcap")
	if err := os.WriteFile(path, dissecttest.Pcap(101, dissecttest.Stream(80, texts...)), 0o600); err != nil {
		t.Fatal(err)
	}
	got := exportOf(t, path, dissect.ExportLayer4, "frame.cap_len", "frame.len")
	last := strings.Split(got[len(got)-1], "\t")
	if n, err := strconv.Atoi(last[1]); last[0] != "262144" || err != nil || n < size {
		t.Errorf("%q", got)
	}
}

// TestExportsRefuseWhatCannotBe: -U needs a file to read, one to write and a name, and replaces nothing.
func TestExportsRefuseWhatCannotBe(t *testing.T) {
	const dns = "fixtures/captures/lan/dns.pcap"
	there := filepath.Join(t.TempDir(), "there.pcapng")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ words, says string }{
		{"-r " + dns + " -U IP", "-w"}, {"-i lo -w x.pcap -U IP", "-r"},
		{"-r " + dns + " -w x.pcap -U Nothing", "OSI layer 4"},
		{"-r " + dns + " -U IP -w " + there, "there already"}, {"-U help", "Raw IP"},
	} {
		got := remora(t, nil, strings.Fields(c.words)...)
		if !strings.Contains(got.err, c.says) || (got.code == 0) != (c.words == "-U help") {
			t.Errorf("%s: %+v", c.words, got)
		}
	}
	if b, err := os.ReadFile(there); err != nil || string(b) != "mine" {
		t.Errorf("the file is %q, %v", b, err)
	}
}

// TestExportsAreTsharks compares lengths and places of what is exported.
func TestExportsAreTsharks(t *testing.T) {
	if _, err := exec.LookPath("tshark"); err != nil {
		t.Skip(err)
	}
	for name, files := range map[string][]string{
		dissect.ExportEthernet: {"vxlan.pcap", "gre.pcap"},
		dissect.ExportIP:       {"ipip.pcap", "fragments.pcap", "dhcpv6.pcap"},
		dissect.ExportLayer4:   {"dns.pcap", "https.pcapng", "ftp.pcap"},
		dissect.ExportLayer7:   {"sip.pcap"},
	} {
		for _, file := range files {
			path := lan(file)
			theirs := filepath.Join(t.TempDir(), "theirs.pcapng")
			tshark(t, "-r", path, "-U", name, "-w", theirs)
			fields := []string{"frame.time_epoch", "exported_pdu.orig_fno", "exported_pdu.exported_pdu", "ip.src", "ip.len"}
			words := []string{"-r", theirs, "-T", "fields"}
			for _, f := range fields {
				words = append(words, "-e", f)
			}
			want := remora(t, nil, words...)
			if got := strings.Join(exportOf(t, path, name, fields...), "\n") + "\n"; got != want.out || got == "\n" {
				t.Errorf("-U %s of %s exports\n%s\nand tshark\n%s", name, file, got, want.out)
			}
		}
	}
}
