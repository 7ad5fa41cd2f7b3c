package dns

import "remora/dissect"

// The bits of the second word. LLMNR gives two of them another meaning (RFC 4795 section 2.1.1).
var (
	fFlags = proto.Uint16("flags", "Flags", "What the message is and may.").Hex().Format(flagText)
	fQR    = bit("response", "Response", 0x8000, "The message is an answer.", "Message is a response",
		"Message is a query")
	fOp = proto.Uint16("flags.opcode", "Opcode", "What is asked for.").Masked(0x7800).Named(opcodes)
	fAA = bit("authoritative", "Authoritative", 0x0400, "The server owns the name.",
		"Server is an authority for domain", "Server is not an authority for domain")
	fC = bit("conflict", "Conflict", 0x0400, "Several hosts have the name.", "The name is not considered unique",
		"The name is considered unique")
	fTC = bit("truncated", "Truncated", 0x0200, "The message is cut short: ask again over TCP.", "Message is truncated",
		"Message is not truncated")
	fRD = bit("recdesired", "Recursion desired", 0x0100, "The server should ask others.", "Do query recursively",
		"Don't do query recursively")
	fT = bit("tentative", "Tentative", 0x0100, "The sender has not made sure that the name is its own.", "Tentative",
		"Not tentative")
	fRA = bit("recavail", "Recursion available", 0x0080, "The server can ask others.",
		"Server can do recursive queries", "Server can't do recursive queries")
	fZ  = bit("z", "Z", 0x0040, "Reserved.", "reserved - incorrect!", "reserved (0)")
	fAD = bit("authenticated", "Answer authenticated", 0x0020, "The server has checked the data.",
		"Answer/authority portion was authenticated by the server",
		"Answer/authority portion was not authenticated by the server")
	fCD = bit("checkdisable", "Non-authenticated data", 0x0010, "Data that were not checked are welcome.", "Acceptable",
		"Unacceptable")
	fRcode = proto.Uint16("flags.rcode", "Reply code", "How it went.").Masked(0x000f).Named(rcodes)
)

func bit(name, label string, mask uint64, doc, yes, no string) *dissect.Field {
	return proto.Bool("flags."+name, label, doc).Wide(2).Masked(mask).TrueFalse(yes, no)
}

// Which bits are shown, outermost first, for questions and answers.
var (
	askBits   = []*dissect.Field{fQR, fOp, fTC, fRD, fZ, fAD, fCD}
	tellBits  = []*dissect.Field{fQR, fOp, fAA, fTC, fRD, fRA, fZ, fAD, fCD, fRcode}
	lAskBits  = []*dissect.Field{fQR, fOp, fC, fTC, fT}
	lTellBits = []*dissect.Field{fQR, fOp, fC, fTC, fT, fRcode}
)

// flagText says what the message is: "0x8180 Standard query response, No error".
func flagText(v uint64) string {
	text := opcodes[v>>11&15]
	if text == "" {
		text = "Unknown operation"
	}
	if v&0x8000 != 0 {
		rcode := rcodes[v&15]
		if rcode == "" {
			rcode = "Unknown error"
		}
		text += " response, " + rcode
	}
	const digits = "0123456789abcdef"
	return "0x" + string([]byte{digits[v>>12&15], digits[v>>8&15], digits[v>>4&15], digits[v&15]}) + " " + text
}

// flags reads the second word of the message.
func (m *reader) flags(word uint64) {
	d, at := m.d, m.d.Pos()
	d.Uint(fFlags)
	if d.Short() {
		return
	}
	response := word&0x8000 != 0
	bits := askBits
	switch {
	case m.llmnr && response:
		bits = lTellBits
	case m.llmnr:
		bits = lAskBits
	case response:
		bits = tellBits
	}
	d.Below(func() {
		for _, f := range bits {
			if f == fAD && !response && word&0x20 == 0 {
				continue // a question seldom has it
			}
			d.Put(f, word, at, 2)
		}
	})
}
