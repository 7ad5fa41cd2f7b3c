package aoe2

import (
	"encoding/binary"
	"fmt"

	"remora/dissect"
)

// session is DirectPlay, by which games of 1999 found and joined each other. Many games have it.
var session = dissect.NewProtocol("dplay", "DirectPlay",
	"Session search and joining of DirectPlay games, over UDP 47624 and TCP.").
	LittleEndian().Color(dissect.HueBlue).Summary("DirectPlay[, {type:name}]")

var (
	dKind = session.Kind("type", "Command", playCommands, "What the message is (u16 at 24).").Wide(2)
	dSize = session.Uint32("size", "Size", "Size of the whole message (low 20 bits of u32 at 0).").Masked(0x000FFFFF).
		In("bytes")
	dToken = session.Uint32("token", "Token", "Where the message comes from (high 12 bits of u32 at 0).").Hex().
		Masked(0xFFF00000).Named(playTokens)
	dFamily  = session.Uint16("family", "Address family", "2 is IPv4 (u16 at 4).")
	dPort    = session.Uint16("port", "Port", "Port to answer to, in network byte order (u16 at 6).").BE()
	dIP      = session.IPv4("ip", "IPv4 address", "Address to answer to; 0.0.0.0 is where the packet came from (at 8).")
	dPadding = session.Bytes("padding", "Padding", "Eight bytes behind the address, zero.")
	dPlay    = session.String("signature", "Signature", "Always play (4 characters at 20).")
	dDialect = session.Uint16("dialect", "Dialect", "Version of DirectPlay (u16 at 26).").Named(dialects)

	dGame     = session.Bytes("game.id", "Game GUID", "Which game it is (16 bytes).")
	dGameGUID = session.String("game.guid", "GUID", "The game's GUID as Windows writes it.").Derived()
	dGameName = session.String("game.name", "Game", "The game that the GUID stands for.").Derived()
	dPassword = session.Uint32("password.offset", "Password offset", "Where the password is; 0 is none (u32 at 44).")
	dFlags    = session.Uint32("flags", "Flags", "Which sessions are searched, or what the session allows (u32).").Hex()
	dInstance = session.Bytes("instance.id", "Instance GUID", "Which session it is (16 bytes).")
	dInstText = session.String("instance.guid", "GUID", "The session's GUID as Windows writes it.").Derived()
	dDesc     = session.Group("session", "Session description", "What is played (80 bytes).").
			Summary("Session description[, {game.name}][, {players} of {maxplayers} players]")
	dDescSize = session.Uint32("session.size", "Size", "Size of the description (u32).").In("bytes")
	dMax      = session.Uint32("maxplayers", "Most players", "How many players the session takes (u32).")
	dPlayers  = session.Uint32("players", "Players", "How many players there are (u32).")
	dPointer  = session.Uint32("session.pointer", "Pointer", "An address in the sender's memory (u32).").Hex()
	dReserved = session.Uint32("session.reserved", "Reserved", "Reserved (u32).").Hex()
	dUser     = session.Uint32("session.user", "User word", "Free for the game (u32).").Hex()
	dName     = session.Uint32("session.name.offset", "Name offset", "Where the session's name is (u32).")
	dTitle    = session.String("session.name", "Session name", "Name of the session (UTF-16, little-endian).").
			Encoded(dissect.UTF16LE)
	dBody      = session.UnknownBytes("data", "Data", "The rest of the message.")
	dSearch    = session.FrameRef("search_in", "Search in", "The search that this answers.")
	dFound     = session.FrameRef("found_in", "Found in", "The first answer to this search.")
	dSizeWrong = session.Expert("size.bad", dissect.Warn, "Size does not match the message")
	dOtherGame = session.Expert("game.other", dissect.Chat, "This is another game")
)

const (
	enumReply    = 0x01
	enumSessions = 0x02
)

var playCommands = dissect.Values{
	0x01: "ENUM_SESSIONS_REPLY", 0x02: "ENUM_SESSIONS", 0x03: "ENUM_PLAYERS_REPLY", 0x04: "ENUM_PLAYERS",
	0x05: "REQUEST_PLAYER_ID", 0x06: "REQUEST_GROUP_ID",
	0x07: "REQUEST_PLAYER_REPLY", 0x08: "CREATE_PLAYER", 0x09: "CREATE_GROUP", 0x0A: "PLAYER_MESSAGE",
	0x0B: "DELETE_PLAYER", 0x0C: "DELETE_GROUP",
	0x0D: "ADD_PLAYER_TO_GROUP", 0x0E: "REMOVE_PLAYER_FROM_GROUP", 0x0F: "PLAYER_DATA_CHANGED",
	0x10: "PLAYER_NAME_CHANGED", 0x13: "ADD_FORWARD_REQUEST",
	0x15: "PACKET", 0x16: "PING", 0x17: "PONG", 0x18: "YOU_ARE_DEAD", 0x1A: "SESSION_DESCRIPTION_CHANGED",
	0x24: "ADD_FORWARD_REPLY", 0x29: "SUPER_ENUM_PLAYERS_REPLY",
	0x2D: "CHAT", 0x2E: "ADD_FORWARD", 0x2F: "ADD_FORWARD_ACK", 0x35: "I_AM_NAME_SERVER",
}

var (
	playTokens = dissect.Values{0xFAB: "remote", 0xCAB: "forwarded", 0xBAB: "server"}
	dialects   = dissect.Values{9: "DirectX 6", 10: "DirectX 6.1", 11: "DirectX 6.1a", 12: "DirectX 7.1", 13: "DirectX 8",
		14: "DirectX 9"}
	gameGUIDs = map[string]string{"FB69A260-5031-11D3-A2D4-006097BA6550": "Age of Empires II",
		"3422E982-1A89-11D1-B093-00A024C74776": "Age of Empires"}
)

// searchPort is where sessions are searched.
const searchPort = 47624

// tableDirectPlay is where DirectPlay's own messages go that come to ports which people said to be the game's.
const tableDirectPlay dissect.Table = "aoe2.directplay"

// playHead is the length of the head that all messages have.
const playHead = 28

// Session is the DirectPlay traffic around the game: the search, and the streams over which players join. It is known
// by its head on any port, and stands among the game's own datagrams.
func Session() dissect.Plugin {
	return dissect.Plugin{
		Protocol: session, Dissect: dissectSession, UDP: []uint16{searchPort}, TCP: append(ports(), searchPort),
		On:    []dissect.Key{{Table: tableDirectPlay, Value: 0}},
		Guess: guessSession, GuessTCP: true, Shared: true, Message: cutSession,
	}
}

// directPlay reports whether a message is one of DirectPlay's own: "play" behind an address, and a size and a token in
// front of it.
func directPlay(b []byte) bool {
	return len(b) >= playHead && string(b[20:24]) == "play" && isToken(b)
}

func isToken(b []byte) bool {
	token := le32(b) >> 20
	return (token == 0xFAB || token == 0xCAB || token == 0xBAB) && le32(b)&0xFFFFF >= playHead
}

func guessSession(d *dissect.D) dissect.Confidence {
	b := d.Data()
	switch {
	case directPlay(b):
		return dissect.Strong
	case len(b) >= 4 && len(b) < playHead && isToken(b):
		return dissect.Weak // the beginning of a head
	}
	return dissect.No
}

// cutSession cuts a stream by the size fields. What is no head is passed over.
func cutSession(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	if !isToken(b) {
		return -len(b)
	}
	return int(le32(b) & 0xFFFFF)
}

// A search is where the answers to searches go: the frame of the last one from an end.
type search struct {
	open dissect.BoundedMap[dissect.Endpoint, dissect.FrameNum]
}

// maxSearches bounds the searches that are remembered.
const maxSearches = 256

var searches = dissect.NewStore[search, dissect.FrameNum]()

func (s *search) add(e dissect.Endpoint, n dissect.FrameNum) { *s.open.Get(e, maxSearches) = n }

func (s *search) of(e dissect.Endpoint) dissect.FrameNum {
	if n := s.open.Find(e); n != nil {
		return *n
	}
	return 0
}

func dissectSession(d *dissect.D) {
	d.Message(func() { sessionMessage(d) })
}

func sessionMessage(d *dissect.D) {
	whole := d.Data()
	d.Bits(dToken, dSize)
	d.Uint(dFamily)
	port := d.Uint(dPort)
	ip := d.IPv4(dIP)
	d.Bytes(dPadding, 8)
	d.Bytes(dPlay, 4)
	kind := d.Kind(dKind)
	d.Uint(dDialect)
	if d.Short() {
		return
	}
	if size := int(le32(whole) & 0xFFFFF); size != len(whole) && !d.CutShort() {
		if d.Wanted(dSizeWrong) {
			d.ExpertText(dSizeWrong, fmt.Sprintf("The size says %d bytes; there are %d", size, len(whole)))
		} else {
			d.Expert(dSizeWrong)
		}
	}
	switch kind {
	case enumSessions:
		dissectSearch(d, ip, uint16(port))
	case enumReply:
		dissectFound(d)
	default:
		d.Info().Set("({size})")
	}
	if !d.Short() {
		d.Rest(dBody)
	}
}

// dissectSearch reads the question for sessions of a game (52 bytes). The answer comes over TCP to the port in the
// head.
func dissectSearch(d *dissect.D, ip dissect.Addr, port uint16) {
	gameGUID(d)
	d.Uint(dPassword)
	d.Uint(dFlags)
	if d.Short() {
		return
	}
	asker := dissect.Endpoint{Addr: ip, Port: port}
	if ip == dissect.IPv4Addr([]byte{0, 0, 0, 0}) {
		asker.Addr = d.Src.Addr
	}
	searches.FirstPassIn(d, func(s *search) dissect.FrameNum { s.add(asker, d.Frame); return 0 })
	d.Links().ShowForward(dFound)
	d.Info().Set("for {game.name}, answers to port {port}")
}

// dissectFound reads a session that was found: an 80-byte description and its name.
func dissectFound(d *dissect.D) {
	start := d.Pos()
	d.In(dDesc, func() {
		d.Uint(dDescSize)
		d.Uint(dFlags)
		guid(d, dInstance, dInstText)
		gameGUID(d)
		d.Uint(dMax)
		d.Uint(dPlayers)
		for _, f := range [...]*dissect.Field{dPointer, dPointer, dReserved, dReserved, dUser, dUser, dUser, dUser} {
			d.Uint(f)
		}
	})
	d.Uint(dName)
	if d.Short() {
		return
	}
	if n := nameLength(d.Data()); n > 0 && d.Pos()-start == 84 {
		d.Bytes(dTitle, n)
	}
	n := searches.FirstPassIn(d, func(s *search) dissect.FrameNum { return s.of(d.Dst) })
	d.Link(n, dFound, dSearch)
	if d.Ends().Transport() == dissect.TableTCP {
		d.Ends().Role(d.Src, "session host")
	}
	d.Info().Set("{game.name}[ \"{session.name}\"], {players} of {maxplayers} players")
}

// nameLength is how many bytes a UTF-16 name has up to its NUL, or to the end.
func nameLength(b []byte) int {
	for i := 0; i+1 < len(b); i += 2 {
		if b[i]|b[i+1] == 0 {
			return i
		}
	}
	return len(b) &^ 1
}

func gameGUID(d *dissect.D) {
	text := guid(d, dGame, dGameGUID)
	name, known := gameGUIDs[text]
	if !known {
		name = "a game that remora does not know"
	}
	if text == "" || d.Short() {
		return
	}
	if d.Wanted(dGameName) {
		d.SetText(dGameName, name)
	}
	if name != "Age of Empires II" {
		d.Expert(dOtherGame)
		return
	}
	meetings.FirstPassIn(d, func(m *meeting) nothing {
		*m.pairs.Get([2]dissect.Addr{d.Src.Addr, d.Dst.Addr}, maxEnds) = true
		return nothing{}
	})
}

// guid reads a GUID and shows it as Windows writes it: the first three parts are little-endian.
func guid(d *dissect.D, f, text *dissect.Field) string {
	b := d.Bytes(f, 16)
	if len(b) < 16 {
		return ""
	}
	s := fmt.Sprintf("%08X-%04X-%04X-%X-%X", binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint16(b[4:]),
		binary.LittleEndian.Uint16(b[6:]), b[8:10], b[10:16])
	d.SetText(text, "{"+s+"}")
	return s
}
