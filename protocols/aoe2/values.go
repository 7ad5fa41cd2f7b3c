package aoe2

import (
	"fmt"

	"remora/dissect"
)

// The commands: byte 8 of every packet.
const (
	cmdTimeAsk    = 0x31
	cmdTimeAnswer = 0x32
	cmdConnect    = 0x35
	cmdAction     = 0x3E
	cmdCounter    = 0x41
	cmdChat       = 0x43
	cmdTurn       = 0x44
	cmdCheck      = 0x4D
	cmdContinue   = 0x51
	cmdReady      = 0x52
	cmdLobbyTurn  = 0x53
	cmdSettings   = 0x5A
)

var commands = dissect.Values{
	cmdTimeAsk: "TIME_SYNC_REQUEST", cmdTimeAnswer: "TIME_SYNC_ANSWER", cmdConnect: "LOBBY_CONNECTION_SYNC",
	cmdAction:  "PLAYER_ACTION",
	cmdCounter: "COUNTER_SYNC", cmdChat: "CHAT", cmdTurn: "TURN_SYNC", cmdCheck: "WORLD_CHECK",
	cmdContinue: "CONTINUE_AFTER_DROP",
	cmdReady:    "READY", cmdLobbyTurn: "LOBBY_TURN_SYNC", cmdSettings: "LOBBY_SETTINGS",
}

// The actions: the byte behind the header of a 0x3E.
const (
	actPrimary     = 0x00
	actStop        = 0x01
	actPrimaryAI   = 0x02
	actMove        = 0x03
	actCreate      = 0x04
	actGive        = 0x05
	actGiveTo      = 0x06
	actMoveAI      = 0x0A
	actResign      = 0x0B
	actSpectate    = 0x0F
	actWaypoint    = 0x10
	actStance      = 0x12
	actGuard       = 0x13
	actFollow      = 0x14
	actPatrol      = 0x15
	actFormation   = 0x17
	actSave        = 0x1B
	actWaypointsAI = 0x1F
	actChapter     = 0x20
	actOrderAI     = 0x35
	actTrainAI     = 0x64
	actResearch    = 0x65
	actBuild       = 0x66
	actGame        = 0x67
	actWall        = 0x69
	actDelete      = 0x6A
	actGround      = 0x6B
	actTribute     = 0x6C
	actRepair      = 0x6E
	actUngarrison  = 0x6F
	actMultiQueue  = 0x70
	actGate        = 0x72
	actFlare       = 0x73
	actGarrison    = 0x75
	actTrain       = 0x77
	actRally       = 0x78
	actSell        = 0x7A
	actBuy         = 0x7B
	actRelic       = 0x7E
	actBell        = 0x7F
	actWork        = 0x80
)

var actionNames = dissect.Values{
	actPrimary: "PRIMARY_ACTION", actStop: "STOP", actPrimaryAI: "AI_PRIMARY_ACTION", actMove: "MOVE",
	actCreate: "CREATE_UNIT", actGive: "GIVE_RESOURCE",
	actGiveTo: "GIVE_RESOURCE", actMoveAI: "AI_MOVE", actResign: "RESIGN", actSpectate: "SPECTATOR",
	actWaypoint: "WAYPOINT", actStance: "STANCE",
	actGuard: "GUARD", actFollow: "FOLLOW", actPatrol: "PATROL", actFormation: "FORMATION", actSave: "SAVE_GAME",
	actWaypointsAI: "AI_WAYPOINTS",
	actChapter:     "CHAPTER", actOrderAI: "AI_ORDER", actTrainAI: "AI_TRAIN", actResearch: "RESEARCH", actBuild: "BUILD",
	actGame: "GAME_COMMAND",
	actWall: "BUILD_WALL", actDelete: "DELETE", actGround: "ATTACK_GROUND", actTribute: "TRIBUTE", actRepair: "REPAIR",
	actUngarrison: "UNGARRISON",
	actMultiQueue: "MULTI_QUEUE", actGate: "TOGGLE_GATE", actFlare: "FLARE", actGarrison: "GARRISON", actTrain: "TRAIN",
	actRally: "RALLY_POINT",
	actSell:  "SELL", actBuy: "BUY", actRelic: "DROP_RELIC", actBell: "TOWN_BELL", actWork: "BACK_TO_WORK",
}

// recorded are the actions that recordings hold and the network notes do not describe.
var recorded = map[byte]bool{actCreate: true, actGive: true, actGiveTo: true, actSpectate: true, actChapter: true,
	actOrderAI: true, actMultiQueue: true}

// types are the packet types: the command; for an action the command and the action; and where the action's name stands
// for several things, those and what tells them apart (resigned or not, garrison type, mode of the game command).
var types = allTypes()

func allTypes() dissect.Values {
	v := dissect.Values{}
	for c, name := range commands {
		v[c] = name
	}
	for a, name := range actionNames {
		v[cmdAction<<8|a] = name
	}
	for mode, name := range gameModes {
		v[cmdAction<<16|actGame<<8|mode] = name
	}
	for kind, name := range garrisonNames {
		v[cmdAction<<16|actGarrison<<8|kind] = name
	}
	v[cmdAction<<16|actResign<<8] = "RESIGN"
	v[cmdAction<<16|actResign<<8|1] = "DISCONNECT"
	return v
}

// kindOf is the packet type of a packet that has at least its command byte.
func kindOf(b []byte) uint64 {
	cmd := uint64(b[8])
	if cmd != cmdAction || len(b) <= headerLong {
		return cmd
	}
	action := b[headerLong]
	at := map[byte]int{actGame: 1, actGarrison: 8, actResign: 3}[action]
	if at > 0 && len(b) > headerLong+at {
		if k := cmd<<16 | uint64(action)<<8 | uint64(b[headerLong+at]); types[k] != "" {
			return k
		}
	}
	return cmd<<8 | uint64(action)
}

const (
	modeDiplomacy = 0x00
	modeSpeed     = 0x01
	modeInstant   = 0x02
	modeQuick     = 0x04
	modeAllied    = 0x05
	modeCheat     = 0x06
	modeSpies     = 0x0A
	modePolicy    = 0x0B
	modeFarm      = 0x0D
	modeUnfarm    = 0x0E
)

var gameModes = dissect.Values{
	modeDiplomacy: "DIPLOMACY", modeSpeed: "GAME_SPEED", modeInstant: "INSTANT_BUILD", modeQuick: "QUICK_BUILD",
	modeAllied: "ALLIED_VICTORY",
	modeCheat:  "CHEAT", modeSpies: "SPIES", modePolicy: "AI_POLICY", modeFarm: "QUEUE_FARMS", modeUnfarm: "UNQUEUE_FARMS",
}

const (
	garrisonPack   = 1
	garrisonUnpack = 2
	garrisonCancel = 4
	garrisonEnter  = 5
)

var (
	garrisonNames = dissect.Values{garrisonPack: "PACK", garrisonUnpack: "UNPACK", garrisonCancel: "CANCEL_PRODUCTION",
		garrisonEnter: "GARRISON"}
	garrisonTypes = dissect.Values{garrisonPack: "pack trebuchet", garrisonUnpack: "unpack trebuchet",
		garrisonCancel: "cancel production", garrisonEnter: "garrison"}

	ungarrisonTypes = dissect.Values{0: "all", 3: "the clicked unit", 4: "same type as the clicked",
		5: "all but the clicked", 6: "all not of the clicked type"}
	stances     = dissect.Values{0: "aggressive", 1: "defensive", 2: "stand ground", 3: "passive"}
	formations  = dissect.Values{2: "line", 4: "box or staggered", 7: "staggered or box", 8: "flank"}
	resources   = dissect.Values{0: "food", 1: "wood", 2: "stone", 3: "gold"}
	diplomacies = dissect.Values{0: "allied", 1: "neutral", 3: "enemy"}
	leavings    = dissect.Values{0: "resigned", 1: "disconnected"}
	saves       = dissect.Values{0: "save", 1: "save and exit"}
	bells       = dissect.Values{0: "stop", 1: "ring"}
	sends       = dissect.Values{0x00: "Enter", 0xD9: "Send button"}
	nobody      = dissect.Values{0xFFFFFFFF: "none"}
	everybody   = dissect.Values{0: "everybody"}
	noType      = with(objects, 0xFFFF, "none")
)

// with is a copy of names with one more.
func with(names dissect.Values, v uint64, name string) dissect.Values {
	out := dissect.Values{v: name}
	for k, n := range names {
		out[k] = n
	}
	return out
}

// playerText writes a player id as people say it: "P1"; 0 is nature.
func playerText(v uint64) string {
	if v == 0 {
		return "Gaia"
	}
	return fmt.Sprintf("P%d", v)
}

// playerNumber is playerText with the number behind it.
func playerNumber(v uint64) string { return fmt.Sprintf("%s (%d)", playerText(v), v) }

var (
	civilisations = dissect.Values{0: "Gaia", 1: "Britons", 2: "Franks", 3: "Goths", 4: "Teutons", 5: "Japanese",
		6: "Chinese", 7: "Byzantines", 8: "Persians",
		9: "Saracens", 10: "Turks", 11: "Vikings", 12: "Mongols", 13: "Celts", 14: "Spanish", 15: "Aztecs", 16: "Mayans",
		17: "Huns", 18: "Koreans", 30: "random"}
	maps = dissect.Values{9: "Arabia", 10: "Archipelago", 11: "Baltic", 12: "Black Forest", 13: "Coastal",
		14: "Continental", 15: "Crater Lake", 16: "Fortress",
		17: "Gold Rush", 18: "Highland", 19: "Islands", 20: "Mediterranean", 21: "Migration", 22: "Rivers",
		23: "Team Islands", 24: "Random", 25: "Scandinavia",
		26: "Mongolia", 27: "Yucatan", 28: "Salt Marsh", 29: "Arena", 30: "King of the Hill", 31: "Oasis", 32: "Ghost Lake",
		33: "Nomad", 34: "Iberia",
		35: "Britain", 36: "Mideast", 37: "Texas", 38: "Italy", 39: "Central America", 40: "France", 41: "Norse Lands",
		42: "Sea of Japan", 43: "Byzantium", 48: "Blind Random"}
	reveals      = dissect.Values{0: "normal", 1: "visible", 2: "explored"}
	speeds       = dissect.Values{1: "slow", 2: "normal", 3: "fast"}
	ages         = dissect.Values{0: "standard", 2: "dark", 3: "feudal", 4: "castle", 5: "imperial", 6: "post-imperial"}
	stocks       = dissect.Values{0: "standard", 1: "low", 2: "medium", 3: "high"}
	sizes        = dissect.Values{0: "very small", 1: "small", 2: "medium", 3: "normal", 4: "large", 5: "giant"}
	difficulties = dissect.Values{0: "hardest", 1: "hard", 2: "medium", 3: "standard", 4: "very easy"}
	victories    = dissect.Values{0: "standard", 1: "conquest", 7: "time limit", 8: "score", 0x0B: "last man standing"}
	teams        = dissect.Values{1: "none", 2: "team 1", 3: "team 2", 4: "team 3", 5: "team 4", 6: "random"}
)
