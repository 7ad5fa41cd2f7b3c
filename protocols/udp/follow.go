package udp

import "remora/dissect"

// transport says what a datagram carries.
var transport = &dissect.Transport{Table: dissect.TableUDP, SrcPort: fSrcPort, DstPort: fDstPort, Stream: fStream,
	Payload: fPayload}
