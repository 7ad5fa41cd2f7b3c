package touhou

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

const (
	t1  = "0102002a30c00002010000000000000000 02002a30c000020100000000 00000000 00000000"
	t2  = "01 02 00 2a 30 c0 00 02 01 00 00 00 00 00 00 00 00 02 00 c3 50 c6 33 64 07 aa bb cc dd 11 22 33 44 05 00 00 00"
	t3  = "02 02 00 c3 55 cb 00 71 09 00 00 00 00 00 00 00 00 00 00 00 00"
	t6  = "07 01 00 00 00"
	t6b = "04 07 00 00 00"
	t8  = "0d 03 2c 01 00 00 03 04 10 00 00 00 01 00 08 02"
	t9  = "0d 03 e8 03 00 00 05 06 02 00 02 00 84 00 04 00 14 00 10 01"
	t10 = `0d 04 10 03 01 14 00 00 01 00 02 00 64 00 64 00 65 00 65 00 66 00 66 00 67 00 67 00 c8 00 c8 00
		c9 00 c9 00 ca 00 ca 00 cb 00 cb 00 cc 00 00 13 00 02 00 00 1e 05 ef be ad de 77`
	t11  = "0d 09 14 78 9c ab 61 80 00 26 16 16 06 01 06 16 20 0b 00 09 92 00 9b"
	t12  = "0d 03 14 78 9c ab 61 80 00 26 16 16 06 01 06 16 20 0b 00 09 92 00 9b"
	t13  = "0e 0b 78 00 00 00 02"
	t14  = "10 07 00 00 00 40 e2 01 00"
	t14b = "11 07 00 00 00 40 e2 01 00"
	t15  = "12 3c 00 00 00 00 00 c8 43 00 00 00 00 00 20 48 44 00 00 44 c1 78 56 34 12"
	t16  = "13 03 02"
	t16b = "14"
	t17  = "6b 02 00 00 f4 01 00 00 0a 02 06 03 21 00 20 00 00 00 f2 01 00 00 ff ff ff 7f"
)

var (
	t4 = "05 6473 65d9ffc46e488d7ca192313472 95 0000 01 00 2800 0000 01 05 5265696d75 00" + strings.Repeat("cc", 32)
	t5 = "06 0000 0000 11000000 4400 0000 486f737479" + strings.Repeat("00", 27) + "436c69656e7479" +
		strings.Repeat("00", 25) + "01000000"
	t7 = "08 02000000 0200c350c6336407" + strings.Repeat("00", 56)
)

// vectors are the test vectors of the protocol's description. Each check is "field value" or "field value @from-to",
// the range counted in the datagram; "~" in front of the field asks for all of its values, joined by commas.
var vectors = []struct {
	name   string
	bytes  string
	before []string // datagrams of the same sender in front
	info   string
	checks []string
}{
	{"T1 HELLO", t1, nil, "HELLO round 1 to 192.0.2.1:10800", []string{
		"type|HELLO (0x01)|0-0", "peer.family|2|1-2", "peer.port|10800|3-4", "peer.ip|192.0.2.1|5-8",
		"peer.padding|0000000000000000|9-16",
		"target.ip|192.0.2.1|21-24", "hint|0 (0x00000000)|33-36", "hint.port|10800|-", "hello.purpose|connect|-",
		"round|1|-"}},
	{"T2 punch request", t2, nil, "HELLO round 1 asks 192.0.2.1:10800 to punch 198.51.100.7:50000, port 10805", []string{
		"target.port|50000|19-20", "target.ip|198.51.100.7|21-24", "target.padding|aabbccdd11223344|25-32",
		"hint|5 (0x00000005)|33-36",
		"hint.port|10805|-", "hello.purpose|punch request|-"}},
	{"T3 PUNCH", t3, nil, "PUNCH answer to 203.0.113.9:50005",
		[]string{"address.port|50005|3-4", "address.ip|203.0.113.9|5-8", "unknown|00000000|17-20"}},
	{"T4 INIT_REQUEST", t4, nil, "INIT_REQUEST play as Reimu, 1.10a, SWR linked, Sokuroll 1.3", []string{
		"gameid|647365d9ffc46e488d7ca19231347295|1-16", "init.hint|0 (0x0000)|17-18", "init.unknown|0x01|19-19",
		"init.size|40 bytes|21-22",
		"init.request|play (1)|25-25", "init.namelen|5 bytes|26-26", "init.name|Reimu|27-31",
		"~uninitialised|00,0000,00" + strings.Repeat("cc", 32) + "|"}},
	{"T5 INIT_SUCCESS", t5, nil, "INIT_SUCCESS Hosty vs Clienty, spectating allowed, receiver is a spectator", []string{
		"init.spectate|spectating allowed, receiver is a spectator (0x00000011)|5-8", "init.size|68 bytes|9-10",
		"host.name|Hosty|13-18",
		"client.name|Clienty|45-52", "init.noswr|yes (1)|77-80", "parent|10.0.0.1:10800|-"}},
	{"T6 INIT_ERROR", t6, nil, "INIT_ERROR refused: GAME_STATE_INVALID",
		[]string{"init.reason|GAME_STATE_INVALID (1)|1-4", "init.refused||-"}},
	{"T6 CHAIN", t6b, nil, "CHAIN 2 spectators", []string{"chain|7|1-4", "spectators|2|-"}},
	{"CHAIN uninitialised", "04 2ca36002", nil, "CHAIN not initialised",
		[]string{"chain|not initialised (0x0260a32c)|1-4", "chain.uninitialised||-"}},
	{"T7 REDIRECT", t7, nil, "REDIRECT try child 2 at 198.51.100.7:50000",
		[]string{"redirect.child|2|1-4", "target.port|50000|7-8", "~uninitialised|" + strings.Repeat("00", 48) + "|"}},
	{"T8 vanilla inputs", t8, nil, "GAME_INPUT select f 300 host Z client · (2 new)", []string{
		"type|GAME_INPUT (0x0d03)|0-1", "game|HOST_GAME (0x0d)|0-0", "sub|INPUT (0x03)|1-1", "input.frame|300|2-5",
		"scene|character select (3)|6-6", "input.count|4|7-7",
		"select.host|Z (0x0010)|8-9", "select.client|· (0x0000)|10-11", "~input.of|300,299|",
		"~select.host|Z (0x0010),↑ (0x0001)|", "~select.client|· (0x0000),A→ (0x0208)|", "select.host.z|Set|8-9",
		"input.new|2 frames|-"}},
	{"T9 read as vanilla", t9, nil, "GAME_INPUT battle f 1000 host ↓ client ↓ (3 new)",
		[]string{"~input.of|1000,999,998|", "~input.host|↓ (0x0002),Dash← (0x0084),A← (0x0014)|"}},
	{"T9 Sokuroll inputs", t9, []string{t14}, "GAME_INPUT battle f 1000 host Dash← delay 2 (4 new)", []string{
		"~input.delay|2,2|", "input.delay|2|8-9", "~input.of|1000,999,998,997|", "input.host|Dash← (0x0084)|12-13",
		"~input.host|Dash← (0x0084),← (0x0004),A← (0x0014),A A+B (0x0110)|", "sokuroll|yes|-", "input.new|4 frames|-"}},
	{"T10 GAME_MATCH", t10, nil, "GAME_MATCH 1: Cirno vs Suwako at Misty Lake, seed deadbeef", []string{
		"match.host.character|Cirno (16)|2-2", "match.host.skin|3|3-3", "match.host.deck|1|4-4",
		"match.host.size|20 cards|5-5", "match.host.card|0|6-7",
		"~match.host.card|0,1,2,100,100,101,101,102,102,103,103,200,200,201,201,202,202,203,203,204|",
		"match.host.single|no (0)|46-46",
		"match.client.character|Suwako Moriya (19)|47-47", "match.client.deck|2|49-49", "match.client.size|0 cards|50-50",
		"~uninitialised|00,77|",
		"match.stage|Shore of Misty Lake (30)|52-52", "match.music|5|53-53", "match.seed|0xdeadbeef|54-57",
		"match.number|1|-"}},
	{"T11 GAME_REPLAY", t11, nil, "GAME_REPLAY match 2, 2 frames up to 62 host A client ←", []string{
		"type|GAME_REPLAY (0x0d09)|0-1", "replay.size|20 bytes|2-2",
		"replay.data|789cab61800026161606010616200b000992009b|3-22"}},
	{"T12 overwritten", t12, nil,
		"GAME_REPLAY match 2, 2 frames up to 62 host A client ← (sub-type overwritten by the sender)", []string{
			"type|GAME_REPLAY (0x0d09)|-", "game|HOST_GAME (0x0d)|0-0", "sub|INPUT (0x03)|1-1", "replay.overwritten||-"}},
	{"T12 damaged", "0d 03 14 e8 03 00 00 05 02 00 00 00 00 06 16 20 0b 00 09 92 00 9b 00", nil,
		"GAME_REPLAY damaged by the sender", []string{
			"type|GAME_REPLAY (0x0d09)|-", "replay.damaged|e80300000502000000000616200b000992009b00|3-22", "replay.broken||-"}},
	{"T13 request", t13, nil, "GAME_REPLAY_REQUEST match 2, has 120 words",
		[]string{"replay.have|120 (60 game frames)|2-5", "match.id|2|6-6"}},
	{"T14 TIME", t14, nil, "SOKUROLL_TIME seq 7, 123456 ms", []string{"time.seq|7|1-4", "time.stamp|123456 ms|5-8"}},
	{"T15 STATE", t15, nil, "SOKUROLL_STATE f 60 host 400, 0 client 800.5, -12.25", []string{
		"state.frame|60|1-4", "state.host.x|400|5-8", "state.host.y|0|9-12", "state.client.x|800.5|13-16",
		"state.client.y|-12.25|17-20", "state.word|0x12345678|21-24"}},
	{"T16 SETTINGS", t16, nil, "SOKUROLL_SETTINGS rollback 3 (6 frames), delay 2 (4 frames)",
		[]string{"settings.rollback|3 (6 frames)|1-1", "settings.delay|2 (4 frames)|2-2"}},
	{"T16 ACK", t16b, nil, "SOKUROLL_SETTINGS_ACK settings accepted", []string{"type|SOKUROLL_SETTINGS_ACK (0x14)|0-0"}},
	{"T17 giuroll", t17, nil, "GIUROLL_INPUT f 500 from client, confirmed 498", []string{
		"giuroll.from|client (2)|1-1", "input.frame|500|4-7", "giuroll.weather|10|8-8", "giuroll.delay|2 frames|9-9",
		"giuroll.rollback|6 frames|10-10",
		"~giuroll.keys|0x0021 (Up, B),0x0020 (B),0x0000|", "giuroll.confirmed|498|18-21",
		"giuroll.time|2147483647 µs|22-25"}},
	{"names in Shift-JIS, garbage behind the NUL",
		"06 0000 c873 10000000 4400 0000 838c834300" + strings.Repeat("ff", 27) + strings.Repeat("41", 32) + "00000000", nil,
		"INIT_SUCCESS レイ vs " + strings.Repeat("A", 32) + ", spectating allowed", []string{
			"host.name|レイ|13-17", "client.name|" + strings.Repeat("A", 32) + "|45-76",
			"~uninitialised|c873,0000," + strings.Repeat("ff", 27) + "|", "init.noswr|no (0)|77-80"}},
	{"names in GBK",
		"06 0000 c873 10000000 4400 0000 b2a9c0f6c1e9c3ce00" + strings.Repeat("ff", 23) + "cde6bcd200" +
			strings.Repeat("00", 27) + "00000000", nil,
		"INIT_SUCCESS 博丽灵梦 vs 玩家, spectating allowed", []string{"host.name|博丽灵梦|13-21", "client.name|玩家|45-49"}},
	{"spectate request", "05 6e7365d9ffc46e488d7ca19231347295 0500 04 aa 2800 bbcc 00" + strings.Repeat("dd", 39), nil,
		"INIT_REQUEST spectate, 1.10a, SWR linked, vanilla",
		[]string{"init.hint|5 (0x0005)|17-18", "init.unknown|0x04|19-19", "init.request|spectate (0)|25-25",
			"~uninitialised|aa,bbcc," + strings.Repeat("dd", 39) + "|"}},
	{"short INIT_SUCCESS", "06 0000 3232 11000000 0000 fefe", nil,
		"INIT_SUCCESS spectating allowed, receiver is a spectator",
		[]string{"init.size|0 bytes|9-10", "init.nonames||-", "~uninitialised|3232,fefe|"}},
	{"keep-alive", strings.TrimSuffix(t1, "00000000") + "000000bc", nil, "HELLO keep-alive to 192.0.2.1:10800",
		[]string{"hello.purpose|keep-alive of the host|-", "hint|3154116608 (0xbc000000)|33-36"}},
	{"unknown refusal", "07 05000000", nil, "INIT_ERROR refused: Unknown (5)", []string{"init.reason|5|1-4"}},
	{"autopunch", "00", nil, "AUTOPUNCH", []string{"type|AUTOPUNCH (0x00)|0-0"}},
	{"practice element", "17 41420044" + strings.Repeat("00", 60) + "07000000", nil, "PRACTICE_ELEMENT AB = 7",
		[]string{"practice.name|AB|1-3", "practice.value|7|65-68"}},
	{"relay peers", "78 01 02 c0000201 2a30", nil, "RELAY_PEERS 1 peers",
		[]string{"relay.slot|2|2-2", "relay.ip|192.0.2.1|3-6", "relay.port|10800|7-8"}},
	{"Soku2", "d3 01 02 61", nil, "SOKU2_VERSION Soku2 1.2a", []string{"soku2.major|1|1-1", "soku2.letter|a|3-3"}},
	{"too long", "04 07000000 ffee", []string{t1}, "CHAIN 2 spectators", []string{"length.bad||-", "extra|ffee|5-6"}},
	{"unknown type", "09 0102", []string{t1}, "0x09", []string{"type.unknown||-", "unknown|0102|1-2"}},
	{"unknown sub-type", "0e 07 0102", []string{t1}, "0x0e07",
		[]string{"type|0x0e07|0-1", "type.unknown||-", "unknown|0102|2-3"}},
	{"CHAIN without spectators", "04 01000000", nil, "CHAIN no spectators", []string{"spectators|0|-"}},
	{"CHAIN of one", "04 04000000", nil, "CHAIN 1 spectator", []string{"spectators|1|-"}},
	{"watching refused", "07 00000000", nil, "INIT_ERROR refused: SPECTATE_DISABLED",
		[]string{"init.reason|SPECTATE_DISABLED (0)|1-4"}},
	{"T14 ACK", t14b, nil, "SOKUROLL_TIME_ACK seq 7", []string{"time.seq|7|1-4", "time.stamp|123456 ms|5-8"}},
	{"settings out of range", "13 09 08", nil, "SOKUROLL_SETTINGS rollback 9 (18 frames), delay 8 (16 frames)",
		[]string{"settings.range||-"}},
	{"GAME_MATCH to a spectator", "0d 04 10 03 01 01 6400 01 13 00 02 02 c800 c900 00 1e 05 efbeadde 03", []string{t1},
		"GAME_MATCH 3: Cirno vs Suwako at Misty Lake, seed deadbeef, to spectator", []string{
			"match.host.single|yes (1)|8-8", "match.client.size|2 cards|12-12", "~match.client.card|200,201|",
			"match.client.single|no (0)|17-17", "match.stage|Shore of Misty Lake (30)|18-18", "match.id|3|24-24",
			"match.number|3|-"}},
	{"overwritten by LOADED", "0d 01" + t12[5:], nil,
		"GAME_REPLAY match 2, 2 frames up to 62 host A client ← (sub-type overwritten by the sender)",
		[]string{"sub|LOADED (0x01)|1-1", "replay.overwritten||-"}},
	{"too many words", "0d 03 05000000 05 26" + strings.Repeat("0100", 38), []string{t1},
		"GAME_INPUT battle f 5 host ↑ client ↑ (6 new)", []string{"input.many||-", "input.count|38|7-7"}},
	{"another scene", "0e 03 05000000 07 01 0100", []string{t1}, "GAME_INPUT scene 7 f 5 client ↑ (repeat)",
		[]string{"scene.unknown||-", "input.word|0x0001|8-9"}},
	{"LOADED of another scene", "0d 01 09", nil, "GAME_LOADED Unknown (9) to child",
		[]string{"scene.unknown||-", "scene|9|2-2"}},
	{"replay that goes up", "0e" + t11[2:], nil, "GAME_REPLAY match 2, 2 frames up to 62 host A client ←",
		[]string{"game.direction||-"}},
	{"request that goes down", "0d" + t13[2:], nil, "GAME_REPLAY_REQUEST match 2, has 120 words",
		[]string{"game.direction||-"}},
	{"practice request", "15", nil, "PRACTICE_REQUEST", []string{"type|PRACTICE_REQUEST (0x15)|0-0"}},
	{"practice response", "16 01", nil, "PRACTICE_RESPONSE yes", []string{"practice.accept|yes (1)|1-1"}},
	{"desync detector", "20", nil, "DESYNC_ENABLE", []string{"type|DESYNC_ENABLE (0x20)|0-0"}},
	{"desync state", "21 aabbcc", nil, "DESYNC_STATE", []string{"desync.state|aabbcc|1-3"}},
	{"giuroll probe", "6c", nil, "GIUROLL_PROBE", []string{"type|GIUROLL_PROBE (0x6c)|0-0"}},
	{"giuroll probe answer", "6d 61", nil, "GIUROLL_PROBE_ACK", []string{"giuroll.mark|0x61|1-1"}},
	{"giuroll leaves", "6e 00", nil, "GIUROLL_LEFT", []string{"giuroll.mark|0x00|1-1"}},
	{"GAME_MATCH of the client", "0e 04 99 98 97 00 96 95 94 93 02 0100 0200 01 92 91 aabbccdd 90", nil,
		"GAME_MATCH the client's deck, 2 cards", []string{
			"~uninitialised|999897,96,959493,9291aabbccdd90|", "~match.client.card|1,2|", "match.client.single|yes (1)|15-15"}},
}

// byHand has the port be the game's, as most packets say too little alone to be taken for it.
var byHand = dissect.DecodeAs{Table: dissect.TableUDP, Value: defaultPort, Protocol: "touhou"}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			k := newTalk(t)
			for _, b := range v.before {
				k.Say(1, host, client, b)
			}
			n := k.Say(1, host, client, v.bytes)
			tree := k.Session(byHand).Tree(n)
			if tree.InfoLine() != v.info {
				t.Errorf("info is %q, want %q", tree.InfoLine(), v.info)
			}
			for _, c := range v.checks {
				dissecttest.Holds(t, tree, "touhou", c)
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

// TestInflatedReplay checks the second data source of T11.
func TestInflatedReplay(t *testing.T) {
	k := newTalk(t)
	tree := k.sayTree(t11)
	if n := len(tree.Sources()); n != 2 {
		t.Fatalf("%d data sources", n)
	}
	for name, want := range map[string]string{"replay.frame": "124", "replay.end": "0", "match.id": "2",
		"replay.count": "4", "replay.of": "62,61",
		"input.client": "← (0x0004),← (0x0004)", "input.host": "A (0x0010),· (0x0000)"} {
		if got := dissecttest.All(tree, "touhou."+name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for i := range tree.Nodes {
		if n := tree.Nodes[i]; tree.Field(i).Name() == "touhou.replay.count" && (n.Src != 1 || n.Off != 9 || n.Len != 1) {
			t.Errorf("the count is at %d:%d+%d", n.Src, n.Off, n.Len)
		}
	}
}

func (k *talk) sayTree(text string) *dissect.Tree {
	n := k.Say(1, host, client, text)
	return k.Session(byHand).Tree(n)
}

// TestTruncations cuts every vector at every length, as lies and as snap lengths.
func TestTruncations(t *testing.T) {
	k := newTalk(t)
	for _, v := range vectors {
		k.Say(1, host, client, v.bytes)
	}
	s := k.Session(byHand)
	dissecttest.Truncations(t, plugins(), s)
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	var cut []dissecttest.Packet
	for _, v := range vectors {
		b := dissecttest.Unhex(t, v.bytes)
		for n := 1; n < len(b); n++ {
			cut = append(cut, dissecttest.Packet{Data: dissecttest.Datagram(host, client, b[:n])})
		}
	}
	dissecttest.Redissections(t, dissecttest.Session(t, plugins(), 1, cut))
}

func TestDeclarations(t *testing.T) { dissecttest.Declarations(t, plugins()) }
