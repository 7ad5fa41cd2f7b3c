package touhou

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

// TestGameIDs names every build that is known, by the hex of its id.
func TestGameIDs(t *testing.T) {
	const tail = "7365d9ffc46e488d7ca19231347295"
	for id, want := range map[string]string{
		"6e" + tail: "1.10a, SWR linked, vanilla", "64" + tail: "1.10a, SWR linked, Sokuroll 1.3",
		"6b" + tail: "1.10a, SWR linked, giuroll at 60 frames/s", "6c" + tail: "1.10a, SWR linked, giuroll at 62 frames/s",
		"69" + tail: "1.10a, SWR linked, older giuroll", "6a" + tail: "1.10a, SWR linked, older giuroll",
		"11" + tail:                        "1.10a, SWR linked, unknown mod",
		"46c967c8acf2444db8b1eceed4d5404a": "1.10a, SWR not linked, with or without Sokuroll",
		"00000000000000000000000000000000": "unknown game or mod", "6e": "unknown game or mod",
	} {
		b, err := hex.DecodeString(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := gameName(string(b)); got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
}

// TestPortHints checks what hints stand for: a number on top of the source port, a port, or neither.
func TestPortHints(t *testing.T) {
	for hint, want := range map[uint32]uint16{0: 50000, 1: 50001, 33: 50033, 11012: 11012, 65535: 65535, 500: 0, 65536: 0,
		keepAliveHint: 0} {
		if got := predict(50000, hint); got != want {
			t.Errorf("hint %d stands for port %d, want %d", hint, got, want)
		}
	}
}

// TestKeys presses every bit of an input word in both scenes.
func TestKeys(t *testing.T) {
	names := map[byte]string{
		5: "↑ ↓ ← → A B C Dash A+B B+C Pause Select", 3: "↑ ↓ ← → Z X C Q Dash A",
	}
	for scene, list := range names {
		for bit, name := range strings.Fields(list) {
			k := newTalk(t)
			tree := k.sayTree(fmt.Sprintf("0d03 01000000 %02x 02 %02x%02x 0000", scene, 1<<bit&0xff, 1<<bit>>8))
			field := map[byte]string{5: "touhou.input.host", 3: "touhou.select.host"}[scene]
			if got, _ := dissecttest.Find(tree, field); got != fmt.Sprintf("%s (0x%04x)", name, 1<<bit) {
				t.Errorf("scene %d, bit %d is %q, want %s", scene, bit, got, name)
			}
		}
		k := newTalk(t)
		tree := k.sayTree(fmt.Sprintf("0d03 01000000 %02x 02 0080 0000", scene))
		if got, _ := dissecttest.Find(tree,
			map[byte]string{5: "touhou.input.host.unknown", 3: "touhou.select.host.unknown"}[scene]); got != "Set" {
			t.Errorf("scene %d: the unknown bits are %q", scene, got)
		}
	}
}

// TestNames spells out who fights where.
func TestNames(t *testing.T) {
	for i, name := range strings.Split("Reimu Marisa Sakuya Alice Patchouli Youmu Remilia Yuyuko Yukari Suika Reisen "+
		"Aya Komachi Iku Tenshi Sanae Cirno Meiling Utsuho Suwako", " ") {
		if got := character(byte(i)); got != name {
			t.Errorf("character %d is %s, want %s", i, got, name)
		}
	}
	for i, name := range strings.Split("Momiji Clownpiece Flandre Orin Yuuka Kaguya Mokou Mima Shou Murasa Sekibanki "+
		"Satori Ran Tewi", " ") {
		if got := character(byte(0x16 + i)); got != name {
			t.Errorf("character %#x is %s, want %s", 0x16+i, got, name)
		}
	}
	if character(0x14) != "character 20" || stage(7) != "stage 7" {
		t.Error("what nobody named is not its number")
	}
	for id, name := range map[byte]string{
		0: "Hakurei Shrine (collapsed)", 1: "Forest of Magic", 2: "Creek of Genbu", 3: "Youkai Mountain",
		4: "Mysterious Sea of Cloud", 5: "Bhava-agra", 6: "Space",
		10: "Hakurei Shrine", 11: "Kirisame Magic Shop", 12: "Scarlet Devil Mansion clock tower", 13: "Forest of Dolls",
		14: "Scarlet Devil Mansion library",
		15: "Netherworld", 16: "Scarlet Devil Mansion foyer", 17: "Hakugyokurou snowy garden",
		18: "Bamboo Forest of the Lost",
		30: "Misty Lake", 31: "Moriya Shrine", 32: "Mouth of Geyser", 33: "Catwalk of Geyser", 34: "Fusion Reactor Core",
		36: "clock tower variant 1", 38: "clock tower variant 3",
	} {
		if got := stage(id); got != name {
			t.Errorf("stage %d is %s, want %s", id, got, name)
		}
	}
}
