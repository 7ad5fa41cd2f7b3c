package ntp

import "remora/dissect"

// What the Info column of packets may say, beside numbers.
var _ = proto.InfoWords("control", "private").InfoNames(versions, modes, privateRequests,
	dissect.Values{0: "Request", 1: "Response"})
