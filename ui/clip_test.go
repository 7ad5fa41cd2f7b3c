package ui

import (
	"path/filepath"
	"testing"
)

// TestCopyToAFile writes the bytes that are meant, and what was copied last once there is something, where it is told.
func TestCopyToAFile(t *testing.T) {
	quietly(t)
	x := open(t, 120, 50, Config{}).keys("2Gyf")
	x.has("write 91 B of bytes to: packet-2.bin")
	x.keys("<esc>yyyf")
	x.has(" B of text to: copied.txt")
	row := filepath.Join(t.TempDir(), "row.txt")
	x.keys("<ctrl+u>" + row + "<enter>")
	x.has(" B saved to " + row)
}
