package dissect

// InfoWords says that the Info column of packets that the protocol tops has nothing but these words, numbers, names of
// ports, and what InfoNames and InfoCopies say, so that a search for other words need not make it. Without words, it
// says that a protocol leaves nothing there in front of what the layers above write.
func (p *Protocol) InfoWords(words ...string) *Protocol {
	p.infoWords, p.fewWords = append(p.infoWords, words...), true
	return p
}

// InfoNames says that the Info column has the names of these values too.
func (p *Protocol) InfoNames(all ...Values) *Protocol {
	for _, values := range all {
		for _, name := range values {
			p.InfoWords(name)
		}
	}
	return p
}

// InfoCopies says that the Info column has texts of the packet too, whose letters stand among its bytes, or among those
// that were decrypted or put together for it, in one piece.
func (p *Protocol) InfoCopies() *Protocol {
	p.infoCopies = true
	return p
}

// packetWords are what the engine itself ends or makes the Info column with.
var packetWords = []string{"[Malformed Packet]", "[Unreassembled Packet]", cutText,
	"[TCP segment of a reassembled PDU]", "bytes"}

// RowWords are all words that rows of packets of a layer stack may have: in the Info column, as packet type and as
// protocol. Beside them rows have decimal and hexadecimal numbers, addresses, and where copies is true texts of the
// packet: see InfoCopies. It is not ok where rows may say more.
func (s *Session) RowWords(sh *LayerStack) (words []string, copies, ok bool) {
	if n := s.reg.Naming(); sh.cut || s.reg.foreign || len(s.reg.post) > 0 || n != nil && n.Port != nil {
		return nil, false, false
	}
	if len(s.StackTop(sh).infoWords) == 0 {
		return nil, false, false
	}
	words = append(words, packetWords...)
	for _, p := range s.StackProtocols(sh) {
		if !p.fewWords {
			return nil, false, false
		}
		words = append(append(words, p.infoWords...), p.Title())
		copies = copies || p.infoCopies
	}
	return append(words, s.KindText(sh)), copies, true
}
