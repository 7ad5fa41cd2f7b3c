package kaillera

import (
	"fmt"
	"strings"

	"remora/dissect"
)

var (
	fCount = proto.Uint8("count", "Messages",
		"How many messages the datagram holds, newest first (section 3); receivers take up to 32.")
	fMessage = proto.Group("message", "Message", "One message: number, length, type and body (section 3).").
			Summary("Message[ {number}][: {type:name}][: {repeat.type:name}][, {repeat}]")
	fNumber = proto.Uint16("number", "Message number",
		"Number of the message, counted for each direction alone from 0; behind 65535 comes 0.")
	fLength = proto.Uint16("length", "Length", "Bytes of type and body together.").In("bytes")
	fType   = proto.Kind("type", "Message type", types, "What a new message is (section 4). Repeats have repeat.type; "+
		"datagrams with nothing new, and the forms of the connect phase, have types of their own.").Format(typeText)
	fOldType = proto.Uint8("repeat.type", "Message type",
		"What a message is that is not new: most datagrams carry some again that their receiver had before.").Hex().
		Named(types)
	fRaw = proto.UnknownBytes("raw", "Undecoded bytes",
		"Bytes of a message that does not have the structure of its type, or whose type nobody knows.")
	fExtra = proto.UnknownBytes("extra", "Extra bytes", "Bytes behind the last field of a message or datagram.")
	fNUL   = proto.Bytes("nul", "NUL", "The zero byte that ends a text.")

	fTrailing = proto.Bytes("trailing", "Trailing bytes",
		"Bytes behind the last message that the datagram counts; receivers pass over them.")
	fMore = proto.Uint8("trailing.messages", "Parse as further messages",
		"How many whole messages the trailing bytes hold.").Derived()

	fFrom = proto.Uint8("from", "Sent by",
		"Whether a client or the server sent this, as ports, types or the messages' forms tell.").Derived().Named(roles)
	fRepeat = proto.Bool("repeat", "Repeat",
		"The receiver had been sent this message before: bundles carry old messages behind new ones in case of loss.").
		Derived().TrueFalse("repeat", "new")
	fFirst  = proto.FrameRef("first_seen", "First seen in", "The frame in which a repeated message was new.")
	fFresh  = proto.Uint8("new.count", "New messages", "Messages that the receiver had not been sent before.").Derived()
	fHealed = proto.Uint8("recovered", "Recovered messages",
		"New messages besides the newest: the datagrams that carried them first were lost, or are late.").Derived()
	fGap = proto.Uint16("gap", "Lost messages",
		"Messages between the last one before and the oldest new one here: no datagram in the capture has them.").Derived()
	fHello  = proto.FrameRef("hello_in", "Session port named in", "The HELLOD00D that sent the client here.")
	fBegins = proto.FrameRef("session_in", "Session begins in", "The login on the port that this HELLOD00D names.")

	nMalformed = proto.Expert("malformed", dissect.Error, "Message does not match the structure of its type")
	nUnknown   = proto.Expert("type.unknown", dissect.Hint, "Unknown message type")
	nCount     = proto.Expert("count.bad", dissect.Warn, "The datagram has fewer messages than it says")
	nNone      = proto.Expert("count.none", dissect.Warn, "A bundle without messages")
	nMany      = proto.Expert("count.many", dissect.Hint, "Unusually many messages in one datagram")
	nTooMany   = proto.Expert("count.excess", dissect.Warn, "More messages than any receiver takes (32)")
	nOrder     = proto.Expert("number.order", dissect.Warn, "Message numbers do not descend by one")
	nTrailing  = proto.Expert("trailing.bytes", dissect.Warn, "Bytes behind the last message")
	nExtra     = proto.Expert("extra.bytes", dissect.Hint, "The body is longer than its fields")
	nGap       = proto.Expert("number.gap", dissect.Warn, "Message lost")
	nFatal     = proto.Expert("number.jump", dissect.Error,
		"Ten or more numbers ahead: clients of the n02 family drop this datagram and all that follow")
	nConflict = proto.Expert("number.conflict", dissect.Error, "Message number reused with other contents")
	nOutdated = proto.Expert("number.late", dissect.Warn, "Out-of-order message: ignored by its receiver")
	nResend   = proto.Expert("resend", dissect.Hint, "Retransmission: no new messages, or a duplicated datagram")
	nLate     = proto.Expert("reordered", dissect.Chat, "Out-of-order datagram: no new messages")
	nHealed   = proto.Expert("recovered.messages", dissect.Chat,
		"Messages of datagrams that were lost or are late are recovered from this one")
	nSilence = proto.Expert("silence", dissect.Warn, "The client was silent for longer than servers wait (190 s)")
)

// packet dissects one datagram.
func packet(d *dissect.D) {
	if kind, word := connectForm(d.Data()); kind != 0 {
		d.Message(func() { connect(d, kind, word) })
		return
	}
	session(d)
}

// session dissects a bundle.
func session(d *dissect.D) {
	var v view
	v.parse(d.Data())
	v.quoted = d.Quoted()
	v.recall(d)
	d.Uint(fCount)
	v.context(d)
	if v.count > 0 && v.note.fresh == 0 && !v.quoted {
		d.SetKind(fType, kindRepeat)
	}
	if v.declared == 0 {
		d.SetKind(fType, kindEmpty)
		d.Expert(nNone)
	} else if v.count == 0 && d.More() {
		d.SetKind(fType, kindEmpty)
	}
	for i, more := 0, d.Elements(); i < v.count && more.Next(); i++ {
		d.Message(func() { d.In(fMessage, func() { v.message(d, i) }) })
	}
	v.rest(d)
	v.expertNumbers(d)
	v.expertStall(d)
	v.expertDesync(d)
	if d.Info().Wanted() {
		v.setInfo(d)
	}
}

// message shows message i.
func (v *view) message(d *dissect.D, i int) {
	p := &v.pieces[i]
	d.Uint(fNumber)
	if d.Uint(fLength) == 0 && !d.Short() {
		if v.isNew(i) {
			d.SetKind(fType, kindEmpty)
		}
		v.mark(d, i, nMalformed)
		return
	}
	d.Transcript().ID(uint64(p.number))
	if d.Info().Wanted() { // of types that say nothing
		d.Transcript().Text(fmt.Sprintf("#%d, %s", p.number, plural(uint64(p.length-1), "byte")))
	}
	if !v.isNew(i) {
		v.repeated(d, i)
	} else {
		d.Set(fRepeat, 0)
	}
	if i > 0 && p.number != v.pieces[i-1].number-1 {
		v.mark(d, i, nOrder)
	}
	cut := d.CutShort()
	d.Within(p.length, func() {
		if v.isNew(i) {
			d.Kind(fType)
		} else {
			d.Transcript().Kind(d.Uint(fOldType))
		}
		if cut && d.Short() { // not even the type is there
			return
		}
		v.body(d, i, cut)
	})
}

// repeated links a message that is not new to the frame in which it was.
func (v *view) repeated(d *dissect.D, i int) {
	if v.many.outdated>>i&1 != 0 {
		d.Expert(nOutdated)
		return
	}
	d.Set(fRepeat, 1)
	if first := v.firstSeen(i); first != 0 {
		d.Set(fFirst, uint64(first))
		d.Transcript().Repeats(first)
		if d.Info().Wanted() {
			d.Transcript().Text(fmt.Sprintf("#%d again, first in packet %d", v.pieces[i].number, first))
		}
	}
	if v.many.conflicts>>i&1 != 0 {
		d.Expert(nConflict)
	}
}

// firstSeen is where a repeated message was new, or 0.
func (v *view) firstSeen(i int) dissect.FrameNum {
	if i >= 1 && i <= len(v.note.firsts) {
		return v.note.firsts[i-1]
	}
	return v.many.firsts[i]
}

// rest shows the bytes behind the messages.
func (v *view) rest(d *dissect.D) {
	if v.count < min(v.declared, maxPieces) && !d.CutShort() {
		if !d.Short() && d.Wanted(nCount) {
			d.ExpertText(nCount, fmt.Sprintf("The datagram says %d messages and has %d", v.declared, v.count))
		} else if !d.Short() {
			d.Expert(nCount)
		}
	}
	if v.declared > maxPieces {
		d.Expert(nTooMany)
	} else if v.declared > maxCommon {
		d.Expert(nMany)
	}
	if !d.More() {
		return
	}
	if v.count < v.declared {
		d.Rest(fExtra)
		return
	}
	d.Expert(nTrailing)
	n, at, b := 0, 0, d.Data()
	for n < 255 {
		var p piece
		if !p.parse(b, at) || !p.whole() {
			break
		}
		n++
		at += 4 + p.length
	}
	d.Rest(fTrailing)
	d.Below(func() { d.Set(fMore, uint64(n)) })
}

// expertNumbers shows what the message numbers say of the datagram.
func (v *view) expertNumbers(d *dissect.D) {
	n, fresh := &v.note, 0
	for bits := n.fresh; bits != 0; bits &= bits - 1 {
		fresh++
	}
	if v.count > 0 {
		d.Set(fFresh, uint64(fresh))
	}
	if fresh > 1 && n.flags&flagFirst == 0 {
		d.Set(fHealed, uint64(fresh-1))
		d.Expert(nHealed)
	}
	if n.gap > 0 {
		d.Set(fGap, uint64(n.gap))
		if d.Wanted(nGap) {
			d.ExpertText(nGap, fmt.Sprintf("%d messages lost", n.gap))
		} else {
			d.Expert(nGap)
		}
	}
	for _, x := range [...]struct {
		flag uint16
		note *dissect.Field
	}{{flagFatal, nFatal}, {flagResend, nResend}, {flagLate, nLate}, {flagSilence, nSilence}} {
		if n.flags&x.flag != 0 && (x.flag != flagFatal || v.role != fromClient) {
			d.Expert(x.note)
		}
	}
}

// setInfo writes the Info column: what is new, the newest last, or what is repeated.
func (v *view) setInfo(d *dissect.D) {
	var b strings.Builder
	for i := len(v.info) - 1; i >= 0; i-- {
		if b.Len() > 0 && v.info[i] != "" {
			b.WriteString("; ")
		}
		b.WriteString(v.info[i])
	}
	if v.note.fresh == 0 && v.count > 0 {
		fmt.Fprintf(&b, "of %s %d", types[uint64(v.pieces[0].typ)], v.pieces[0].number)
		if v.count > 1 {
			fmt.Fprintf(&b, " and %d before", v.count-1)
		}
		if v.note.flags&flagLate != 0 {
			b.WriteString(", late")
		}
	}
	if v.note.gap > 0 {
		fmt.Fprintf(&b, " (%d lost before)", v.note.gap)
	}
	if v.stalled != "" {
		b.WriteString("; " + v.stalled)
	}
	d.Info().Setf("%s", strings.TrimPrefix(b.String(), "; "))
}

// say adds a message to the Info column, if it is new.
func (v *view) addInfo(d *dissect.D, i int, format string, args ...any) {
	if d.Info().Wanted() && v.isNew(i) {
		text := fmt.Sprintf(format, args...)
		v.info = append(v.info, text)
		d.Transcript().Text(strings.TrimSpace(fmt.Sprintf("#%d %s", v.pieces[i].number, text)))
	}
}
