package aoe2

import (
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

// action is a packet with an action, given from its id on.
func action(text string) string { return header3e + text }

// actions are one of each kind, made by the layouts of the description: each check is "field value at", the place
// counted from the action's id, as the description counts. size is the base length there, n the objects.
var actions = []struct {
	bytes   string
	size, n int
	info    string
	checks  string // field=value@place, separated by ;
}{
	{"00 02 0000 a1a20000 01 000000 00002041 00004842 b1000000", 20, 1,
		"PRIMARY_ACTION P2 sends 1 unit to object 0xa2a1 at (10, 50)",
		"action.player=P2 (2)@1;target=0x0000a2a1@4;action.selected=1 object@8;x=10 tiles@12;y=50 " +
			"tiles@16;unit=0x000000b1@20"},
	{"00 02 0000 ffffffff ff 000000 00002041 00004842", 20, 0, "PRIMARY_ACTION P2 sends the same units to (10, 50)",
		"action.selected=same as before (255)@8;target=none (0xffffffff)@4"},
	{"01 02 b1000000 b2000000", 2, 2, "STOP player 0x00012344 stops 2 objects",
		"action.selected=2 objects@1;unit=0x000000b1@2"},
	{"02 000000 a1a20000 01 000000 00002041 00004842 b1000000", 20, 1,
		"AI_PRIMARY_ACTION player 0x00012344 sends 1 unit to object 0xa2a1 at (10, 50)",
		"target=0x0000a2a1@4;action.selected=1 object@8;unit=0x000000b1@20"},
	{"03 01 0000 ffffffff 01000000 00002041 00004842 b1000000", 20, 1, "MOVE P1 moves 1 unit to (10, 50)",
		"action.ones=0xffffffff@4;action.selected32=1 object@8;x=10 tiles@12"},
	{"03 01 0000 ffffffff ff000000 00002041 00004842", 20, 0, "MOVE P1 moves the same units to (10, 50)",
		"action.selected32=same as before (255)@8"},
	{"0a 01 03 04 b1000000 c1020100 ffffffff ff 000000 00000943 00004a43 000080bf 0000803f 01000000", 40, 0,
		"AI_MOVE P4 moves 1 unit to (137, 202)",
		"action.number=P3 (3)@2;action.player=P4 (4)@3;ai.unit=0x000000b1@4;action.unknown=0x000102c1@8;target=none " +
			"(0xffffffff)@12;ai.count=0xff@16;x=137 tiles@20;y=202 tiles@24;ai.sign=-1@28"},
	{"0a 02 03 04 b1000000 c1020100 a1a20000 01 000000 00000943 00004a43 000080bf 0000803f 01000000 b1000000 b2000000", 40,
		2, "AI_MOVE P4 sends 2 units against object 0xa2a1 at (137, 202)", "unit=0x000000b1@40;ai.count=0x01@16"},
	{"0b 02 03 00", 4, 0, "RESIGN P3 resigns", "action.number=P2 (2)@1;action.player=P3 (3)@2;resign.how=resigned (0)@3"},
	{"10 01 01 0a 0b b1000000", 5, 1, "WAYPOINT P1 sets a waypoint at tile (10, 11) for 1 unit",
		"action.selected=1 object@2;tile.x=10 tiles@3;tile.y=11 tiles@4;unit=0x000000b1@5"},
	{"10 01 ff 0a 0b", 5, 0, "WAYPOINT P1 sets a waypoint at tile (10, 11) for the same units",
		"action.selected=same as before (255)@2"},
	{"12 01 01 b1000000", 3, 1, "STANCE player 0x00012344 sets 1 unit to defensive",
		"stance=defensive (1)@2;unit=0x000000b1@3"},
	{"13 01 0000 a1a20000 b1000000", 8, 1, "GUARD player 0x00012344 lets 1 unit guard object 0xa2a1",
		"target=0x0000a2a1@4;unit=0x000000b1@8"},
	{"14 01 0000 a1a20000 b1000000", 8, 1, "FOLLOW player 0x00012344 lets 1 unit follow object 0xa2a1",
		"target=0x0000a2a1@4"},
	{"15 01 02 00" + strings.Repeat("00002041", 10) + strings.Repeat("00004842", 10) + "b1000000", 84, 1,
		"PATROL player 0x00012344 lets 1 unit patrol over 2 waypoints from (10, 50)",
		"waypoints=2@2;x=10 tiles@4;y=50 tiles@44;unit=0x000000b1@84"},
	{"17 01 02 00 07 000000 b1000000", 8, 1, "FORMATION P2 puts 1 unit into formation staggered or box",
		"action.number=P2 (2)@2;formation=staggered or box (7)@4"},
	{"1b 01 02 61622e6d7378 00" + strings.Repeat("cc", 268-10-4) + "44332211", 268, 0,
		"SAVE_GAME P2 saves the game as ab.msx and leaves",
		"save.mode=save and exit (1)@1;action.player=P2 (2)@2;save.name=ab.msx@3;save.checksum=0x11223344@264"},
	{"1f 01 02 b1000000 0a0b 1415", 7, 1, "AI_WAYPOINTS player 0x00012344 sends 1 unit over 2 waypoints",
		"waypoints=2@2;tile.x=10 tiles@7;tile.y=20 tiles@9"},
	{"64 000000 a1a20000 0300 5300 ffffffff", 16, 0, "AI_TRAIN P3 trains a Villager at object 0xa2a1",
		"building=0x0000a2a1@4;action.number2=P3 (3)@8;unit.type=Villager (83)@10;action.ones=0xffffffff@12"},
	{"65 000000 a1a20000 01 00 6500 ffffffff", 16, 0, "RESEARCH P1 researches Feudal Age at object 0xa2a1",
		"action.number=P1 (1)@8;technology=Feudal Age (101)@10;age=@-"},
	{"66 01 02 00 00002041 00004842 4600 0000 ffffffff 02000000 b1000000", 24, 1,
		"BUILD P2 lets 1 unit build a House at (10, 50)", "x=10 tiles@4;y=50 tiles@8;building.type=House " +
			"(70)@12;action.ones=0xffffffff@16;build.sprite=2@20;unit=0x000000b1@24"},
	{"67 00 01 00 02 000000 00004040 03 000000", 16, 0, "DIPLOMACY P1 declares P2 enemy",
		"game.mode=DIPLOMACY (0x00)@1;game.source=1@2;game.option=2@4;game.value=3@8;game.stance=enemy (3)@12;diplomacy=@-"},
	{"67 00 01 00 02 000000 00004040 00 000000", 16, 0, "DIPLOMACY P1 declares P2 allied", "game.stance.bad=@-"},
	{"67 01 01 00 00 000000 00000040 00 000000", 16, 0, "GAME_SPEED P1 sets the game speed to fast", "game.value=2@8"},
	{"67 02 01 00 00 000000 00000000 00 000000", 16, 0, "INSTANT_BUILD P1 uses instant build", ""},
	{"67 04 01 00 00 000000 00000000 00 000000", 16, 0, "QUICK_BUILD player 0x00012344 turns quick build on", ""},
	{"67 05 01 00 02 000000 00000000 00 000000", 16, 0, "ALLIED_VICTORY P1 changes allied victory with P2", ""},
	{"67 06 01 00 68 000000 00000000 00 000000", 16, 0, "CHEAT P1 cheats with number 0x68", ""},
	{"67 0a 01 00 00 000000 00000000 00 000000", 16, 0, "SPIES P1 buys treason or spies", ""},
	{"67 0b 01 00 00 000000 00000000 00 000000", 16, 0, "AI_POLICY P1 sets an AI policy", ""},
	{"67 0d 01 00 05 000000 00000000 00 000000", 16, 0, "QUEUE_FARMS P1 queues 5 farms", ""},
	{"67 0e 01 00 01 000000 00000000 00 000000", 16, 0, "UNQUEUE_FARMS P1 takes 1 farm from the queue", ""},
	{"67 77 01 00 01 000000 00000000 00 000000", 16, 0, "GAME_COMMAND P1 gives the unknown game command 0x77", ""},
	{"69 01 02 0a 0b 14 15 00 7500 0000 ffffffff b1000000", 16, 1,
		"BUILD_WALL P2 lets 1 unit build a Stone Wall from tile (10, 11) to (20, 21)", "tile.x=10 tiles@3;tile.endx=20 " +
			"tiles@5;tile.endy=21 tiles@6;building.type=Stone Wall (117)@8;action.ones=0xffffffff@12"},
	{"6a 000000 a1a20000 02 000000", 12, 0, "DELETE P2 deletes object 0xa2a1",
		"target=0x0000a2a1@4;action.number=P2 (2)@8"},
	{"6b 01 0000 00002041 00004842 b1000000", 12, 1,
		"ATTACK_GROUND player 0x00012344 lets 1 unit attack the ground at (10, 50)", "x=10 tiles@4;y=50 tiles@8"},
	{"6c 01 02 00 0000c842 00000000", 12, 0, "TRIBUTE P1 gives P2 100 food, fee 0",
		"tribute.to=P2 (2)@2;resource=food (0)@3;tribute.amount=100@4;tribute.fee=0@8"},
	{"6e 01 0000 a1a20000 b1000000", 8, 1, "REPAIR player 0x00012344 lets 1 unit repair object 0xa2a1", ""},
	{"6f 01 0000 000080bf 000080bf 03 000000 a1a20000 b1000000", 20, 1,
		"UNGARRISON player 0x00012344 ungarrisons the clicked unit from 1 object",
		"x=-1 tiles@4;ungarrison.type=the clicked unit (3)@12;target=0x0000a2a1@16;unit=0x000000b1@20"},
	{"72 000000 a1a20000", 8, 0, "TOGGLE_GATE player 0x00012344 opens or closes gate object 0xa2a1",
		"building=0x0000a2a1@4"},
	{"73 000000 ffffffff 00 0101000000000000 000000 00002041 00004842 03 04 0000", 32, 0,
		"FLARE P4 sends a flare to (10, 50)",
		"flare.sees=1@9;x=10 tiles@20;y=50 tiles@24;action.number=P3 (3)@28;action.player=P4 (4)@29"},
	{"75 01 0000 ffffffff 01 00 0000 00000000 00000000 ffffffff b1000000", 24, 1, "PACK player 0x00012344 packs 1 unit",
		"garrison.type=pack trebuchet (1)@8"},
	{"75 01 0000 ffffffff 02 00 0000 000080bf 000080bf ffffffff b1000000", 24, 1,
		"UNPACK player 0x00012344 unpacks 1 unit", "action.ones=0xffffffff@20"},
	{"75 01 0000 a1a20000 05 00 0000 000080bf 000080bf ffffffff b1000000", 24, 1,
		"GARRISON player 0x00012344 garrisons 1 unit in object 0xa2a1", "building=0x0000a2a1@4"},
	{"75 01 0000 a1a20000 09 00 0000 000080bf 000080bf ffffffff b1000000", 24, 1,
		"GARRISON player 0x00012344 orders 1 unit by garrison type 9", ""},
	{"77 000000 a1a20000 5300 0500", 12, 0, "TRAIN player 0x00012344 trains 5 × Villager at object 0xa2a1",
		"building=0x0000a2a1@4;unit.type=Villager (83)@8;train.count=5 units@10"},
	{"78 01 0000 a1a20000 42000000 00002041 00004842 b1000000", 20, 1,
		"RALLY_POINT player 0x00012344 sets the rally point of 1 building on object 0xa2a1 (Gold Mine)",
		"target.type=Gold Mine (66)@8;x=10 tiles@12"},
	{"78 01 0000 ffffffff ffff0000 00002041 00004842 b1000000", 20, 1,
		"RALLY_POINT player 0x00012344 sets the rally point of 1 building at (10, 50)", "target.type=none (65535)@8"},
	{"7a 01 02 01 a1a20000", 8, 0, "SELL P1 sells 100 stone at object 0xa2a1",
		"resource=stone (2)@2;trade.amount=1@3;building=0x0000a2a1@4"},
	{"7b 01 01 05 a1a20000", 8, 0, "BUY P1 buys 500 wood at object 0xa2a1", ""},
	{"7e 000000 a1a20000", 8, 0, "DROP_RELIC player 0x00012344 lets object 0xa2a1 drop its relic", "target=0x0000a2a1@4"},
	{"7f 000000 a1a20000 01 000000", 12, 0, "TOWN_BELL player 0x00012344 rings the bell of object 0xa2a1",
		"bell=ring (1)@8"},
	{"80 000000 a1a20000", 8, 0, "BACK_TO_WORK player 0x00012344 sends the people of object 0xa2a1 back to work", ""},
}

// TestActions reads one of every action, and measures its length as the recogniser does.
func TestActions(t *testing.T) {
	seen := map[byte]bool{}
	for _, a := range actions {
		k := newTalk(t)
		n := k.Say(1, host, second, action(a.bytes))
		tree := k.Session().Tree(n)
		b := dissecttest.Unhex(t, a.bytes)
		seen[b[0]] = true
		if got := tree.InfoLine(); got != a.info {
			t.Errorf("info is %q, want %q", got, a.info)
		}
		if size, fits, _ := measure(b); size != len(b) || !fits || size != a.size+4*a.n && b[0] != actWaypointsAI {
			t.Errorf("%s: measured %d bytes of %d, fits %v", a.info, size, len(b), fits)
		}
		for _, name := range []string{"_ws.unclaimed", "_ws.malformed", "aoe2.trailing", "aoe2.action.length",
			"aoe2.action.selected.bad", "aoe2.action.ones.bad"} {
			if _, bad := dissecttest.Find(tree, name); bad {
				t.Errorf("%s has %s:\n%s", a.info, name, dissecttest.Dump(tree))
			}
		}
		for _, c := range strings.Split(a.checks, ";") {
			if c == "" {
				continue
			}
			name, rest, _ := strings.Cut(c, "=")
			value, at, _ := strings.Cut(rest, "@")
			placed(t, tree, a.info, name, value, at)
		}
	}
	for id := range actionNames {
		if !seen[byte(id)] && !recorded[byte(id)] {
			t.Errorf("action 0x%02x is not tried", id)
		}
	}
}

// TestOtherActions are those that only recordings have, those that nobody knows, and those with wrong counts.
func TestOtherActions(t *testing.T) {
	for bytes, want := range map[string]string{
		"04 0102":                                "CREATE_UNIT action.recorded",
		"05 0102":                                "GIVE_RESOURCE action.recorded",
		"06 0102":                                "GIVE_RESOURCE action.recorded",
		"0f 0102":                                "SPECTATOR action.recorded",
		"20 0102":                                "CHAPTER action.recorded",
		"35 0102":                                "AI_ORDER action.recorded",
		"70 0102":                                "MULTI_QUEUE action.recorded",
		"99 0102":                                "0x3e99 action.unknown.type",
		"12 05 01 b1000000":                      "STANCE action.selected.bad",
		"72 000000 a1a20000 cccccccccccccc":      "TOGGLE_GATE action.length",
		"65 000000 a1a20000 01 00 6500 feffffff": "RESEARCH action.ones.bad",
	} {
		kind, note, _ := strings.Cut(want, " ")
		k := newTalk(t)
		n := k.Say(1, host, second, action(bytes))
		tree := k.Session().Tree(n)
		if _, ok := dissecttest.Find(tree, "aoe2."+note); !ok || tree.Kind() != kind {
			t.Errorf("%s is %s, without %s:\n%s", bytes, tree.Kind(), note, dissecttest.Dump(tree))
		}
		if _, bad := dissecttest.Find(tree, "_ws.malformed"); bad {
			t.Errorf("%s is malformed", bytes)
		}
	}
}

// TestNames holds the tables against the words of the description, by their beginnings and ends.
func TestNames(t *testing.T) {
	for what, want := range map[string]string{
		named(objects, 4, ""): "Archer", named(objects, 831, ""): "Turtle Ship", named(objects, 621, ""): "Town Centre",
		named(objects, 109, ""): "Town Centre",
		named(objects, 490, ""): "Gate", named(objects, 64, ""): "Gate", named(objects, 598, ""): "Outpost",
		named(objects, 285, ""):    "Relic",
		named(technologies, 2, ""): "Elite Tarkan", named(technologies, 27, ""): "Elite Plumed Archer",
		named(technologies, 457, ""): "Perfusion", named(technologies, 103, ""): "Imperial Age",
		named(civilisations, 18, ""): "Koreans", named(maps, 48, ""): "Blind Random", named(maps, 29, ""): "Arena",
	} {
		if what != want {
			t.Errorf("%q, want %q", what, want)
		}
	}
	for what, n := range map[string]int{"objects": 78 - len(objects), "technologies": 139 - len(technologies),
		"civilisations": 20 - len(civilisations), "maps": 36 - len(maps)} {
		if n != 0 {
			t.Errorf("%s: %d names are missing", what, n)
		}
	}
}
