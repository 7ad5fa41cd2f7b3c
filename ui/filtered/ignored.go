package filtered

import (
	"remora/dissect"
	"remora/dissect/stats"
)

// Ignored are packets to be ignored. A set never changes: goroutines keep the one they began with.
type Ignored map[dissect.FrameNum]bool

// Count counts the packets from one to another that are not ignored.
func (ig Ignored) Count(t *stats.Tally, from, to dissect.FrameNum) {
	if len(ig) == 0 {
		t.Range(from, to)
		return
	}
	list := make([]dissect.FrameNum, 0, to-from+1)
	for n := from; n <= to; n++ {
		if !ig[n] {
			list = append(list, n)
		}
	}
	t.Frames(list, to)
}
