package realnet

import (
	"fmt"
	"time"

	"remora/dissect"
)

var (
	fConn = proto.Uint8("connection", "Block type",
		"What the Connection packet is, 1 byte behind the sequence (sheet, sections 3 and 4).").Named(connectionTypes)
	fStamp = proto.Uint64("timestamp", "Timestamp",
		"Any timestamp of a packet: 8 bytes, little-endian, µs by the server's clock.").In("µs")
	fServerAt = proto.Uint64("accept.time", "Server time",
		"As built: when the server received the Init, 8 bytes, little-endian, µs; Unix time on Linux (sheet, section 3).").
		In("µs").Also(fStamp)
	fServerIn = proto.Uint64("accept.delay", "Delay",
		"As built: from receiving the Init to sending this, 8 bytes, little-endian, µs (sheet, section 3).").In("µs")
	fDate     = proto.Time("accept.date", "Server's date", "The server's time read as Unix time.").Derived()
	fClientAt = proto.Uint64("accept.client_time", "Client time",
		"As built: the client's clock, 8 bytes, little-endian, µs; the server ignores it (sheet, section 3).").In("µs").
		Also(fStamp)
	fClientIn = proto.Uint64("accept.client_delay", "Client delay",
		"As built: from receiving the server's Accept to sending this, 8 bytes, little-endian, µs (sheet, section 3).").
		In("µs")
	fReceived = proto.Uint64("accept.received", "Init received",
		"As documented: when the server received the Init, 8 bytes, little-endian, µs (sheet, section 4).").In("µs").
		Also(fStamp)
	fSent = proto.Uint64("accept.sent", "Accept sent",
		"As documented: when the server sent this packet, 8 bytes, little-endian, µs (sheet, section 4).").In("µs").
		Also(fStamp)
	fInterval = proto.Uint32("accept.interval", "Sync interval",
		"As documented: how often the server will synchronize, 4 bytes, little-endian, µs (sheet, section 4).").In("µs")
	fTook = proto.Span("accept.took", "Server took",
		"From receiving the Init to sending this, by the server's stamps.").Derived()

	fRejCode = proto.Uint8("reject.reason", "Reason",
		"As built: why the server refused, 1 byte (sheet, section 3); the code only sends full.").Named(rejectReasons)
	fDisCode = proto.Uint8("disconnect.reason", "Reason",
		"As built: why the server ended the connection, 1 byte (sheet, section 3).").Named(disconnectReasons)
	fTextSize = proto.Uint8("reason.size", "Text size",
		"As documented: size of the reason text, 1 byte (sheet, section 4).").In("bytes")
	fReason = proto.String("reason.text", "Reason text",
		"As documented: why, in words, without a zero byte at its end (sheet, section 4).")
	fPeers = proto.Uint16("disconnect.peers", "Clients sent away together",
		"Clients that the server sent away within 0.1 s so far: several at once mean that it closed.").Derived()
	fPeerPrev = proto.FrameRef("disconnect.peer", "Also sent away in",
		"The packet by which the server sent the client before away.").Derived()
	fPeerNext = proto.FrameRef("disconnect.peer_next", "Next sent away in",
		"The packet by which the server sent the next client away.").Derived()

	nRefused = proto.Expert("reject", dissect.Hint, "The connection was refused")
	nEnded   = proto.Expert("disconnect", dissect.Hint, "The connection ended")
	nReason  = proto.Expert("reason.unknown", dissect.Warn, "Unknown reason")
	nGiven   = proto.Expert("reason.client", dissect.Hint, "Only a server gives a reason in words")
	nNoCode  = proto.Expert("reason.unsent", dissect.Hint, "The code never sends this reason")
)

// connection reads the body of a Connection packet.
func (v *view) connection(d *dissect.D) {
	d.Uint(fConn)
	if d.Short() {
		return
	}
	switch v.kind {
	case kindInit:
		d.Info().Setf("asks to connect")
	case kindAccept:
		v.accept(d)
	case kindReject:
		v.reject(d)
	default:
		v.unknownBlock(d)
	}
}

func (v *view) accept(d *dissect.D) {
	switch {
	case v.layout == layoutDocumented:
		received, sent := d.Uint(fReceived), d.Uint(fSent)
		interval := d.Uint(fInterval)
		if d.Short() {
			return
		}
		if sent < received {
			d.Expert(nOrder)
		} else if sent < maxStamp {
			d.Set(fTook, (sent-received)*1000)
		}
		if d.Info().Wanted() {
			d.Info().Setf("accepted, synchronization every %v%s", time.Duration(interval)*time.Microsecond, v.tripText())
		}
	case v.n.from == fromClient:
		d.Uint(fClientAt)
		delay := d.Uint(fClientIn)
		if d.Info().Wanted() && !d.Short() {
			d.Info().Setf("confirmed %d µs later%s", delay, v.tripText())
		}
	default:
		at := d.Uint(fServerAt)
		delay := d.Uint(fServerIn)
		if d.Short() {
			return
		}
		if near(d.Time()/1000, at) {
			d.Set(fDate, at*1000)
		}
		if d.Info().Wanted() {
			d.Info().Setf("accepted after %d µs%s", delay, v.tripText())
		}
	}
}

// tripText is the round trip for the Info column.
func (v *view) tripText() string {
	if v.times.flags&timeTrip == 0 {
		return ""
	}
	return fmt.Sprintf(", round trip %s", millis(v.times.trip))
}

// millis writes a span in milliseconds, with the digits that matter.
func millis(ns int64) string { return fmt.Sprintf("%.2f ms", float64(ns)/1e6) }

func (v *view) reject(d *dissect.D) {
	if v.layout == layoutBuilt {
		if v.n.from == fromClient && d.Left() == 0 {
			d.Expert(nRefused)
			d.Info().Setf("the client refuses")
			return
		}
		code := d.Uint(fRejCode)
		if d.Short() {
			return
		}
		v.because(d, nRefused, "refused", rejectReasons[code])
		if code < 3 {
			d.Expert(nNoCode)
		} else if code > 3 {
			d.Expert(nReason)
		}
		return
	}
	reason := ""
	if d.More() {
		reason = v.reason(d)
	}
	if !d.Short() {
		v.because(d, nRefused, "refused", reason)
	}
}

// because marks an end with its reason and writes it in the Info column.
func (v *view) because(d *dissect.D, note *dissect.Field, what, reason string) {
	if reason != "" && (d.Wanted(note) || d.Info().Wanted()) {
		d.ExpertText(note, capital(what)+": "+reason)
		d.Info().Setf("%s: %s", what, reason)
		return
	}
	d.Expert(note)
	d.Info().Setf("%s", what)
}

func capital(s string) string { return string(s[0]-'a'+'A') + s[1:] }

// reason reads a size byte and a text, and returns it escaped if somebody reads it.
func (v *view) reason(d *dissect.D) string {
	b := d.Counted(fTextSize, fReason)
	if !d.Info().Wanted() && !d.Wanted(nRefused) && !d.Wanted(nEnded) {
		return ""
	}
	return text(b)
}

// disconnection reads the body of a Disconnection.
func (v *view) disconnection(d *dissect.D) {
	if v.n.how == howGuess && ambiguous(v.whole) && !preferred(v.whole) {
		v.otherReading(d)
	}
	if v.layout == layoutBuilt {
		v.builtEnd(d)
		return
	}
	reason, given := "", d.Peek(0) > 0
	if d.More() {
		reason = v.reason(d)
	}
	if d.Short() {
		return
	}
	if given && v.n.from == fromClient && v.n.flags&noteGuessed == 0 {
		d.Expert(nGiven)
	}
	if reason == "" && v.n.from != fromUnknown {
		reason = senderLeaves[v.n.from]
	}
	v.because(d, nEnded, "disconnected", reason)
}

var senderLeaves = [...]string{fromClient: "the client leaves", fromServer: "by the server"}

// builtEnd reads a Disconnection as built: the server's has a reason, the client's none.
func (v *view) builtEnd(d *dissect.D) {
	if d.Left() == 0 {
		v.because(d, nEnded, "disconnected", senderLeaves[fromClient])
		return
	}
	code := d.Uint(fDisCode)
	if d.Short() {
		return
	}
	reason, ok := disconnectReasons[code]
	if !ok {
		reason = fmt.Sprintf("reason %d", code)
		d.Expert(nReason)
	}
	if v.rare.peers > 1 {
		reason = "server closed"
		d.Set(fPeers, uint64(v.rare.peers))
		d.Set(fPeerPrev, uint64(v.rare.peer))
	}
	d.Links().ShowForward(fPeerNext)
	v.because(d, nEnded, "disconnected", reason)
}

// otherReading shows what 4 bytes mean as documented when nothing decided the layout.
func (v *view) otherReading(d *dissect.D) {
	d.Expert(nOpen)
	at := v.start
	d.In(fAltern, func() {
		d.Put(fAltFlag, uint64(v.whole[1]), at+1, 1)
		d.Put(fAltSeq, uint64(le16(v.whole[2:])), at+2, 2)
	})
	d.Links().ShowForward(fDecided)
}
