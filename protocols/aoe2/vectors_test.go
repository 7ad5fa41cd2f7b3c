package aoe2

import (
	"fmt"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

const (
	a1 = "46 23 01 00 44 23 01 00 41 00 00 00 a5 0f 00 00"
	a2 = "44 23 01 00 46 23 01 00 31 00 00 00 40 e2 01 00"
	a3 = "46 23 01 00 44 23 01 00 32 10 00 00 40 e2 01 00"
	a4 = "44 23 01 00 00 00 00 00 44 02 00 00 f4 01 00 00 c4 09 00 00 44 12 34 f7 f2 01 00 00 fe 1c 4c f7"
	a5 = "44 23 01 00 00 00 00 00 4d 02 00 00 e8 03 00 00 b8 0b 00 00 01 00 00 00 e6 03 00 00 dd cc bb aa fa 56 00 00 " +
		"00 00 00 00 07 00 00 00 08 00 00 00 09 00 00 00 44 33 22 11"
	a6  = "46 23 01 00 00 00 00 00 35 35 f8 0a 87 3a 50 00 02 00 fe ca c4 b5 32 00"
	a7  = "46 23 01 00 00 00 00 00 52 01 1e 00 01 02 01 00 00 00 00 00 04 00 00 00"
	a8  = "44 23 01 00 00 00 00 00 51 00 00 00 dc 05 00 00 ac 0d 00 00 d0 05 00 00"
	a9  = "44 23 01 00 00 00 00 00 53 02 8f 0b 30 00 00 00 01 08 00 00 04 00 25 00 30 00"
	a10 = "46 23 01 00 00 00 00 00 43 02 7b 00 d2 04 00 00 72 14 00 00 02 00 59 4e 4e 4e 4e 4e 4e 4e 32 00 05 00 00 00 " +
		"00 67 67 20 77 70 00 00 18 dc 32"
	a11 = "44 23 01 00 00 00 00 00 3e 02 00 00 58 02 00 00 28 0a 00 00 03 01 00 00 ff ff ff ff 02 00 00 00 00 00 c9 42 " +
		"00 00 29 42 62 1a 00 00 5e 1a 00 00"
	a12 = "46 23 01 00 00 00 00 00 3e 02 00 00 bc 02 00 00 5c 12 00 00 0b 02 02 01"
	a13 = "44 23 01 00 00 00 00 00 3e 02 00 00 59 02 00 00 29 0a 00 00 6c 01 02 03 00 00 c8 42 9a 99 99 3e"
	a14 = "44 23 01 00 00 00 00 00 3e 02 00 00 5a 02 00 00 2a 0a 00 00 75 01 00 00 ff ff ff ff 04 02 00 00 00 00 00 00 " +
		"00 00 00 00 ff ff ff ff a0 16 00 00"
	a15 = `44 23 01 00 00 00 00 00 5a 02 00 00 0a 00 00 00 da 07 00 00 00 00 00 00 44 23 01 00 46 23 01 00
		00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 fd 00 00 00 00 00 00 00
		00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
		00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 84 0a
		00 31 31 09 07 00 dc 05 c8 00 00 00 00 00 00 00 00 0d 1e 00 00 00 00 00 00 00 00 00 00 00 00 00
		00 00 00 00 00 00 00 00 00 02 03 01 01 01 01 01 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
		00 00 00 00`
)

// vectors are the test vectors of the protocol's description, and some more. Each check is "field|value|from-to", the
// range counted in the datagram; "~" in front of the field asks for all of its values, joined by commas.
var vectors = []struct {
	name   string
	bytes  string
	info   string
	checks []string
}{
	{"A1 counter sync", a1, "COUNTER_SYNC 4005",
		[]string{"type|COUNTER_SYNC (0x41)|-", "form|16BC41|-", "source|0x00012346|0-3", "destination|0x00012344|4-7",
			"command|COUNTER_SYNC (0x41)|8-8", "option1|0x00|9-9", "option2|0x00|10-10", "option3|0x00|11-11",
			"counter|4005|12-15"}},
	{"A2 time sync request", a2, "TIME_SYNC_REQUEST 123456 ms", []string{"form|16BC31|-", "time_passed|123456 ms|12-15"}},
	{"A3 time sync answer", a3, "TIME_SYNC_ANSWER 123456 ms",
		[]string{"form|16BC32|-", "option1|0x10|9-9", "time_passed|123456 ms|12-15", "time.unasked||-"}},
	{"A4 turn sync", a4, "TURN_SYNC turn 500, out of sync since turn 498, ping 28",
		[]string{"form|32BC44|-", "turn|500|12-15", "counter|2500|16-19",
			"turn_sync.command2|0x44|20-20", "turn_sync.unknown1|0x12|21-21", "turn_sync.unknown2|0x34|22-22",
			"turn_sync.unknown3|0xf7|23-23",
			"turn_sync.offset|498|24-27", "ping.change|-2|28-28", "ping|28|29-29", "turn_sync.unknown4|0x4c|30-30",
			"turn_sync.unknown5|0xf7|31-31",
			"desync||-", "turn_sync.outofsync|2 turns|-"}},
	{"A5 world check", a5, "WORLD_CHECK of turn 998",
		[]string{"form|56BC4D|-", "check.unknown1|0x00000001|20-23", "check.turn|998|24-27",
			"check.unknown2|0xaabbccdd|28-31",
			"check.unknown3|0x000056fa|32-35", "check.unknown4|0x00000000|36-39", "check.unknown5|0x00000007|40-43",
			"check.unknown6|0x00000008|44-47",
			"check.unknown7|0x00000009|48-51", "check.unknown8|0x11223344|52-55"}},
	{"A6 connecting", a6, "LOBBY_CONNECTION_SYNC a player is connecting",
		[]string{"form|24BC35|-", "destination|everybody (0x00000000)|4-7", "connect.connecting1|0x00503a87|12-15",
			"connect.unknown|0xcafe0002|16-19", "connect.connecting2|0x0032b5c4|20-23",
			"connect.state|a player is connecting|-"}},
	{"A7 ready", a7, "READY P2 is ready",
		[]string{"form|24BC52|-", "option2|0x1e|10-10", "ready.unknown|0x01|12-12", "ready.player|2|13-13",
			"ready.unknown2|0x01|14-14",
			"ready.alignment|00|15-15", "ready.zero|0|16-19", "ready.unknown3|0x00000004|20-23", "ready|yes|-",
			"ready.count|1|-",
			"player|P2|-"}},
	{"A8 continue", a8, "CONTINUE_AFTER_DROP go on from turn 1488",
		[]string{"form|24BC51|-", "turn|1500|12-15", "counter|3500|16-19", "continue.turn|1488|20-23", "continue.drop||-"}},
	{"A9 lobby turn", a9, "LOBBY_TURN_SYNC of the host, turn 48",
		[]string{"form|26BC53|-", "option2|0x8f|10-10", "option3|0x0b|11-11", "turn|48|12-15", "counter|2049|16-19",
			"lobby_turn.unknown1|4|20-21", "lobby_turn.unknown2|37|22-23", "lobby_turn.turn|48|24-25"}},
	{"A10 chat", a10, "CHAT P2 to P1: gg wp",
		[]string{"form|47BC43|-", "chat.player|P2 (2)|20-20", "chat.sent|Enter (0x00)|21-21", "chat.receivers|YNNNNNNN|22-29",
			"chat.separator|0x32|30-30", "chat.zero1|0x00|31-31", "chat.length|5 bytes|32-32", "chat.zero2|0|33-36",
			"chat.text|gg wp|37-42", "chat.leftover|0018dc32|43-46", "chat.to|P1|-", "player|P2|-"}},
	{"A11 move", a11, "MOVE P1 moves 2 units to (100.5, 42.25)",
		[]string{"form|48BC3E|-", "type|MOVE (0x3e03)|-", "command|PLAYER_ACTION (0x3e)|8-8", "action|MOVE (0x03)|20-20",
			"action.player|P1 (1)|21-21", "zero|0000|22-23", "action.ones|0xffffffff|24-27", "action.selected32|2 objects|28-31",
			"x|100.5 tiles|32-35", "y|42.25 tiles|36-39",
			"unit|0x00001a62|40-43", "~unit|0x00001a62,0x00001a5e|"}},
	{"A12 disconnect", a12, "DISCONNECT P2 lost the connection",
		[]string{"type|DISCONNECT (0x3e0b01)|-", "form|24BC3E|-", "action.number|P2 (2)|21-21", "action.player|P2 (2)|22-22",
			"resign.how|disconnected (1)|23-23"}},
	{"A13 tribute", a13, "TRIBUTE P1 gives P2 100 gold, fee 0.3",
		[]string{"form|32BC3E|-", "tribute.from|P1 (1)|21-21", "tribute.to|P2 (2)|22-22", "resource|gold (3)|23-23",
			"tribute.amount|100|24-27", "tribute.fee|0.3|28-31"}},
	{"A14 cancel production", a14, "CANCEL_PRODUCTION player 0x00012344 cancels production 3 of 1 building",
		[]string{"type|CANCEL_PRODUCTION (0x3e7504)|-", "form|48BC3E|-", "action.selected|1 object|21-21",
			"building|none (0xffffffff)|24-27", "garrison.type|cancel production (4)|28-28", "garrison.slot|2|29-29",
			"x|0 tiles|32-35", "y|0 tiles|36-39", "action.ones|0xffffffff|40-43", "unit|0x000016a0|44-47"}},
	{"A15 settings", a15, "LOBBY_SETTINGS Arabia, normal, feudal age, 200 units, 2 players",
		[]string{"form|196BC5A|-", "~settings.player|0x00012344,0x00012346,empty (0x00000000),empty (0x00000000),empty " +
			"(0x00000000),empty (0x00000000),empty (0x00000000),empty (0x00000000)|",
			"settings.player|0x00012344|24-27",
			"settings.ready|0xfd (Slot 1, Slot 3, Slot 4, Slot 5, Slot 6, Slot 7, Slot 8)|56-56",
			"settings.checks|0x84 (Speed locked, All technologies)|126-126",
			"settings.checks.apart|Not set|126-126", "settings.reveal|explored (2)|127-127", "settings.speed|normal (2)|127-127",
			"settings.age|feudal (3)|129-129", "settings.resources|low (1)|129-129",
			"settings.size|normal (3)|130-130", "settings.difficulty|hard (1)|130-130", "settings.map|Arabia (9)|131-131",
			"settings.victory|time limit (7)|132-132", "settings.limit|1500|134-135",
			"settings.population|200 units|136-136",
			"~settings.civilisation|Celts (13),random (30),Gaia (0),Gaia (0),Gaia (0),Gaia (0),Gaia (0),Gaia (0)|",
			"settings.civilisation|Celts (13)|145-145",
			"~settings.team|team 1 (2),team 2 (3),none (1),none (1),none (1),none (1),none (1),none (1)|",
			"settings.team|team 1 (2)|169-169", "settings.zero|0000|177-178", "settings.count|2|-"}},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			k := newTalk(t)
			n := k.Say(1, host, second, v.bytes)
			tree := k.Session().Tree(n)
			if tree.InfoLine() != v.info {
				t.Errorf("info is %q, want %q", tree.InfoLine(), v.info)
			}
			for _, c := range v.checks {
				dissecttest.Holds(t, tree, "aoe2", c)
			}
			if _, gap := dissecttest.Find(tree, "_ws.unclaimed"); gap {
				t.Error("bytes belong to no field")
			}
			if t.Failed() {
				t.Log(dissecttest.Dump(tree))
			}
		})
	}
}

func TestDeclarations(t *testing.T) { dissecttest.Declarations(t, plugins()) }

// TestTruncations cuts every vector at every length, as lies and as snap lengths.
func TestTruncations(t *testing.T) {
	k := newTalk(t)
	for _, v := range vectors {
		k.Say(1, host, second, v.bytes)
	}
	s := k.Session()
	dissecttest.Truncations(t, plugins(), s)
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Owned(t, s)
	var cut []dissecttest.Packet
	for _, v := range vectors {
		b := dissecttest.Unhex(t, v.bytes)
		for n := 1; n < len(b); n++ {
			cut = append(cut, dissecttest.Packet{Data: dissecttest.Datagram(host, second, b[:n])})
		}
	}
	dissecttest.Redissections(t, dissecttest.Session(t, plugins(), 1, cut))
}

// placed holds a field of an action against its value and its place behind the header; "-" is a field that is not read.
func placed(t *testing.T, tree *dissect.Tree, what, name, value, at string) {
	t.Helper()
	for i := range tree.Nodes {
		if tree.Field(i).Name() != "aoe2."+name {
			continue
		}
		if got := tree.Value(i); got != value {
			t.Errorf("%s: %s is %q, want %q", what, name, got, value)
		}
		where := "-"
		if n := tree.Nodes[i]; n.Len > 0 {
			where = fmt.Sprint(int(n.Off) - headers - headerLong)
		}
		if where != at {
			t.Errorf("%s: %s is at %s, want %s", what, name, where, at)
		}
		return
	}
	t.Errorf("%s has no %s", what, name)
}
