package icmpv6

// What the Info column of messages may say, beside numbers and addresses.
var _ = inInfo()

func inInfo() bool {
	proto.InfoWords("Unknown", "id=", "seq=", "hop limit=", "(request in ", "[(reply in ", "(multicast)",
		"(no response found!)", "for", "rtr", "sol", "ovr", "none", "[from ", "[is at ").InfoNames(types)
	for _, names := range codes {
		proto.InfoNames(names)
	}
	return true
}
