package http

// What the Info column of messages may say, beside their first line.
var (
	_ = proto.InfoWords("Continuation", "HTTP").InfoCopies()
	_ = ssdp.InfoWords("Continuation", "SSDP").InfoCopies()
)
