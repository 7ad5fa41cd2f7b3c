package tcp

import "remora/dissect"

// transport says how a stream is put together.
var transport = &dissect.Transport{Table: dissect.TableTCP, SrcPort: fSrcPort, DstPort: fDstPort, Stream: fStream,
	Payload: fPayload, Numbers: []*dissect.Field{fSeqRaw, fSeq},
	Opens: bitOf(syn), Acks: fAcks}

// bitOf is the field of a flag.
func bitOf(mask uint64) *dissect.Field {
	for _, f := range flagBits {
		if f.Mask() == mask {
			return f
		}
	}
	panic("tcp: no such flag")
}
