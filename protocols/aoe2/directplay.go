package aoe2

import "remora/dissect"

// tableDirectPlay is where DirectPlay's own messages go that come to the game's ports.
const tableDirectPlay dissect.Table = "aoe2.directplay"

// directPlay tells whether a message is one of DirectPlay's own: "play" behind an address, and a size and a token in
// front of it.
func directPlay(b []byte) bool {
	if len(b) < 28 || string(b[20:24]) != "play" {
		return false
	}
	token := le32(b) >> 20
	return (token == 0xFAB || token == 0xCAB || token == 0xBAB) && le32(b)&0xFFFFF >= 28
}
