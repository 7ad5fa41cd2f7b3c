package soaprun

import (
	"fmt"

	"remora/dissect"
)

// The message types: four characters, read as a number in the order in which they are written.
const (
	tWelcome  = 'W'<<24 | 'L'<<16 | 'C'<<8 | 'M'
	tOver     = 'O'<<24 | 'V'<<16 | 'E'<<8 | 'R'
	tVoid     = 'V'<<24 | 'o'<<16 | 'i'<<8 | 'd'
	tProtocol = 'P'<<24 | 'r'<<16 | 't'<<8 | 'c'
	tTest     = 'T'<<24 | 'e'<<16 | 's'<<8 | 't'
	tLog      = 'D'<<24 | 'l'<<16 | 'o'<<8 | 'g'
	tAttrs    = 'm'<<24 | 'A'<<16 | 't'<<8 | 't'
	tRoom     = 'R'<<24 | 'o'<<16 | 'o'<<8 | 'm'
	tMove     = 'm'<<24 | 'y'<<16 | 'P'<<8 | 'o'
	tColour   = 'C'<<24 | 'h'<<16 | 'C'<<8 | 'l'
	tDraw     = 'D'<<24 | 'r'<<16 | 'F'<<8 | 'l'
	tHit      = 'H'<<24 | 'N'<<16 | 'P'<<8 | 'U'
	tHeaven   = 'H'<<24 | 'V'<<16 | 'e'<<8 | 'n'
	tCorpse   = 'm'<<24 | 'C'<<16 | 'r'<<8 | 'p'
	tBye      = 'B'<<24 | 'y'<<16 | 'e'<<8 | '.'
	tField    = 'F'<<24 | 'l'<<16 | 'd'<<8 | 's'
)

// What has no four characters: the dispatch's texts, and bytes that are none of a message.
const (
	kDispatchRequest = iota + 1
	kDispatchAdmin
	kDispatchReply
	kSkipped
	kClosed
	kWebSocket
)

var types = dissect.Values{
	tWelcome: "WLCM", tOver: "OVER", tVoid: "Void", tProtocol: "Prtc", tTest: "Test", tLog: "Dlog", tAttrs: "mAtt",
	tRoom: "Room",
	tMove: "myPo", tColour: "ChCl", tDraw: "DrFl", tHit: "HNPU", tHeaven: "HVen", tCorpse: "mCrp", tBye: "Bye.",
	tField:           "Flds",
	kDispatchRequest: "DISPATCH_REQUEST", kDispatchAdmin: "DISPATCH_ADMIN", kDispatchReply: "DISPATCH_REPLY",
	kSkipped: "SKIPPED", kClosed: "CLOSED", kWebSocket: "WEBSOCKET",
}

// meanings say in words what the message types are for.
var meanings = map[uint64]string{
	tWelcome: "welcome", tOver: "server full", tVoid: "done", tProtocol: "protocol and version", tTest: "speed test",
	tLog:   "text for the server's log",
	tAttrs: "attributes of the tiles", tRoom: "tiles of a room", tMove: "own position", tColour: "change of colour",
	tDraw: "drawing on the field",
	tHit:  "touched a unit", tHeaven: "became a ghost", tCorpse: "leaves a corpse", tBye: "end of the game",
	tField:           "state of the field",
	kDispatchRequest: "where is the server?", kDispatchAdmin: "where the server shall be",
	kDispatchReply: "where the server is", kSkipped: "none of a message", kClosed: "end of the connection",
	kWebSocket: "another way to carry messages",
}

// typeText is the type as the tree shows it: the four characters, and what they are for.
func typeText(v uint64) string {
	name, known := types[v]
	if !known {
		name = fourCC(v)
	}
	if words := meanings[v]; words != "" {
		return name + " (" + words + ")"
	}
	return name + fmt.Sprintf(" (0x%08x)", v)
}

func fourCC(v uint64) string {
	return string([]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)})
}

const (
	fromServer = 1
	fromClient = 2
)

var sides = dissect.Values{fromServer: "server", fromClient: "client"}

// The states of players and entities that the dissector has to tell apart.
const (
	playerWalking = 1
	playerDying   = 2
	playerWon     = 3
	playerGhost   = 4
)

var playerStates = dissect.Values{0: "idle", 1: "walking", 2: "dying", 3: "winning", 4: "ghost", 5: "disabled"}

var colours = dissect.Values{0: "green", 1: "pink", 2: "blue", 3: "yellow"}

var entityStates = dissect.Values{0: "sleeping", 1: "active", 2: "corpse or held", 3: "flickering", 4: "gone"}

// condition says in what state an entity is: a thing in state 2 is held, anything else a corpse.
func condition(kind, state uint8) string {
	switch {
	case state == 2 && (kind == typeSword || kind == typeShield):
		return "held"
	case state == 2:
		return "a corpse"
	}
	return named(entityStates, uint64(state), "in state")
}

// The entity types that have a rule of their own.
const (
	typeSword   = 2
	typeHummer  = 4
	typeRounder = 5
	typeGate    = 8
	typeShield  = 9
	typeCross   = 10
)

var entityTypes = dissect.Values{
	0: "Goal", 1: "Closer", 2: "Sword", 3: "Crawl", 4: "Hummer", 5: "Rounder", 6: "Wuss", 7: "Chase", 8: "Gate",
	9: "Shield", 10: "Cross", 11: "Snail",
}

// looks say what the players see of an entity type, by the words of the game's rules.
var looks = map[uint64]string{
	1: "black demon", 3: "guard", 4: "red flame", 5: "blue flame", 6: "blue demon", 7: "crawling demon", 8: "purple flame",
	10: "green flame",
}

func entityTypeText(v uint64) string {
	name, known := entityTypes[v]
	if !known {
		return number(v)
	}
	if look := looks[v]; look != "" {
		return fmt.Sprintf("%s, %s (%d)", name, look, v)
	}
	return fmt.Sprintf("%s (%d)", name, v)
}

// parameterText says what an entity's parameter means, which depends on its type; "" where it means nothing.
func parameterText(kind, v uint64) string {
	switch {
	case kind == typeGate && v < 4:
		return [...]string{"open, horizontal", "closed, horizontal", "open, vertical", "closed, vertical"}[v]
	case kind == typeCross && v < 4:
		return fmt.Sprintf("rotation step %d", v)
	case kind == typeHummer || kind == typeRounder:
		return fmt.Sprintf("starts %d quarter turns on", v%4)
	}
	return ""
}

var weathers = dissect.Values{0: "clear", 1: "rain"}

var attributes = dissect.Values{0: "ground", 1: "wall", 2: "players only", 3: "NPCs only"}

var itemBits = []dissect.Flag{
	{Name: "sword", Label: "Sword", Mask: 1, Doc: "Kills what it touches."},
	{Name: "crown", Label: "Crown", Mask: 2, Doc: "Won a game."},
	{Name: "shield", Label: "Shield", Mask: 4, Doc: "Protects once."},
	{Name: "unknown", Label: "Unknown bits", Mask: 0xf8, Doc: "Bits whose meaning nobody knows."},
}

// itemText names a set of items: "sword and shield".
func itemText(v uint64) string {
	text := ""
	for _, b := range itemBits {
		if v&b.Mask == 0 {
			continue
		}
		if text != "" {
			text += " and "
		}
		text += [...]string{"sword", "crown", "shield", "unknown"}[min(3, trailing(b.Mask))]
	}
	return text
}

func trailing(v uint64) (n int) {
	for ; v&1 == 0; v >>= 1 {
		n++
	}
	return n
}

// The tiles on which players can draw, and the bit that puts a corpse on a tile.
const (
	firstDrawing = 12
	lastDrawing  = 15
	corpseBit    = 0x10
)

// tileText says what is known of a tile number.
func tileText(v uint64) string {
	text := number(v)
	plain := v &^ corpseBit
	if v < 32 && plain >= firstDrawing && plain <= lastDrawing {
		text += fmt.Sprintf(", drawing %d", plain)
	}
	if v < 32 && v&corpseBit != 0 {
		text += fmt.Sprintf(", a corpse on tile %d", plain)
	}
	return text
}

func named(v dissect.Values, n uint64, what string) string {
	if s, ok := v[n]; ok {
		return s
	}
	return what + " " + number(n)
}

func number(v uint64) string { return fmt.Sprint(v) }
