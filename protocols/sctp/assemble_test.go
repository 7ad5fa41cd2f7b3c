package sctp_test

import (
	"encoding/binary"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

const (
	begins = 2
	ends   = 1
)

// packet is an IPv4 packet with chunks, without checksums.
func packet(chunks ...[]byte) []byte {
	b := []byte{0x45, 0, 0, 0, 0, 1, 0, 0, 64, 132, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0x13, 0x88, 0x17, 0x70, 0, 0, 0, 9, 0,
		0, 0, 0}
	for _, c := range chunks {
		b = append(b, c...)
	}
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
	return b
}

// piece is a chunk of data, interleaved is one as RFC 8260 has them.
func piece(flags byte, tsn uint32, text string) []byte {
	b := []byte{0, flags, 0, byte(16 + len(text))}
	b = binary.BigEndian.AppendUint32(b, tsn)
	b = append(append(b, 0, 1, 0, 7, 0, 0, 0, 51), text...)
	return append(b, make([]byte, -len(b)&3)...)
}

func interleaved(flags byte, tsn, mid, fsn uint32, text string) []byte {
	b := []byte{0x40, flags, 0, byte(20 + len(text))}
	b = binary.BigEndian.AppendUint32(b, tsn)
	b = append(b, 0, 1, 0, 0)
	b = binary.BigEndian.AppendUint32(b, mid)
	b = binary.BigEndian.AppendUint32(b, fsn)
	b = append(b, text...)
	return append(b, make([]byte, -len(b)&3)...)
}

// TestFragments puts messages together from chunks in order, out of order, sent again, two in one packet, interleaved.
func TestFragments(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(
		packet(piece(begins, 100, "one ")),
		packet(piece(0, 101, "and ")),
		packet(piece(0, 101, "and ")), // again
		packet(piece(ends, 102, "two")),
		packet(piece(ends, 0, "round")), // behind the wrap of the numbers, first to come
		packet(piece(begins, 0xffffffff, "all ")),
		packet(piece(begins, 110, "a"), piece(ends, 111, "b"), piece(begins, 112, "c"), piece(ends, 113, "d")),
		packet(interleaved(begins, 120, 5, 51, "x"), interleaved(begins, 121, 6, 51, "y")),
		packet(interleaved(ends, 122, 6, 1, "Y"), interleaved(ends, 123, 5, 1, "X")),
		packet(piece(ends, 200, "no beginning")),
	))
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	for frame, want := range map[dissect.FrameNum][]string{
		3: nil, 4: {"one and two"}, 5: nil, 6: {"all round"}, 7: {"ab", "cd"}, 8: nil, 9: {"yY", "xX"}, 10: nil,
	} {
		sources := s.Tree(frame).Sources()[1:]
		if len(sources) != len(want) {
			t.Errorf("frame %d has %d messages put together, want %d", frame, len(sources), len(want))
			continue
		}
		for i, w := range want {
			if got := string(sources[i].Data); got != w {
				t.Errorf("frame %d: message %d is %q, want %q", frame, i+1, got, w)
			}
		}
	}
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "sctp.reassembled_in", Want: "4"},
		{Frame: 5, Field: "sctp.reassembled_in", Want: "6"},
		{Frame: 4, Field: "sctp.fragment", Want: "1,2,4"},
	})
}
