package aoe2

import (
	"fmt"

	"remora/dissect"
)

var (
	fPassed = proto.Uint32("time_passed", "Time passed",
		"Milliseconds since the game began; in the lobby since the program started (u32 at 12).").In("ms")
	fApart = proto.Int32("time.apart", "Ahead of the receiver",
		"By how much the sender's clock leads the receiver's, as far as this capture tells.").In("ms").Derived()
	fRequestIn  = proto.FrameRef("request_in", "Request in", "The request that this packet answers.")
	fAnsweredIn = proto.FrameRef("answered_in", "Answered in", "The answer to this request.")
	fTime       = proto.Span("time", "Round trip", "Time between the request and its answer.").Derived()
	fWaits      = proto.FrameRef("time.open", "Unanswered request",
		"An earlier request to the same player that got no answer.")

	fCounterLost = proto.Uint32("counter.missing", "Missing",
		"Counter syncs to this player that are missing in front of this one.").In("packets").Derived()
	fCounterDiff = proto.Int32("counter.difference", "Difference",
		"Counter minus the latest counter of the player it is compared with.").Derived()
	fCounterOf = proto.Uint32("counter.of", "Compared with",
		"Network id of the player whose counter it is compared with: the host, or else the lowest id.").Hex().Derived()
	fCounterSpace = proto.Uint16("counter.spacing", "Spacing",
		"Counters of two players start 1200 apart, those of more players 2000.").Derived()
	fCounterDrift = proto.Int32("counter.drift", "Drift", "How far the difference is from a multiple of the spacing.").
			Derived()
	nCounterDrift = proto.Expert("counter.drifted", dissect.Warn,
		"The counters are not a multiple of their spacing apart: the players may be out of sync")
	nCounterLost   = proto.Expert("counter.lost", dissect.Hint, "Counter syncs are missing in front of this one")
	nTimeOpen      = proto.Expert("time.unanswered", dissect.Hint, "The time sync request before this one got no answer")
	nTimeUnasked   = proto.Expert("time.unasked", dissect.Chat, "No request that this answers was captured")
	nTimeBack      = proto.Expert("time.restart", dissect.Chat, "The time starts anew: the game begins")
	fCounterRepeat = proto.FrameRef("counter.repeat", "Repeats", "The packet with the same counter to the same player.")

	fContinue = proto.Uint32("continue.turn", "Last synced communication turn",
		"The turn from which the remaining players go on; the notes' layout calls it unknown3 (u32 at 20).")
	fDropped = proto.Uint8("continue.dropped", "Dropped player",
		"The player who was silent longest when this came, or else was out of sync.").Format(playerText).Derived()
	fDroppedI = proto.Uint32("continue.dropped.id", "Dropped network id",
		"Network id of the player who was silent longest when this came, or else was out of sync.").Hex().Derived()
	fSilence  = proto.Span("continue.silence", "Silent for", "How long the dropped player had sent nothing.").Derived()
	nContinue = proto.Expert("continue.drop", dissect.Warn,
		"A player was dropped or went out of sync; the others go on without")
)

// dissectTimeAsk reads a 16BC31.
func dissectTimeAsk(d *dissect.D, h *head) {
	for i, f := range [...]*dissect.Field{fOption1, fOption2, fOption3} {
		unusual(d, f, uint64(h.options[i]), h.options[i] == 0, "0x00")
	}
	passed := uint32(d.Uint(fPassed))
	if d.Short() {
		return
	}
	n := timeNotes.of(d, func(w *world) timeNote { return w.timeAsk(d, h, passed) })
	d.Request(timeKey(h.source, h.destination, passed), fAnsweredIn)
	if n.flags&timeKnown != 0 {
		d.Set(fApart, uint64(int64(n.apart)))
	}
	if n.open != 0 {
		d.Set(fWaits, uint64(n.open))
		d.Expert(nTimeOpen)
	}
	if n.flags&timeRestart != 0 {
		d.Expert(nTimeBack)
	}
	if d.Info().Wanted() {
		d.Info().Setf("%d ms%s", passed, n.apartText())
	}
}

// apartText is the text for the difference between the two clocks.
func (n timeNote) apartText() string {
	switch {
	case n.flags&timeKnown == 0 || n.apart == 0:
		return ""
	case n.apart < 0:
		return fmt.Sprintf(", %d ms behind the receiver", -int64(n.apart))
	}
	return fmt.Sprintf(", %d ms ahead of the receiver", n.apart)
}

// dissectTimeAnswer reads a 16BC32: the time of the request, with the ids swapped.
func dissectTimeAnswer(d *dissect.D, h *head) {
	passed := uint32(d.Uint(fPassed))
	if d.Short() {
		return
	}
	timeNotes.of(d, func(w *world) timeNote { w.timeAnswer(d); return timeNote{} })
	asked := d.Response(timeKey(h.destination, h.source, passed), fAnsweredIn, fRequestIn, fTime)
	switch {
	case asked == 0:
		d.Expert(nTimeUnasked)
		d.Info().Set("{time_passed}")
	case d.Info().Wanted():
		trip := ""
		if at, known := d.Packet().TimeOf(asked); known {
			trip = fmt.Sprintf(", round trip %.1f ms", float64(d.Time()-at)/1e6)
		}
		d.Info().Setf("%d ms%s", passed, trip)
	}
}

// timeKey joins request and answer: who asked whom, and the time.
func timeKey(source, destination, passed uint32) uint64 {
	return uint64(passed)<<32 | uint64(source*31+destination)
}

// dissectCounter reads a 16BC41.
func dissectCounter(d *dissect.D, h *head) {
	h.counter = uint32(d.Uint(fCounter))
	if d.Short() {
		return
	}
	n := counterNotes.of(d, func(w *world) counterNote { return w.counter(d, h) })
	d.Transcript().ID(uint64(h.counter))
	d.Transcript().Repeats(n.repeat)
	if n.repeat != 0 {
		d.Set(fCounterRepeat, uint64(n.repeat))
	}
	if n.missing > 0 {
		d.Set(fCounterLost, uint64(n.missing))
		d.Expert(nCounterLost)
	}
	if n.spacing != 0 {
		d.Set(fCounterDiff, uint64(int64(n.difference)))
		d.Set(fCounterOf, uint64(n.of))
		d.Set(fCounterSpace, uint64(n.spacing))
		d.Set(fCounterDrift, uint64(int64(n.drift())))
		if n.flags&counterDrifted != 0 {
			d.Expert(nCounterDrift)
		}
	}
	d.Info().Set("{counter}[, {counter.missing:raw} missing]")
}

// dissectContinue reads a 24BC51.
func dissectContinue(d *dissect.D, h *head) {
	turn := uint32(d.Uint(fContinue))
	if d.Short() {
		return
	}
	n := dropNotes.of(d, func(w *world) dropNote { return w.dropped(d, h, turn) })
	d.Transcript().Repeats(n.copy.repeat)
	n.copy.show(d)
	d.Expert(nContinue)
	if n.id != 0 {
		if n.number != 0 {
			d.Set(fDropped, uint64(n.number))
		}
		d.Set(fDroppedI, uint64(n.id))
		if n.silence != 0 {
			d.Set(fSilence, uint64(n.silence))
		}
	}
	d.Info().Set("go on[ without {continue.dropped}] from turn {continue.turn}[, silent for {continue.silence} s]")
}
