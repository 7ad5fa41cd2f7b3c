package kaillera

import (
	"fmt"

	"remora/dissect"
)

// The message types. Those of the connect phase have no number on the wire; they count from 0x100.
const (
	userQuit     = 0x01
	userJoined   = 0x02
	userLogin    = 0x03
	serverStatus = 0x04
	serverAck    = 0x05
	clientAck    = 0x06
	globalChat   = 0x07
	gameChat     = 0x08
	keepAlive    = 0x09
	createGame   = 0x0A
	quitGame     = 0x0B
	joinGame     = 0x0C
	playerInfo   = 0x0D
	gameStatus   = 0x0E
	kick         = 0x0F
	closeGame    = 0x10
	startGame    = 0x11
	gameData     = 0x12
	gameCache    = 0x13
	dropGame     = 0x14
	ready        = 0x15
	rejected     = 0x16
	serverInfo   = 0x17
	retryConnect = 0x18
	typeCount    = 0x19

	kindHello  = 0x100
	kindAccept = 0x101
	kindFull   = 0x102
	kindPing   = 0x103
	kindPong   = 0x104
	kindEmpty  = 0x105
	kindRepeat = 0x106
)

var types = dissect.Values{
	userQuit: "USER_QUIT", userJoined: "USER_JOINED", userLogin: "USER_LOGIN", serverStatus: "SERVER_STATUS",
	serverAck: "SERVER_ACK",
	clientAck: "CLIENT_ACK", globalChat: "GLOBAL_CHAT", gameChat: "GAME_CHAT", keepAlive: "KEEP_ALIVE",
	createGame: "CREATE_GAME",
	quitGame:   "QUIT_GAME", joinGame: "JOIN_GAME", playerInfo: "PLAYER_INFORMATION", gameStatus: "GAME_STATUS",
	kick:      "KICK",
	closeGame: "CLOSE_GAME", startGame: "START_GAME", gameData: "GAME_DATA", gameCache: "GAME_CACHE",
	dropGame: "DROP_GAME",
	ready:    "READY", rejected: "CONNECTION_REJECTED", serverInfo: "SERVER_INFORMATION", retryConnect: "RETRY_CONNECT",
	kindHello: "HELLO", kindAccept: "HELLOD00D", kindFull: "TOO", kindPing: "PING", kindPong: "PONG", kindEmpty: "EMPTY",
	kindRepeat: "REPEAT",
}

// typeText writes a type with its number, where it has one on the wire.
func typeText(v uint64) string {
	name, ok := types[v]
	switch {
	case !ok:
		return fmt.Sprintf("0x%02x", v)
	case v >= kindHello:
		return name
	}
	return fmt.Sprintf("%s (0x%02x)", name, v)
}

var connections = dissect.Values{0: "disabled", 1: "LAN", 2: "Excellent", 3: "Good", 4: "Average", 5: "Low", 6: "Bad"}

var userStatuses = dissect.Values{0: "Playing", 1: "Idle", 2: "Connecting"}

var gameStatuses = dissect.Values{0: "Waiting", 1: "in progress", 2: "in progress"}

// The meanings that a game status turns out to have.
const (
	meansWaiting = iota + 1
	meansProgress
	meansSynchronizing
	meansPlaying
)

var meanings = dissect.Values{meansWaiting: "Waiting", meansProgress: "in progress",
	meansSynchronizing: "Synchronizing", meansPlaying: "Playing"}

var noUser = dissect.Values{0xFFFF: "none"}

var noGame = dissect.Values{0xFFFFFFFF: "none"}

var noPlayer = dissect.Values{0xFF: "none"}

var retrySubtypes = dissect.Values{1: "select", 2: "control", 3: "refuse"}

var retryActions = dissect.Values{1: "pause", 2: "resume", 3: "go live", 4: "rewind", 5: "state ready"}

// The roles of a datagram's sender.
const (
	fromUnknown = iota
	fromClient
	fromServer
)

var roles = dissect.Values{fromClient: "client", fromServer: "server"}

// grammars are the layouts of message bodies: s is a string up to its NUL, 1, 2 and 4 are numbers of so many bytes, d
// is a 16-bit length and so many bytes, U and P are lists counted by numbers in front of them, r is whatever there is.
var grammars = [typeCount]string{
	userQuit: "s2s", userJoined: "s241", userLogin: "ss1", serverStatus: "sU", serverAck: "s4444", clientAck: "s4444",
	globalChat: "ss", gameChat: "ss", keepAlive: "r", createGame: "sss4", quitGame: "s2", joinGame: "s4s421",
	playerInfo: "sP",
	gameStatus: "s4111", kick: "s2", closeGame: "s4", startGame: "s211", gameData: "sd", gameCache: "s1", dropGame: "s1",
	ready: "s", rejected: "s2s", serverInfo: "ss", retryConnect: "s1d",
}
