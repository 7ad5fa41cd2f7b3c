package aoe2

import "remora/dissect"

var (
	fCommand2 = proto.Uint8("turn_sync.command2", "Command again", "The command byte once more, always 0x44 (u8 at 20).").
			Hex()
	fTurn1 = proto.Uint8("turn_sync.unknown1", "Unknown 1",
		"Constant for a player, sometimes 0; in the first packet 0x96 of the lobby's host, 0xce of others (u8 at 21).").Hex().
		Unknown()
	fTurn2 = proto.Uint8("turn_sync.unknown2", "Unknown 2",
		"In the first packet 0x98 of the lobby's host, 0x32 of others; sometimes 0 (u8 at 22).").Hex().Unknown()
	fTurn3 = proto.Uint8("turn_sync.unknown3", "Unknown 3", "0xf7 most of the time, sometimes 0 (u8 at 23).").Hex().
		Unknown()
	fOffset = proto.Uint32("turn_sync.offset", "Communication turn offset",
		"Equals the header's turn while in sync; then the last turn at which the sender was in sync (u32 at 24).")
	fPing1 = proto.Int8("ping.change", "Ping change",
		"This turn's ping minus that of the turn before, in a unit that is not known (i8 at 28).")
	fPing2 = proto.Uint8("ping", "Ping", "Mean time of answers of the receiver over the last 10 to 15 of these "+
		"packets, in a unit that is not known (u8 at 29).")
	fTurn4 = proto.Uint8("turn_sync.unknown4", "Unknown 4",
		"0x4c of the former lobby host, 0x48 or 0x47 of others, 0x32 when unknown 1, 2, 3 and 5 are 0 (u8 at 30).").Hex().
		Unknown()
	fTurn5 = proto.Uint8("turn_sync.unknown5", "Unknown 5", "0xf7 most of the time, sometimes 0 (u8 at 31).").Hex().
		Unknown()

	fTurnTime = proto.Span("turn_sync.delta", "Since the turn before",
		"Time since the sender's turn before, to the same receiver.").Derived()
	fTurnRate = proto.Float32("turn_sync.rate", "Turns per second",
		"Over the sender's last 16 turns; about 8.3 at normal speed.").Format(rateText).In("/s").Derived()
	fTurnLost = proto.Uint32("turn_sync.missing", "Missing turns",
		"Turns of this sender that are missing in front of this one.").In("turns").Derived()
	fTurnBehind = proto.Uint32("turn_sync.behind", "Turns behind",
		"By how many turns the sender is behind the player who is furthest.").In("turns").Derived()
	fTurnLeader = proto.Uint32("turn_sync.leader", "Furthest player", "Network id of the player who is furthest.").Hex().
			Derived()
	fTurnRepeat = proto.FrameRef("turn_sync.repeat", "Repeats", "The packet of the same turn to the same player.")
	fTurnPause  = proto.Span("turn_sync.pause", "Pause", "How long nobody sent a turn while the clocks went on.").Derived()
	fFarBehind  = proto.Uint32("turn_sync.outofsync", "Turns out of sync",
		"How many turns ago the sender was last in sync.").In("turns").Derived()

	nDesync = proto.Expert("desync", dissect.Error, "The sender is out of sync")
	nStall  = proto.Expert("turn_sync.stall", dissect.Hint, "No turn of this player for more than a second")
	nPause  = proto.Expert("turn_sync.paused", dissect.Chat, "The game goes on after a pause")
	nLag    = proto.Expert("turn_sync.lag", dissect.Hint, "The player lags behind the others")
	nGap    = proto.Expert("turn_sync.gap", dissect.Hint, "Turns are missing in front of this one")
	nAgain  = proto.Expert("turn_sync.command.bad", dissect.Warn, "The command is not repeated at offset 20")
	nFuture = proto.Expert("turn_sync.offset.bad", dissect.Warn, "The sender claims to have been in sync in a later turn")
	nFirst  = proto.Expert("turn_sync.first", dissect.Chat, "First turn sync of this player")
)

// What unknown 1 and 2 are in the first turn sync of the lobby's host, and of others.
var (
	firstOfHost   = [2]byte{0x96, 0x98}
	firstOfOthers = [2]byte{0xCE, 0x32}
)

// dissectTurn reads a 32BC44.
func dissectTurn(d *dissect.D, h *head) {
	again := d.Uint(fCommand2)
	u1, u2, u3 := d.Uint(fTurn1), d.Uint(fTurn2), d.Uint(fTurn3)
	offset := uint32(d.Uint(fOffset))
	d.Int(fPing1)
	d.Uint(fPing2)
	u4, u5 := d.Uint(fTurn4), d.Uint(fTurn5)
	if d.Short() {
		return
	}
	if again != cmdTurn {
		d.Expert(nAgain)
	}
	zero := u1|u2|u3|u5 == 0
	unusual(d, fTurn3, u3, u3 == 0xF7 || zero, "0xf7, or 0x00 in all")
	unusual(d, fTurn5, u5, u5 == 0xF7 || zero, "0xf7, or 0x00 in all")
	if zero {
		unusual(d, fTurn4, u4, u4 == 0x32, "0x32 while the others are 0x00")
	} else {
		unusual(d, fTurn4, u4, u4 == 0x4C || u4 == 0x48 || u4 == 0x47, "0x4c, 0x48 or 0x47")
	}
	pair := [2]byte{byte(u1), byte(u2)}
	lobbyHost := pair == firstOfHost || u4 == 0x4C
	n := turnNotes.of(d, func(w *world) turnNote { return w.turn(d, h, offset, lobbyHost, pair) })
	d.Transcript().Tick(uint64(h.turn))
	d.Transcript().Repeats(n.repeat)
	if n.repeat != 0 {
		d.Set(fTurnRepeat, uint64(n.repeat))
	}
	unusual(d, fTurn1, u1, n.flags&turnBegins == 0,
		"0x96 of the host and 0xce of others in the first packet, each with its unknown 2")
	unusual(d, fTurn1, u1, n.flags&turnOdd1 == 0, "one value for a player")
	unusual(d, fTurn2, u2, n.flags&turnOdd2 == 0, "one value for a player")
	showTurn(d, n)
	switch {
	case offset < h.turn:
		d.Set(fFarBehind, uint64(h.turn-offset))
		markText(d, nDesync, "Out of sync since turn %d", offset)
		d.Info().Set("turn {turn}, out of sync since turn {turn_sync.offset}, ping {ping}")
	case offset > h.turn:
		d.Expert(nFuture)
		d.Info().Set("turn {turn}, in sync up to turn {turn_sync.offset}, ping {ping}")
	default:
		d.Info().Set("turn {turn}[, {turn_sync.missing:raw} missing][, {turn_sync.behind:raw} behind], ping {ping}")
	}
}

// showTurn shows how the turn stands to those before it and to those of the other players.
func showTurn(d *dissect.D, n turnNote) {
	if n.flags&turnFirst != 0 {
		d.Expert(nFirst)
	}
	if n.since != 0 {
		d.Set(fTurnTime, uint64(n.since))
	}
	if n.rate != 0 {
		d.Set(fTurnRate, dissect.Float64(float64(n.rate)/100))
	}
	if n.missing != 0 {
		d.Set(fTurnLost, uint64(n.missing))
		d.Expert(nGap)
	}
	if n.leader != 0 {
		if n.behind != 0 {
			d.Set(fTurnBehind, uint64(n.behind))
		}
		d.Set(fTurnLeader, uint64(n.leader))
		if n.behind > lagTurns {
			markText(d, nLag, "%d turns behind the furthest player", n.behind)
		}
	}
	switch {
	case n.flags&turnPause != 0:
		d.Set(fTurnPause, uint64(n.since))
		if n.flags&turnResumed != 0 {
			d.Expert(nPause)
		}
	case n.flags&turnStall != 0:
		markText(d, nStall, "No turn of this player for %.1f s", float64(n.since)/1e9)
	}
}
