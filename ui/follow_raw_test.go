package ui

import (
	"strings"
	"testing"
)

// TestFollowShowsTheBytesOfAMessage: below the messages stand the bytes of the one under the cursor; readings of bytes
// and text, and small screens, keep the room.
func TestFollowShowsTheBytesOfAMessage(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("1Ggf")
	x.has("── raw of packet 1 ", "→ 0000  12 34", "·example")
	x.keys("j")
	x.has("── raw of packet 2 ")
	x.keys("v")
	x.hasNot("── raw of packet 2 ")
	if small := open(t, 60, 16, Config{}).keys("1Ggf"); strings.Contains(small.text(), "── raw") {
		t.Error("a small screen gives room to the bytes")
	}
}
