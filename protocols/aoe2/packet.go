package aoe2

import (
	"fmt"

	"remora/dissect"
)

var (
	fType = proto.Kind("type", "Packet type", types, "What the packet is: its command, and for actions what is done.")
	fForm = proto.String("form", "Form",
		"How the notes name the packet: its length in bytes, BC, and the command byte in hexadecimal.").Derived()
	fSource = proto.Uint32("source", "Network source id", "The sender's network id, new in every game (u32 at 0).").Hex()
	fDest   = proto.Uint32("destination", "Network destination id",
		"The receiver's network id; 0 is everybody. Set in time and counter syncs (u32 at 4).").Hex().Named(everybody)
	fCommand = proto.Uint8("command", "Command", "The command byte (u8 at 8).").Hex().Named(commands)
	fOption1 = proto.Uint8("option1", "Option 1", "Unknown; 1 or 2 in chat, otherwise by command (u8 at 9).").Hex().
			Unknown()
	fOption2 = proto.Uint8("option2", "Option 2", "Unknown; 0x00, 0x7b, 0x8b, 0x8f and 0x90 were seen (u8 at 10).").Hex().
			Unknown()
	fOption3 = proto.Uint8("option3", "Option 3", "Unknown; 0x00, 0x0b and 0x0c were seen (u8 at 11).").Hex().Unknown()
	fTurn    = proto.Uint32("turn", "Communication turn",
		"The turn in which the packet takes effect; packets for a past turn are dropped by the game (u32 at 12).")
	fCounter = proto.Uint32("counter", "Individual counter", "Grows by 1 with each counter sync. The notes disagree "+
		"whose it is in the long header: sender's or receiver's (u32 at 16, in counter syncs at 12).")

	fUnknown  = proto.UnknownBytes("unknown", "Unknown", "Bytes whose meaning nobody knows.")
	fZero     = proto.UnknownBytes("zero", "Zero", "Bytes that are zero as a rule; some senders leave old memory in them.")
	fTrailing = proto.UnknownBytes("trailing", "Trailing bytes",
		"Bytes behind the end of the packet as the notes describe it.")

	nLength  = proto.Expert("length.bad", dissect.Warn, "Length does not match the command")
	nCommand = proto.Expert("command.unknown", dissect.Hint, "Unknown command")
	nUnusual = proto.Expert("unusual", dissect.Chat, "A value that the notes do not report")
	nIDs     = proto.Expert("source.bad", dissect.Warn,
		"Sender and receiver have the same network id, or the sender has none")
)

// The lengths of the two headers: the long one has the turn and the counter behind what both have.
const (
	headerShort = 12
	headerLong  = 20
)

// long tells which header a command has. The notes' name for the packet is not enough: 24BC51 has the long one, 24BC35
// and 24BC52 the short one.
func long(cmd byte) bool {
	switch cmd {
	case cmdTimeAsk, cmdTimeAnswer, cmdConnect, cmdCounter, cmdReady:
		return false
	}
	return true
}

// fixed are the lengths of the commands that have one.
var fixed = map[byte]int{
	cmdTimeAsk: 16, cmdTimeAnswer: 16, cmdConnect: 24, cmdCounter: 16, cmdTurn: 32, cmdCheck: 56, cmdContinue: 24,
	cmdReady: 24, cmdLobbyTurn: 26,
}

// A head is the header of a packet, with all of its bytes.
type head struct {
	whole       []byte
	source      uint32
	destination uint32
	command     byte
	options     [3]byte
	turn        uint32 // of the long header
	counter     uint32
	kind        uint64
}

// packet dissects one datagram. DirectPlay's own messages, which take their own way unless people said what the port
// is, go to their own protocol.
func packet(d *dissect.D) {
	if directPlay(d.Data()) {
		d.Next(tableDirectPlay, 0)
		return
	}
	d.Message(func() { message(d) })
}

func message(d *dissect.D) {
	h := head{whole: d.Data()}
	if len(h.whole) > 8 {
		h.command, h.kind = h.whole[8], kindOf(h.whole)
		d.SetKind(fType, h.kind)
		if d.Wanted(fForm) && !d.CutShort() {
			d.SetText(fForm, fmt.Sprintf("%dBC%02X", len(h.whole), h.command))
		}
	}
	h.source = uint32(d.Uint(fSource))
	h.destination = uint32(d.Uint(fDest))
	d.Uint(fCommand)
	for i, f := range [...]*dissect.Field{fOption1, fOption2, fOption3} {
		h.options[i] = byte(d.Uint(f))
	}
	_, known := commands[uint64(h.command)]
	if known && long(h.command) {
		h.turn, h.counter = uint32(d.Uint(fTurn)), uint32(d.Uint(fCounter))
	}
	if d.Short() {
		return
	}
	if h.source == 0 || h.source == h.destination {
		d.Expert(nIDs)
	}
	if !known {
		d.Expert(nCommand)
		d.Rest(fUnknown)
		if d.Info().Wanted() {
			d.Info().Setf("%d bytes of a command that nobody knows", len(h.whole))
		}
		return
	}
	if n := fixed[h.command]; n > 0 && n != len(h.whole) && !d.CutShort() {
		markText(d, nLength, "%d bytes; this packet has %d", len(h.whole), n)
	}
	commonHeader(d, &h)
	s := meet(d, &h)
	body(d, &h, s)
	if !d.Short() {
		d.Rest(fTrailing)
	}
}

func body(d *dissect.D, h *head, s senderNote) {
	switch h.command {
	case cmdTimeAsk:
		dissectTimeAsk(d, h)
	case cmdTimeAnswer:
		dissectTimeAnswer(d, h)
	case cmdConnect:
		dissectConnect(d, h)
	case cmdAction:
		dissectAction(d, h, s)
		return
	case cmdCounter:
		dissectCounter(d, h)
	case cmdChat:
		dissectChat(d, h, s)
		return
	case cmdTurn:
		dissectTurn(d, h)
	case cmdCheck:
		dissectCheck(d, h)
	case cmdContinue:
		dissectContinue(d, h)
	case cmdReady:
		dissectReady(d, h, s)
		return
	case cmdLobbyTurn:
		dissectLobbyTurn(d, h)
	case cmdSettings:
		dissectSettings(d, h)
	}
	who(d, s, 0)
}

// commonHeader holds the header against what the notes report of all packets: whom a packet is for, and the options
// that were seen. Commands whose options say something are looked at by themselves.
func commonHeader(d *dissect.D, h *head) {
	switch h.command {
	case cmdTimeAsk, cmdTimeAnswer, cmdCounter:
		unusual(d, fDest, uint64(h.destination), h.destination != 0, "one receiver")
	default:
		unusual(d, fDest, uint64(h.destination), h.destination == 0, "everybody")
	}
	switch h.command {
	case cmdTimeAsk, cmdConnect, cmdReady:
		return
	}
	two, three := h.options[1], h.options[2]
	unusual(d, fOption2, uint64(two), two == 0 || two == 0x7B || two == 0x8B || two == 0x8F || two == 0x90,
		"0x00, 0x7b, 0x8b, 0x8f and 0x90")
	unusual(d, fOption3, uint64(three), three == 0 || three == 0x0B || three == 0x0C, "0x00, 0x0b and 0x0c")
}

// unusual marks a value that is none of those that the notes report.
func unusual(d *dissect.D, f *dissect.Field, v uint64, ok bool, usual string) {
	if !ok && !d.Short() {
		if d.Wanted(nUnusual) {
			d.ExpertText(nUnusual, fmt.Sprintf("%s is %s; the notes report %s", f.Label(), f.NumberText(v), usual))
		} else {
			d.Expert(nUnusual)
		}
	}
}

// markText marks a note with words that are made only when somebody reads them.
func markText(d *dissect.D, note *dissect.Field, format string, args ...any) {
	if d.Wanted(note) {
		d.ExpertText(note, fmt.Sprintf(format, args...))
	} else {
		d.Expert(note)
	}
}

func le16(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 }
func le32(b []byte) uint32 { return uint32(le16(b)) | uint32(le16(b[2:]))<<16 }
