package ui

import "testing"

// TestCopyToAFile writes what was copied last, once there is something.
func TestCopyToAFile(t *testing.T) {
	quietly(t)
	t.Setenv("TMPDIR", t.TempDir())
	x := open(t, 120, 50, Config{}).keys("2Gyf")
	x.has("nothing was copied yet")
	x.keys("yyyf")
	x.has(" B copied last, written to")
}
