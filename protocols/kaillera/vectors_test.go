package kaillera

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// The test vectors of the protocol's description (section 12).
const (
	v1 = "48 45 4c 4c 4f 30 2e 38 33 00"
	v2 = "48 45 4c 4c 4f 44 30 30 44 32 37 38 38 39 00"
	v3 = "02 01 00 12 00 06 00 00 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 00 00 0e 00 03 61 6d 79 00 45 6d 75 20 " +
		"31 2e 30 00 03"
	v4 = "01 04 00 31 00 04 00 01 00 00 00 01 00 00 00 62 6f 62 00 2a 00 00 00 00 07 00 01 43 68 65 73 73 00 11 00 00 " +
		"00 45 6d 75 20 31 2e 30 00 62 6f 62 00 31 2f 32 00 02"
	v5  = "02 09 00 06 00 11 00 02 00 01 02 08 00 09 00 0e 00 11 00 00 00 01 02 04"
	v6  = "01 06 00 08 00 12 00 04 00 01 00 02 00"
	v7  = "01 15 00 0c 00 12 00 08 00 01 00 aa bb 02 00 cc dd"
	v8  = "03 00 00 03 00 13 00 05 ff ff 03 00 13 00 05 fe ff 06 00 12 00 02 00 7f 01"
	v9  = "02 1e 00 06 00 14 61 6d 79 00 01 1d 00 09 00 0e 00 11 00 00 00 00 02 04"
	v10 = "01 0c 00 0e 00 0c 00 11 00 00 00 00 00 00 00 00 ff ff 02"
	v11 = "02 0d 00 11 00 0c 00 11 00 00 00 61 6d 79 00 37 00 00 00 09 00 02 0c 00 11 00 0d 00 01 00 00 00 62 6f 62 00 " +
		"2a 00 00 00 07 00 02"
	v12 = "01 0f 00 09 00 01 00 ff ff 67 6f 6e 65 00"
	v13 = "01 28 00 0c 00 01 61 6d 79 00 09 00 67 6f 6e 65 00"
)

// login2 is a login of amy as message 0 with connection type 2, login1 with 1.
const (
	login1 = "01 00 00 0e 00 03 61 6d 79 00 45 6d 75 20 31 2e 30 00 01"
	login2 = "01 00 00 0e 00 03 61 6d 79 00 45 6d 75 20 31 2e 30 00 02"
)

// A vector is a datagram with those in front of it; those that begin with ">" are the server's.
type vector struct {
	name   string
	server bool
	bytes  string
	before []string
	info   string
	checks []string
}

// vectors hold fields against texts: "field|value|from-to", the range counted in the datagram, "-" for a derived field;
// "~" in front of the field asks for all of its values, joined by commas; a value "MISSING" for no such field.
var vectors = []vector{
	{"V1 HELLO", false, v1, nil, "HELLO version 0.83 asks for a session port",
		[]string{"type|HELLO|-", "connect|HELLO|0-4", "connect.version|0.83|5-9", "connect.version.other|MISSING|"}},
	{"V2 HELLOD00D", true, v2, []string{v1}, "HELLOD00D session port 27889",
		[]string{"type|HELLOD00D|-", "connect|HELLOD00D|0-8", "connect.port|27889|9-13", "nul|00|14-14", "request_in|1|-",
			"time|0.001000000|-"}},
	{"TOO", true, "544f4f00", []string{v1}, "TOO server full",
		[]string{"type|TOO|-", "connect|TOO|0-2", "nul|00|3-3", "connect.full||-", "request_in|1|-"}},
	{"PING", false, "50494e4700", nil, "PING are you there?", []string{"type|PING|-", "connect|PING|0-3"}},
	{"PONG", true, "504f4e4700", []string{"50494e4700"}, "PONG here I am",
		[]string{"type|PONG|-", "request_in|1|-", "time|0.001000000|-"}},
	{"V3 login and ACK", false, v3, nil, "CLIENT_ACK +1 amy logs in with Emu 1.0, Good; ping", []string{
		"count|2|0-0", "~number|1,0|", "~length|18 bytes,14 bytes|", "~type|CLIENT_ACK (0x06),USER_LOGIN (0x03)|",
		"~ack|0,1,2,3|", "noname||6-6",
		"emulator|Emu 1.0|32-39", "user.connection|Good (3)|40-40", "~repeat|new,new|", "from|client|-"}},
	{"V3 after the login", false, v3, []string{"01 00 00 0e 00 03 61 6d 79 00 45 6d 75 20 31 2e 30 00 03"},
		"CLIENT_ACK ping",
		[]string{"~repeat|new,repeat|", "first_seen|1|-", "new.count|1|-", "~type|CLIENT_ACK (0x06)|",
			"repeat.type|USER_LOGIN (0x03)|27-27"}},
	{"V4 SERVER_STATUS", true, v4, nil, "SERVER_STATUS 1 user, 1 game", []string{
		"number|4|1-2", "length|49 bytes|3-4", "status.users|1|7-10", "status.games|1|11-14", "user.name|bob|15-18",
		"user.ping|42 ms|19-22", "user.status|Playing (0)|23-23",
		"user.id|7|24-25", "user.connection|LAN (1)|26-26", "game.name|Chess|27-32", "game.id|17|33-36",
		"emulator|Emu 1.0|37-44", "game.owner|bob|45-48", "game.seats|1/2|49-52",
		"game.status|in progress (2)|53-53", "from|server|-"}},
	{"V5 START_GAME and status", true, v5, []string{login1},
		"START_GAME +1 game 17: in progress, 2 of 4 players; amy is P1 of 2, frame delay 2", []string{
			"~number|9,8|", "frame_delay|2|7-8", "frame_delay.ahead|2 frames|-", "player|1|9-9", "players|2|10-10",
			"game.id|17|17-20", "game.status|in progress (1)|21-21", "game.players|2|22-22", "game.maximum|4|23-23"}},
	{"V6 GAME_DATA of a client", false, v6,
		[]string{login2, "> 01 00 00 06 00 11 00 02 00 01 02", "> 02 01 00 02 00 15 00 00 00 06 00 11 00 02 00 01 02"},
		"GAME_DATA P1 f 1-2 0100 | 0200 (5 lost before)", []string{
			"number|6|1-2", "length|8 bytes|3-4", "noname||6-6", "data.length|4 bytes|7-8", "data|01000200|9-12",
			"~input|0100,0200|", "input|0100|9-10", "~inputs.frame|1,2|",
			"data.width|2 bytes|-", "cache.entered|0|-", "cache.held|1 entries|-", "frame|2|-", "frame.client|2|-",
			"frame.server|0|-"}},
	{"V7 combined data", true, v7,
		[]string{login2, "> 01 13 00 06 00 11 00 02 00 01 02", "> 02 14 00 02 00 15 00 13 00 06 00 11 00 02 00 01 02"},
		"GAME_DATA to P1 f 1-2 0100 aabb | 0200 ccdd", []string{
			"data.length|8 bytes|7-8", "~input|0100,aabb,0200,ccdd|", "~input.player|1,2,1,2|", "~inputs.frame|1,2|",
			"data.width|2 bytes|-", "frame.server|2|-"}},
	{"V8 numbers wrap", false, v8, cached5(),
		"GAME_CACHE +1 amy f 6 7f01; amy f 7 7f01 = position 5; amy f 8 7f01 = position 5", []string{
			"~number|0,65535,65534|", "~type|GAME_CACHE (0x13),GAME_CACHE (0x13),GAME_DATA (0x12)|", "~cache.position|5,5|",
			"~data|7f01,7f01,7f01|", "cache.entered|5|-", "~cache.entry_in|8,8|", "new.count|3|-"}},
	{"V9 DROP_GAME", true, v9, nil, "DROP_GAME +1 game 17: Waiting, 2 of 4 players; P1 amy dropped out",
		[]string{"user.name|amy|6-9", "player|1|10-10", "game.status|Waiting (0)|21-21", "game.phase|Waiting|-",
			"dropped||-"}},
	{"V10 JOIN_GAME request", false, v10, []string{login1}, "JOIN_GAME amy asks to join game 17 (11 lost before)",
		[]string{"game.id|17|7-10", "~noname|,|", "user.ping|0 ms|12-15", "user.id|none (65535)|16-17",
			"user.connection|Excellent (2)|18-18"}},
	{"V11 joined", true, v11, nil, "JOIN_GAME +1 1 player in the game already; amy joins, ping 55 ms, Excellent", []string{
		"game.id|17|7-10", "~user.name|amy,bob|", "~user.ping|55 ms,42 ms|", "~user.id|9,7|",
		"~user.connection|Excellent (2),Excellent (2)|", "list.players|1|28-31"}},
	{"V12 USER_QUIT request", false, v12, []string{login1}, "USER_QUIT amy leaves: gone (14 lost before)",
		[]string{"user.id|none (65535)|7-8", "text|gone|9-13"}},
	{"V12 USER_QUIT", true, v13, nil, "USER_QUIT amy leaves: gone",
		[]string{"user.name|amy|6-9", "user.id|9|10-11", "text|gone|12-16", "from|server|-"}},
	{"no position byte", false, "01 00 00 02 00 13 00", nil, "GAME_CACHE", []string{"malformed||-", "raw|00|6-6"}},
	{"message beyond the end", false, "05 01 00 10 00 03 41", []string{login1}, "USER_LOGIN [Malformed Packet]",
		[]string{"malformed||-", "raw|41|6-6", "count.bad||-"}},
	{"USER_JOINED", true, "01 05 00 0b 00 02 6a 6a 00 8b 01 1f 00 00 00 01", nil, "USER_JOINED jj joins, ping 31 ms, LAN",
		[]string{"user.name|jj|6-8", "user.id|395|9-10", "user.ping|31 ms|11-14", "user.connection|LAN (1)|15-15"}},
	{"SERVER_ACK", true, "01 00 00 12 00 05 00 00 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00", nil, "SERVER_ACK ping",
		[]string{"~ack|0,1,2,3|", "ack|0|7-10", "ack.counter|MISSING|"}},
	{"another ACK", true, "01 00 00 12 00 05 00 00 00 00 00 01 00 00 00 02 00 00 00 04 00 00 00", nil, "SERVER_ACK ping",
		[]string{"ack.counter||-"}},
	{"GLOBAL_CHAT request", false, "01 01 00 05 00 07 00 68 69 00", []string{login1}, "GLOBAL_CHAT amy: hi",
		[]string{"noname||6-6", "text|hi|7-9", "user.name|amy|-"}},
	{"GLOBAL_CHAT", true, "01 01 00 08 00 07 62 6f 62 00 68 69 00", nil, "GLOBAL_CHAT bob: hi",
		[]string{"user.name|bob|6-9", "text|hi|10-12"}},
	{"GAME_CHAT", true, "01 01 00 08 00 08 62 6f 62 00 68 69 00", nil, "GAME_CHAT bob: hi",
		[]string{"user.name|bob|6-9", "text|hi|10-12"}},
	{"KEEP_ALIVE", false, "01 01 00 02 00 09 00", []string{login1}, "KEEP_ALIVE", []string{"noname||6-6"}},
	{"KEEP_ALIVE with another value", false, "01 01 00 02 00 09 07", []string{login1}, "KEEP_ALIVE",
		[]string{"raw|07|6-6", "malformed|MISSING|"}},
	{"CREATE_GAME request", false, "01 01 00 0d 00 0a 00 43 68 65 73 73 00 00 ff ff ff ff", []string{login1},
		"CREATE_GAME amy asks to create Chess",
		[]string{"game.name|Chess|7-12", "game.id|none (4294967295)|14-17", "emulator||13-13"}},
	{"CREATE_GAME", true, "01 01 00 12 00 0a 62 6f 62 00 43 68 65 73 73 00 45 6d 75 00 11 00 00", nil, "CREATE_GAME",
		[]string{"malformed||-"}},
	{"CREATE_GAME of bob", true, "01 01 00 13 00 0a 62 6f 62 00 43 68 65 73 73 00 45 6d 75 00 11 00 00 00", nil,
		"CREATE_GAME bob created Chess, game 17, with Emu",
		[]string{"user.name|bob|6-9", "game.name|Chess|10-15", "emulator|Emu|16-19", "game.id|17|20-23"}},
	{"QUIT_GAME request", false, "01 01 00 04 00 0b 00 ff ff", []string{login1}, "QUIT_GAME amy leaves the game",
		[]string{"user.id|none (65535)|7-8"}},
	{"QUIT_GAME", true, "01 01 00 07 00 0b 62 6f 62 00 07 00", nil, "QUIT_GAME bob leaves the game",
		[]string{"user.name|bob|6-9", "user.id|7|10-11"}},
	{"KICK", false, "01 01 00 04 00 0f 00 07 00", []string{login1, "> " + v4}, "KICK amy kicks bob",
		[]string{"user.id|7|7-8", "~user.name|amy,bob|"}},
	{"CLOSE_GAME", true, "01 05 00 06 00 10 00 11 00 00 00", []string{"> " + v4}, "CLOSE_GAME Chess is closed",
		[]string{"game.id|17|7-10", "game.name|Chess|-"}},
	{"START_GAME request", false, "01 01 00 06 00 11 00 ff ff ff ff", []string{login1},
		"START_GAME amy asks to start the game",
		[]string{"frame_delay|none (65535)|7-8", "player|none (255)|9-9", "players|none (255)|10-10", "from|client|-"}},
	{"DROP_GAME request", false, "01 01 00 03 00 14 00 00", []string{login1}, "DROP_GAME amy drops out",
		[]string{"player|0|7-7", "extra.bytes|MISSING|", "dropped|MISSING|"}},
	{"DROP_GAME of a newer n02", false, "01 01 00 04 00 14 00 00 00", []string{login1}, "DROP_GAME amy drops out",
		[]string{"player|0|7-7", "extra.bytes||-", "extra|00|8-8"}},
	{"READY", false, "01 01 00 02 00 15 00", []string{login1}, "READY amy is ready", nil},
	{"READY of the server", true, "01 01 00 02 00 15 00", []string{login1}, "READY everybody is ready", nil},
	{"CONNECTION_REJECTED", true, "01 01 00 0c 00 16 61 6d 79 00 09 00 66 75 6c 6c 00", []string{login1},
		"CONNECTION_REJECTED amy is not let in: full",
		[]string{"user.name|amy|6-9", "user.id|9|10-11", "text|full|12-16", "rejected||-", "request_in|1|-"}},
	{"SERVER_INFORMATION", true, "01 01 00 0b 00 17 73 65 72 76 65 72 00 68 69 00", nil, "SERVER_INFORMATION server: hi",
		[]string{"source|server|6-12", "text|hi|13-15"}},
	{"RETRY_CONNECT", false, "01 01 00 0a 00 18 00 02 05 00 01 10 00 00 00", []string{login1},
		"RETRY_CONNECT amy: control",
		[]string{"retry.subtype|control (2)|7-7", "retry.length|5 bytes|8-9", "retry.action|pause (1)|10-10",
			"retry.frame|16|11-14"}},
	{"RETRY_CONNECT of another kind", false, "01 01 00 07 00 18 00 01 02 00 aa bb", []string{login1},
		"RETRY_CONNECT amy: select", []string{"retry.subtype|select (1)|7-7", "retry.payload|aabb|10-11"}},
	{"unknown type", false, "01 01 00 03 00 30 aa bb", []string{login1}, "0x30",
		[]string{"type.unknown||-", "raw|aabb|6-7"}},
	{"empty message", false, "01 01 00 00 00", []string{login1}, "EMPTY", []string{"malformed||-"}},
	{"no messages", false, "00", []string{login1}, "EMPTY", []string{"count.none||-"}},
	{"trailing", false, "01 01 00 02 00 09 00 00 00 02 00 09 00", []string{login1}, "KEEP_ALIVE",
		[]string{"trailing|000002000900|7-12", "trailing.messages|1|-", "trailing.bytes||-"}},
	{"order", false, "02 03 00 02 00 09 00 01 00 02 00 09 00", []string{login1}, "KEEP_ALIVE (1 lost before)",
		[]string{"number.order||-"}},
}

// cached5 is a session in which five entries were sent, up to number 65533.
func cached5() []string {
	out := []string{login1, "> 01 00 00 02 00 15 00"}
	out[0] = strings.Replace(login1, "01 00 00 0e", "01 f8 ff 0e", 1)
	for i := range 5 {
		out = append(out, fmt.Sprintf("01 %02x ff 06 00 12 00 02 00 %02x 00", 0xf9+i, i))
	}
	return out
}

// play says the datagrams of a vector and returns the frame of the last.
func (v *vector) play(k *talk) dissect.FrameNum {
	for _, b := range v.before {
		if text, ok := strings.CutPrefix(b, "> "); ok {
			k.Say(1, srv, amy, text)
		} else {
			k.Say(1, amy, srv, b)
		}
	}
	if v.server {
		return k.Say(1, srv, amy, v.bytes)
	}
	return k.Say(1, amy, srv, v.bytes)
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			k := newTalk(t)
			n := v.play(k)
			// By hand, as some are damaged, and would alone not be taken for the port.
			s := k.Session(dissect.DecodeAs{Table: dissect.TableUDP, Value: controlPort, Protocol: "kaillera"})
			tree := s.Tree(n)
			if tree.InfoLine() != v.info {
				t.Errorf("info is %q, want %q", tree.InfoLine(), v.info)
			}
			for _, c := range v.checks {
				dissecttest.Holds(t, tree, "kaillera", c)
			}
			if t.Failed() {
				t.Log(dissecttest.Dump(tree))
			}
			dissecttest.Owned(t, s)
			dissecttest.Redissections(t, s)
			dissecttest.Fields(t, s)
		})
	}
}
