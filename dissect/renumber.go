package dissect

import "slices"

// Keep has some frames alone count, those that a read filter let through, in ascending order: they get numbers of their
// own. It is called between the first pass and the re-dissections, by the goroutine that does these.
func (s *Session) Keep(frames []FrameNum) { s.kept, s.keeps = frames, true }

// Number is the number under which a frame is shown.
func (s *Session) Number(n FrameNum) FrameNum {
	if !s.keeps || n == 0 {
		return n
	}
	at, _ := slices.BinarySearch(s.kept, n)
	return FrameNum(at + 1)
}

// Before is the frame in front of another one, of those that count; the first one is in front of itself.
func (s *Session) Before(n FrameNum) FrameNum {
	if !s.keeps {
		return max(1, n-1)
	}
	if at, _ := slices.BinarySearch(s.kept, n); at > 0 {
		return s.kept[at-1]
	}
	return n
}

// Number is the number under which the frame is shown.
func (hd *PacketRecord) Number() FrameNum { return hd.s.Number(hd.Frame) }

// Before is the frame in front of this one, of those that count.
func (hd *PacketRecord) Before() FrameNum { return hd.s.Before(hd.Frame) }
