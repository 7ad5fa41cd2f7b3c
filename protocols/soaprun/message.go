package soaprun

import (
	"fmt"

	"remora/dissect"
)

var (
	fType = proto.Kind("type", "Type", types, "Four characters that say what the message is; the dispatch's texts and "+
		"bytes that are none of a message have types of their own.").Wide(4).BE().Format(typeText)
	fLength = proto.Uint32("length", "Length", "Bytes behind this field, type and body; u32, little-endian.").In("bytes")
	fFrom   = proto.Uint8("from", "From", "Which side sends it, told from its type and size or from the messages before.").
		Named(sides).Derived()
	fTurn = proto.Uint32("turn", "Turn", "Number of the question and its answer in this connection, counted from 1.").
		Derived()

	fRequestIn  = proto.FrameRef("request_in", "Question in", "The message that this one answers.")
	fAnsweredIn = proto.FrameRef("answered_in", "Answered in", "The message that answers this one.")
	fTime       = proto.Span("time", "Time to answer", "Time since the question that this message answers.").Derived()

	fUnknown = proto.UnknownBytes("unknown", "Unknown", "Body of a message whose type nobody knows.")
	fExtra   = proto.UnknownBytes("extra", "Bytes behind the message",
		"Bytes behind the end that the type and the counts of the message give.")
	fSkipped = proto.UnknownBytes("skipped", "Passed over", "Bytes of the stream that are none of a message.")
	fReading = proto.Uint8("length.reading", "Length counts", "What the Length of this message counts.").Derived().
			Named(dissect.Values{uint64(readSelf): "itself, too", uint64(readBody): "the body alone",
			uint64(readVersion): "the type alone, not the version behind it"})

	nSync = proto.Expert("sync.lost", dissect.Warn,
		"These bytes are none of a message; the next one begins where two follow each other")
	nLength = proto.Expert("length.bad", dissect.Warn,
		"Length does not match the message type: the game would disconnect")
	nReading = proto.Expert("length.other", dissect.Warn, "The Length does not count type and body, as it should")
	nLong    = proto.Expert("length.long", dissect.Hint,
		"Longer than the 1026 bytes that soapdispenser takes from clients: it disconnects")
	nBroken = proto.Expert("broken", dissect.Warn, "The connection ends in the middle of this message")
	nHangUp = proto.Expert("closed", dissect.Warn,
		"Server disconnected without a response: it does so when a request is wrong, impossible or too late")
	nIdle = proto.Expert("closed.idle", dissect.Hint,
		"Server disconnected without a request for a minute: the original server waits no longer")
	fOpenIn = proto.FrameRef("open_in", "Question without answer in",
		"The question that the server left open when it hung up.")
	fClosed  = proto.FrameRef("closed_in", "Hung up in", "The end of the connection that took the place of an answer.")
	nUnknown = proto.Expert("type.unknown", dissect.Hint, "Unknown message type")
	nWay     = proto.Expert("direction.bad", dissect.Warn, "Wrong direction for this message type")
	nUnasked = proto.Expert("unasked", dissect.Warn, "Response without a request")
	nOther   = proto.Expert("answer.other", dissect.Warn,
		"Response does not match the open request; a response in between is missing")
	nEager = proto.Expert("eager", dissect.Chat,
		"Request while another one is open: the original client waits for each response")
)

// message dissects one message, or what the stream holds instead of one.
func message(d *dissect.D) {
	b := d.Data()
	switch {
	case d.Left() == 0:
		ended(d)
	case upgrade(b):
		d.Message(func() { dissectUpgrade(d, b) })
	case measureWS(b) == len(b) || d.CutShort() && measureWS(b) > len(b):
		d.Message(func() { webSocket(d, b) })
	case isText(b) && isDispatch(d, b):
		d.Message(func() { dispatchText(d) })
	case nonsense(b):
		last := lastMessage(b)
		d.Message(func() { skipped(d, last) })
		if last > 0 {
			message(d)
		}
	default:
		d.Message(func() { gameMessage(d, b) })
	}
}

// nonsense reports whether bytes cannot be those of a message.
func nonsense(b []byte) bool {
	if len(b) < 8 {
		return true
	}
	size, _ := measure(b)
	return size == 0 && strange(b) == 0
}

func gameMessage(d *dissect.D, b []byte) {
	size, how := measure(b)
	if length, kind, ok := header(b); ok && !knownType(kind) {
		size = 4 + int(length)
	}
	if size > 0 && size < len(b) { // behind bytes that were passed over, more than one may follow
		d.Within(size, func() { gameMessage(d, b[:size]) })
		d.Message(func() { message(d) })
		return
	}
	if size > len(b) && !d.CutShort() {
		d.Expert(nBroken)
	}
	d.Uint(fLength)
	typed(d, d.Data(), how)
}

// typed dissects a message from its type on; b begins there.
func typed(d *dissect.D, b []byte, how reading) {
	kind := uint32(d.Kind(fType))
	if d.Short() {
		return
	}
	rest := b[4:]
	m := remember(d, &messageNotes, func(c *connection) messageNote { return c.message(d, kind, rest) })
	d.Set(fFrom, uint64(m.from()))
	if how != readRight {
		d.Set(fReading, uint64(how))
		d.Expert(nReading)
	}
	showTurn(d, m)
	if !knownType(kind) {
		d.Expert(nUnknown)
		if d.Info().Wanted() {
			d.Info().Setf("unknown message %q, %s", fourCC(uint64(kind)), plural(uint64(d.Left()), "byte"))
		}
		d.Rest(fUnknown)
		return
	}
	if how == readRight && kind != tField && !d.CutShort() && fits(kind, rest, len(rest)) == no {
		d.ExpertText(nLength,
			fmt.Sprintf("The Length %d does not fit the type %s: the game would hang up", len(b), types[uint64(kind)]))
	}
	if m.from() == fromClient && len(b) > takenLength {
		d.Expert(nLong)
	}
	body(d, kind, m, rest)
	d.Rest(fExtra)
}

// An endNote is the oldest question that was open when the server hung up, or for how long none had come.
type endNote struct {
	frame dissect.FrameNum
	kind  uint32
	count uint32
	idle  uint32 // seconds
}

// patience is for how many seconds the original server waits for a request (sheet, section 3).
const patience = 60

// ended tells of a connection that the server ends while questions are open, or since none came for long. All other
// ends say nothing.
func ended(d *dissect.D) {
	n := remember(d, &endNotes, func(c *connection) (n endNote) {
		c.leave(d)
		if c.server == 0 || c.sideOf(d.Dir) != fromServer {
			return n
		}
		if len(c.open) > 0 {
			n.frame, n.kind, n.count = c.open[0].frame, c.open[0].kind, uint32(len(c.open))
		} else if c.asked > 0 {
			n.idle = uint32((d.Time() - c.askedAt) / 1e9)
		}
		return n
	})
	if n.frame == 0 && n.idle < patience {
		d.Reject()
		return
	}
	if n.frame == 0 {
		d.Message(func() {
			d.SetKind(fType, kClosed)
			d.Expert(nIdle)
			d.Info().Setf("the server hangs up, %d s after the last request", n.idle)
		})
		return
	}
	d.Message(func() {
		d.SetKind(fType, kClosed)
		d.Expert(nHangUp)
		d.Link(n.frame, fClosed, fOpenIn)
		if d.Info().Wanted() {
			d.Info().Setf("the server hangs up without an answer to %s", named(types, uint64(n.kind), fourCC(uint64(n.kind))))
		}
	})
}

// skipped shows the first n bytes, or with 0 all, as none of a message.
func skipped(d *dissect.D, n int) {
	if n == 0 {
		n = d.Left()
	}
	d.SetKind(fType, kSkipped)
	d.Bytes(fSkipped, n)
	if !d.CutShort() {
		d.ExpertText(nSync,
			fmt.Sprintf("%d bytes are none of a message: the capture began in the middle of one, or a part is missing", n))
	}
	if d.Info().Wanted() {
		d.Info().Setf("%d bytes until the next message", n)
	}
}

// showTurn shows which request or response the message belongs to.
func showTurn(d *dissect.D, m messageNote) {
	if m.flags&wrongWay != 0 {
		d.Expert(nWay)
	}
	if m.flags&unasked != 0 {
		d.Expert(nUnasked)
	}
	if m.flags&otherAnswer != 0 {
		d.Expert(nOther)
	}
	if m.flags&eager != 0 {
		d.Expert(nEager)
	}
	if m.turn == 0 {
		return
	}
	d.Set(fTurn, uint64(m.turn))
	if m.from() == fromClient {
		d.Request(uint64(m.turn), fAnsweredIn)
		d.Links().ShowForward(fClosed)
	} else {
		d.Response(uint64(m.turn), fAnsweredIn, fRequestIn, fTime)
	}
}

// body reads what follows the type.
func body(d *dissect.D, kind uint32, m messageNote, b []byte) {
	client := m.from() == fromClient
	switch kind {
	case tWelcome, tOver:
		greeting(d, kind)
	case tProtocol:
		if len(b) > gameBody || !client {
			dissectProtocol(d)
		} else {
			dissectGame(d)
		}
	case tTest:
		dissectTest(d, m)
	case tLog:
		dissectLog(d, b)
	case tAttrs:
		if client {
			d.Info().Set("asks for the attributes")
		} else {
			dissectAttributes(d, b)
		}
	case tRoom:
		dissectRoom(d, m, b)
	case tMove, tColour, tDraw, tHit, tHeaven:
		dissectMove(d, kind, b)
	case tCorpse:
		dissectCorpse(d, b)
	case tField:
		dissectField(d, b)
	case tVoid:
		d.Info().Setf("to %s", asked(m))
	case tBye:
		farewell(d)
	}
}

// asked links a response to its request.
func asked(m messageNote) string {
	if m.question == 0 {
		return "an unseen question"
	}
	return named(types, uint64(m.question), fourCC(uint64(m.question)))
}
