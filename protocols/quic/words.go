package quic

// What the Info column of datagrams may say, beside numbers.
var _ = inInfo()

func inInfo() bool {
	proto.InfoWords("Protected Payload (KP0)", "DCID=", "SCID=", "PKN:", "Stateless Reset", "PADDING", "NT", "PC", "PR",
		"DG", "CRYPTO", "STREAM", "NCI", "ACK_ECN", "CC", "AF").InfoNames(types)
	for _, frame := range plain {
		proto.InfoWords(frame.word)
	}
	return true
}
