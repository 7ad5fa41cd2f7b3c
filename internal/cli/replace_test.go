package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoFileIsReplacedUnasked writes to a file that is there, by each way that -w goes; an empty one holds nothing.
func TestNoFileIsReplacedUnasked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.pcapng")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-r", "fixtures/captures/lan/dns.pcap", "-w", path}
	for _, more := range [][]string{nil, {"-Y", "dns"}, {"-V", "-2"}} {
		got := remora(t, nil, append(args, more...)...)
		b, err := os.ReadFile(path)
		if got.code == exitDone || !strings.Contains(got.err, "is there already") || string(b) != "mine" {
			t.Errorf("%v: exit code %d, %s; the file holds %d bytes (%v)", more, got.code, got.err, len(b), err)
		}
	}
	if got := remora(t, nil, append(args, "--force")...); got.code != exitDone {
		t.Errorf("--force: exit code %d, %s", got.code, got.err)
	}
	if b, err := os.ReadFile(path); err != nil || len(b) < 100 {
		t.Errorf("--force: the file holds %d bytes (%v)", len(b), err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if got := remora(t, nil, args...); got.code != exitDone {
		t.Errorf("an empty file: exit code %d, %s", got.code, got.err)
	}
}
