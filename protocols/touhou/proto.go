// Package touhou dissects the netplay of Touhou 12.3, Hisoutensoku, with and without the Sokuroll mod.
//
// One UDP datagram is one packet: a type byte and data, numbers little-endian, no sequence numbers and no length
// field. Host and client play in lockstep; spectators hang below the client in a tree and fetch the match as
// compressed replays. Much of what is on the wire is uninitialised memory of the sender and is shown as such.
package touhou

import "remora/dissect"

var proto = dissect.NewProtocol("touhou", "Touhou",
	"Peer-to-peer matches of Hisoutensoku, with Sokuroll and other mods.").
	LittleEndian().Traits(dissect.QuietQuoted).Color(dissect.HueMagenta).
	Summary("Touhou 12.3 Hisoutensoku[, {type:name}]")

// defaultPort is where a host listens unless its player chose otherwise.
const defaultPort = 10800

// Plugin is attached to the default port and recognised anywhere by its strong packets, which claim both ends: whatever
// else they talk to is Touhou, too.
//
// Datagrams that passed between unknown ends before one of them was claimed stay UDP in the list: the first pass sees
// each frame once and in order, and what follows cannot change what it left behind. They have a link to the packet that
// told what they are (_ws.known_in), and decode as on the port shows them as Touhou.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Dissect: packet, UDP: []uint16{defaultPort}, Guess: recognise, Endpoints: true,
		Game: &dissect.GameFields{Tick: []*dissect.Field{fFrame}, Latency: []*dissect.Field{fStep},
			Lost: []*dissect.Field{fMiss}, Saved: []*dissect.Field{fSaved}, Repeats: []*dissect.Field{fAgain},
			Stalls: []dissect.GameStall{{Length: fStall}}},
	}
}
