package aoe2

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// The offsets of lobby settings are those of the notes' field list, which was never checked on a real packet.
var (
	fSetUnknown = proto.UnknownBytes("settings.unknown", "Unknown", "Bytes of the lobby settings that nobody knows.")
	fSlotIDs    = proto.Group("settings.players", "Players", "The network ids of the eight slots (32 bytes at 24).")
	fSlotID     = proto.Uint32("settings.player", "Network id",
		"Network id of the player in the slot; 0 is an empty slot (u32).").Hex().Named(dissect.Values{0: "empty"})
	fReadyBits = proto.Flags8("settings.ready", "Ready", slotFlags,
		"Bit 0 is slot 1; set for ready, closed and computer slots (u8 at 56).")
	fChecks = proto.Flags8("settings.checks", "Check boxes", checkFlags,
		"A set bit says that the box is not as it is by default (u8 at 126).")
	fReveal = proto.Uint8("settings.reveal", "Reveal map",
		"How much of the map is known from the start (bits 3 and 2 of u8 at 127).").Masked(0x0C).Named(reveals)
	fSpeed = proto.Uint8("settings.speed", "Game speed", "Speed of the game (bits 1 and 0 of u8 at 127).").
		Masked(0x03).Named(speeds)
	fSpeedBits = proto.Uint8("settings.bits", "Unknown bits", "Bits 7 to 4 beside the speed.").Hex().Masked(0xF0).
			Unknown()
	fAge = proto.Uint8("settings.age", "Starting age",
		"Age in which the game begins (probably the high half of u8 at 129).").Masked(0xF0).Named(ages)
	fStock = proto.Uint8("settings.resources", "Resources",
		"Resources to start with (probably the low half of u8 at 129).").Masked(0x0F).Named(stocks)
	fSize = proto.Uint8("settings.size", "Map size", "Size of the map (probably the high half of u8 at 130).").
		Masked(0xF0).Named(sizes)
	fDifficulty = proto.Uint8("settings.difficulty", "Difficulty",
		"Strength of computer players (probably the low half of u8 at 130).").Masked(0x0F).Named(difficulties)
	fMap = proto.Uint8("settings.map", "Map",
		"The map, by the numbers that recordings use; whether the lobby uses the same is not certain (u8 at 131).").
		Named(maps)
	fVictory    = proto.Uint8("settings.victory", "Victory", "How the game is won (u8 at 132).").Named(victories)
	fLimit      = proto.Uint16("settings.limit", "Victory limit", "Points or time of the victory (u16 at 134).")
	fPopulation = proto.Uint8("settings.population", "Population limit", "Units that each player may have (u8 at 136).").
			In("units")
	fCivs = proto.Group("settings.civilisations", "Civilisations",
		"The civilisations of the eight slots (8 bytes at 145).")
	fCiv = proto.Uint8("settings.civilisation", "Civilisation", "Civilisation of the slot (u8).").
		Named(civilisations)
	fTeams      = proto.Group("settings.teams", "Teams", "The teams of the eight slots (8 bytes at 169).")
	fTeam       = proto.Uint8("settings.team", "Team", "Team of the slot (u8).").Named(teams)
	fSetZero    = proto.UnknownBytes("settings.zero", "Zero", "Always zero (2 bytes at 177).")
	fMapNameLen = proto.Uint8("settings.map.length", "Map name length", "Length of the custom map's name (u8 at 179).").
			In("bytes")
	fMapNameForm = proto.UnknownBytes("settings.map.format", "Formatting",
		"Six bytes in front of the map's name (at 180).")
	fMapName = proto.String("settings.map.name", "Map name", "Name of the custom map.").Encoded(dissect.Windows1252)

	fChanged = proto.String("settings.changed", "Changed", "What is not as in the lobby settings before.").Derived()
	fBefore  = proto.FrameRef("settings.before", "Settings before", "The lobby settings that these are compared with.")
	fCame    = proto.Uint32("settings.came", "Came", "Network id that has a slot now and had none before.").Hex().Derived()
	fLeft    = proto.Uint32("settings.left", "Left", "Network id that had a slot before and has none now.").Hex().Derived()
	fCount   = proto.Uint8("settings.count", "Players in the lobby", "Slots with a network id.").Derived()
	nChanged = proto.Expert("settings.change", dissect.Chat, "The host changed the settings")
	nJoined  = proto.Expert("settings.joined", dissect.Chat, "A player joined or left the lobby")
	nForeign = proto.Expert("settings.foreign", dissect.Hint, "The sender is in none of the slots")
)

var slotFlags = func() (f []dissect.Flag) {
	for i := range 8 {
		f = append(f,
			dissect.Flag{Name: fmt.Sprintf("slot%d", i+1), Label: fmt.Sprintf("Slot %d", i+1), Mask: 1 << i,
				Doc: fmt.Sprintf("Slot %d is ready, closed or a computer.", i+1)})
	}
	return f
}()

var checkFlags = []dissect.Flag{
	{Name: "cheats", Label: "Cheats allowed", Mask: 0x01, Doc: "Cheats are allowed."},
	{Name: "unknown1", Label: "Unknown 1", Mask: 0x02, Doc: "Unknown."},
	{Name: "speed", Label: "Speed locked", Mask: 0x04, Doc: "The speed cannot be changed in the game."},
	{Name: "teams", Label: "Teams locked", Mask: 0x08, Doc: "Teams cannot be changed in the game."},
	{Name: "unknown4", Label: "Unknown bits", Mask: 0x30, Doc: "Unknown."},
	{Name: "apart", Label: "Team together off", Mask: 0x40,
		Doc: "Players of a team do not start together; the bit is the opposite of the box."},
	{Name: "all", Label: "All technologies", Mask: 0x80, Doc: "All technologies are there."},
}

// dissectSettings reads a packet of lobby settings, which the notes call 196BC5A.
func dissectSettings(d *dissect.D, h *head) {
	d.Bytes(fSetUnknown, 4)
	slots(d, fSlotIDs, fSlotID)
	d.Uint(fReadyBits)
	d.Bytes(fSetUnknown, 69)
	d.Uint(fChecks)
	d.Bits(fSpeedBits, fReveal, fSpeed)
	d.Bytes(fSetUnknown, 1)
	d.Bits(fAge, fStock)
	d.Bits(fSize, fDifficulty)
	d.Uint(fMap)
	d.Uint(fVictory)
	d.Bytes(fSetUnknown, 1)
	d.Uint(fLimit)
	d.Uint(fPopulation)
	d.Bytes(fSetUnknown, 8)
	slots(d, fCivs, fCiv)
	d.Bytes(fSetUnknown, 16)
	slots(d, fTeams, fTeam)
	zero := d.Bytes(fSetZero, 2)
	if d.Short() {
		return
	}
	if zero[0]|zero[1] != 0 {
		markText(d, nUnusual, "Two bytes behind the teams are %x; the notes report 0", zero)
	}
	customMap(d)
	n := settingsNotes.of(d, func(w *world) settingsNote { return w.settings(d, h) })
	n.copy.show(d)
	d.Transcript().Repeats(n.copy.repeat)
	d.Set(fCount, uint64(n.players))
	if n.second {
		d.Expert(nTwoHosts)
	}
	if !n.listed {
		d.Expert(nForeign)
	}
	if n.before != 0 {
		d.Set(fBefore, uint64(n.before))
	}
	if n.changed != 0 {
		if d.Wanted(fChanged) {
			d.SetText(fChanged, n.words())
		}
		d.Expert(nChanged)
		if n.came != 0 {
			d.Set(fCame, uint64(n.came))
		}
		if n.left != 0 {
			d.Set(fLeft, uint64(n.left))
		}
		if n.came|n.left != 0 {
			d.Expert(nJoined)
		}
	}
	d.Info().Set("[changed {settings.changed}: ]{settings.map:name}, {settings.size:name}, {settings.age:name} age, " +
		"{settings.population}, {settings.count} players")
}

// slots reads the same field for the eight slots.
func slots(d *dissect.D, group, f *dissect.Field) {
	i := d.Open(group)
	for slot := range 8 {
		d.Uint(f)
		if d.Labelling() && !d.Short() {
			d.Suffix(f, fmt.Sprintf(", slot %d", slot+1))
		}
	}
	d.Close(i)
}

// customMap reads what only settings with a custom map have: a length, six bytes, the name.
func customMap(d *dissect.D) {
	n := int(d.Peek(0))
	if n == 0 || d.Left() < 7+n {
		d.Rest(fSetUnknown)
		return
	}
	d.Uint(fMapNameLen)
	d.Bytes(fMapNameForm, 6)
	d.Bytes(fMapName, n)
}

// A section is a part of the settings that people have a name for.
type section struct {
	name     string
	at, size int
	mask     byte // 0: all bits
}

// sections are what changes are named by; bit i of settingsNote.changed is section i.
var sections = [...]section{
	{"players", 24, 32, 0}, {"ready", 56, 1, 0}, {"check boxes", 126, 1, 0}, {"reveal map", 127, 1, 0x0C},
	{"speed", 127, 1, 0x03},
	{"starting age", 129, 1, 0xF0}, {"resources", 129, 1, 0x0F}, {"map size", 130, 1, 0xF0}, {"difficulty", 130, 1, 0x0F},
	{"map", 131, 1, 0},
	{"victory", 132, 1, 0}, {"victory limit", 134, 2, 0}, {"population limit", 136, 1, 0}, {"civilisations", 145, 8, 0},
	{"teams", 169, 8, 0},
}

// settingsSize is how far the known settings go.
const settingsSize = 179

// compare returns which sections of two settings differ. Both have settingsSize bytes.
func compare(a, b []byte) (changed uint32) {
	for i, s := range sections {
		for k := s.at; k < s.at+s.size; k++ {
			x := a[k] ^ b[k]
			if s.mask != 0 {
				x &= s.mask
			}
			if x != 0 {
				changed |= 1 << i
			}
		}
	}
	return changed
}

// moved finds a network id among the slots of one that is not among those of the other, or 0.
func moved(one, other []byte) uint32 {
	for i := range 8 {
		id, found := le32(one[24+4*i:]), false
		for k := range 8 {
			found = found || le32(other[24+4*k:]) == id
		}
		if id != 0 && !found {
			return id
		}
	}
	return 0
}

// words lists what changed.
func (n settingsNote) words() string {
	var out []string
	for i, s := range sections {
		if n.changed>>i&1 != 0 {
			out = append(out, s.name)
		}
	}
	return strings.Join(out, ", ")
}
