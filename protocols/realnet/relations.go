package realnet

import (
	"fmt"

	"remora/dissect"
)

var (
	fAcked = proto.Uint16("acked", "Acknowledged sequence",
		"Number of the packet that arrived, 2 bytes, little-endian; an Ack has none of its own (sheet, section 1).")
	fAckOf   = proto.FrameRef("ack.of", "Acknowledges", "The latest packet of the other side with that number.").Derived()
	fAckTime = proto.Span("ack.time", "After", "Time since that packet.").Derived()
	fAckedIn = proto.FrameRef("acked_in", "Acknowledged in", "The first Ack of this packet.").Derived()
	fAckWait = proto.Span("acked.time", "Acknowledged after", "Time from this packet to its Ack.").Derived()
	fUnacked = proto.Label("unacked", "Never acknowledged in this capture", "A reliable packet without an Ack.").Derived()
	fOpen    = proto.Uint16("unacked.count", "Never acknowledged",
		"Reliable packets of both sides, of the last 30 s, that had no Ack when the connection ended.").In("packets").
		Derived()
	fAckPrev = proto.FrameRef("ack.before", "First acknowledged in", "The Ack that came before this one.").Derived()

	fRequestIn  = proto.FrameRef("request_in", "Answers", "The packet that this one answers.").Derived()
	fAnsweredIn = proto.FrameRef("answered_in", "Answered in", "The packet that answers this one.").Derived()
	fTime       = proto.Span("time", "After", "Time since the packet that this one answers.").Derived()

	fRepeatOf = proto.FrameRef("repeat_of", "First sent in", "The packet with the same number and bytes that came first.").
			Derived()
	fCopies  = proto.Uint16("copies", "Copies so far", "How often the packet was seen.").Derived()
	fMissing = proto.Uint16("missing", "Numbers missing below",
		"Numbers below this ordered packet that had not come yet, 64 at most.").Derived()
	fLack     = proto.Uint16("missing.first", "First missing", "The oldest number that had not come yet.").Derived()
	fReleased = proto.Uint16("releases", "Lets through", "Ordered packets that waited for this number.").In("packets").
			Derived()
	fRelease = proto.FrameRef("releases.first", "First of them", "The ordered packet that waited longest.").Derived()

	fReleasedIn = proto.FrameRef("released_in", "Could be handled in",
		"The packet whose number was the last one missing.").Derived()
	fWaited  = proto.Span("waited", "Waited", "Time until the last missing number came.").Derived()
	fSilence = proto.Uint32("silence", "Nothing sent before for", "How long the connection was silent.").In("ms").
			Derived()

	nResend  = proto.Expert("resend", dissect.Hint, "Retransmission")
	nStuck   = proto.Expert("stuck", dissect.Warn, "Sent many times without an acknowledgement")
	nOpenEnd = proto.Expert("unacked.end", dissect.Hint,
		"The connection ended before all reliable packets were acknowledged")
	nDuplicate = proto.Expert("duplicate", dissect.Hint, "Duplicate packet")
	nConflict  = proto.Expert("sequence.conflict", dissect.Error, "Sequence number reused for another packet")
	nLate      = proto.Expert("late", dissect.Chat, "Out-of-order packet")
	nWaiting   = proto.Expert("waiting", dissect.Chat, "Ordered, and lower numbers are missing: it waits if one of them "+
		"is on its way; unreliable ones may be lost for good")
	nAckAgain = proto.Expert("ack.again", dissect.Chat, "Duplicate acknowledgement: one for every copy")
	nAckNone  = proto.Expert("ack.unwanted", dissect.Warn, "Acknowledges a packet that asked for no acknowledgement")
	nAckLost  = proto.Expert("ack.unknown", dissect.Chat, "Acknowledges a number that was not seen in the last 30 s")
	nStranger = proto.Expert("stranger", dissect.Warn,
		"Sent without a connection: a server answers it with a Disconnection")
	nNotice  = proto.Expert("notice", dissect.Hint, "Tells a sender that it has no connection")
	nSilence = proto.Expert("silent", dissect.Hint, "Nothing was sent for more than 30 s: the connection counts as lost")
)

// ack reads an Ack.
func (v *view) ack(d *dissect.D) {
	seq := d.Uint(fAcked)
	if d.Short() {
		return
	}
	n := &v.n
	if n.flags&(noteAckNone|noteAckLost) == 0 || n.prev != 0 {
		if n.prev != 0 {
			d.Set(fAckOf, uint64(n.prev))
			d.Packet().SetSince(fAckTime, n.prev)
		}
		if n.copies > 1 {
			d.Set(fCopies, uint64(n.copies))
		}
	}
	switch {
	case n.flags&noteAckLost != 0:
		d.Expert(nAckLost)
	case n.flags&noteAckNone != 0:
		d.Expert(nAckNone)
	case n.flags&noteAckAgain != 0:
		d.Set(fAckPrev, uint64(n.first))
		d.Expert(nAckAgain)
	}
	if !d.Info().Wanted() {
		return
	}
	d.Info().Setf("%d", seq)
	if at, known := d.Packet().TimeOf(n.prev); known && n.prev != 0 {
		d.Info().Setf("after %s", millis(d.Time()-at))
	}
	if n.flags&noteAckAgain != 0 {
		d.Info().Setf("(again)")
	}
}

// relations shows what the conversation adds: answers, repeats, order, times, and what should not be.
func (v *view) relations(d *dissect.D) {
	n := &v.n
	if n.prev != 0 && n.flags&noteAnswers != 0 {
		d.Set(fRequestIn, uint64(n.prev))
		d.Packet().SetSince(fTime, n.prev)
	}
	switch v.kind {
	case kindInit, kindAccept, kindSyncInit, kindSyncAck, kindLinkInit, kindLinkTable, kindReplication, kindMessage:
		d.Links().ShowForward(fAnsweredIn)
	}
	if v.kind != kindAck {
		v.repeats(d)
		v.order(d)
		v.acknowledged(d)
	}
	v.showTimes(d)
	if n.flags&noteDelay != 0 {
		d.Set(fDelay, uint64(int64(n.delay)*1000))
	}
	if v.rare.open != 0 {
		d.Set(fOpen, uint64(v.rare.open))
		d.Expert(nOpenEnd)
	}
	if v.rare.silence != 0 {
		d.Set(fSilence, uint64(v.rare.silence))
		d.Expert(nSilence)
	}
	if v.rare.decides != 0 {
		d.Set(fDecides, uint64(v.rare.decides))
	}
	if n.flags&noteStranger != 0 {
		d.Expert(nStranger)
	}
	if n.flags&noteNotice != 0 {
		d.Expert(nNotice)
	}
	if n.flags&noteSender != 0 {
		d.Expert(nSender)
	}
	if n.phase != 0 {
		d.Set(fPhase, uint64(n.phase))
	}
}

// manyCopies is from how many copies on something is wrong with the path or the receiver.
const manyCopies = 5

// repeats shows that the packet was sent before, or that its number was.
func (v *view) repeats(d *dissect.D) {
	n := &v.n
	if n.flags&noteConflict != 0 {
		d.Expert(nConflict)
	}
	if n.first == 0 {
		return
	}
	d.Set(fRepeatOf, uint64(n.first))
	d.Set(fCopies, uint64(n.copies))
	d.Transcript().Repeats(n.first)
	word := "duplicate"
	if n.flags&noteResend != 0 {
		word = "resent"
		d.Expert(nResend)
		if n.copies >= manyCopies && n.flags&noteUnheard == 0 {
			d.Expert(nStuck)
		}
	} else {
		d.Expert(nDuplicate)
	}
	if d.Info().Wanted() {
		d.Info().Setf("(%s, copy %d)", word, n.copies)
	}
}

// order shows what ordered packets wait for, and what lets them through.
func (v *view) order(d *dissect.D) {
	n := &v.n
	if n.flags&noteLate != 0 {
		d.Expert(nLate)
		if d.Info().Wanted() {
			d.Info().Setf("(out of order)")
		}
	}
	if v.rare.released != 0 {
		d.Set(fReleased, uint64(v.rare.released))
		d.Set(fRelease, uint64(v.rare.releases))
	}
	if n.flags&noteWaiting == 0 {
		return
	}
	d.Set(fMissing, uint64(n.missing))
	d.Set(fLack, uint64(n.lack))
	d.Links().ShowForward(fReleasedIn)
	if d.Wanted(fWaited) {
		if f := d.Links().Forward(fReleasedIn); f != 0 {
			until(d, fWaited, f)
		}
	}
	if d.Wanted(nWaiting) {
		d.ExpertText(nWaiting,
			fmt.Sprintf("Ordered, and %d lower numbers from %d on are missing: it waits if one of them is on its way; "+
				"unreliable ones may be lost for good", n.missing, n.lack))
	} else {
		d.Expert(nWaiting)
	}
}

// until sets the field to how long a later frame took.
func until(d *dissect.D, f *dissect.Field, later dissect.FrameNum) {
	if at, known := d.Packet().TimeOf(later); known {
		d.Set(f, uint64(at-d.Time()))
	}
}

// acknowledged shows the Ack of a reliable packet, or that there is none.
func (v *view) acknowledged(d *dissect.D) {
	if !v.hasSeq || !v.reliable() {
		return
	}
	d.Links().ShowForward(fAckedIn)
	if !d.Wanted(fAckWait) && !d.Wanted(fUnacked) {
		return
	}
	if f := d.Links().Forward(fAckedIn); f != 0 {
		until(d, fAckWait, f)
	} else if d.Session().Ended() {
		d.Set(fUnacked, 0)
	}
}
