package voip

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"
)

// TestLawsOfG711: the ends of both scales and the values around zero (ITU-T G.711, tables 1 and 2, in 16 bits).
func TestLawsOfG711(t *testing.T) {
	for c, want := range map[byte]int16{0x00: -32124, 0x80: 32124, 0xff: 0, 0x7f: 0, 0xfe: 8, 0x7e: -8, 0xf0: 120} {
		if got := fromMu(c); got != want {
			t.Errorf("µ-law %#x is %d, want %d", c, got, want)
		}
	}
	for c, want := range map[byte]int16{0xd5: 8, 0x55: -8, 0xaa: 32256, 0x2a: -32256, 0xd4: 24, 0xc5: 264} {
		if got := fromA(c); got != want {
			t.Errorf("A-law %#x is %d, want %d", c, got, want)
		}
	}
}

// TestSamplesArePlacedByTheirTime: what was lost is silence, what comes late is in its place, and what would take an
// hour is refused.
func TestSamplesArePlacedByTheirTime(t *testing.T) {
	out, err := place(nil, 0, []int16{1, 2})
	for _, p := range []struct {
		at      int
		samples []int16
	}{{6, []int16{7, 8}}, {2, []int16{3, 4}}, {-4, []int16{9}}, {8, nil}} {
		if err == nil {
			out, err = place(out, p.at, p.samples)
		}
	}
	if err != nil || !slices.Equal(out, []int16{1, 2, 3, 4, 0, 0, 7, 8}) {
		t.Errorf("%v (%v)", out, err)
	}
	if _, err := place(nil, maxSamples, []int16{1}); err == nil {
		t.Error("more than an hour is put together")
	}
}

// TestNumbersOfAStream: packets that are lost, late and repeated, over the end of the sequence numbers.
func TestNumbersOfAStream(t *testing.T) {
	s := Stream{low: 65534, high: 65533}
	for i, seq := range []uint16{65534, 65535, 1, 0, 4, 4} {
		s.packet(int64(i)*20e6, seq, uint32(i)*160)
	}
	if n, share := s.Lost(); n != 2 || share < 28 || share > 29 || s.Late != 1 || s.Twice != 1 {
		t.Errorf("%d lost (%.1f %%), %d late, %d twice", n, share, s.Late, s.Twice)
	}
	if s.MaxDelta != 20 || s.MeanJitter() != 0 {
		t.Errorf("gaps up to %v ms, jitter %v", s.MaxDelta, s.MeanJitter())
	}
}

// TestSoundOfOtherCodecs: what bytes of every value give is what spandsp's decoders give of them, by its checksum.
func TestSoundOfOtherCodecs(t *testing.T) {
	data, x := make([]byte, 6000), uint32(1)
	for i := range data {
		x = (x*1103515245 + 12345) & 0x7fffffff
		data[i] = 255
		if i%120 < 5 { // with quiet between, so that nothing overflows, where spandsp does not limit it
			data[i] = byte(x >> 16)
		}
	}
	for form, want := range map[string]struct {
		samples int
		sum     uint32
	}{
		"G722": {12000, 0x3e2518fb}, "G726-16": {24000, 0x1102f34c}, "AAL2-G726-16": {24000, 0xf499e89e},
		"G726-24": {16000, 0xa42068e8}, "AAL2-G726-24": {16000, 0x89b77cfe}, "G726-32": {12000, 0xa5c3ab1d},
		"AAL2-G726-32": {12000, 0x1e5e41d5}, "G726-40": {9600, 0xbef57340}, "AAL2-G726-40": {9600, 0x13349d68},
	} {
		decode, b := (&Stream{Form: form}).codec().decode(), []byte(nil)
		for part := range slices.Chunk(data, 120) { // as packets have them
			for _, v := range decode(part) {
				b = binary.LittleEndian.AppendUint16(b, uint16(v))
			}
		}
		if got := crc32.ChecksumIEEE(b); len(b) != 2*want.samples || got != want.sum {
			t.Errorf("%s: %d samples with the sum %08x, want %d with %08x", form, len(b)/2, got, want.samples, want.sum)
		}
	}
}

// TestFormsOfStreams: what descriptions name, and what is made of it.
func TestFormsOfStreams(t *testing.T) {
	for form, want := range map[string]struct {
		name   string
		clock  int
		played bool
	}{"": {"type 96", 0, false}, "pcma": {"G.711 PCMA", 8000, true}, "opus": {"opus", 48000, false},
		"iLBC": {"iLBC", 8000, false}, "G726-48": {"G726-48", 8000, false}, "g726-": {"g726-", 8000, false}} {
		s := Stream{Payload: 96, Form: form}
		if c := s.codec(); s.Codec() != want.name || c.clock != want.clock || s.Playable() != want.played {
			t.Errorf("%q is %s at %d Hz, played: %t", form, s.Codec(), c.clock, s.Playable())
		}
	}
	if s := (Stream{Payload: 9}); s.codec().played() != 16000 {
		t.Errorf("G.722 has %d samples a second", s.codec().played())
	}
}
