package dissect

// InfoWords says that the Info column of packets that the protocol tops has nothing but these words, numbers and names
// of ports, so that a search for other words need not make it. Without words, it says that a protocol leaves nothing
// there in front of what the layers above write.
func (p *Protocol) InfoWords(words ...string) *Protocol {
	p.infoWords, p.fewWords = words, true
	return p
}

// packetWords are what the engine itself ends or makes the Info column with.
var packetWords = []string{"[Malformed Packet]", "[Unreassembled Packet]", cutText,
	"[TCP segment of a reassembled PDU]", "bytes"}

// RowWords are all words that rows of packets of a layer stack may have: in the Info column, as packet type and as
// protocol. Beside them rows have decimal and hexadecimal numbers and addresses. It is not ok where rows may say more.
func (s *Session) RowWords(sh *LayerStack) (words []string, ok bool) {
	if n := s.reg.Naming(); sh.cut || s.reg.foreign || len(s.reg.post) > 0 || n != nil && n.Port != nil {
		return nil, false
	}
	top := s.StackTop(sh)
	for _, p := range s.StackProtocols(sh) {
		if !p.fewWords || p != top && len(p.infoWords) > 0 {
			return nil, false
		}
	}
	if len(top.infoWords) == 0 {
		return nil, false
	}
	words = append(append(words, top.infoWords...), packetWords...)
	return append(words, top.Title(), s.KindText(sh)), true
}
