// Package aoe2 dissects the network play of Age of Empires II, The Conquerors 1.0c: the sync packets, the lobby, the
// chat and the players' actions, and the DirectPlay session around them.
//
// One UDP datagram is one packet, named by its length and command byte: 32BC44. Every player sends to every other one.
// Numbers are little-endian, floats are IEEE 754 single precision, there is no length field and no checksum. Much of
// what is known was found by watching; what nobody understands is shown as unknown, under the numbers that the notes
// use.
package aoe2

import "remora/dissect"

var proto = dissect.NewProtocol("aoe2", "AoE2",
	"Network play of Age of Empires II: The Conquerors: sync, lobby, chat and player actions.").
	LittleEndian().Traits(dissect.QuietQuoted).Color(dissect.HueBlue).
	Summary("Age of Empires II[, {type:name}][ ({form})]")

// The game uses one of these ports, the same on both sides; 2350 in all samples.
const (
	firstPort = 2300
	lastPort  = 2400
)

func ports() []uint16 {
	var all []uint16
	for p := uint16(firstPort); p <= lastPort; p++ {
		all = append(all, p)
	}
	return all
}

// Plugin is attached to the game's ports and recognised anywhere by its strong packets, which claim both ends. Packets
// that say little need a second one of their kind, the game's ports, or an end that is known.
//
// What is remembered of a capture is bounded: 64 games of 16 players each, 1024 conversations, 32 world checks and 64
// recent packets a game.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Dissect: packet, UDP: ports(), Guess: recognise, Endpoints: true,
		Statistics: statistics,
		Game: &dissect.GameFields{Tick: []*dissect.Field{fTurn}, Latency: []*dissect.Field{fDelay},
			Lost: []*dissect.Field{fTurnLost, fCounterLost}, Repeats: []*dissect.Field{fRepeat, fTurnRepeat, fCounterRepeat},
			Stalls: []dissect.GameStall{{Length: fTurnTime, Expert: nStall}}},
	}
}
