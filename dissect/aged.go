package dissect

import "remora/internal/column"

// An agedColumn is a column whose rows are known by numbers and belong to no frame, and which knows roughly which
// frames they were appended in, so that old ones can go.
type agedColumn[T any] struct {
	column.Packed[T]
	marks []ageMark // oldest first
}

// An ageMark says how many rows there were when a frame came.
type ageMark struct {
	frame FrameNum
	rows  int
}

// markEvery is how many rows lie between two marks at least: as many as a chunk of a column has.
const markEvery = 1 << 13

// put appends a row in a frame, and returns its position.
func (c *agedColumn[T]) put(n FrameNum, row T) int {
	at := c.Append(row)
	if at&(markEvery-1) == 0 {
		c.marks = append(c.marks, ageMark{n, at})
	}
	return at
}

// shrink gives up rows from before a frame where there are more than limit bytes: no more than brings it there.
func (c *agedColumn[T]) shrink(limit int64, below FrameNum) {
	for len(c.marks) > 1 && c.marks[1].frame < below && c.Bytes() > limit {
		c.marks = c.marks[1:]
		c.Forget(c.marks[0].rows)
	}
}
