package ticks

import (
	"remora/dissect"
)

// Has makes a function that tells whether a line counts a packet. It asks the index alone and may be called by one
// goroutine.
func (x Line) Has(s *dissect.Session) func(n dissect.FrameNum) bool {
	top, word, kind, dir := x.Proto.Protocol, x.Word(), x.Kind != nil, x.Dir
	known := map[*dissect.LayerStack]bool{}
	return func(n dissect.FrameNum) bool {
		sh := s.LayerStackOf(n)
		counts, ok := known[sh]
		if !ok {
			counts = s.StackTop(sh) == top && (!kind || isOf(s, sh, word))
			known[sh] = counts
		}
		if !counts || dir < 0 {
			return counts
		}
		conv, way := s.DirectionOf(n)
		return conv != 0 && way == dir
	}
}

// isOf tells whether packets of a shape are of a type; "" is that of packets without one.
func isOf(s *dissect.Session, sh *dissect.LayerStack, word string) bool {
	names := s.TypeNames(sh)
	for _, name := range names {
		if name == word {
			return true
		}
	}
	return len(names) == 0 && word == ""
}
