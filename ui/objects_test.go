package ui

import (
	"os"
	"path/filepath"
	"testing"
)

// TestObjectsByKeys: go lists the files that packets carry, w saves the one under the cursor, Enter leads to its
// packet.
func TestObjectsByKeys(t *testing.T) {
	x := openCaptured(t, "lan/tcp-loss.pcap", 100, 30, Config{})
	path := filepath.Join(t.TempDir(), "bulk")
	x.keys("go").has("bulk.txt", "1 object")
	x.keys("w<ctrl+u>" + path + "<enter>").has("1 object, 35.2 KiB saved to")
	if b, err := os.ReadFile(path); err != nil || len(b) != 36000 {
		t.Errorf("%d bytes are saved (%v)", len(b), err)
	}
	x.keys("<enter>").has("Packets")
	x.hasNot("Begins with")
	x.keys(":objects<enter>").has("bulk.txt")
	x.keys("q")
	x.hasNot("Begins with")
}
