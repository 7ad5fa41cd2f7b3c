package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAnonymisedFiles: no address and name of the capture is left, all packets are there, and tshark finds no wrong
// checksum.
func TestAnonymisedFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"dns.pcap", "http2.pcapng", "voice.pcap"} {
		path := filepath.Join(dir, name)
		in := "fixtures/captures/lan/" + name
		if got := remora(t, nil, "-r", in, "-w", path, "--anonymise"); got.code != exitDone {
			t.Fatalf("%s: exit code %d, %s", name, got.code, got.err)
		}
		was := strings.Fields(remora(t, nil, "-r", in, "-n", "-T", "fields", "-e", "ip.src", "-e", "dns.qry.name", "-e",
			"eth.src").out)
		slices.Sort(was)
		left := remora(t, nil, "-r", path, "-n", "-V").out
		for _, word := range slices.Compact(was) {
			if strings.Contains(left, word) {
				t.Errorf("%s: %s is left", name, word)
			}
		}
		tshark, err := exec.LookPath("tshark")
		if err != nil {
			continue
		}
		count := func(args ...string) int {
			out, err := exec.Command(tshark, append([]string{"-n", "-r", path, "-o", "ip.check_checksum:TRUE", "-o",
				"tcp.check_checksum:TRUE"}, args...)...).Output()
			if err != nil {
				t.Error(name, err)
			}
			return strings.Count(string(out), "\n")
		}
		if n := count("-Y", "ip.checksum.status == 0 || tcp.checksum.status == 0 || udp.checksum.status == 0"); n > 0 {
			t.Errorf("%s: %d packets with wrong checksums", name, n)
		}
		if n, want := count(), len(strings.Split(remora(t, nil, "-r", in).out, "\n"))-1; n != want {
			t.Errorf("%s: %d packets of %d", name, n, want)
		}
	}
	if got := remora(t, nil, "-r", "fixtures/captures/lan/dns.pcap", "--anonymise"); got.code != exitUsage {
		t.Errorf("without -w: exit code %d, %s", got.code, got.err)
	}
	wlan := filepath.Join(dir, "wlan.pcap")
	head := "\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x69\x00\x00\x00"
	record := strings.Repeat("\x00", 8) + "\x04\x00\x00\x00\x04\x00\x00\x00\x80\x00\x00\x00"
	if err := os.WriteFile(wlan, []byte(head+record), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := remora(t, nil, "-r", wlan, "-w", filepath.Join(dir, "no.pcap"), "--anonymise"); got.code == exitDone ||
		!strings.Contains(got.err, "cannot be anonymised") {
		t.Errorf("802.11: exit code %d, %s", got.code, got.err)
	}
}
