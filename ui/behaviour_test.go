package ui

import (
	"strings"
	"testing"
)

// TestBehaviourOfBytes looks at how the bytes of a field, of a number and of a selection behaved in the packets of the type.
func TestBehaviourOfBytes(t *testing.T) {
	x := open(t, 120, 50, Config{}).keys("81G<tab>")
	for i := range x.m.tree.Nodes { // the frame of the inputs counts up from packet to packet
		if x.m.tree.Field(i).Name() == "touhou.input.frame" {
			x.m.selectNode(i)
		}
	}
	x.settle()
	h := &x.m.habit
	if h.looked != 40 || h.distinct != 40 || len(h.values) != 40 || h.values[0] != 0 || h.values[39] != 39 {
		t.Fatalf("%d packets, %d values: %v", h.looked, h.distinct, h.values)
	}
	x.has("last 40 GAME_INPUT from client", "40 values, 0…39", "byte 44 ████████ 40 values", "3 always same")
	x.m.focus = paneHex
	x.m.moveHex(44)
	x.keys("vl")
	if h := &x.m.habit; h.looked != 40 || len(h.bytes) != 2 || h.bytes[0].distinct() != 40 || h.bytes[1].distinct() != 1 || len(h.values) != 0 {
		t.Errorf("two bytes picked: %d packets, %d bytes", h.looked, len(h.bytes))
	}
	x.has("byte 44", "1 always same")
	x.keys("v")
	x.keys("*") // none: the last one
	x.keys("#")
	if h := &x.m.habit; h.looked != 39 {
		t.Errorf("one packet back, %d were looked at", h.looked)
	}
}

func TestBarsOfAByte(t *testing.T) {
	var h byteHabit
	h.counts[10], h.counts[17], h.counts[11] = 5, 1, 2
	if got := sparkBars(h.bars(8), []rune("_.:-=+*#")); got != "#-_____:" {
		t.Errorf("the bars are %q", got)
	}
	h = byteHabit{}
	h.counts[255] = 9
	if got := sparkBars(h.bars(8), []rune("_#")); h.distinct() != 1 || strings.Count(got, "#") != 1 {
		t.Errorf("one value gives %q", got)
	}
}
