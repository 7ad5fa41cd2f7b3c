package aoe2

import (
	"bytes"
	"fmt"
	"strings"

	"remora/dissect"
)

var (
	fWriter    = proto.Uint8("chat.player", "Writer", "Player id of the writer, 1 to 8 (u8 at 20).").Format(playerNumber)
	fSentBy    = proto.Uint8("chat.sent", "Sent with", "How the message was sent (u8 at 21).").Hex().Named(sends)
	fReceivers = proto.String("chat.receivers", "Receivers",
		"Y or N for each player; the packet goes to all whatever this says (8 characters at 22).")
	fSeparator = proto.Uint8("chat.separator", "Separator", "Always 0x32 (u8 at 30).").Hex()
	fChatZero  = proto.Uint8("chat.zero1", "Zero", "Always 0 (u8 at 31).").Hex()
	fChatLen   = proto.Uint8("chat.length", "Message length",
		"Length without the NUL; the game does not trust it (u8 at 32).").In("bytes")
	fChatZero4 = proto.Uint32("chat.zero2", "Zero", "Always 0 (u32 at 33).")
	fText      = proto.String("chat.text", "Message",
		"What was written, in the code page of the writer's Windows, up to a NUL (at 37).").Encoded(dissect.Windows1252)
	fChatRest = proto.UnknownBytes("chat.leftover", "Leftover memory", "Bytes behind the message that mean nothing.")
	fTo       = proto.String("chat.to", "To", "Whom the writer wants to read it.").Derived()
	fReal     = proto.Uint8("chat.size", "Real length", "Bytes in front of the NUL.").In("bytes").Derived()

	nChatLen = proto.Expert("chat.length.bad", dissect.Warn,
		"The message length is not that of the text; the game shows the text in full")
	nChatLong = proto.Expert("chat.long", dissect.Warn, "More than the 65 characters that can be written in the game")
	nChatNUL  = proto.Expert("chat.unended", dissect.Warn, "The text does not end with a NUL")
	nChatForm = proto.Expert("chat.form", dissect.Hint, "Separator, zeros or receivers are not as in any real chat")
	nChatLie  = proto.Expert("chat.writer.bad", dissect.Warn,
		"Another player has this network id: the chat is perhaps forged")
	nChatEmpty = proto.Expert("chat.nobody", dissect.Hint, "The chat is to nobody")
)

// longestChat is how much can be written in the game; the lobby takes up to 247.
const longestChat = 65

// dissectChat reads a chat. The text is read to its NUL, whatever the length says, as the game does.
func dissectChat(d *dissect.D, h *head, s senderNote) {
	writer := uint8(d.Uint(fWriter))
	how := d.Uint(fSentBy)
	to := d.Bytes(fReceivers, 8)
	separator, zero := d.Uint(fSeparator), d.Uint(fChatZero)
	length := int(d.Uint(fChatLen))
	zeros := d.Uint(fChatZero4)
	if d.Short() {
		return
	}
	var text []byte
	size := bytes.IndexByte(d.Data(), 0)
	switch {
	case size >= 0:
		text = d.CString(fText)
	case d.CutShort():
		text = d.Rest(fText)
		d.Skip(1) // the NUL is one of the bytes that the capture lacks
	default:
		text = d.Rest(fText)
		d.Expert(nChatNUL)
		size = len(text)
	}
	if d.Left() > 0 {
		d.Bytes(fChatRest, min(4, d.Left()))
	}
	if size >= 0 {
		d.Set(fReal, uint64(min(size, 255)))
		if size != length {
			markText(d, nChatLen, "The message length says %d, the text has %d; the game shows it in full", length, size)
		}
	}
	unusual(d, fSentBy, how, how == 0 || how == 0xD9, "0x00 and 0xd9")
	unusual(d, fOption1, uint64(h.options[0]), h.options[0] == 1 || h.options[0] == 2, "0x01 and 0x02")
	if separator != 0x32 || zero != 0 || zeros != 0 || !isReceivers(to) {
		d.Expert(nChatForm)
	}
	n := chatNotes.of(d, func(w *world) chatNote { return w.chat(d, h, writer) })
	n.order.copy.show(d)
	d.Transcript().Repeats(n.order.copy.repeat)
	n.order.showDelay(d)
	if n.flags&chatInGame != 0 && size > longestChat {
		markText(d, nChatLong, "%d characters; no more than %d can be written in the game", size, longestChat)
	}
	if n.flags&chatOther != 0 {
		d.Expert(nChatLie)
	}
	who(d, s, writer)
	if d.Wanted(fTo) {
		d.SetText(fTo, receivers(to))
	}
	if bytes.IndexByte(to, 'Y') < 0 {
		d.Expert(nChatEmpty)
	}
	if d.Info().Wanted() {
		d.Info().Setf("%s to %s: %s", playerText(uint64(writer)), receivers(to), dissect.Windows1252.Decode(text))
	}
}

// isReceivers reports whether all eight are Y or N.
func isReceivers(b []byte) bool {
	for _, c := range b {
		if c != 'Y' && c != 'N' {
			return false
		}
	}
	return len(b) == 8
}

// receivers is the text for the players that a list of Y and N names.
func receivers(b []byte) string {
	var to []string
	for i, c := range b {
		if c == 'Y' {
			to = append(to, fmt.Sprintf("P%d", i+1))
		}
	}
	switch len(to) {
	case 0:
		return "nobody"
	case 8:
		return "all"
	}
	return strings.Join(to, ", ")
}
