package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dnsNames are a capture in which the answer of frame 6 goes from server.example.com to alice.example.com, and a hosts
// file that has another name for the first.
func dnsNames(t *testing.T) (capture, hosts string) {
	hosts = filepath.Join(t.TempDir(), "hosts")
	if err := os.WriteFile(hosts, []byte("192.0.2.2 router # ours\n2001:db8::2 router6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return "fixtures/captures/lan/dns.pcap", hosts
}

// TestNamesPrinted prints a row by each letter of -N, and by what stands beside it; the setting says the same letters.
func TestNamesPrinted(t *testing.T) {
	file, hosts := dnsNames(t)
	for args, want := range map[string]string{
		"":               "192.0.2.2 → 192.0.2.10 DNS",
		"-n":             "192.0.2.2 → 192.0.2.10 DNS",
		"-N m":           "192.0.2.2 → 192.0.2.10 DNS",
		"-N t":           "192.0.2.2 → 192.0.2.10 DNS",
		"-N d":           "server.example.com → alice.example.com DNS",
		"-n -N d":        "server.example.com → alice.example.com DNS",
		"-N n -H HOSTS":  "router → 192.0.2.10 DNS",
		"-H HOSTS":       "router → 192.0.2.10 DNS",
		"-N dn -H HOSTS": "router → alice.example.com DNS",
		"-n -H HOSTS":    "192.0.2.2 → 192.0.2.10 DNS",
	} {
		words := append(strings.Fields(strings.ReplaceAll(args, "HOSTS", hosts)), "-r", file, "-Y", "frame.number == 6")
		if got := strings.Join(strings.Fields(remora(t, nil, words...).out), " "); !strings.Contains(got, want) {
			t.Errorf("with %q the row is %q, want %q", args, got, want)
		}
	}
	port := []string{"-r", file, "-Y", "frame.number == 6", "-O", "udp"}
	for letters, want := range map[string]string{"t": "Src Port: domain (53)", "m": "Src Port: 53"} {
		if got := remora(t, nil, append(port, "-N", letters)...).out; !strings.Contains(got, want) {
			t.Errorf("with -N %s the port is not %q: %s", letters, want, got)
		}
	}
}

// TestNamesOnTheScreen begins with names or addresses, and turns them with a key.
func TestNamesOnTheScreen(t *testing.T) {
	t.Parallel()
	file, hosts := dnsNames(t)
	x := startTerminal(t, "-n", "-H", hosts, "-N", "nd", file)
	x.sees("router")
	x.keys("rG") // away from the row, so that it is drawn anew
	x.sees("192.0.2.2")
	x.keys("rgg")
	x.sees("router")
	x.keys("q")
	x.ends(0)

	x = startTerminal(t, file)
	x.sees("192.0.2.2")
	x.keys(":set resolve=d\r")
	x.sees("r.example.com:53")
	x.keys(":open /dev/zero\r")
	x.sees("/dev/zero cannot be read: the screen opens files and pipes alone")
	x.keys("G")
	x.sees("r.example.com:53") // what was open still is
	x.keys("q")
	x.ends(0)

	x = startTerminal(t, "-n", "-H", hosts, file)
	x.sees("192.0.2.2")
	x.keys("r")
	x.sees("router")
	x.keys("q")
	x.ends(0)
}
