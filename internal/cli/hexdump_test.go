package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImportHex reads a dump that tshark -x would print, writes it as a capture, and has that read again by tshark.
func TestImportHex(t *testing.T) {
	dir := t.TempDir()
	dump, out := filepath.Join(dir, "dump.txt"), filepath.Join(dir, "out.pcap")
	text := "2021-05-06T01:02:03.25Z\n0000  12 34 01 00 00 01 00 00 00 00 00 00 03 77 77 77  .4...........www\n" +
		"0010  07 65 78 61 6d 70 6c 65 03 6f 72 67 00 00 01 00  .example.org....\n0020  01\n"
	if err := os.WriteFile(dump, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	flag := "--import-hex=-t ISO -u 40000,53"
	got := remora(t, nil, flag, "-r", dump, "-T", "fields", "-e", "frame.time_epoch", "-e", "dns.qry.name")
	if got.code != 0 || strings.TrimSpace(got.out) != "1620262923.250000000\twww.example.org" {
		t.Errorf("exit %d, %q %s", got.code, got.out, got.err)
	}
	if got := remora(t, nil, flag, "-r", dump, "-w", out); got.code != 0 {
		t.Fatalf("exit %d, %s", got.code, got.err)
	}
	if err := os.WriteFile(dump, []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := remora(t, nil, "--import-hex", "-r", dump, "-P"); got.code != exitUsage ||
		!strings.Contains(got.err, "no hex dump") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
	theirs := tshark(t, "-r", out, "-T", "fields", "-e", "frame.time_epoch", "-e", "dns.qry.name")
	if strings.TrimSpace(theirs) != "1620262923.250000000\twww.example.org" {
		t.Errorf("tshark reads %q", theirs)
	}
}
