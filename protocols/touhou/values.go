package touhou

import (
	"strings"

	"remora/dissect"
)

// The packet types. For 0x0D (parent to child) and 0x0E (child to parent) the kind is both bytes.
const (
	hello       = 0x01
	punch       = 0x02
	olleh       = 0x03
	chain       = 0x04
	initRequest = 0x05
	initSuccess = 0x06
	initError   = 0x07
	redirect    = 0x08
	quit        = 0x0B
	hostGame    = 0x0D
	clientGame  = 0x0E
	sokuTime    = 0x10
	sokuTimeAck = 0x11
	sokuState   = 0x12
	sokuSet     = 0x13
	sokuSetAck  = 0x14
)

// The sub-types of 0x0D and 0x0E.
const (
	subLoaded        = 0x01
	subLoadedAck     = 0x02
	subInput         = 0x03
	subMatch         = 0x04
	subMatchAck      = 0x05
	subMatchRequest  = 0x08
	subReplay        = 0x09
	subReplayRequest = 0x0B
)

// The scenes that inputs belong to.
const (
	sceneSelect = 3
	sceneBattle = 5
)

var types = dissect.Values{
	0x00: "AUTOPUNCH", hello: "HELLO", punch: "PUNCH", olleh: "OLLEH", chain: "CHAIN", initRequest: "INIT_REQUEST",
	initSuccess: "INIT_SUCCESS",
	initError:   "INIT_ERROR", redirect: "REDIRECT", quit: "QUIT",
	0x0D01: "GAME_LOADED", 0x0E01: "GAME_LOADED", 0x0D02: "GAME_LOADED_ACK", 0x0E02: "GAME_LOADED_ACK",
	0x0D03: "GAME_INPUT", 0x0E03: "GAME_INPUT",
	0x0D04: "GAME_MATCH", 0x0E04: "GAME_MATCH", 0x0D05: "GAME_MATCH_ACK", 0x0E05: "GAME_MATCH_ACK",
	0x0D08: "GAME_MATCH_REQUEST", 0x0E08: "GAME_MATCH_REQUEST",
	0x0D09: "GAME_REPLAY", 0x0E09: "GAME_REPLAY", 0x0D0B: "GAME_REPLAY_REQUEST", 0x0E0B: "GAME_REPLAY_REQUEST",
	sokuTime: "SOKUROLL_TIME", sokuTimeAck: "SOKUROLL_TIME_ACK", sokuState: "SOKUROLL_STATE", sokuSet: "SOKUROLL_SETTINGS",
	sokuSetAck: "SOKUROLL_SETTINGS_ACK",
	0x15:       "PRACTICE_REQUEST", 0x16: "PRACTICE_RESPONSE", 0x17: "PRACTICE_ELEMENT", 0x20: "DESYNC_ENABLE",
	0x21: "DESYNC_STATE",
	0x6B: "GIUROLL_INPUT", 0x6C: "GIUROLL_PROBE", 0x6D: "GIUROLL_PROBE_ACK", 0x6E: "GIUROLL_LEFT", 0x78: "RELAY_PEERS",
	0xD3: "SOKU2_VERSION",
}

var subTypes = dissect.Values{1: "LOADED", 2: "LOADED_ACK", 3: "INPUT", 4: "MATCH", 5: "MATCH_ACK", 8: "MATCH_REQUEST",
	9: "REPLAY", 11: "REPLAY_REQUEST"}

var gameTypes = dissect.Values{hostGame: "HOST_GAME", clientGame: "CLIENT_GAME"}

var scenes = dissect.Values{sceneSelect: "character select", sceneBattle: "battle"}

var purposes = dissect.Values{purposeConnect: "connect", purposePunch: "punch request",
	purposeAlive: "keep-alive of the host"}

var requestTypes = dissect.Values{0: "spectate", 1: "play"}

var spectateInfo = dissect.Values{0: "spectating forbidden", 0x10: "spectating allowed",
	0x11: "spectating allowed, receiver is a spectator"}

var reasons = dissect.Values{0: "SPECTATE_DISABLED", 1: "GAME_STATE_INVALID"}

var yesNo = dissect.Values{0: "no", 1: "yes"}

var characters = dissect.Values{
	0: "Reimu Hakurei", 1: "Marisa Kirisame", 2: "Sakuya Izayoi", 3: "Alice Margatroid", 4: "Patchouli Knowledge",
	5: "Youmu Konpaku",
	6: "Remilia Scarlet", 7: "Yuyuko Saigyouji", 8: "Yukari Yakumo", 9: "Suika Ibuki", 10: "Reisen Udongein Inaba",
	11: "Aya Shameimaru",
	12: "Komachi Onozuka", 13: "Iku Nagae", 14: "Tenshi Hinanawi", 15: "Sanae Kochiya", 16: "Cirno", 17: "Hong Meiling",
	18: "Utsuho Reiuji", 19: "Suwako Moriya",
	0x16: "Momiji", 0x17: "Clownpiece", 0x18: "Flandre", 0x19: "Orin", 0x1A: "Yuuka", 0x1B: "Kaguya", 0x1C: "Mokou",
	0x1D: "Mima",
	0x1E: "Shou", 0x1F: "Murasa", 0x20: "Sekibanki", 0x21: "Satori", 0x22: "Ran", 0x23: "Tewi",
}

var stages = dissect.Values{
	0: "Hakurei Shrine (collapsed)", 1: "Forest of Magic", 2: "Creek of Genbu", 3: "Youkai Mountain",
	4: "Mysterious Sea of Cloud", 5: "Bhava-agra", 6: "Space",
	10: "Hakurei Shrine", 11: "Kirisame Magic Shop", 12: "Scarlet Devil Mansion clock tower", 13: "Forest of Dolls",
	14: "Scarlet Devil Mansion library",
	15: "Netherworld", 16: "Scarlet Devil Mansion foyer", 17: "Hakugyokurou snowy garden", 18: "Bamboo Forest of the Lost",
	30: "Shore of Misty Lake",
	31: "Moriya Shrine", 32: "Mouth of Geyser", 33: "Catwalk of Geyser", 34: "Fusion Reactor Core",
	36: "clock tower variant 1", 37: "clock tower variant 2", 38: "clock tower variant 3",
}

// character is the name of a character as players say it: the first word, or the number where nobody named it.
func character(id byte) string {
	name, ok := characters[uint64(id)]
	if !ok {
		return "character " + number(uint64(id))
	}
	name, _, _ = strings.Cut(name, " ")
	return strings.Replace(name, "Hong", "Meiling", 1)
}

func stage(id byte) string {
	if name, ok := stages[uint64(id)]; ok {
		return strings.TrimPrefix(name, "Shore of ")
	}
	return "stage " + number(uint64(id))
}

// battleKeys and selectKeys are the bits of an input word in the two scenes (little-endian value).
var battleKeys = append(arrows(),
	dissect.Flag{Name: "a", Label: "A", Mask: 0x10, Doc: "Melee attack."},
	dissect.Flag{Name: "b", Label: "B", Mask: 0x20, Doc: "Weak shot."},
	dissect.Flag{Name: "c", Label: "C", Mask: 0x40, Doc: "Strong shot."},
	dissect.Flag{Name: "dash", Label: "Dash", Mask: 0x80, Doc: "Dash (D)."},
	dissect.Flag{Name: "change", Label: "A+B", Mask: 0x100, Doc: "A and B together: change the card."},
	dissect.Flag{Name: "use", Label: "B+C", Mask: 0x200, Doc: "B and C together: use the card."},
	dissect.Flag{Name: "pause", Label: "Pause", Mask: 0x400,
		Doc: "Pause; named by the game's library, not seen on a wire."},
	dissect.Flag{Name: "select", Label: "Select", Mask: 0x800,
		Doc: "Select; named by the game's library, not seen on a wire."},
	dissect.Flag{Name: "unknown", Label: "Unknown bits", Mask: 0xf000, Doc: "Bits whose meaning nobody knows."})

var selectKeys = append(arrows(),
	dissect.Flag{Name: "z", Label: "Z", Mask: 0x10, Doc: "Z, pad button 0."},
	dissect.Flag{Name: "x", Label: "X", Mask: 0x20, Doc: "X, pad button 1."},
	dissect.Flag{Name: "c", Label: "C", Mask: 0x40, Doc: "C, pad button 2."},
	dissect.Flag{Name: "q", Label: "Q", Mask: 0x80, Doc: "Q, pad button 3; sources disagree whether it is A."},
	dissect.Flag{Name: "dash", Label: "Dash", Mask: 0x100, Doc: "Dash."},
	dissect.Flag{Name: "a", Label: "A", Mask: 0x200, Doc: "A; sources disagree whether it is Q."},
	dissect.Flag{Name: "unknown", Label: "Unknown bits", Mask: 0xfc00, Doc: "Bits whose meaning nobody knows."})

func arrows() []dissect.Flag {
	return []dissect.Flag{
		{Name: "up", Label: "Up", Mask: 1, Doc: "Up."}, {Name: "down", Label: "Down", Mask: 2, Doc: "Down."},
		{Name: "left", Label: "Left", Mask: 4, Doc: "Left."}, {Name: "right", Label: "Right", Mask: 8, Doc: "Right."},
	}
}

var arrowText = [16]string{"", "↑", "↓", "↕", "←", "↖", "↙", "←↕", "→", "↗", "↘", "→↕", "↔", "↔↑", "↔↓", "↔↕"}

// short writes an input as players read it: buttons, then the direction as an arrow; "·" is nothing held.
func short(keys []dissect.Flag, v uint16) string {
	if v == 0 {
		return "·"
	}
	var b strings.Builder
	for _, k := range keys[4:] {
		if v&uint16(k.Mask) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(k.Label)
	}
	b.WriteString(arrowText[v&15])
	return b.String()
}

func keysOf(scene uint64) []dissect.Flag {
	if scene == sceneSelect {
		return selectKeys
	}
	return battleKeys
}

// gameTail is what the ids of all builds with Scarlet Weather Rhapsody linked have in common behind the first byte,
// which names the net mod.
const gameTail = "se\xd9\xff\xc4\x6e\x48\x8d\x7c\xa1\x92\x31\x34\x72\x95"

// sokurollID is that first byte for Sokuroll.
const sokurollID = 0x64

// gameUnlinked is the id of the builds without it, be Sokuroll there or not.
const gameUnlinked = "\x46\xc9\x67\xc8\xac\xf2\x44\x4d\xb8\xb1\xec\xee\xd4\xd5\x40\x4a"

// gameName says which build a game id of 16 bytes stands for.
func gameName(id string) string {
	if id == gameUnlinked {
		return "1.10a, SWR not linked, with or without Sokuroll"
	}
	if len(id) == 16 && id[1:] == gameTail {
		switch id[0] {
		case 0x6e:
			return "1.10a, SWR linked, vanilla"
		case sokurollID:
			return "1.10a, SWR linked, Sokuroll 1.3"
		case 0x6b:
			return "1.10a, SWR linked, giuroll at 60 frames/s"
		case 0x6c:
			return "1.10a, SWR linked, giuroll at 62 frames/s"
		case 0x69, 0x6a:
			return "1.10a, SWR linked, older giuroll"
		}
		return "1.10a, SWR linked, unknown mod"
	}
	return "unknown game or mod"
}
