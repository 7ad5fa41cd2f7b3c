package cli

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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

// TestTimesAreShifted in what is printed and in what is written, also where several files become one.
func TestTimesAreShifted(t *testing.T) {
	const in = "fixtures/captures/lan/dns.pcap"
	path := filepath.Join(t.TempDir(), "later.pcapng")
	first := func(args ...string) float64 {
		t.Helper()
		got := remora(t, nil, append(args, "-T", "fields", "-e", "frame.time_epoch", "-c", "1")...)
		at, err := strconv.ParseFloat(strings.TrimSpace(got.out), 64)
		if err != nil {
			t.Fatal(err, got.err)
		}
		return at
	}
	was := first("-r", in)
	for span, want := range map[string]float64{"+1.5s": 1.5, "-2h30m": -9000, "90": 90} {
		if got := first("-r", in, "--time-shift="+span) - was; math.Abs(got-want) > 1e-6 {
			t.Errorf("%s shifts by %v seconds", span, got)
		}
	}
	if got := first("-r", in, "-r", in, "--time-shift=90") - was; math.Abs(got-90) > 1e-6 {
		t.Errorf("two files are shifted by %v seconds", got)
	}
	if got := remora(t, nil, "-r", in, "-w", path, "--time-shift", "90"); got.code != exitDone {
		t.Fatal(got.err)
	}
	if got := first("-r", path) - was; math.Abs(got-90) > 1e-6 {
		t.Errorf("what is written is shifted by %v seconds", got)
	}
	if got := remora(t, nil, "-r", in, "--time-shift", "soon"); got.code != exitUsage {
		t.Errorf("a word: exit code %d, %s", got.code, got.err)
	}
}
