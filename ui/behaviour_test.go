package ui

import (
	"testing"
)

// TestBehaviourOfBytes looks at how the bytes of a field, of a number and of a selection behaved in the packets of the
// type.
func TestBehaviourOfBytes(t *testing.T) {
	x := open(t, 120, 50, Config{}).keys("81G<tab>")
	for i := range x.m.selected.Tree.Nodes { // the frame of the inputs counts up from packet to packet
		if x.m.selected.Tree.Field(i).Name() == "touhou.input.frame" {
			x.m.tree.Select(i)
		}
	}
	x.settle()
	x.has("last 40 GAME_INPUT from client", "40 values, 0…39", "byte 44 ████████ 40 values", "3 always same")
	x.m.room.focus = paneHex
	x.m.hex.MoveTo(44)
	x.keys("vl")
	x.has("last 40 GAME_INPUT", "byte 44", "1 always same")
	x.keys("v")
	x.keys("*") // none: the last one
	x.keys("#")
	x.has("last 39 GAME_INPUT from client") // one packet back
}
