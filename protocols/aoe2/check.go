package aoe2

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// checkFields are unknown 1 to 8 of a 56BC4D. Where the notes name two of them unknown3, the second is unknown 4.
var (
	fCheck  = checkField(1, "The same for all players at one checked turn; probably a part of a checksum (u32 at 20).")
	fCheck2 = checkField(2, "The same for all players at one checked turn; probably a part of a checksum (u32 at 28).")
	fCheck3 = checkField(3, "The same for all players at one checked turn (u32 at 32).")
	fCheck4 = checkField(4,
		"The same for all players at one checked turn; the notes call it unknown3 a second time (u32 at 36).")
	fCheck5 = checkField(5, "The same for all players at one checked turn (u32 at 40).")
	fCheck6 = checkField(6, "The same for all players at one checked turn (u32 at 44).")
	fCheck7 = checkField(7, "The same for all players at one checked turn (u32 at 48).")
	fCheck8 = checkField(8, "Differs for each player and check (u32 at 52).")

	fChecked = proto.Uint32("check.turn", "Checked turn",
		"The turn whose world is checked: always the header's turn minus 2 (u32 at 24).")
	fAgrees = proto.FrameRef("check.agrees", "Agrees with",
		"Another player's check of the same turn with the same values.")
	fDiffers = proto.FrameRef("check.differs", "Differs from",
		"Another player's check of the same turn with other values.")
	fOdd = proto.Uint32("check.odd", "Odd player",
		"Network id of the player whose world differs from that of two others.").Hex().Derived()
	fOddNo = proto.Uint8("check.odd.player", "Odd player", "The player whose world differs from that of two others.").
		Format(playerText).Derived()

	nWorlds = proto.Expert("check.desync", dissect.Error, "The players' worlds differ")
	nCheck  = proto.Expert("check.turn.bad", dissect.Hint, "The checked turn is not the header's turn minus 2")
)

func checkField(i int, doc string) *dissect.Field {
	return proto.Uint32(fmt.Sprintf("check.unknown%d", i), fmt.Sprintf("Unknown %d", i), doc).Hex().Unknown()
}

// dissectCheck reads a 56BC4D.
func dissectCheck(d *dissect.D, h *head) {
	var v [7]uint32
	v[0] = uint32(d.Uint(fCheck))
	turn := uint32(d.Uint(fChecked))
	for i, f := range [...]*dissect.Field{fCheck2, fCheck3, fCheck4, fCheck5, fCheck6, fCheck7} {
		v[i+1] = uint32(d.Uint(f))
	}
	d.Uint(fCheck8)
	if d.Short() {
		return
	}
	if turn+2 != h.turn {
		d.Expert(nCheck)
	}
	n := checkNotes.of(d, func(w *world) checkNote { return w.check(d, h, turn, v) })
	n.copy.show(d)
	d.Transcript().Repeats(n.copy.repeat)
	if n.agrees != 0 {
		d.Set(fAgrees, uint64(n.agrees))
	}
	if n.differs == 0 {
		d.Info().Set("of turn {check.turn}[, agrees with packet {check.agrees}]")
		return
	}
	d.Set(fDiffers, uint64(n.differs))
	if n.odd != 0 {
		d.Set(fOdd, uint64(n.odd))
		if n.oddNumber != 0 {
			d.Set(fOddNo, uint64(n.oddNumber))
		}
	}
	if d.Wanted(nWorlds) {
		d.ExpertText(nWorlds, fmt.Sprintf("The worlds differ at turn %d: unknown %s", turn, n.fields()))
	} else {
		d.Expert(nWorlds)
	}
	d.Info().Set("of turn {check.turn} differs from packet {check.differs}[; the odd one is {check.odd.player}]")
}

// fields lists which of unknown 1 to 7 differ.
func (n checkNote) fields() string {
	var out []string
	for i := range 7 {
		if n.mask>>i&1 != 0 {
			out = append(out, fmt.Sprint(i+1))
		}
	}
	return strings.Join(out, ", ")
}
