package tcp

// What the Info column of a segment may say, beside numbers.
var _ = proto.InfoWords(infoWords()...)

func infoWords() []string {
	words := []string{"<None>", "Seq=", "Ack=", "Win=", "Urg=", "Len=", "MSS=", "WS=", "SACK_PERM", "TSval=", "TSecr=",
		"SLE=", "SRE=", "ECHO=", "CC=", "MD5", "USER_TO=", "TCP AO", "TFO=R", "TFO=C", "ExID=", "MPTCP", "IPv4", "IPv6",
		"bogus TCP header length (must be at least 20)", "longer than the segment"}
	for _, f := range flagWords {
		words = append(words, f.word)
	}
	for _, r := range remarks {
		words = append(words, r.info)
	}
	return words
}
