// Package soaprun dissects Soaprun, Pixel's online game of 2010: the dispatch, a text over TCP that says where the game
// server is, and the game's own stream of messages.
//
// A message is a Length (u32, counting what follows it), four characters that name its type, and a body; numbers are
// little-endian. Client and server take turns: a question, then its answer. The dispatch looks like HTTP, but the game
// does not read it so; the dissector follows the game.
package soaprun

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("soaprun", "Soaprun",
	"Pixel's online game of 2010: its dispatch, and its game stream over TCP.").
	LittleEndian().Color(dissect.HueYellow).Summary("Soaprun[, {type:name}][ from the {from:name}]").
	Traits(dissect.Unpacks)

// The ports: the live server's, and the one that the original is built with.
const (
	livePort    = 1002
	defaultPort = 1001
)

// Plugin is attached to the game's two ports. On others it knows the game by its first messages, by two messages in a
// row, or because a dispatch named the server; the dispatch it knows by its texts, on port 80 as anywhere.
//
// What it remembers of one connection is bounded: 64 rooms, 64 players and 64 entities, 64 open questions; about 35 KB.
// Of one server it remembers 64 players' connections.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Dissect: message, TCP: []uint16{defaultPort, livePort}, Guess: recognise, GuessTCP: true,
		Fits: onPort,
		On: []dissect.Key{{Table: tables.WebSocketGreeting, Value: dissect.Word("WLCM")},
			{Table: tables.WebSocketGreeting, Value: dissect.Word("OVER")}},
		Special: true, Message: cut, Remainder: true, Closed: true,
		Game: &dissect.GameFields{Tick: []*dissect.Field{fTurn}},
	}
}
