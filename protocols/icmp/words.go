package icmp

// What the Info column of messages may say, beside numbers.
var _ = inInfo()

func inInfo() bool {
	proto.InfoWords("Unknown ICMP (obsolete or malformed?)", "id=", "seq=", "ttl=", "(request in ", "[(reply in ",
		"(multicast)", "(no response found!)").InfoNames(types)
	for _, names := range codes {
		proto.InfoNames(names)
	}
	return true
}
